"""Agents with chance that are made to mislead: what is claimed of them must be so all the same."""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path

import pytest

from assay.agents.stochastic import StochasticAgent
from assay.chance_assessment import assess_chance
from assay.core.query import PlanQuery, PlanResponse
from assay.core.symbols import Atom
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError
from assay.pddl.reader import read_ppddl
from assay.proof.chance import verify_chance
from assay.result import Outcome


def opened(actions: str, seed: int = 0, **options: bool) -> StochasticAgent:
    text = (
        "(define (domain odd) (:requirements :strips :negative-preconditions :probabilistic-effects) "
        f"(:predicates (a) (s) (w)) {actions})"
    )
    return StochasticAgent(read_ppddl(text, "odd"), (), (frozenset(),), seed, **options)


BOTH_WAYS = "(:action t :parameters () :precondition (and) :effect (probabilistic 0.3 (a) 0.3 (not (a))))"


def effects(result, action: str) -> set[tuple[str, ...]]:
    return {tuple(sorted(map(str, o.literals))) for o in result.model.action[action].outcomes}


@pytest.mark.parametrize("seed", range(4))
def test_outcomes_that_work_both_ways_are_found_and_precision_stops(seed: int, tmp_path: Path) -> None:
    """No state shows all three: where `a` holds, bringing it about looks like doing nothing."""
    agent = opened(BOTH_WAYS, seed)
    result = assess_chance(agent, precision=0.1, samples=3000, seed=seed, out=tmp_path / "r")
    assert result.complete
    assert effects(result, "t") == {("(a)",), ("(not (a))",), ()}
    (nothing,) = [c for c in result.tallies["t"].counts if not c.outcome.literals]
    assert nothing.tries == 0
    assert nothing.low < 0.4 < nothing.high
    assert nothing.high - nothing.low <= 0.2
    assert "by what the others leave" in result.describe()
    assert verify_chance(tmp_path / "r").proved


def test_what_hardly_could_have_shown_is_not_called_unlikely() -> None:
    result = assess_chance(opened(BOTH_WAYS), samples=12)
    found = result.tallies["t"]
    assert found.unseen > 0.2
    for literal, runs in found.blind:
        assert runs < found.runs / 4, literal


class Toggle:
    """Turns a fact round: certain in every state, and in no model with one set of outcomes."""

    vocabulary = Vocabulary.of(predicates={"a": [], "b": []}, actions={"turn": [], "set": []})
    stochastic = True

    def ask(self, query: PlanQuery) -> PlanResponse:
        state = query.state
        for step in query.plan:
            fact = [Atom("a")]
            if step.action == "set":
                state = state.change(add=[Atom("b")])
            else:
                state = state.change(delete=fact) if fact[0] in state else state.change(add=fact)
        return PlanResponse(len(query.plan), state)


def test_a_capability_that_goes_by_the_situation_spoils_no_other() -> None:
    result = assess_chance(Toggle(), samples=200)
    assert effects(result, "set") == {("(b)",)}
    assert result.summary()["uneven"] == ["turn"]
    assert "depends on the situation" in result.describe()


HEATER = """
(:action same :parameters () :precondition (and (a)) :effect (probabilistic 0.4 (s)))
(:action heat :parameters () :precondition (and (a)) :effect (w))
(:action cool :parameters () :precondition (and) :effect (and (not (w)) (not (s))))"""


@pytest.mark.parametrize("seed", range(3))
def test_where_refusals_are_hidden_what_is_so_already_is_no_refusal(seed: int) -> None:
    result = assess_chance(opened(HEATER, seed, shows_refusals=False), samples=400, seed=seed)
    assert {n: sorted(map(str, a.needed)) for n, a in result.model.action.items()} == {
        "same": ["(a)"],
        "heat": ["(a)"],
        "cool": [],
    }


class Liar(Toggle):
    def __init__(self, lie: str) -> None:
        self._lie, self._chance = lie, random.Random(0)

    def ask(self, query: PlanQuery) -> PlanResponse:
        if self._lie == "steps":
            return PlanResponse(7, query.state)
        return PlanResponse(0, query.state.change(add=[Atom("a")], delete=[Atom("b")]))


@pytest.mark.parametrize(
    ("lie", "complaint"),
    [("steps", "7 steps ran, of a plan of 1"), ("state", "changed the state all the same")],
)
def test_lies_of_an_agent_that_is_led_are_caught(lie: str, complaint: str) -> None:
    with pytest.raises(AgentError, match=complaint):
        assess_chance(Liar(lie), samples=30)


def test_forged_probabilities_are_caught(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    coin = "(:action toss :parameters () :precondition (and) :effect (probabilistic 0.5 (a) 0.5 (s)))"
    assess_chance(opened(coin), samples=300, out=folder)
    assert verify_chance(folder).proved
    model, certificate = folder / "model.ppddl", folder / "certificate.json"
    text = re.sub(r"0\.\d+ \(and \(a\)\)", "0.1 (and (a))", model.read_text())
    text = re.sub(r"0\.\d+ \(and \(s\)\)", "0.9 (and (s))", text)
    model.write_text(text)
    data = json.loads(certificate.read_text())
    for outcome in data["outcomes"]:
        outcome["probability"] = 0.1 if outcome["effects"] == ["(a)"] else 0.9
    data["model"]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    certificate.write_text(json.dumps(data))
    assert any("likelier" in problem for problem in verify_chance(folder).problems)


class Moody(Toggle):
    """Refuses by a coin."""

    def __init__(self) -> None:
        self._chance = random.Random(1)

    def ask(self, query: PlanQuery) -> PlanResponse:
        return super().ask(query) if self._chance.random() < 0.5 else PlanResponse(0, query.state)


def test_a_contradiction_is_not_verified_away(tmp_path: Path) -> None:
    result = assess_chance(Moody(), samples=60, out=tmp_path / "r")
    assert result.outcome is Outcome.CONTRADICTION
    verdict = verify_chance(tmp_path / "r")
    assert not verdict.proved
    assert any("no precondition says that" in problem for problem in verdict.problems)


COINS = """(:action shake :parameters () :precondition (and) :effect (and
  (probabilistic 0.5 (a) 0.5 (not (a))) (probabilistic 0.5 (s) 0.5 (not (s)))
  (probabilistic 0.5 (w) 0.5 (not (w)))))"""


@pytest.mark.parametrize("start", ["any", "reset"])
def test_three_coins_have_eight_outcomes(start: str) -> None:
    result = assess_chance(opened(COINS), samples=1000, start=start)
    assert len(result.model.action["shake"].outcomes) == 8
    assert all(len(o.literals) == 3 for o in result.model.action["shake"].outcomes)
    assert not result.tallies["shake"].unexplained
