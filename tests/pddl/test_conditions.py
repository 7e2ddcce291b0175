"""Formulas for states: read to what they say, or refused with their place."""

from __future__ import annotations

from itertools import product

import pytest

from assay.core.symbols import Atom, Object
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import PddlError
from assay.pddl.conditions import read_condition

VOCABULARY = Vocabulary.of(
    types=["box", "Place"],
    predicates={"power": [], "on": ["box", "Place"], "hooked": ["box"]},
    actions={"rest": {}},
)
ATOMS = [Atom("power"), Atom("hooked", ("red",)), Atom("on", ("red", "Quay")), Atom("on", ("blue", "Quay"))]


def world() -> Universe:
    return Universe(VOCABULARY, [Object("red", "box"), Object("blue", "box"), Object("Quay", "Place")])


CASES = {
    "(power)": "p",
    "(not (power))": "not p",
    "(and)": "True",
    "(or)": "False",
    "(and (power) (not (hooked red)))": "p and not h",
    "(not (and (power) (not (hooked red))))": "not (p and not h)",
    "(imply (power) (or (hooked red) (on red Quay)))": "not p or h or r",
    "(not (imply (power) (hooked red)))": "p and not h",
    "(exists (?b - box) (on ?b Quay))": "r or b",
    "(forall (?b - box) (on ?b Quay))": "r and b",
    "(not (exists (?b - box) (on ?b Quay)))": "not (r or b)",
    "(exists (?x ?y - box) (and (on ?x Quay) (on ?y Quay) (not (= ?x ?y))))": "r and b",
    "(exists (?b - box) (and (= ?b red) (on ?b Quay)))": "r",
    "(or (power) (and (hooked red) (or (on red Quay) (on blue Quay))))": "p or h and (r or b)",
    "(forall (?l - Place) (exists (?b - box) (imply (power) (on ?b ?l))))": "not p or r or b",
    "(AND (Power) (ON RED quay)) ; in any case": "p and r",
}
"""Each with what it says of the four atoms, in Python."""


@pytest.mark.parametrize("text", CASES)
def test_it_holds_where_the_formula_is_true(text: str) -> None:
    universe = world()
    condition = read_condition(text, universe)
    for values in product([False, True], repeat=4):
        bits = universe.bits([atom for atom, value in zip(ATOMS, values, strict=True) if value])
        wanted = eval(CASES[text], dict(zip("phrb", values, strict=True)))  # written just above
        assert condition.holds(bits) == wanted, values


@pytest.mark.parametrize("text", CASES)
def test_what_is_not_possible_holds_nowhere(text: str) -> None:
    """For every state of which every set of atoms is unknown."""
    universe = world()
    condition = read_condition(text, universe)
    for known in product([False, True, None], repeat=4):
        fits = [
            universe.bits([a for a, v in zip(ATOMS, values, strict=True) if v])
            for values in product([False, True], repeat=4)
            if all(k is None or k == v for k, v in zip(known, values, strict=True))
        ]
        may = universe.bits([a for a, k in zip(ATOMS, known, strict=True) if k is not False])
        must = universe.bits([a for a, k in zip(ATOMS, known, strict=True) if k])
        holds = any(condition.holds(bits) for bits in fits)
        assert condition.possible(may, must) or not holds
        if None not in known:
            assert condition.possible(may, must) == holds


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "found nothing"),
        ("power", 1, "expected '(FORMULA)', found 'power'"),
        ("(power", 1, "never closed"),
        ("(power) (power)", 9, "after the end"),
        ("()", 1, "expected a formula"),
        ("(and power)", 6, "in parentheses"),
        ("(glows red)", 1, "unknown predicate 'glows'"),
        ("(hooked green)", 9, "unknown object 'green'"),
        ("(hooked ?b)", 9, "unknown variable '?b'"),
        ("(hooked quay)", 9, "'Quay' is of type 'Place', predicate 'hooked' wants 'box'"),
        ("(hooked red blue)", 1, "takes 1 argument(s), not 2"),
        ("(not (power) (power))", 1, "'not' takes one formula, not 2"),
        ("(imply (power))", 1, "'imply' takes two parts, not 1"),
        ("(exists (?b - crate) (power))", 15, "unknown type 'crate'"),
        ("(exists () (power))", 9, "without a variable"),
        ("(exists (?b) (hooked ?b))", 22, "'?b' is of type 'object'"),
        ("(when (power) (power))", 1, "conditional effects"),
        ("(not " * 200 + "(power)" + ")" * 200, 501, "inside each other"),
        (f"(forall ({' '.join(f'?v{n}' for n in range(20))}) (power))", 1, "more than 100,000"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str, column: int, message: str) -> None:
    with pytest.raises(PddlError) as caught:
        read_condition(text, world(), "--never")
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"--never:1:{column}:")


def test_names_that_differ_in_case_alone_must_be_written_exactly() -> None:
    universe = Universe(VOCABULARY, [Object("Hooked", "box")])
    read_condition("(hooked Hooked)", universe)
    with pytest.raises(PddlError, match="'HOOKED' may be Hooked or hooked"):
        read_condition("(hooked HOOKED)", universe)
