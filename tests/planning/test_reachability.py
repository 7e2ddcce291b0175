"""Steps filed by what they need, pairs of facts, projections: against a look at every step in every state."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from assay.bench.problems import load
from assay.core.symbols import Literal
from assay.core.universe import Universe, bits_of, indices
from assay.planning.filing import Filing
from assay.planning.mutexes import find_mutexes
from assay.planning.projections import Projections
from assay.planning.relaxed import Reach, relaxed_reach

WORLDS = ("gripper", "blocksworld", "ferry", "logistics")


def world(name: str) -> tuple[Universe, int, Reach]:
    model, problem = load(name, 1, 0)
    universe = Universe(model.vocabulary, problem.objects)
    initial = universe.bits(sorted(problem.initial))
    reach = relaxed_reach(model, universe, [initial], 10_000)
    assert reach is not None
    return universe, initial, reach


def reachable(reach: Reach, initial: int, most: int = 400) -> list[int]:
    found, todo = {initial: None}, [initial]
    while todo and len(found) < most:
        bits = todo.pop()
        for ground in reach.grounds:
            after = ground.after(bits)
            if after is not None and after not in found:
                found[after] = None
                todo.append(after)
    return list(found)


@pytest.mark.parametrize("name", WORLDS)
def test_every_step_that_runs_is_among_the_few_that_are_looked_at(name: str) -> None:
    _, initial, reach = world(name)
    states = reachable(reach, initial)
    filing = Filing([g.needed for g in reach.grounds], states)
    looked = 0
    for bits in states:
        candidates = filing.candidates(bits)
        looked += len(candidates)
        running = {n for n, g in enumerate(reach.grounds) if g.after(bits) is not None}
        assert running <= set(candidates)
        assert len(set(candidates)) == len(candidates)
    assert looked < len(states) * len(reach.grounds) / 2


def test_a_condition_that_needs_nothing_is_always_looked_at() -> None:
    filing = Filing([0, 0b1, 0b11], [0b1])
    assert filing.candidates(0) == [0]
    assert sorted(filing.candidates(0b11)) == [0, 1, 2]


@pytest.mark.parametrize("name", WORLDS)
def test_what_holds_in_a_reachable_state_is_never_excluded(name: str) -> None:
    universe, initial, reach = world(name)
    mutexes = find_mutexes(universe, [initial], reach)
    rng = random.Random(0)
    for bits in reachable(reach, initial):
        facts = [(i, bool(bits >> i & 1)) for i in indices(reach.atoms)]
        for first, second in combinations(rng.sample(facts, min(12, len(facts))), 2):
            assert mutexes.both(first, second)


@pytest.mark.parametrize("name", WORLDS)
def test_no_fact_goes_with_its_opposite_even_if_an_effect_may_or_may_not_happen(name: str) -> None:
    model, problem = load(name, 1, 0)
    universe = Universe(model.vocabulary, problem.objects)
    initial = universe.bits(sorted(problem.initial))
    doubtful = {
        a.header.name: frozenset(Literal(x.atom, False) for x in a.needed if x.positive)
        for a in model.actions
    }
    reach = relaxed_reach(model, universe, [initial], 10_000, doubtful)
    assert reach is not None
    mutexes = find_mutexes(universe, [initial], reach)
    for atom in indices(reach.atoms):
        assert not mutexes.both((atom, True), (atom, False))


@pytest.mark.parametrize("name", [*WORLDS, "barman"])
def test_projections_exclude_nothing_that_holds_in_a_reachable_state(name: str) -> None:
    universe, initial, reach = world(name)
    projections = Projections(universe, [initial], reach, find_mutexes(universe, [initial], reach))
    rng = random.Random(0)
    changing = [i for i in indices(reach.atoms) if any((g.add | g.delete) >> i & 1 for g in reach.grounds)]
    states = reachable(reach, initial)
    for bits in rng.sample(states, min(100, len(states))):
        given = bits_of(rng.sample(changing, rng.randrange(2, len(changing))))
        beside = projections.together(bits & given, ~bits & given)
        assert beside is not None
        assert not bits & reach.atoms & ~beside[0]
        assert not ~bits & reach.atoms & ~beside[1]
    possible = {g.step for g in projections.possible().grounds}
    assert possible.issuperset(g.step for g in reach.grounds for bits in states if g.after(bits) is not None)


def test_projections_know_that_a_ball_is_somewhere_and_pairs_do_not() -> None:
    universe, initial, reach = world("gripper")
    mutexes = find_mutexes(universe, [initial], reach)
    projections = Projections(universe, [initial], reach, mutexes)
    ball = next(g.step.args[0] for g in reach.grounds if g.step.action == "pick")
    places = bits_of(i for i in indices(reach.atoms) if ball in universe.atom(i).args[:1])
    places &= bits_of(i for g in reach.grounds for i in indices(g.add))
    assert places.bit_count() > 2
    assert mutexes.together(0, places) is not None
    assert projections.together(0, places) is None
    last = places & -places
    beside = projections.together(0, places & ~last)
    assert beside is not None
    assert not beside[1] & last
