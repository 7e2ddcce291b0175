"""The checker's own reading of models and features against the execution that agents use."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_models import WORLD, adl_models, formulas

from assay.core.execution import Execution
from assay.core.formula import FALSE, Formula, ground
from assay.core.model import Model
from assay.core.symbols import ActionHeader, Atom, Object, Step
from assay.core.universe import State, Universe
from assay.proof.recount.equivalence import difference
from assay.proof.recount.facts import Change, Fact, Facts, Objects
from assay.proof.recount.features import Cube, Features
from assay.proof.recount.foretelling import Foretelling
from assay.proof.recount.quantifiers import Inexpressible
from assay.proof.recount.terms import terms_of

KINDS = {"push": ("box", "place"), "swap": ("thing", "thing")}


@st.composite
def conditions(draw: st.DrawFn) -> tuple[ActionHeader, Formula]:
    """An action and what it may need."""
    name = draw(st.sampled_from(sorted(KINDS)))
    terms = dict(zip(("?x1", "?x2"), KINDS[name], strict=True)) | {"home": "place"}
    return WORLD.action[name], draw(formulas(terms))


def universes() -> Iterator[Universe]:
    """Worlds with different numbers of things."""
    for boxes, balls, places in ((1, 0, 1), (2, 1, 1), (2, 2, 2), (3, 0, 2)):
        counts = {"box": boxes, "ball": balls, "place": places}
        yield Universe(WORLD, [Object(f"{t}{n}", t) for t, count in counts.items() for n in range(count)])


def random_state(universe: Universe, rng: random.Random) -> State:
    """Facts about objects of these types, each with a chance that differs from state to state."""
    likely = rng.choice((0.1, 0.3, 0.5, 0.8))
    found = []
    for predicate in WORLD.predicates:
        names = [
            [o.name for o in universe.objects if WORLD.fits(o.type, p.types)] for p in predicate.parameters
        ]
        combos: list[tuple[str, ...]] = [()]
        for choices in names:
            combos = [(*c, name) for c in combos for name in choices]
        found += [Atom(predicate.name, c) for c in combos if rng.random() < likely]
    return universe.state(found)


def steps(universe: Universe) -> Iterator[Step]:
    fitting = {
        t: [o.name for o in universe.objects if WORLD.fits(o.type, (t,))] for t in ("box", "thing", "place")
    }
    yield Step("rain")
    yield from (Step("push", (b, p)) for b in fitting["box"] for p in fitting["place"])
    yield from (Step("swap", (x, y)) for x in fitting["thing"] for y in fitting["thing"])


def flat(state: State) -> frozenset[Fact]:
    return frozenset((a.predicate, *a.args) for a in state)


def facts_of(state: State) -> Facts:
    types = {o.name: o.type for o in state.universe.objects}
    return Facts(Objects(WORLD, types), flat(state))


@settings(max_examples=60, deadline=None)
@given(adl_models(), st.integers(0, 10**6))
def test_foretells_what_the_execution_does(model: Model, seed: int) -> None:
    rng, foretelling = random.Random(seed), Foretelling(model)
    for universe in universes():
        execution, state = Execution(model, universe), random_state(universe, rng)
        for step in steps(universe):
            after = execution.apply(state.bits, step)
            found = foretelling.step(facts_of(state), (step.action, *step.args))
            if after is None:
                assert found is None
            else:
                then, before = flat(State(universe, after)), flat(state)
                assert found == Change(then - before, before - then)


def holds(formula: Formula, state: State, step: Step) -> bool:
    binding = WORLD.action[step.action].bind(step.args)
    return ground(formula, state.universe, binding).holds(state.bits)


def plain_steps(universe: Universe, header: ActionHeader) -> Iterator[Step]:
    for step in steps(universe):
        if step.action == header.name and len({"home", *step.args}) == 3:
            yield step


@settings(max_examples=150, deadline=None)
@given(conditions(), st.integers(0, 10**6))
def test_terms_say_what_the_precondition_says(given: tuple[ActionHeader, Formula], seed: int) -> None:
    header, formula = given
    try:
        features, terms = terms_of(WORLD, header, formula)
        assert difference(formula, features, terms) is None
    except Inexpressible:
        assume(False)
    rng = random.Random(seed)
    for universe in universes():
        for step in plain_steps(universe, header):
            state = random_state(universe, rng)
            row = features.row(facts_of(state), (step.action, *step.args))
            assert any(term.covers(row) for term in terms) == holds(formula, state, step)


@settings(max_examples=150, deadline=None)
@given(conditions(), conditions(), st.integers(0, 10**6))
def test_equivalence_is_as_small_worlds_show_it(
    first: tuple[ActionHeader, Formula], second: tuple[ActionHeader, Formula], seed: int
) -> None:
    (header, one), (another, other) = first, second
    assume(header == another)
    try:
        features, terms = terms_of(WORLD, header, one)
        found = difference(other, features, terms)
    except Inexpressible:
        assume(False)
    rng = random.Random(seed)
    differs = any(
        holds(one, state, step) != holds(other, state, step)
        for universe in universes()
        for step in plain_steps(universe, header)
        for state in [random_state(universe, rng)]
    )
    if differs:
        assert found is not None


@settings(max_examples=100, deadline=None)
@given(conditions(), st.data())
def test_a_literal_more_or_less_is_noticed(given: tuple[ActionHeader, Formula], data: st.DataObject) -> None:
    header, formula = given
    try:
        features, terms = terms_of(WORLD, header, formula)
    except Inexpressible:
        assume(False)
    assume(terms)
    term = data.draw(st.sampled_from(terms))
    assume(term.named)
    bit = data.draw(st.sampled_from([1 << n for n in range(features.size) if term.named >> n & 1]))
    rest = [t for t in terms if t != term]
    # terms are prime and irredundant, so each of these is another condition
    assert difference(formula, features, rest)
    assert difference(formula, features, [*rest, Cube(term.named & ~bit, term.true & ~bit)])


def test_nothing_is_never() -> None:
    assert difference(FALSE, Features(WORLD, WORLD.action["push"]), ()) is None
