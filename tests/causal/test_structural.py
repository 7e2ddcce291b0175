"""Structural models: evaluation, interventions, dependence, and what is refused."""

from __future__ import annotations

import pytest

from assay.causal.formula import And, AtLeast, Not, Or, Var, evaluate
from assay.causal.structural import StructuralModel
from assay.errors import InputError

SPRINKLER = StructuralModel(
    frozenset({"dry_season"}),
    {
        "sprinkler": Var("dry_season"),
        "rain": Not(Var("dry_season")),
        "wet": Or((Var("sprinkler"), Var("rain"))),
        "slippery": Var("wet"),
    },
)


def test_a_context_determines_everything() -> None:
    assert SPRINKLER.evaluate({"dry_season": True}) == {
        "dry_season": True,
        "sprinkler": True,
        "rain": False,
        "wet": True,
        "slippery": True,
    }


def test_do_cuts_a_variable_off_from_its_causes_and_nothing_else() -> None:
    """Turning the sprinkler off does not change the season, nor bring rain."""
    values = SPRINKLER.do({"sprinkler": False}).evaluate({"dry_season": True})
    assert values["dry_season"]
    assert not values["rain"]
    assert not values["slippery"]
    assert SPRINKLER.evaluate({"dry_season": True})["slippery"], "the model itself is as it was"


def test_dependence_is_direct_and_real() -> None:
    assert SPRINKLER.depends("wet", "rain")
    assert not SPRINKLER.depends("slippery", "rain"), "only by way of wet"
    void = StructuralModel(frozenset({"u", "v"}), {"x": Or((Var("u"), And((Var("u"), Var("v")))))})
    assert void.depends("x", "u")
    assert not void.depends("x", "v"), "mentioned, but it never makes a difference"
    most = StructuralModel(frozenset("abc"), {"x": AtLeast(2, (Var("a"), Var("a"), Var("b")))})
    assert most.depends("x", "a")
    assert not most.depends("x", "b")


def test_at_least_counts() -> None:
    three = AtLeast(2, (Var("a"), Var("b"), Var("c")))
    assert evaluate(three, {"a": True, "b": False, "c": True})
    assert not evaluate(three, {"a": True, "b": False, "c": False})


@pytest.mark.parametrize(
    ("exogenous", "functions", "message"),
    [
        (set(), {"x": Var("y"), "y": Var("x")}, "cyclic"),
        (set(), {"x": Not(Var("x"))}, "cyclic"),
        (set(), {"x": Var("nothing")}, "unknown variable nothing"),
        ({"x"}, {"x": And(())}, "both"),
        (set(), {"x": "y"}, "not a formula"),
    ],
)
def test_models_that_make_no_sense_are_refused(exogenous: set, functions: dict, message: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(InputError, match=message):
        StructuralModel(frozenset(exogenous), functions)


def test_contexts_and_interventions_are_checked() -> None:
    with pytest.raises(InputError, match="no value to dry_season"):
        SPRINKLER.evaluate({})
    with pytest.raises(InputError, match="exogenous"):
        SPRINKLER.do({"dry_season": False})
    with pytest.raises(InputError, match="unknown variable snow"):
        SPRINKLER.do({"snow": True})
