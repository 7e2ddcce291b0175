"""The ADL domains of the benchmark: they can be read, every action happens, and goals can be reached."""

from __future__ import annotations

from collections import deque
from itertools import product

import pytest

from assay.bench.adl import DOMAINS, load
from assay.core.execution import Execution
from assay.core.formula import ground
from assay.core.model import Model
from assay.core.symbols import Atom, Step
from assay.core.universe import Universe
from assay.errors import InputError
from assay.pddl.reader import Problem

STATES = 6000
"""States that are looked at."""
PLAIN = {"commit", "release", "put-in", "take-out", "up", "down", "open-new-stack", "start-order", "do-drill"}


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_action_happens_and_the_goal_can_be_reached(domain: str) -> None:
    model, problem = load(domain)
    ran, reached = _explored(model, problem)
    assert ran == model.action.keys()
    assert reached


@pytest.mark.parametrize("domain", DOMAINS)
def test_only_the_simple_actions_are_plain_strips(domain: str) -> None:
    model, _ = load(domain)
    plain = {name for name, action in model.action.items() if action.is_strips}
    assert plain == PLAIN & model.action.keys()
    assert plain != model.action.keys()


def test_full_miconic_keeps_enemies_apart() -> None:
    model, problem = load("miconic-full")
    universe = Universe(model.vocabulary, problem.objects)
    run = Execution(model, universe)

    def stops(*more: str) -> bool:
        bits = universe.bits(map(Atom.parse, more))
        return run.apply(bits, Step("stop", ("f2",))) is not None

    here, served = "lift-at f2", "served bob"
    assert stops(here, served)
    assert not stops(here)  # somebody important is to be served first
    assert stops(here, "destin bob f2")
    assert not stops(served)
    assert stops(here, served, "boarded eve")
    assert not stops(here, served, "boarded eve", "boarded fred")
    assert stops(here, served, "boarded eve", "boarded fred", "destin eve f2", "destin fred f2")
    assert stops(here, served, "boarded dan")
    assert not stops(here, served, "boarded cleo")
    assert stops(here, served, "boarded cleo", "boarded dan")
    assert not stops(here, served, "boarded dan", "no-access dan f2")


def test_unknown_domains_are_told() -> None:
    with pytest.raises(InputError, match="briefcase"):
        load("suitcase")


def _explored(model: Model, problem: Problem) -> tuple[set[str], bool]:
    """The actions that ran, and whether the goal was met, breadth first."""
    universe = Universe(model.vocabulary, problem.objects)
    run = Execution(model, universe)
    steps = [
        Step(header.name, args)
        for header in model.vocabulary.actions
        for args in product(
            *(
                [o.name for o in universe.objects if model.vocabulary.fits(o.type, p.types)]
                for p in header.parameters
            )
        )
        if len(set(args)) == len(args)
    ]
    assert problem.goal is not None
    goal = ground(problem.goal, universe, {})
    start = universe.bits(sorted(problem.initial))
    seen, queue, reached = {start}, deque([start]), False
    ran: set[str] = set()
    while queue and len(seen) < STATES and not (reached and ran == model.action.keys()):
        bits = queue.popleft()
        reached |= goal.holds(bits)
        for step in steps:
            after = run.apply(bits, step)
            if after is not None:
                ran.add(step.action)
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
    return ran, reached
