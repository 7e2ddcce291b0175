"""Functions of low-level states as typed predicates, and the abstract states they give."""

from __future__ import annotations

import pytest

from assay import AgentError, Atom, InputError, Object, Universe, Vocabulary, predicate
from assay.core.symbols import Parameter, Predicate
from assay.perception.abstraction import Abstraction


@predicate
def holding(state, item: "item") -> bool:  # noqa: F821, UP037 - a type of the user's world, as text
    return state["hand"] == item


@predicate
def lit(state) -> bool:
    return state["lit"]


@predicate(static=True)
def beside(state, one: "item|place", other) -> bool:  # noqa: F821, UP037
    return {one, other} == {"cup", "table"}


def world(*predicates):
    vocabulary = Vocabulary.of(
        types=["item", "place"],
        predicates={p.name: {q.name: "|".join(q.types) for q in p.symbol.parameters} for p in predicates},
        actions={"wait": []},
    )
    things = [Object("cup", "item"), Object("jar", "item"), Object("table", "place")]
    return Abstraction(Universe(vocabulary, things), predicates)


def test_names_and_types_come_from_the_function():
    assert holding.symbol == Predicate("holding", (Parameter("?item", ("item",)),))
    assert lit.symbol == Predicate("lit")
    assert beside.symbol.parameters == (
        Parameter("?one", ("item", "place")),
        Parameter("?other", ("object",)),
    )
    assert beside.static
    assert not lit.static
    assert holding({"hand": "cup"}, "cup")


def test_annotations_may_be_texts_classes_or_missing():
    def near(state, a, b):
        return True

    near.__annotations__ = {"a": "item", "b": object}
    assert [p.types for p in predicate(near).symbol.parameters] == [("item",), ("object",)]
    near.__annotations__ = {"a": 3}
    with pytest.raises(InputError, match=r"'near': the annotation of 'a' is 3"):
        predicate(near)


@pytest.mark.parametrize(
    "wrong", [lambda: True, lambda state, *args: True, lambda state, a=None: True, lambda state, *, a: True]
)
def test_a_predicate_is_a_function_of_a_state_and_objects(wrong):
    with pytest.raises(InputError, match="a function of the state and of objects"):
        predicate(wrong)


def test_the_abstract_state_is_what_the_functions_say():
    seen = world(holding, lit, beside)
    state = {"hand": "jar", "lit": True}
    static = seen.static(state)
    assert set(seen.universe.atoms(static)) == {
        Atom("beside", ("cup", "table")),
        Atom("beside", ("table", "cup")),
    }
    assert static == static & seen.static_mask
    assert set(seen.universe.atoms(seen.bits(state, 0))) == {Atom("holding", ("jar",)), Atom("lit")}
    assert seen.bits(state, static) == seen.bits(state, 0) | static


def test_a_truth_of_numpy_is_a_truth():
    numpy = pytest.importorskip("numpy")
    seen = world(lit)
    assert seen.bits({"lit": numpy.bool_(True)}, 0)
    assert not seen.bits({"lit": numpy.bool_(False)}, 0)


def test_a_function_that_raises_is_named_with_its_arguments_and_the_state():
    with pytest.raises(AgentError, match=r"predicate \(holding cup\) raised KeyError: 'hand', on .*'lit': 1"):
        world(holding).bits({"lit": 1}, 0)


@pytest.mark.parametrize("value", [None, 1, "yes"])
def test_only_true_and_false_are_truths(value):
    with pytest.raises(AgentError, match=r"predicate \(lit\) returned .*, not True or False"):
        world(lit).bits({"lit": value}, 0)


def test_static_atoms_are_looked_at_again_in_turn(monkeypatch):
    monkeypatch.setattr("assay.perception.abstraction._FEW", 2)
    seen = world(lit, beside)
    state = {"hand": "jar", "lit": True}
    static = seen.static(state)
    assert [seen.drift(state, static) for _ in range(9)] == [0] * 9
    extra = seen.universe.bits([Atom("beside", ("jar", "jar"))])
    drifts = [seen.drift(state, static | extra) for _ in range(5)]
    assert sorted(drifts) == [0, 0, 0, 0, extra], "nine atoms, two at a time"
