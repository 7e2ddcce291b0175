"""The conjunctive models that give all answers: exactly those, each behaviour once, small ones first."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.learn.evidence import Example, Point
from assay.learn.remaining import remaining_models

SIZE = 3
NAMES = Vocabulary.of(predicates={f"p{n}": [] for n in range(SIZE)}, actions={"a": []})
ATOMS = NAMES.lifted_atoms("a")
SIGNS = [dict(zip(range(SIZE), s, strict=True)) for s in product((None, True, False), repeat=SIZE)]


def literals(signs: dict[int, bool | None]) -> list[Literal]:
    return [Literal(ATOMS[n], sign) for n, sign in signs.items() if sign is not None]


def behaviour(model: ActionModel) -> tuple[int | None, ...]:
    """What it does in each state."""
    universe = Universe(NAMES)
    places = [universe.index(atom) for atom in ATOMS]
    execution = Execution(Model(NAMES, (model,)), universe)

    def numbered(own: int) -> int:
        return sum(1 << place for n, place in enumerate(places) if own >> n & 1)

    back = {numbered(own): own for own in range(1 << SIZE)}
    after = [execution.apply(numbered(own), Step("a")) for own in range(1 << SIZE)]
    return tuple(None if bits is None else back[bits] for bits in after)


EVERY = [
    ActionModel.strips(NAMES.action["a"], literals(needs), literals(does))
    for needs in SIGNS
    for does in SIGNS
]
BEHAVIOURS = sorted({behaviour(model) for model in EVERY}, key=str)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(BEHAVIOURS), st.lists(st.integers(0, (1 << SIZE) - 1), max_size=6, unique=True))
def test_all_behaviours_that_give_the_answers_are_listed_once(truth, tried):
    examples = [Example(Point(own), truth[own], entry=n) for n, own in enumerate(tried, start=1)]
    found = remaining_models(NAMES, "a", examples, 10_000)
    ran = any(truth[own] is not None for own in tried)
    consistent = [b for b in BEHAVIOURS if ran and all(b[own] == truth[own] for own in tried)]
    assert sorted(map(behaviour, found), key=str) == consistent
    sizes = [len(model.needed) for model in found]
    assert sizes == sorted(sizes)


def test_no_more_are_listed_than_wanted():
    examples = [Example(Point(0b111), 0b111, entry=1)]
    assert len(remaining_models(NAMES, "a", examples, 5)) == 5
    (first,) = remaining_models(NAMES, "a", examples, 1)
    assert (first.needed, first.plain_effects) == (frozenset(), frozenset())


def test_a_refusal_asks_for_one_of_what_was_violated():
    examples = [Example(Point(0b111), 0b111, entry=1), Example(Point(0b001), None, entry=2)]
    needed = {model.needed for model in remaining_models(NAMES, "a", examples, 10_000)}
    p, q, r = (Literal(Atom(f"p{n}")) for n in range(3))
    assert needed == {frozenset(x) for x in ([q], [r], [q, r], [p, q], [p, r], [p, q, r])}


def test_nothing_is_listed_of_what_is_no_conjunction():
    runs = [Example(Point(own), own, entry=1 + own) for own in (0b01, 0b10)]
    assert remaining_models(NAMES, "a", [*runs, Example(Point(0b11), None, entry=4)], 5) == ()
