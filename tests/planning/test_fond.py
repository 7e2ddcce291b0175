"""Strong cyclic planning: solutions hold up whatever happens, and the ways to fail are kept apart."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import product

import pytest

from assay.agents.worlds import training_problem, truth
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import Universe
from assay.planning.fond import Solution, Task, solve
from assay.planning.ground_task import GroundTask
from assay.planning.search import GaveUp, TimedOut, Unsolvable


class Graph:
    """States are numbers, the last is the goal; options map a state to sets of outcomes."""

    complete = True

    def __init__(self, options: dict[int, list[tuple[int, ...]]], goal: int) -> None:
        self.initial, self._options, self._goal = 0, options, goal

    def is_goal(self, node: int) -> bool:
        return node == self._goal

    def successors(self, node: int) -> Iterator[tuple[Step, tuple[int, ...]]]:
        for number, outcomes in enumerate(self._options.get(node, [])):
            yield Step(f"option{number}"), outcomes


def holds_up(task: Task, steps: dict) -> bool:
    """Whether from every state that can come about under the policy a goal can come about."""
    reach: dict = {}
    todo = [task.initial]
    while todo:
        node = todo.pop()
        if node in reach:
            continue
        if task.is_goal(node):
            reach[node] = ()
        elif node not in steps:
            return False
        else:
            reach[node] = dict(task.successors(node))[steps[node]]
            todo += reach[node]
    good = {node for node in reach if task.is_goal(node)}
    while grown := {node for node, after in reach.items() if node not in good and good & set(after)}:
        good |= grown
    return len(good) == len(reach)


def test_against_every_policy_of_small_random_worlds():
    rng = random.Random(0)
    verdicts = {True: 0, False: 0}
    for _ in range(300):
        size = 5
        options = {
            node: [tuple(rng.choices(range(size + 1), k=rng.randint(1, 3))) for _ in range(rng.randint(0, 2))]
            for node in range(size)
        }
        task = Graph(options, goal=size)
        result = solve(task, max_nodes=100)
        choices = [[None, *(step for step, _ in task.successors(node))] for node in range(size)]
        exists = any(
            holds_up(task, {n: s for n, s in enumerate(policy) if s is not None})
            for policy in product(*choices)
        )
        verdicts[exists] += 1
        if exists:
            assert isinstance(result, Solution)
            assert holds_up(task, result.steps)
        else:
            assert result == Unsolvable()
    assert min(verdicts.values()) > 50


def triangle(side: int, spares: bool = True) -> GroundTask:
    """Triangle tireworld: only the long way round passes spares all along."""
    model = truth("driving")
    places = {
        (i, j): f"l-{i}-{j}" for i in range(1, side + 1) for j in range(1, side + 1) if i + j <= side + 1
    }
    universe = Universe(model.vocabulary, [Object(name, "location") for name in places.values()])
    atoms = [Atom("vehicle-at", ("l-1-1",)), Atom("not-flattire")]
    for (i, j), name in places.items():
        for neighbour in ((i, j + 1),) * (i % 2) + ((i + 1, j), (i - 1, j + 1)):
            if neighbour in places:
                atoms.append(Atom("road", (name, places[neighbour])))
        outer = i > 1 and (j == 1 or i + j == side + 1)
        if outer and (spares or (i, j) != (side, 1)):
            atoms.append(Atom("spare-in", (name,)))
    goal = frozenset({Literal(Atom("vehicle-at", (f"l-1-{side}",)))})
    return GroundTask.of(model, universe, universe.bits(atoms), (goal,))


@pytest.mark.parametrize("side", [3, 5])
def test_triangle_tireworld(side):
    task = triangle(side)
    result = solve(task, max_nodes=100_000)
    assert isinstance(result, Solution)
    assert holds_up(task, result.steps)
    assert result.steps[task.initial] == Step("move-car", ("l-1-1", "l-2-1"))
    visited = {step.args[1] for step in result.steps.values() if step.action == "move-car"}
    assert f"l-{side}-1" in visited
    assert result.depth == 2 * (2 * (side - 1)) - 1  # a drive and a change each time, but for the last


@pytest.mark.parametrize("side", [3, 5])
def test_triangle_tireworld_with_a_gap_is_proved_impossible(side):
    assert solve(triangle(side, spares=False), max_nodes=100_000) == Unsolvable()


def test_a_slippery_step_is_tried_again():
    task = Graph({0: [(0, 1)], 1: [(0, 2)]}, goal=2)
    result = solve(task, max_nodes=10)
    assert result == Solution({0: Step("option0"), 1: Step("option0")}, 2)


def test_a_step_that_may_lead_nowhere_is_not_taken():
    assert solve(Graph({0: [(1, 2)]}, goal=2), max_nodes=10) == Unsolvable()
    safe = solve(Graph({0: [(1, 2), (3,)], 3: [(2,)]}, goal=2), max_nodes=10)
    assert safe == Solution({0: Step("option1"), 3: Step("option0")}, 2)


def test_a_goal_that_holds_needs_no_step():
    assert solve(Graph({}, goal=0), max_nodes=1) == Solution({}, 0)


class Endless:
    """One more, or back to the start; the goal never comes, or comes late."""

    initial = 0
    complete = True

    def __init__(self, goal: int = -1, complete: bool = True) -> None:
        self._goal, self.complete = goal, complete

    def is_goal(self, node: int) -> bool:
        return node == self._goal

    def successors(self, node: int) -> Iterator[tuple[Step, tuple[int, ...]]]:
        yield Step("on"), (node + 1, 0)


def test_bounds_prove_nothing():
    assert isinstance(solve(Endless(), max_nodes=500), GaveUp)
    assert isinstance(solve(Endless(goal=501), max_nodes=500), GaveUp)
    assert isinstance(solve(Endless(goal=500), max_nodes=500), Solution)
    assert solve(Endless(), max_nodes=10**9, deadline=time.monotonic() - 1) == TimedOut()


def test_unsolvable_needs_every_step():
    class Partial(Graph):
        complete = False

    assert solve(Partial({0: [(1,)]}, goal=2), max_nodes=10) == GaveUp("not every step was considered")


def test_a_solution_is_found_before_everything_is_seen():
    """The goal is next door; the world beyond it has no end."""

    class Wide(Endless):
        def successors(self, node: int) -> Iterator[tuple[Step, tuple[int, ...]]]:
            yield from super().successors(node)
            yield Step("aside"), (-2 if node == 0 else node + 2,)

    assert solve(Wide(goal=-2), max_nodes=10**9) == Solution({0: Step("aside")}, 1)


def test_the_worlds_problems_can_be_planned_in():
    """The coin behind the gate: falling underground is answered by starting over."""
    model, situation = truth("elevator"), training_problem("elevator")
    universe = Universe(model.vocabulary, situation.objects)
    goal = (frozenset({Literal(Atom("have", ("c1",)))}),)
    task = GroundTask.of(model, universe, universe.bits(sorted(situation.initial)), goal)
    result = solve(task, max_nodes=10_000)
    assert isinstance(result, Solution)
    assert holds_up(task, result.steps)
    assert {"move-right-gate", "move-to-first-floor", "collect"} <= {s.action for s in result.steps.values()}


def test_steps_that_can_never_run_are_not_grounded():
    task = triangle(3)
    assert {step.args for step, _ in task.steps if step.action == "move-car"} == {
        *(("l-1-1", "l-1-2"), ("l-1-2", "l-1-3"), ("l-1-1", "l-2-1"), ("l-1-2", "l-2-2")),
        *(("l-2-1", "l-1-2"), ("l-2-2", "l-1-3"), ("l-2-1", "l-3-1"), ("l-3-1", "l-2-2")),
    }
