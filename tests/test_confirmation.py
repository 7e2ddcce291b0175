"""Some questions are asked again of agents that nobody vouches for."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from assay import Outcome, SimulatorAgent, assess, predicate
from assay.old_assessment import resume
from assay.bench.confined import ConfinedAgent
from assay.bench.problems import load
from assay.confirmation import MOST_REFUSALS, TIMES, confirmations
from assay.core.query import Invalid, PlanQuery, PlanResponse
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.proof.folder import verify_folder
from assay.store.journal import Entry
from assay.testing import check_agent

CELLS = [f"c{n}" for n in range(6)]


@predicate
def at(state, cell: "cell") -> bool:  # noqa: F821, UP037 - a type of the user's world, as text
    return f"c{state}" == cell


@predicate(static=True)
def beside(state, left: "cell", right: "cell") -> bool:  # noqa: F821, UP037
    return (CELLS.index(left) + 1) % len(CELLS) == CELLS.index(right)


class Ice:
    """A ring of cells; on ice one stays where one is as often as not."""

    def __init__(self, chance: random.Random | None = None) -> None:
        self._chance = chance

    def reset(self, seed):
        return self.restore(0)

    def step(self, action):
        stays = self._chance is not None and self._chance.random() < 0.5
        there = (self.state + (1 if action.action == "right" else -1)) % len(CELLS)
        if stays or action.args != (f"c{self.state}", f"c{there}"):
            return None
        return self.restore(there)

    def snapshot(self):
        return self.state

    def restore(self, snapshot):
        self.state = snapshot
        return snapshot


def ice(chance: random.Random | None = None) -> SimulatorAgent:
    ride = {"from": "cell", "to": "cell"}
    return SimulatorAgent(
        Ice(chance),
        predicates=[at, beside],
        actions={"left": ride, "right": ride},
        objects=dict.fromkeys(CELLS, "cell"),
    )


def test_chance_that_looks_like_a_condition_is_noticed() -> None:
    outcomes = []
    for seed in range(20):
        result = assess(ice(random.Random(seed)), seed=seed)
        outcomes.append(result.outcome)
        if result.outcome is Outcome.CONTRADICTION:
            assert "question" in result.explain_contradiction()
    assert outcomes.count(Outcome.CONTRADICTION) >= 18


def test_the_checker_notices_it_as_well() -> None:
    assert all(check_agent(ice(random.Random(seed)), seed=seed) for seed in range(10))
    assert not check_agent(ice())


def test_without_it_chance_would_pass() -> None:
    """So the test above can fail."""

    def once(seed: int) -> Outcome:
        agent = ice(random.Random(seed))
        agent.may_vary = False
        return assess(agent, seed=seed).outcome

    assert any(once(seed) is not Outcome.CONTRADICTION for seed in range(20))


def test_a_deterministic_one_passes_and_the_price_is_small(tmp_path: Path) -> None:
    result = assess(ice(), out=tmp_path / "run")
    assert result.outcome is not Outcome.CONTRADICTION
    again = result.summary()["asked_again"]
    assert again == result.asked_again
    assert again in (TIMES, 2 * TIMES)  # both actions in one question, or one in each
    assert not verify_folder(tmp_path / "run").problems
    agent = ice()
    agent.may_vary = False
    plain = assess(agent)
    assert result.questions == plain.questions + again
    assert result.model == plain.model
    assert [e.query for e in result.entries[: plain.questions]] == [e.query for e in plain.entries]


def test_symbolic_agents_are_asked_once() -> None:
    assert assess(ConfinedAgent(*load("gripper", 1, 0))).asked_again == 0


@pytest.mark.parametrize("left_out", range(4))
def test_a_run_cut_off_meanwhile_goes_on_to_the_same_bytes(tmp_path: Path, left_out: int) -> None:
    whole = assess(ice(), out=tmp_path / "whole")
    journal = (tmp_path / "whole" / "journal.jsonl").read_bytes()
    cut = tmp_path / "cut"
    assess(ice(), out=cut, budget=whole.questions - left_out)
    assert resume(cut, ice(), budget=whole.questions).outcome is whole.outcome
    assert (cut / "journal.jsonl").read_bytes() == journal


def test_the_most_telling_questions_come_first() -> None:
    vocabulary = Vocabulary.of(predicates={"p": []}, actions={"a": [], "b": [], "c": []})
    state = Universe(vocabulary).state([])

    def entry(number: int, plan: str, steps: int | None, logged: bool = False) -> Entry:
        answer = Invalid() if steps is None else PlanResponse(steps, state)
        return Entry(number, PlanQuery(state, tuple(map(Step, plan))), answer, logged)

    entries = [
        entry(1, "abab", 4, logged=True),
        entry(2, "a", 1),
        entry(3, "aaa", 3),
        entry(4, "ab", 2),
        entry(5, "c", 0),
        entry(6, "aa", 1),
        entry(7, "aac", 2),
        entry(8, "b", None),
        entry(9, "b", 0),
    ]
    assert [e.number for e in confirmations(entries)] == [3, 4] * TIMES + [5, 7] * TIMES
    longer = [*entries, *(entry(n, "a", 1) for n in range(10, 50))]
    assert [e.number for e in confirmations(longer)] == [3, 4] * TIMES + [7] + [5, 7] * TIMES
    many = [entry(n, "c", 0) for n in range(1, 200)]
    assert len(confirmations(many)) == MOST_REFUSALS
    assert confirmations([]) == []
