"""Which ground actions are considered, and in which order."""

from __future__ import annotations

import random
from itertools import pairwise, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.confinement import distinct_arguments
from assay.core.query import Profile, Start
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.planning.grounding import Grounding, Situation
from assay.planning.stage import staged, staged_step, valuation
from hidden_models import objects_of, random_model


def random_situation(seed: int) -> tuple[Universe, Situation]:
    model = random_model(seed, constants=2)
    objects = objects_of(model, 3)
    universe = Universe(model.vocabulary, objects)
    rng = random.Random(seed)
    steps = [
        step
        for header in model.vocabulary.actions
        for args in permutations([o.name for o in objects], header.arity)
        if universe.vocabulary is model.vocabulary and fits(universe, step := Step(header.name, args))
    ]
    places = {p for step in steps for p in universe.positions(step)}
    bits = sum(1 << p for p in sorted(places) if rng.random() < 0.3)
    return universe, Situation(universe.state(universe.atoms(bits)), objects)


def fits(universe: Universe, step: Step) -> bool:
    header = universe.vocabulary.action[step.action]
    return all(
        universe.vocabulary.fits(universe.object(a).type, p.types)
        for a, p in zip(step.args, header.parameters, strict=True)
    )


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_all_steps_richest_first(seed):
    universe, place = random_situation(seed)
    for header in universe.vocabulary.actions:
        found = Grounding(universe.vocabulary, 10**6).steps(place, header.name)
        names = [o.name for o in place.objects]
        expected = {s for a in permutations(names, header.arity) if fits(universe, s := Step(header.name, a))}
        assert found.complete
        assert len(found.steps) == len(expected)
        assert set(found.steps) == expected
        truths = [valuation(universe, step, place.state.bits).bit_count() for step in found.steps]
        assert truths == sorted(truths, reverse=True)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_a_cut_off_list_says_so(seed):
    universe, place = random_situation(seed)
    for header in universe.vocabulary.actions:
        everything = Grounding(universe.vocabulary, 10**6).steps(place, header.name)
        few = Grounding(universe.vocabulary, 2).steps(place, header.name)
        assert set(few.steps) <= set(everything.steps)
        assert few.complete or len(few.steps) <= 2
        if few.complete:
            assert set(few.steps) == set(everything.steps)


def test_the_connected_objects_are_found_among_many():
    vocabulary = Vocabulary.of(predicates={"next": ["object", "object"]}, actions={"go": ["object"] * 4})
    objects = tuple(Object(f"o{n}") for n in range(30))
    universe = Universe(vocabulary, objects)
    path = ["o7", "o21", "o3", "o15"]
    state = universe.state(Atom("next", pair) for pair in pairwise(path))
    found = Grounding(vocabulary, 50).steps(Situation(state, objects), "go")
    assert not found.complete
    assert set(found.steps[0].args) == set(path)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.booleans())
def test_a_stage_has_exactly_the_valuation_asked_for(seed, new_objects):
    model = random_model(seed, constants=1)
    rng, objects = random.Random(seed), objects_of(model, 3)
    universe = Universe(model.vocabulary, objects)
    profile = Profile(model.vocabulary, objects, Start.ANY, new_objects)
    for header in model.vocabulary.actions:
        step = staged_step(universe, profile, header.name)
        assert step is not None
        assert distinct_arguments(universe, step)
        assert new_objects or set(step.args) <= {o.name for o in objects}
        wanted = rng.getrandbits(len(model.vocabulary.lifted_atoms(header.name)))
        place = staged(universe, step, wanted)
        assert valuation(universe, step, place.state.bits) == wanted
        assert len(place.state) == wanted.bit_count()


def test_own_objects_are_matched_to_overlapping_types():
    vocabulary = Vocabulary.of(
        types={"vehicle": "object", "truck": "vehicle"},
        predicates={"at": ["object"]},
        actions={"tow": ["vehicle", "truck"], "crowd": ["truck", "truck"]},
    )
    objects = (Object("t1", "truck"), Object("v1", "vehicle"))
    universe = Universe(vocabulary, objects)
    profile = Profile(vocabulary, objects, Start.ANY, False)
    assert staged_step(universe, profile, "tow") == Step("tow", ("v1", "t1"))
    assert staged_step(universe, profile, "crowd") is None
