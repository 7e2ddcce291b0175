"""Shapes, quantified facts, names, and the agent made of a user's own functions."""

from __future__ import annotations

import pytest

from assay import Cannot, GaveUp, InputError, KeyAgent, Reached, predicate
from assay.agents import keys
from assay.core.symbols import Atom, Literal, Object
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.discovery.grounding import Matcher
from assay.discovery.naming import Change, propose
from assay.discovery.quantified import Facts
from assay.discovery.questions import shakiest
from assay.discovery.schema import Places, Schema
from assay.discovery.shape import Lifter

VOCABULARY = Vocabulary.of(
    types={"thing": "object", "cell": "object", "player": "thing", "monster": "thing"},
    predicates={
        "at": {"ob": "thing", "loc": "cell"},
        "clear": {"loc": "cell"},
        "alive": {"m": "monster"},
        "danger": {},
        "adjacent": {"a": "cell", "b": "cell"},
    },
    actions={},
)
OBJECTS = (
    Object("p", "player"),
    *(Object(f"m{n}", "monster") for n in range(2)),
    *(Object(f"c{n}", "cell") for n in range(4)),
)
DERIVED, STATIC = frozenset({"clear", "danger"}), frozenset({"adjacent"})


@pytest.fixture
def universe() -> Universe:
    return Universe(VOCABULARY, OBJECTS)


def bits(universe: Universe, *texts: str) -> int:
    return universe.bits(map(Atom.parse, texts))


def test_changes_that_differ_in_names_have_one_shape(universe: Universe) -> None:
    lifter = Lifter(universe, DERIVED)
    one = lifter.lift(bits(universe, "at p c0", "clear c1"), bits(universe, "at p c1", "clear c0", "danger"))
    two = lifter.lift(bits(universe, "at p c3", "clear c2"), bits(universe, "at p c2", "clear c3"))
    assert one is not None
    assert two is not None
    assert one[0] == two[0]
    assert one[1] != two[1]
    assert "danger" not in {a.predicate for a in one[0].added}
    added, removed = two[0].ground(two[1])
    assert set(added) == {Atom("at", ("p", "c2")), Atom("clear", ("c3",))}
    assert set(removed) == {Atom("at", ("p", "c3")), Atom("clear", ("c2",))}


def test_a_change_of_derived_facts_alone_is_no_capability(universe: Universe) -> None:
    assert Lifter(universe, DERIVED).lift(0, bits(universe, "danger")) is None


def test_quantified_facts_hold_where_some_thing_makes_them(universe: Universe) -> None:
    facts = Facts(universe, DERIVED | STATIC)
    state = bits(universe, "alive m1", "at m1 c2")
    assert facts.holds(state, Atom("some_alive"))
    assert not facts.holds(bits(universe, "at m1 c2"), Atom("some_alive"))
    assert facts.holds(state, Atom("at_some_ob", ("c2",)))
    assert not facts.holds(state, Atom("at_some_ob", ("c1",)))
    assert facts.holds(state, Atom("at_some_loc", ("m1",)))
    assert facts.quantified["some_alive"].meaning == "(exists (?m - monster) (alive ?m))"


def test_the_literal_that_rests_on_fewest_refusals_is_put_to_the_test_next(universe: Universe) -> None:
    before, after = bits(universe, "(at p c0)"), bits(universe, "(at p c1)")
    lifted = Lifter(universe, DERIVED).lift(before, after)
    assert lifted is not None
    facts = Facts(universe, STATIC | DERIVED)
    schema = Schema(*lifted, before, facts, Places(facts, STATIC | DERIVED))
    danger, near, free = (
        1 << schema.number[Atom.parse(text)] for text in ("(danger)", "(adjacent ?0 ?1)", "(clear ?0)")
    )
    done = danger | near | free
    options = [danger, near, near | free]

    def next_of(passes: list[int], failures: dict[int, int], enough: int) -> list[int]:
        return shakiest(schema, passes, failures, options, enough)

    no_danger, not_free, far = near | free, danger | near, danger | free
    assert next_of([done], {not_free: 1, no_danger: 2}, 3) == [danger]  # only there it is far
    assert next_of([done], {not_free: 2, no_danger: 1, far: 2}, 2) == [no_danger]  # and all else holds
    assert next_of([done], {not_free: 2, no_danger: 2, far: 2}, 2) == []
    assert next_of([done, no_danger], {not_free: 2, far: 1}, 2) == [danger]  # a success clears what it lacks
    assert next_of([done, no_danger], {not_free: 2, far: 2}, 2) == []


def test_bindings_are_those_a_plain_search_finds(universe: Universe) -> None:
    matcher = Matcher(Facts(universe, DERIVED | STATIC), STATIC)
    state = bits(universe, "at p c0", "at m0 c1", "at m1 c2", "alive m1", "adjacent c0 c1", "adjacent c0 c2")
    literals = frozenset(
        {
            Literal(Atom("at", ("?p", "?here"))),
            Literal(Atom("at", ("?m", "?there"))),
            Literal(Atom("adjacent", ("?here", "?there"))),
            Literal(Atom("alive", ("?m",)), False),
        }
    )
    types = {"?p": ("player",), "?m": ("monster",), "?here": ("cell",), "?there": ("cell",)}
    assert list(matcher.bindings(state, literals, types)) == [
        {"?p": "p", "?here": "c0", "?m": "m0", "?there": "c1"}
    ]


@pytest.mark.parametrize(
    ("added", "removed", "types", "name"),
    [
        ([], ["monster_alive ?m"], {"?m": "monster"}, "kill_monster"),
        (["has_key"], ["at ?k ?c"], {"?k": "key", "?c": "cell"}, "pick_up_key"),
        (["at ?p ?b"], ["at ?p ?a"], {"?p": "player", "?a": "cell", "?b": "cell"}, "move"),
        (
            ["at ?p ?b", "at ?x ?c"],
            ["at ?p ?a", "at ?x ?b"],
            {"?p": "player", "?x": "crate", "?a": "cell", "?b": "cell", "?c": "cell"},
            "push_crate",
        ),
        (["placed ?t", "at ?t ?c"], ["player_has ?t"], {"?t": "top", "?c": "cell"}, "place_top"),
        (["at ?t ?c"], ["player_has ?t"], {"?t": "top", "?c": "cell"}, "put_down_top"),
        ([], ["is_door ?c"], {"?c": "cell"}, "open_door"),
        (["pasta_cooked"], [], {}, "cook_pasta"),
        (["frobbed ?x"], [], {"?x": "knob"}, "frobb_knob"),
        (["lit"], [], {}, "bring_about_lit"),
    ],
)
def test_names_are_proposed_from_what_changes(
    added: list[str], removed: list[str], types: dict[str, str], name: str
) -> None:
    change = Change(tuple(map(Atom.parse, added)), tuple(map(Atom.parse, removed)), types, frozenset())
    assert propose(change) == name


@predicate
def low(state: int) -> bool:
    return state < 3


def counter(**options: object) -> KeyAgent:
    given: dict[str, object] = {
        "starts": [0, 4],
        "keys": ["up"],
        "press": lambda n, key: min(n + 1, 9),
        "predicates": [low],
        "objects": {},
    }
    return KeyAgent(**(given | options))  # type: ignore[arg-type]


def test_the_built_in_search_keeps_cannot_and_giving_up_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    assert counter().reach(2, 4) == Reached(("up", "up"), (2, 3, 4))
    assert counter().reach(4, 2) == Cannot("all 6 states that can be reached were searched")
    monkeypatch.setattr(keys, "LIMIT", 3)
    assert isinstance(counter().reach(0, 8), GaveUp)


def test_static_predicates_must_be_the_same_in_all_starts() -> None:
    @predicate(static=True)
    def early(state: int) -> bool:
        return state < 3

    with pytest.raises(InputError, match="declared static differs between two start states"):
        counter(predicates=[low, early])
    with pytest.raises(InputError, match="at least one start state"):
        counter(starts=[])
