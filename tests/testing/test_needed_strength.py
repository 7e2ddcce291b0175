"""Which strength a condition needs: by hand for known formulas, and for every kind of hidden agent."""

from __future__ import annotations

from collections import Counter

import pytest

from assay.core.formula import Equality, Exists, Forall, Formula, conjoin, disjoin, negate
from assay.core.model import ActionModel, Effect
from assay.core.symbols import Atom, Literal, Parameter
from assay.core.vocabulary import Vocabulary
from assay.testing.hidden import Needed, hidden_model, needed_strength

WORDS = Vocabulary.of(
    types=["box"],
    predicates={**{name: ["box"] for name in "abcdef"}, "on": ["box", "box"], "night": []},
    actions={"act": {"x": "box", "y": "box"}},
)
A, B, C, D, E, F = (Literal(Atom(p, ("?x",))) for p in "abcdef")
Z = Parameter("?z", ("box",))
OTHER = conjoin([Equality("?z", "?x", False), Equality("?z", "?y", False)])


def _z(predicate: str, *more: str) -> Literal:
    return Literal(Atom(predicate, ("?z", *more)))


def _xor(a: Formula, b: Formula) -> Formula:
    return disjoin([conjoin([a, negate(b)]), conjoin([negate(a), b])])


@pytest.mark.parametrize(
    ("precondition", "needed"),
    [
        (conjoin([A, negate(B)]), Needed(0, 0)),
        (disjoin([A, conjoin([A, B])]), Needed(0, 0)),
        (conjoin([A, disjoin([B, C])]), Needed(1, 2)),
        (disjoin([negate(A), B]), Needed(1, 2)),
        (disjoin([A, B, C]), Needed(1, 3)),
        (disjoin([A, B, C, D]), None),
        (_xor(A, B), Needed(2, 2)),
        (disjoin([conjoin([A, B]), conjoin([C, D])]), Needed(3, 2)),
        (disjoin([conjoin([A, B]), conjoin([A, C])]), Needed(1, 2)),
        (disjoin([conjoin([A, B]), conjoin([negate(A), C])]), Needed(1, 2)),
        (disjoin([conjoin([A, B, C]), conjoin([D, E, F])]), None),
        (_xor(_xor(A, B), C), Needed(2, 3)),
        (_xor(_xor(A, B), _xor(C, D)), None),
        (disjoin([Equality("?x", "?y"), A]), Needed(0, 0)),
        (Exists((Z,), conjoin([OTHER, _z("a")])), Needed(1, 1)),
        (Exists((Z,), conjoin([OTHER, _z("a"), negate(_z("on", "?x"))])), Needed(1, 1)),
        (Forall((Z,), disjoin([negate(OTHER), _z("a")])), Needed(1, 1)),
        (Exists((Z,), _z("a")), Needed(1, 3)),
        (Exists((Z,), conjoin([Equality("?z", "?x", False), _z("a")])), Needed(1, 2)),
        (Exists((Z, Parameter("?w", ("box",))), _z("on", "?w")), None),
        (Exists((Z,), Forall((Parameter("?w", ("box",)),), _z("on", "?w"))), None),
    ],
    ids=str,
)
def test_what_a_precondition_needs(precondition: Formula, needed: Needed | None) -> None:
    action = ActionModel.adl(WORDS.action["act"], precondition, [Effect(F)])
    assert needed_strength(action, WORDS) == needed


@pytest.mark.parametrize(
    ("effect", "needed"),
    [
        (Effect(F), Needed(0, 0)),
        (Effect(F, B), Needed(1, 1)),
        (Effect(F, conjoin([A, B])), Needed(1, 1)),
        (Effect(F, conjoin([B, C, D])), Needed(1, 3)),
        (Effect(F, conjoin([B, C, D, E])), None),
        (Effect(F, _xor(B, C)), Needed(1, 2)),
        (Effect(_z("f"), OTHER, (Z,)), Needed(1, 1)),
        (Effect(_z("f"), conjoin([OTHER, _z("a"), _z("on", "?x")]), (Z,)), Needed(1, 2)),
    ],
    ids=str,
)
def test_what_an_effect_needs_where_a_precondition_holds(effect: Effect, needed: Needed | None) -> None:
    action = ActionModel.adl(WORDS.action["act"], A, [effect])
    assert needed_strength(action, WORDS) == needed


LEVELS = {
    "plain": 0,
    "only negative": 0,
    "same or fact": 0,
    "or instead": 1,
    "extra or": 1,
    "when one fact": 1,
    "when two facts": 1,
    "when a negative fact": 1,
    "toggle": 1,
    "implication": 1,
    "swap": 1,
    "when either": 1,
    "any of three": 1,
    "two ors": 1,
    "forbids other": 1,
    "changes others": 1,
    "changes others when": 1,
    "exclusive or": 2,
    "two pairs": 3,
    "parity": None,
    "counting": None,
    "nested": None,
}


@pytest.mark.parametrize("kind", LEVELS)
def test_what_every_kind_needs(kind: str) -> None:
    found: Counter[int | None] = Counter()
    for seed in range(6):
        hidden = hidden_model(kind, seed)
        for action in hidden.model.actions:
            needed = needed_strength(action, hidden.model.vocabulary)
            if action.header.name in hidden.odd or not hidden.odd:
                found[needed and needed.level] += 1
            else:
                assert needed == Needed(0, 0)
    assert set(found) == {LEVELS[kind]}
