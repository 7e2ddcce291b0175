"""Contradictions: every one that is claimed is one, and of formulas without quantifiers none is missed."""

from __future__ import annotations

from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from assay.core.consistency import contradictory, within
from assay.core.formula import FALSE, TRUE, And, Exists, Formula, Or, conjoin, disjoin, negate
from assay.core.symbols import Atom, Literal, Parameter

P, Q, R = (Literal(Atom(name)) for name in "pqr")
SOME = Exists((Parameter("?z"),), Literal(Atom("s", ("?z",))))

leaves = st.sampled_from([P, Q, R, negate(P), negate(Q), negate(R)])
formulas = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(conjoin), st.lists(inner, max_size=3).map(disjoin)
    ),
    max_leaves=8,
)


def holds(formula: Formula, true: frozenset[str]) -> bool:
    match formula:
        case Literal(atom, positive):
            return (atom.predicate in true) == positive
        case And(parts):
            return all(holds(p, true) for p in parts)
        case Or(parts):
            return any(holds(p, true) for p in parts)
    raise TypeError(formula)


STATES = [
    frozenset(n for n, v in zip("pqr", values, strict=True) if v) for values in product((0, 1), repeat=3)
]


@given(formulas, formulas)
def test_exact_without_quantifiers(one: Formula, two: Formula) -> None:
    assert contradictory(one, two) == (not any(holds(one, s) and holds(two, s) for s in STATES))


@given(formulas, formulas)
def test_what_is_left_of_a_condition_says_the_same_in_the_case(condition: Formula, case: Formula) -> None:
    left = within(condition, case)
    assert all(holds(left, s) == holds(condition, s) for s in STATES if holds(case, s))


def test_quantified_formulas_are_leaves() -> None:
    assert contradictory(And((P, SOME)), Or((negate(P), negate(SOME))))
    assert within(And((P, SOME)), SOME) == P
    assert within(SOME, negate(SOME)) == FALSE
    assert within(SOME, SOME) == TRUE


def test_many_alternatives_are_given_up_on() -> None:
    """No answer is not an answer: "not contradictory" promises nothing."""
    atoms = [Literal(Atom(f"x{n}")) for n in range(400)]
    clauses = [Or((x, y)) for x, y in pairwise(atoms)]
    assert not contradictory(*clauses)
