"""States that must not be entered are not entered, and what stays open because of that is said."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from assay.old_assessment import assess, resume
from assay.bench.confined import ConfinedAgent
from assay.bench.problems import load
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Object
from assay.core.universe import State, Universe
from assay.errors import InputError, PddlError
from assay.pddl.conditions import read_condition
from assay.pddl.reader import Problem
from assay.proof import reachable_verdict
from assay.proof.folder import verify_folder
from assay.proof.trespass import trespasses
from assay.old_result import Outcome
from assay.store.folder import Folder
from hidden_models import random_model

CASES = [
    ("blocksworld", "(holding b1)", Outcome.COMPLETE),
    ("blocksworld", "(clear b2)", Outcome.OPEN),
    ("blocksworld", "(exists (?x) (holding ?x))", Outcome.OPEN),
    ("gripper", "(exists (?b - ball) (carry ?b right))", Outcome.COMPLETE),
    ("gripper", "(or (at-robby room1) (carry ball1 left))", Outcome.OPEN),
    ("logistics", "(exists (?p - package) (in ?p plane1))", Outcome.OPEN),
    ("logistics", "(in p1 plane1)", Outcome.COMPLETE),
    ("ferry", "(and (on c1) (at-ferry l2))", Outcome.COMPLETE),
    ("ferry", "(not (empty-ferry))", Outcome.OPEN),
    ("miconic", "(boarded p0)", Outcome.COMPLETE),
]


class Watched(ConfinedAgent):
    """Notes every state that it passes through."""

    def __init__(
        self, model: Model, problem: Problem, start: Start = Start.RESET, free: bool = False
    ) -> None:
        super().__init__(model, problem, start, free)
        self.passed: set[int] = set()
        self.universe: Universe | None = None

    def ask(self, query: PlanQuery, /) -> PlanResponse | Invalid:
        self.universe, bits = query.state.universe, query.state.bits
        execution = Execution(self._model, self.universe)
        self.passed.add(bits)
        for step in query.plan:
            after = execution.apply(bits, step)
            if after is None:
                break
            bits = after
            self.passed.add(bits)
        return super().ask(query)


@pytest.mark.parametrize("start", [Start.RESET, Start.VISITED])
@pytest.mark.parametrize(("domain", "never", "outcome"), CASES)
def test_no_state_passed_through_is_a_forbidden_one(
    domain: str, never: str, outcome: Outcome, start: Start
) -> None:
    truth, problem = load(domain, 2, 0)
    for seed in range(3):
        agent = Watched(truth, problem, start)
        result = assess(agent, never=never, seed=seed)
        assert result.outcome is outcome
        assert not list(trespasses(result.knowledge.setting, result.entries, truth))
        if agent.universe is not None:
            assert not any(map(read_condition(never, agent.universe).holds, agent.passed))


def random_formula(rng: random.Random, atoms: list[Atom], depth: int = 0) -> str:
    if depth > 2 or rng.random() < 0.45:
        return str(rng.choice(atoms))
    if rng.random() < 0.3:
        return f"(not {random_formula(rng, atoms, depth + 1)})"
    parts = [random_formula(rng, atoms, depth + 1) for _ in range(2)]
    return f"({rng.choice(['and', 'or', 'imply'])} {' '.join(parts)})"


def test_whatever_the_agent_turns_out_to_be() -> None:
    """Random models, states and formulas: nothing forbidden is entered, nothing wrong is called proved."""
    asked = left = 0
    for seed in range(80):
        rng, truth = random.Random(seed), random_model(seed, nullary=1, constants=seed % 2)
        vocabulary = truth.vocabulary
        objects = tuple(Object(f"{t.name}{n}", t.name) for t in vocabulary.types for n in range(3))
        atoms = []
        for predicate in vocabulary.predicates:
            fitting = [
                [o.name for o in objects if vocabulary.fits(o.type, p.types)] for p in predicate.parameters
            ]
            atoms += [Atom(predicate.name, args) for args in product(*fitting)]
        initial = frozenset(atom for atom in atoms if rng.random() < 0.5)
        problem = Problem("random", vocabulary.name, objects, initial)
        never = random_formula(rng, atoms)
        agent = Watched(truth, problem, rng.choice([Start.RESET, Start.VISITED]), free=seed % 3 == 0)
        try:
            result = assess(agent, never=never, seed=seed, budget=100)
        except InputError:
            continue  # the initial state is forbidden
        if agent.universe is not None:
            assert not any(map(read_condition(never, agent.universe).holds, agent.passed))
            asked += 1
        left += bool(result.summary()["forbidden"])
        if result.complete:
            assert not reachable_verdict(result.knowledge.setting, result.entries, result.model).shown
    assert asked > 20
    assert left > 5


@pytest.mark.parametrize(("domain", "never"), [case[:2] for case in CASES])
def test_without_a_fence_they_are_entered(domain: str, never: str) -> None:
    """So the test above can fail."""
    truth, problem = load(domain, 2, 0)
    agent = Watched(truth, problem)
    result = assess(agent)
    forbidden = read_condition(never, result.knowledge.universe)
    assert any(map(forbidden.holds, agent.passed))
    assert list(trespasses(replace(result.knowledge.setting, never=never), result.entries, truth))


@pytest.mark.parametrize(("domain", "never", "outcome"), CASES[::3])
def test_what_is_claimed_all_the_same_is_verified(
    domain: str, never: str, outcome: Outcome, tmp_path: Path
) -> None:
    truth, problem = load(domain, 2, 0)
    assess(ConfinedAgent(truth, problem), never=never, out=tmp_path / "run")
    verdict = verify_folder(tmp_path / "run")
    assert any(s.endswith(f"not to be entered: {never}.") for s in verdict.sentences())
    assert not verdict.problems
    assert verdict.proved == (outcome is Outcome.COMPLETE)


def test_what_is_open_because_of_it_is_said(tmp_path: Path) -> None:
    truth, problem = load("logistics", 2, 0)
    never = "(exists (?p - package) (in ?p plane1))"
    result = assess(ConfinedAgent(truth, problem), never=never, out=tmp_path / "run")
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["outcome"] == "open"
    assert summary["never"] == never
    assert {"load-airplane", "unload-airplane"} <= summary["forbidden"].keys()
    assert "effect (in ?p ?a)" in summary["forbidden"]["load-airplane"]
    assert "states that may be entered" in summary["forbidden_proof"]
    assert sum(map(len, summary["forbidden"].values())) == summary["slots"]["open"]
    said = f"no step was taken that might have led into a state with `{never}`"
    for name in ("description.md", "report.html"):
        text = (tmp_path / "run" / name).read_text().replace("<code>", "`").replace("</code>", "`")
        assert said in text, name
    assert not any(d.idle for d in result.knowledge.dossiers.values())


def test_open_by_budget_is_not_open_by_fence() -> None:
    truth, problem = load("logistics", 2, 0)
    result = assess(ConfinedAgent(truth, problem), never="(at p1 l1-1)", budget=3)
    assert result.outcome is Outcome.BUDGET
    assert result.summary()["forbidden"] == {}


def test_a_claim_that_was_only_forbidden_to_look_is_not_verified(tmp_path: Path) -> None:
    """A certificate that calls it indistinguishable is found out."""
    truth, problem = load("gripper", 2, 0)
    folder = tmp_path / "run"
    assess(ConfinedAgent(truth, problem), never="(or (at-robby room1) (carry ball1 left))", out=folder)
    path = folder / "certificate.json"
    certificate = json.loads(path.read_text())
    opened = [claim for claim in certificate["claims"] if claim["status"] == "open"]
    assert opened
    for claim in opened:
        claim["status"] = "indistinguishable"
    path.write_text(json.dumps(certificate | {"complete": True}))
    verdict = verify_folder(folder)
    assert not verdict.in_order
    assert any("called indistinguishable, but" in problem for problem in verdict.problems)


def test_a_journal_that_trespasses_is_found_out(tmp_path: Path) -> None:
    """The journal of a run without a fence, passed off as one that had it."""
    truth, problem = load("ferry", 2, 0)
    result = assess(ConfinedAgent(truth, problem))
    setting = replace(result.knowledge.setting, never="(exists (?c - car) (on ?c))")
    folder = Folder.create(tmp_path / "run", setting, {})
    for entry in result.entries:
        folder.append(entry)
    folder.write(result.files(folder.hash))
    folder.close()
    verdict = verify_folder(tmp_path / "run")
    assert not verdict.in_order
    passed = [p for p in verdict.problems if "passed through a state that was not to be entered" in p]
    ended = [e for e in result.entries if any(atom.predicate == "on" for atom in e.response.state)]
    assert len(passed) > len(ended) > 0  # some only pass through
    assert not any(s.startswith("No question passed") for s in verdict.sentences())


def test_a_run_goes_on_under_the_same_fence(tmp_path: Path) -> None:
    truth, problem = load("ferry", 2, 0)
    never = "(and (on c0) (at-ferry l1))"
    whole = assess(ConfinedAgent(truth, problem), never=never)
    assess(ConfinedAgent(truth, problem), never=never, budget=5, out=tmp_path / "run")
    agent = Watched(truth, problem)
    rest = resume(tmp_path / "run", agent)
    assert [e.query for e in rest.entries] == [e.query for e in whole.entries]
    assert rest.knowledge.setting.never == never


def test_logs_show_what_may_not_be_tried(tmp_path: Path) -> None:
    """Any action that never ran might fill the ferry; once one was seen not to, it may be tried."""
    truth, problem = load("ferry", 2, 0)
    never = "(not (empty-ferry))"
    assert assess(ConfinedAgent(truth, problem), never=never).questions == 0
    before = ["at c0 l0", "at c1 l2", "at c2 l1", "at-ferry l2", "empty-ferry"]
    after = ["at c0 l0", "at c1 l2", "at c2 l1", "at-ferry l1", "empty-ferry"]
    logs = tmp_path / "log.jsonl"
    logs.write_text(json.dumps({"states": [before, after], "actions": ["sail l2 l1"]}))
    agent = Watched(truth, problem)
    told = assess(agent, never=never, traces=logs)
    assert told.questions > 0
    assert told.never_ran == ["board", "debark"]
    assert agent.universe is not None
    assert not any(map(read_condition(never, agent.universe).holds, agent.passed))


class Elsewhere(Watched):
    """Offers the state after a first boarding as another one to start from."""

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        (first,) = super().states(1, universe)
        yield first
        yield first.change(add=[Atom("on", ("c1",))], delete=[Atom("at", ("c1", "l2")), Atom("empty-ferry")])

    def ask(self, query: PlanQuery, /) -> PlanResponse | Invalid:
        assert Atom("on", ("c1",)) not in query.state
        return super().ask(query)


def test_a_forbidden_state_among_those_to_start_from_is_left_out() -> None:
    truth, problem = load("ferry", 2, 0)
    result = assess(Elsewhere(truth, problem), never="(on c1)")
    assert len(result.knowledge.setting.offered) == 2
    assert result.questions > 0
    assert not list(trespasses(result.knowledge.setting, result.entries, truth))


def test_a_start_that_is_forbidden_is_refused() -> None:
    truth, problem = load("blocksworld", 2, 0)
    with pytest.raises(InputError, match="initial state is among those that must not be entered"):
        assess(ConfinedAgent(truth, problem), never="(handempty)")


def test_formulas_are_checked_before_anything_is_asked(tmp_path: Path) -> None:
    truth, problem = load("blocksworld", 2, 0)
    with pytest.raises(PddlError, match="--never:1:10: unknown object 'b9'"):
        assess(ConfinedAgent(truth, problem), never="(holding b9)", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("strategy", ["chain", "aia", "naive"])
def test_strategies_that_set_states_refuse_it(strategy: str) -> None:
    truth, problem = load("blocksworld", 2, 0)
    with pytest.raises(InputError, match="only 'acting' keeps out of them"):
        assess(ConfinedAgent(truth, problem), never="(holding b1)", strategy=strategy)
