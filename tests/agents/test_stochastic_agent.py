"""Agents that execute a hidden model with chance, and how any agent is made to run a policy."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest

from assay.agents.guard import Guard
from assay.agents.model import ModelAgent
from assay.agents.open import open_agent
from assay.agents.simulator import SimulatorAgent
from assay.agents.stochastic import StochasticAgent, open_ppddl, open_world
from assay.agents.worlds import WORLDS, domain_text, larger_problems, training_problem, truth
from assay.bench.problems import load
from assay.core.execution import Execution
from assay.core.policy import End, PolicyQuery, PolicyResponse, Trace
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.setting import Setting
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import Universe
from assay.errors import AgentError, InputError
from assay.pddl.writer import write_problem
from assay.perception.predicates import predicate
from assay.planning.walk import walk


def trial(agent, action: str, runs: int = 1, number: int = 0) -> PolicyQuery:
    """The first step of the action that runs in the agent's first state, so many times."""
    setting = Setting.of(agent)
    state = setting.offered[number]
    args = {
        "move-car": next(a.args for a in sorted(state) if a.predicate == "road" and here(state) == a.args[0])
    }
    return PolicyQuery.trial(state, Step(action, args[action]), runs)


def here(state) -> str:
    return next(a.args[0] for a in state if a.predicate == "vehicle-at")


@pytest.mark.parametrize("name", WORLDS)
def test_the_worlds(name):
    agent = open_world(name)
    assert len(agent.objects) <= 7
    assert (agent.start, agent.new_objects) == (Start.ANY, False)
    for problem in larger_problems(name):
        assert len(problem.objects) > 7
        assert problem.initial
    assert larger_problems(name, 1) != larger_problems(name, 0)
    situation = training_problem(name)
    universe = Universe(agent.vocabulary, situation.objects)
    for atom in situation.initial:
        universe.index(atom)


@pytest.mark.parametrize(
    ("name", "capabilities", "chance"),
    [("driving", 2, 1), ("warehouse", 4, 2), ("responder", 10, 2), ("elevator", 10, 2)],
)
def test_the_worlds_are_those_of_the_paper(name, capabilities, chance):
    model = truth(name)
    assert len(model.actions) == capabilities
    assert sum(len(a.outcomes) > 1 for a in model.actions) == chance
    assert all(sum(o.probability for o in a.outcomes) == pytest.approx(1) for a in model.actions)


@pytest.mark.parametrize("name", WORLDS)
def test_every_capability_happens_in_the_training_problem(name):
    """What cannot be done from the beginning could not be learned by acting only."""
    situation = training_problem(name)
    universe = Universe(truth(name).vocabulary, situation.objects)
    chances = Execution(truth(name), universe)
    moves = islice(walk(chances, [universe.bits(sorted(situation.initial))], random.Random(0)), 5000)
    assert {move.step.action for move in moves} == set(truth(name).action)


def test_runs_do_not_depend_on_what_ran_before():
    query = trial(open_world("driving"), "move-car", 30)
    forward, backward = open_world("driving", 5), open_world("driving", 5)
    runs = [forward.rollout(query, 2, run) for run in range(1, 31)]
    assert runs == [backward.rollout(query, 2, run) for run in range(30, 0, -1)][::-1]
    assert len(set(runs)) == 2
    assert runs != [forward.rollout(query, 3, run) for run in range(1, 31)]
    assert runs != [open_world("driving", 6).rollout(query, 2, run) for run in range(1, 31)]


def test_frequencies_are_those_of_the_model():
    agent = open_world("driving")
    query = trial(agent, "move-car", 2000)
    flat = sum(Atom("not-flattire") not in agent.rollout(query, 1, run).states[-1] for run in range(1, 2001))
    assert abs(flat / 2000 - 0.8) < 5 * (0.16 / 2000) ** 0.5


def test_a_refused_capability_is_visible():
    agent = open_world("driving")
    query = trial(agent, "move-car")
    flat = query.state.change(delete=[Atom("not-flattire")])
    assert agent.rollout(PolicyQuery.trial(flat, query.policy[0][1]), 1, 1) == Trace((flat,), End.REFUSED)


def test_plans_run_once_and_chance_plays_a_part():
    agent = open_world("driving")
    query = trial(agent, "move-car")
    plan = (query.policy[0][1], Step("move-car", query.policy[0][1].args[::-1]))
    answers = {agent.ask(PlanQuery(query.state, plan)).steps for _ in range(50)}
    assert answers == {1, 2}


@pytest.mark.parametrize("start", [Start.RESET, Start.VISITED])
def test_confined_starts(start):
    situation = training_problem("driving")
    agent = StochasticAgent(truth("driving"), situation.objects, (situation.initial,), start=start)
    assert not agent.new_objects
    setting = Setting.of(agent)
    (initial,) = setting.offered
    query = trial(agent, "move-car", 1)
    trace = agent.rollout(query, 1, 1)
    assert trace.states[0] == initial
    further = PolicyQuery.trial(trace.states[-1], query.policy[0][1])
    answer = agent.rollout(further, 2, 1)
    assert isinstance(answer, Trace if start is Start.VISITED else Invalid)
    other = Universe(agent.vocabulary, agent.objects)
    there = PolicyQuery.trial(other.state(sorted(trace.states[-1])), query.policy[0][1])
    assert isinstance(agent.rollout(there, 2, 1), Trace if start is Start.VISITED else Invalid)
    nowhere = PolicyQuery.trial(initial.change(delete=list(initial)), query.policy[0][1])
    assert agent.rollout(nowhere, 3, 1) == Invalid("it has never been in this state")
    assert agent.ask(PlanQuery(nowhere.state, ())) == Invalid("it has never been in this state")


def test_opened_by_name(tmp_path: Path):
    domain, problem = tmp_path / "d.ppddl", tmp_path / "p.ppddl"
    domain.write_text(domain_text("warehouse"), encoding="utf-8")
    situation = training_problem("warehouse")
    problem.write_text(
        write_problem("p", "warehouse", situation.objects, situation.initial), encoding="utf-8"
    )
    with open_agent(f"ppddl:{domain},{problem}", timeout=None) as agent:
        assert agent.objects == situation.objects
        assert agent.new_objects
        assert Setting.of(agent).offered[0] == Universe(agent.vocabulary, agent.objects).state(
            situation.initial
        )
    with open_agent(f"ppddl:{domain}", timeout=None) as agent:
        assert agent.objects == ()
    with open_agent("sdma:elevator", timeout=None) as agent:
        assert len(agent.vocabulary.actions) == 10
    with pytest.raises(InputError, match="no stochastic world 'boat'; there are driving"):
        open_agent("sdma:boat", timeout=None)
    with pytest.raises(InputError, match="'probabilistic': stochastic effects are not read here"):
        open_agent(f"pddl:{domain}", timeout=None)
    assert open_ppddl(domain).vocabulary == truth("warehouse").vocabulary


def test_the_guard_counts_runs_and_executions():
    guard = Guard(Guard(open_world("driving", 5)))
    query = trial(guard, "move-car", 30)
    response = guard.simulate(query)
    assert isinstance(response, PolicyResponse)
    assert (guard.questions, guard.steps, len(response.traces)) == (1, 30, 30)
    expected = tuple(open_world("driving", 5).rollout(query, 1, run) for run in range(1, 31))
    assert response.traces == expected
    flat = query.state.change(delete=[Atom("not-flattire")])
    refused = guard.simulate(PolicyQuery.trial(flat, query.policy[0][1], 2))
    assert (guard.questions, guard.steps) == (2, 32)
    assert {t.end for t in refused.traces} == {End.REFUSED}


class Liar(StochasticAgent):
    answer: object

    def rollout(self, query, number, run, /):
        return self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "question 1: a run is neither a Trace nor Invalid"),
        (lambda q: Trace((q.state,), End.GOAL), "question 1: a trace ends after 0 steps as 'goal'"),
        (lambda q: Trace((None,), End.GOAL), "question 1: the state is not a State"),
        (lambda q: Trace((q.state,), "bored"), "question 1: 'bored' is not a valid End"),
    ],
)
def test_the_guard_checks_runs(answer, message):
    agent = Liar(
        truth("driving"), training_problem("driving").objects, (training_problem("driving").initial,)
    )
    query = trial(agent, "move-car")
    agent.answer = answer(query) if callable(answer) else answer
    with pytest.raises(AgentError, match=message):
        Guard(agent).simulate(query)


def test_agents_that_only_know_plans_are_led_step_by_step():
    model, problem = load("gripper", 1, 0)
    agent = ModelAgent(model, problem.objects, (problem.initial,))
    setting = Setting.of(agent)
    start = setting.offered[0]
    (place,) = [a.args[0] for a in start if a.predicate == "at-robby"]
    (other,) = [o.name for o in problem.objects if o.type == "room" and o.name != place]
    there, back = Step("move", (place, other)), Step("move", (other, place))
    moved = start.change([Atom("at-robby", (other,))], [Atom("at-robby", (place,))])
    guard = Guard(agent)
    response = guard.simulate(PolicyQuery(start, ((start, there), (moved, back)), (), 3, 2))
    assert response.traces == (Trace((start, moved, start, moved), End.HORIZON),) * 2
    assert guard.steps == 6
    wrong = guard.simulate(PolicyQuery(start, ((start, there), (moved, there)), (), 3, 1))
    assert wrong.traces == (Trace((start, moved), End.REFUSED),)


def test_an_agent_that_can_only_be_reset_must_run_policies_itself():
    class Resets(ModelAgent):
        start = Start.RESET

    agent = Resets(truth("driving"))
    state = Universe(agent.vocabulary).state([])
    with pytest.raises(AgentError, match="must run policies itself"):
        Guard(agent).simulate(PolicyQuery(state, (), (), 1, 1))


def test_invalid_starts_are_passed_on():
    class Picky(ModelAgent):
        def ask(self, query, /):
            return Invalid("no such place") if query.state else PlanResponse(0, query.state)

    agent = Picky(truth("driving"), training_problem("driving").objects)
    universe = Universe(agent.vocabulary, agent.objects)
    query = PolicyQuery.trial(universe.state([Atom("not-flattire")]), Step("changetire", ("l1",)))
    assert Guard(agent).simulate(query) == Invalid("no such place")


class Dice:
    """A simulator with chance: a die that can be thrown while it is in the hand, and picked up again."""

    def __init__(self) -> None:
        self.reseed(0)

    def reseed(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def reset(self, seed: int):
        self.state = ("hand", 0)
        return self.state

    def step(self, action: Step):
        if (action.action == "throw") != (self.state[0] == "hand"):
            return None
        self.state = ("table", self._rng.randint(1, 6)) if action.action == "throw" else ("hand", 0)
        return self.state


class Rewindable(Dice):
    def snapshot(self):
        return self.state

    def restore(self, snapshot):
        self.state = snapshot
        return self.state


@predicate
def thrown(state) -> bool:
    return state[0] == "table"


@predicate
def high(state) -> bool:
    return state[1] > 4


HIGH = (frozenset({Literal(Atom("high"))}),)


@pytest.mark.parametrize("simulator", [Dice, Rewindable])
def test_stochastic_simulators_run_policies(simulator):
    def agent(chance: int) -> SimulatorAgent:
        actions = {"throw": [], "take": []}
        return SimulatorAgent(
            simulator(), predicates=[thrown, high], actions=actions, objects={}, chance=chance
        )

    guard = Guard(agent(1))
    universe = Universe(guard.vocabulary, guard.objects)
    start, low = universe.state([]), universe.state([Atom("thrown")])
    query = PolicyQuery(start, ((start, Step("throw")), (low, Step("take"))), HIGH, 9, 60)
    response = guard.simulate(query)
    assert response.reached
    assert {t.end for t in response.traces} <= {End.GOAL, End.HORIZON}
    firsts = [trace.states[1] == low for trace in response.traces]
    assert abs(sum(firsts) / 60 - 2 / 3) < 5 * (2 / 9 / 60) ** 0.5
    assert Guard(agent(1)).simulate(query) == response
    assert Guard(agent(2)).simulate(query) != response
    refused = guard.simulate(PolicyQuery.trial(start, Step("take"), 2))
    assert refused.traces == (Trace((start,), End.REFUSED),) * 2
    if simulator is Dice:
        assert isinstance(guard.simulate(PolicyQuery.trial(low, Step("take"))), Invalid)
