"""Acting only: what is learned is right wherever the agent can get, and the checker proves it."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest

from assay.agents.model import ModelAgent
from assay.old_assessment import assess
from assay.bench.confined import ConfinedAgent
from assay.bench.problems import load
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import Invalid, PlanQuery, Response, Start
from assay.errors import InputError
from assay.pddl.reader import Problem, read_domain, read_problem
from assay.planning.applicable import applicable_steps
from assay.proof import reachable_verdict
from assay.proof.folder import verify_folder
from assay.old_result import Outcome, Result

STATES = 400


def same_behaviour(learned: Model, truth: Model, problem: Problem, result: Result) -> bool:
    """Whether both run the same steps, to the same end, in the states nearest to the initial one."""
    universe = result.knowledge.universe
    ours, theirs = Execution(learned, universe), Execution(truth, universe)
    start = universe.bits(sorted(problem.initial))
    seen, queue = {start}, deque([start])
    while queue and len(seen) < STATES:
        bits = queue.popleft()
        steps = set(applicable_steps(truth, universe, bits))
        if steps != set(applicable_steps(learned, universe, bits)):
            return False
        for step in sorted(steps):
            after = theirs.apply(bits, step)
            if after is None or after != ours.apply(bits, step):
                return False
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return True


@pytest.mark.parametrize("start", [Start.RESET, Start.VISITED])
@pytest.mark.parametrize("domain", ["gripper", "blocksworld", "miconic", "logistics", "ferry"])
def test_what_is_learned_holds_wherever_the_agent_can_get(domain: str, start: Start) -> None:
    truth, problem = load(domain, 2, 1)
    result = assess(ConfinedAgent(truth, problem, start))
    assert result.outcome is Outcome.COMPLETE
    assert same_behaviour(result.model, truth, problem, result)
    assert reachable_verdict(result.knowledge.setting, result.entries, result.model).proved


def test_questions_start_where_the_agent_can_be_put() -> None:
    """The agent calls every other start impossible; it never has to."""
    truth, problem = load("blocksworld", 2, 0)
    for start in (Start.RESET, Start.VISITED):
        result = assess(ConfinedAgent(truth, problem, start))
        assert not any(isinstance(entry.response, Invalid) for entry in result.entries)


def test_the_same_seed_asks_the_same_questions() -> None:
    truth, problem = load("logistics", 2, 0)
    first, second = (assess(ConfinedAgent(truth, problem), seed=3) for _ in range(2))
    assert [e.query for e in first.entries] == [e.query for e in second.entries]


def test_an_agent_that_could_start_anywhere_is_led_as_if_it_could_not(tmp_path: Path) -> None:
    """What no state within reach tells, another state might: so nothing may be claimed of any start."""
    truth, problem = load("gripper", 1, 0)
    agent = ModelAgent(truth, problem.objects, (problem.initial,))
    result = assess(agent, strategy="acting", out=tmp_path / "out")
    assert result.complete
    assert result.summary()["start"] == "visited"
    assert verify_folder(tmp_path / "out").proved
    with pytest.raises(InputError, match="starts where the agent has been"):
        assess(agent, strategy="acting", start="any")


class Unwilling(ConfinedAgent):
    """Calls every question about picking up impossible."""

    def ask(self, query: PlanQuery, /) -> Response:
        if any(step.action == "pick-up" for step in query.plan):
            return Invalid("not now")
        return super().ask(query)


def test_an_agent_that_will_not_answer_leaves_things_open() -> None:
    truth, problem = load("blocksworld", 2, 0)
    result = assess(Unwilling(truth, problem), budget=150)
    assert result.outcome in (Outcome.OPEN, Outcome.BUDGET)
    assert "pick-up" in result.never_ran
    asked = [entry.query for entry in result.entries]
    assert len(asked) == len(set(asked))


def test_a_run_cut_short_claims_nothing_about_reachable_states() -> None:
    truth, problem = load("blocksworld", 2, 0)
    result = assess(ConfinedAgent(truth, problem), budget=12)
    assert result.outcome is Outcome.BUDGET
    assert not any(d.alike_needs or d.alike_effects or d.idle for d in result.knowledge.dossiers.values())


LAMPS = """
(define (domain lamps) (:types lamp) (:predicates (lit ?x - lamp) (wings))
 (:action light :parameters (?x - lamp) :precondition (not (lit ?x)) :effect (lit ?x))
 (:action douse :parameters (?x - lamp) :precondition (lit ?x) :effect (not (lit ?x)))
 (:action fly :parameters (?x - lamp) :precondition (wings) :effect (lit ?x)))
"""


def test_an_action_that_never_runs_is_proved_to_where_all_states_are_known() -> None:
    truth = read_domain(LAMPS)
    lamps = " ".join(f"lamp{n}" for n in range(9))
    text = f"(define (problem p) (:domain lamps) (:objects {lamps} - lamp) (:init (lit lamp0)))"
    result = assess(ConfinedAgent(truth, read_problem(text, truth.vocabulary)))
    assert result.outcome is Outcome.COMPLETE
    assert result.summary()["idle"] == ["fly"]
    assert result.knowledge.proof == "exhaustion of 512 states"
    assert reachable_verdict(result.knowledge.setting, result.entries, result.model).proved
