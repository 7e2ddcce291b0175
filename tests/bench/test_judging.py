"""Judging a learned model: by what it does, against what the hidden model does and what was claimed."""

from __future__ import annotations

import pytest

from assay.bench.behaviour import difference
from assay.bench.bounds import covering_number, fewest_refusals, literals_needed
from assay.bench.claims import Claim, Learned, Standing
from assay.bench.judging import Verdict, judge, worst
from assay.bench.problems import DOMAINS, load
from assay.core.formula import conjoin, conjuncts, disjoin, negate
from assay.core.model import ActionModel, Effect, Model
from assay.core.symbols import Atom, Literal
from assay.core.vocabulary import Vocabulary
from assay.testing.hidden import KINDS, Hidden, hidden_model

PLACES = Vocabulary.of(
    types=["thing", "place"],
    predicates={"at": ["thing", "place"], "open": ["place"], "light": ["thing"], "day": []},
    actions={"move": {"t": "thing", "from": "place", "to": "place"}},
)
AT, THERE = (Literal(Atom("at", ("?t", p))) for p in ("?from", "?to"))
OPEN, LIGHT, DAY = Literal(Atom("open", ("?to",))), Literal(Atom("light", ("?t",))), Literal(Atom("day"))


def _move(*conditions: object, effects: tuple[Effect, ...] = ()) -> Model:
    plain = (Effect(THERE), Effect(negate(AT)))  # type: ignore[arg-type]
    precondition = conjoin([AT, *conditions])  # type: ignore[list-item]
    return Model(PLACES, (ActionModel.adl(PLACES.action["move"], precondition, (*plain, *effects)),))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_move(disjoin([OPEN, LIGHT])), _move(negate(conjoin([negate(OPEN), negate(LIGHT)])))),
        (_move(DAY, OPEN), _move(OPEN, DAY)),
        (_move(effects=(Effect(OPEN, OPEN),)), _move()),
        (_move(effects=(Effect(LIGHT, DAY), Effect(LIGHT, negate(DAY)))), _move(effects=(Effect(LIGHT),))),
    ],
)
def test_models_that_do_the_same_are_the_same(one: Model, other: Model) -> None:
    assert difference(one, other, "move") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_move(OPEN), _move()),
        (_move(disjoin([OPEN, LIGHT])), _move(OPEN)),
        (_move(effects=(Effect(LIGHT, conjoin([DAY, OPEN])),)), _move(effects=(Effect(LIGHT, DAY),))),
        (_move(effects=(Effect(LIGHT),)), _move()),
    ],
)
def test_a_difference_is_shown_by_a_situation(one: Model, other: Model) -> None:
    found = difference(one, other, "move")
    assert found is not None
    assert found.step.startswith("move ")
    assert found.expected != found.found


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_left_out_of_a_hidden_model_is_noticed(kind: str) -> None:
    hidden = hidden_model(kind, 5)
    for name in hidden.model.action:
        assert difference(hidden.model, hidden.model, name) is None
        for lesser in _lesser(hidden, name):
            if kind != "same or fact":
                assert difference(lesser, hidden.model, name) is not None


def _lesser(hidden: Hidden, name: str) -> list[Model]:
    """The model with one part less: a condition, or an effect."""
    action = hidden.model.action[name]
    parts = conjuncts(action.precondition)
    altered = [
        ActionModel(action.header, conjoin(p for p in parts if p != part), action.cases) for part in parts
    ]
    altered += [
        ActionModel.adl(action.header, action.precondition, action.effects - {e}) for e in action.effects
    ]
    rest = [a for a in hidden.model.actions if a is not action]
    return [Model(hidden.model.vocabulary, (*rest, a)) for a in altered]


def test_what_an_invariant_rules_out_is_not_judged() -> None:
    hidden = hidden_model("plain", 0)
    predicates = sorted(hidden.invariant.predicates)
    words = Vocabulary.of(
        types=["box"], predicates={"full": ["box"], "empty": ["box"]}, actions={"act": {"x": "box"}}
    )
    full, empty = (Literal(Atom(p, ("?x",))) for p in ("full", "empty"))
    one, both = (
        Model(words, (ActionModel.adl(words.action["act"], precondition, [Effect(empty)]),))
        for precondition in (full, conjoin([full, negate(empty)]))
    )
    invariant = type(hidden.invariant)(frozenset({"full", "empty"}))
    assert predicates
    assert difference(one, both, "act") is not None
    assert difference(one, both, "act", invariant=invariant) is None


# ---- claims


OR, NARROW = _move(disjoin([OPEN, LIGHT])), _move(OPEN)


@pytest.mark.parametrize(
    ("found", "claim", "verdict"),
    [
        (OR, Claim(Standing.CERTIFIED, 2, 3), Verdict.RIGHT),
        (OR, Claim(Standing.CERTIFIED, 1, 3), Verdict.OPEN),
        (NARROW, Claim(Standing.CERTIFIED, 2, 3), Verdict.WRONG),
        (NARROW, Claim(Standing.CERTIFIED, 1, 3), Verdict.WRONG),
        (NARROW, Claim(Standing.CERTIFIED, 0, 0), Verdict.BEYOND),
        (NARROW, Claim(Standing.CERTIFIED, 2, 1), Verdict.BEYOND),
        (OR, Claim(Standing.OPEN), Verdict.OPEN),
        (OR, Claim(Standing.CONTRADICTED), Verdict.NOTICED),
    ],
)
def test_a_claim_is_held_against_the_class_that_it_names(
    found: Model, claim: Claim, verdict: Verdict
) -> None:
    judged = judge(Learned(found, {"move": claim}, 1, 0.0), OR, strength=2)
    assert [j.verdict for j in judged] == [verdict]
    assert (judged[0].difference is not None) == (verdict in {Verdict.WRONG, Verdict.BEYOND})


def test_no_class_contains_a_faulty_agent() -> None:
    finding = Learned(NARROW, {"move": Claim(Standing.CERTIFIED, 3, 3)}, 1, 0.0)
    assert judge(finding, OR, strength=3, faulty=True)[0].verdict is Verdict.BEYOND


def test_a_run_is_what_its_worst_action_is() -> None:
    finding = Learned(OR, {"move": Claim(Standing.CERTIFIED, 2, 3)}, 1, 0.0)
    (right,) = judge(finding, OR, strength=2)
    (wrong,) = judge(finding, NARROW, strength=2)
    assert worst([right, wrong]) is Verdict.WRONG
    assert worst([right]) is Verdict.RIGHT


# ---- bounds


def test_covering_numbers_are_those_of_the_literature() -> None:
    assert [covering_number(0, n) for n in (0, 5)] == [1, 1]
    assert [covering_number(1, n) for n in (0, 1, 500)] == [1, 2, 2]
    assert [covering_number(2, n) for n in (0, 1, 2, 3, 4, 5, 10, 11, 15, 20, 35, 40)] == [
        *(1, 2, 4, 4, 5, 6, 6, 7, 7, 8, 8, 9)
    ]


def test_bounds_of_the_ten_domains() -> None:
    models = [load(name, 1, 0)[0] for name in DOMAINS]
    assert [sum(fewest_refusals(m, s) for m in models) for s in range(3)] == [255, 510, 1020]
    assert sum(map(literals_needed, models)) == 255


def test_the_bound_counts_pairs_from_strength_two_on() -> None:
    model = _move(OPEN, DAY)
    facts = len(PLACES.lifted_atoms("move")) - 3
    assert [fewest_refusals(model, s) for s in range(3)] == [3, 6, 9]
    assert fewest_refusals(model, 3) == 3 * covering_number(2, facts) + 3 * 2
