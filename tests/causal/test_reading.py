"""What people type: states, plans, combinations of facts, and the objects that they mention."""

from __future__ import annotations

import pytest

from assay.causal.objects import Spelling, introduce
from assay.causal.reading import read_formula, read_intervention, read_plan, read_state
from assay.core.formula import And, Or
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from worlds import delivery

A, B, C = (Literal(Atom(x)) for x in "abc")
NOT_A = Literal(Atom("a"), False)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("(a)", A),
        ("not (a)", NOT_A),
        ("(not (a))", NOT_A),
        ("not not (a)", A),
        ("(a) (b)", And((A, B))),
        ("(a) and (b) or (c)", Or((And((A, B)), C))),
        ("(a) AND ((b) Or (c))", And((A, Or((B, C))))),
        ("(or (a) (and (b) (c)))", Or((A, And((B, C))))),
        ("not ((not (a)) and (b))", Or((A, Literal(Atom("b"), False)))),
    ],
)
def test_combinations_of_facts_are_read(text: str, formula: object) -> None:
    assert read_formula(text) == formula


@pytest.mark.parametrize(
    "text", ["", "a", "(a", "(a))", "(a) or", "or (a)", "()", "(and)", "(a (b))", "not", "(" * 5000]
)
def test_what_is_no_combination_of_facts_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_formula(text)


def test_upper_and_lower_case_are_the_same() -> None:
    vocabulary = Vocabulary.of(types=["Truck"], predicates={"At": ["Truck"]}, actions={"Go": ["Truck"]})
    spelling = Spelling(Universe(vocabulary, [Object("Red", "Truck")]))
    assert read_state("(AT RED) (at New)", spelling) == [Atom("At", ("Red",)), Atom("At", ("New",))]
    assert read_plan("(go red) (GO NEW)", spelling) == [Step("Go", ("Red",)), Step("Go", ("New",))]
    assert read_formula("not (aT rEd)", spelling) == Literal(Atom("At", ("Red",)), False)
    assert read_intervention("(GO red) AT 1", spelling).step == Step("Go", ("Red",))
    assert read_state("(TRUCK new)", spelling) == [Atom("Truck", ("New",))]


def test_comments_and_lines_are_read() -> None:
    assert read_state("(a) ; and so on\n(b x)\n") == [Atom("a"), Atom("b", ("x",))]
    for text in ("a", "(a", "(a))", "((a))", "()"):
        with pytest.raises(InputError):
            read_state(text)


def test_new_objects_get_the_type_that_their_places_ask_for() -> None:
    universe = Universe(delivery().vocabulary)
    facts = introduce(universe, read_state("(at p here) (truck van) (at van here) (in p t)"))
    types = {o.name: o.type for o in universe.objects}
    assert types == {"p": "package", "t": "truck", "here": "location", "van": "truck"}
    assert [str(a) for a in facts] == ["(at p here)", "(at van here)", "(in p t)"]


@pytest.mark.parametrize(
    ("state", "plan", "message"),
    [
        ("(flies p)", "", "unknown predicate 'flies'"),
        ("(in p)", "", r"takes 2 argument\(s\), not 1"),
        ("", "(drive t a)", r"takes 3 argument\(s\), not 2"),
        ("", "(fly t)", "unknown action 'fly'"),
        ("(in p t) (road p t)", "", "no type of object fits 'p'"),
        ("(at <b>x</b> here)", "", "object name '<b>x</b>'"),
        ("(truck <b>x</b>)", "", "object name '<b>x</b>'"),
        ("(truck x) (package x)", "", "'x' is of type 'truck' and of type 'package'"),
        (
            "(at x here)",
            "",
            r"the type of 'x' in \(at x here\) is not clear: add \(package x\) or \(truck x\)",
        ),
    ],
)
def test_hostile_states_and_plans_are_refused(state: str, plan: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        introduce(Universe(delivery().vocabulary), read_state(state), read_plan(plan))


def test_a_type_that_is_not_clear_is_said_so() -> None:
    vocabulary = Vocabulary.of(types=["cat", "dog"], predicates={"owned": ["cat|dog"]}, actions={})
    with pytest.raises(InputError, match=r"add \(cat rex\) or \(dog rex\) to the state"):
        introduce(Universe(vocabulary), read_state("(owned rex)"))
