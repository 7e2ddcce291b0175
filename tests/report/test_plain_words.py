"""Symbols in English: what is read, what is only quoted, and that nothing is ever lost or confused."""

from __future__ import annotations

from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.core.model import ActionModel, Model
from assay.core.query import Invalid, PlanQuery, PlanResponse
from assay.core.symbols import OBJECT, RESERVED, ActionHeader, Atom, Literal, Object, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.pddl import read_domain
from assay.report.describe import describe
from assay.report.lexicon import split
from assay.report.names import Names
from assay.report.words import Speaker

DOMAINS = files("assay.bench") / "domains"


def domain(name: str) -> Model:
    return read_domain((DOMAINS / f"{name}.pddl").read_text())


TYPES = [
    "truck",
    "robot",
    "hand",
    "ball",
    "gripper",
    "location",
    "package",
    "key",
    "level",
    "card",
    "stone",
    "passenger",
    "city",
]


def clauses(name: str, *types: str) -> tuple[str, str, str]:
    """A predicate over parameters called a, b, c: true, false, no longer true."""
    parameters = dict(zip("abc", types, strict=False))
    vocabulary = Vocabulary.of(types=TYPES, predicates={name: parameters}, actions={"go": parameters})
    speaker, names = Speaker(vocabulary), Names.of_action(vocabulary, vocabulary.action["go"])
    atom = Atom(name, tuple(f"?{p}" for p in parameters))
    return (
        speaker.clause(Literal(atom), names),
        speaker.clause(Literal(atom, False), names),
        speaker.clause(Literal(atom, False), names, ended=True),
    )


@pytest.mark.parametrize(
    ("name", "types", "text"),
    [
        ("at", ("package", "location"), "package A is at location B"),
        ("on", (OBJECT, OBJECT), "A is on B"),
        ("next_to", ("truck", "truck"), "truck A is next to truck B"),
        ("clear", (OBJECT,), "A is clear"),
        ("ontable", (OBJECT,), "A is on the table"),
        ("in-use", ("truck",), "truck A is in use"),
        ("reachable", ("location",), "location A is reachable"),
        ("equipped_for_soil_analysis", ("robot",), "robot A is equipped for soil analysis"),
        ("has-fuel", ("truck",), "truck A has fuel"),
        ("is-open", (OBJECT,), "A is open"),
        ("is-goal", ("location",), "location A is a goal"),
        ("can-fly", ("robot",), "robot A can fly"),
        ("connected", ("location", "location"), "location A is connected to location B"),
        ("connected-to", ("location", "location"), "location A is connected to location B"),
        ("visible_from", ("ball", "location"), "ball A is visible from location B"),
        ("key-of", ("key", "robot"), "key A is a key of robot B"),
        ("in-city", ("location", "city"), "location A is in city B"),
        ("passenger-at", ("passenger", "location"), "passenger A is at location B"),
        ("road", ("location", "location"), "there is a road from location A to location B"),
        ("fuel-level", ("truck", "level"), "the fuel level of truck A is level B"),
        ("holding", (OBJECT,), "the agent is holding A"),
        ("handempty", (), "the hand is empty"),
        ("empty-ferry", (), "the ferry is empty"),
        ("handempty", ("hand",), "hand A is empty"),
        ("robot-at", ("location",), "the robot is at location A"),
        ("gold-at", ("location",), "there is gold at location A"),
        ("room", (OBJECT,), "A is a room"),
    ],
)
def test_names_that_can_be_read(name: str, types: tuple[str, ...], text: str) -> None:
    assert clauses(name, *types)[0] == text


@pytest.mark.parametrize(
    ("name", "types", "text"),
    [
        ("supports-it", ("truck", "level"), "`supports it` holds for truck A and level B"),
        ("above", ("location", "location"), "`above` holds for location A and location B"),
        ("smaller", (OBJECT, OBJECT), "`smaller` holds for A and B"),
        ("on", ("truck",), "`on` holds for truck A"),
        ("at", ("level", "level"), "`at` holds for level A and level B"),
        ("at", ("location", "truck"), "`at` holds for location A and truck B"),
        ("holding", ("robot",), "`holding` holds for robot A"),
        ("carry", (OBJECT, OBJECT), "`carry` holds for A and B"),
        ("has-key", ("key",), "`has key` holds for key A"),
        ("at-room", (OBJECT,), "`at room` holds for A"),
        ("painting", ("ball",), "`painting` holds for ball A"),
        ("not-full", ("truck",), "`not full` holds for truck A"),
        ("loaded", ("package", "truck", "level"), "`loaded` holds for package A, truck B and level C"),
        ("has-block", (), "`has block` is true"),
        ("is-at", ("location",), "`is at` holds for location A"),
        ("destination", ("location", "package"), "`destination` holds for location A and package B"),
        ("_", (), "`_` is true"),
    ],
)
def test_names_that_are_only_quoted(name: str, types: tuple[str, ...], text: str) -> None:
    assert clauses(name, *types)[0] == text


def test_who_holds_is_told_by_type_not_by_order() -> None:
    assert clauses("carry", "ball", "gripper")[0] == "gripper B carries ball A"
    assert clauses("carry", "gripper", "ball")[0] == "gripper A carries ball B"


def test_at_something_is_told_by_which_word_is_a_place() -> None:
    assert clauses("at-robby", "location")[0] == "robby is at location A"
    assert clauses("at-goal", "stone")[0] == "stone A is at a goal"


@pytest.mark.parametrize(
    ("name", "types", "fails", "ended"),
    [
        ("clear", (OBJECT,), "A is not clear", "A is no longer clear"),
        ("has-fuel", ("truck",), "A does not have fuel", "A no longer has fuel"),
        ("can-fly", ("robot",), "A cannot fly", "A can no longer fly"),
        ("road", (OBJECT, OBJECT), "there is no road from A to B", "there is no longer a road from A to B"),
        ("foo", (OBJECT,), "`foo` does not hold for A", "`foo` no longer holds for A"),
        ("foo", (), "`foo` is not true", "`foo` is no longer true"),
    ],
)
def test_negation(name: str, types: tuple[str, ...], fails: str, ended: str) -> None:
    assert clauses(name, *types)[1:] == (fails, ended)


def test_predicates_that_would_sound_alike_are_quoted_by_their_symbols() -> None:
    vocabulary = Vocabulary.of(
        predicates={
            "clear": {"x": OBJECT},
            "is-clear": {"x": OBJECT},
            "on-top": ["object"],
            "on_top": ["object"],
        },
        actions={},
    )
    speaker = Speaker(vocabulary)
    said = [speaker.clause(Literal(Atom(p.name, ("?x",)))) for p in vocabulary.predicates]
    assert said == [
        "`clear` holds for X",
        "`is-clear` holds for X",
        "`on-top` holds for X",
        "`on_top` holds for X",
    ]


def phrase(name: str, **parameters: str) -> str:
    return Speaker(Vocabulary.of(types=TYPES, predicates={}, actions={name: parameters})).action(name)


@pytest.mark.parametrize(
    ("name", "parameters", "text"),
    [
        (
            "load",
            {"p": "package", "t": "truck", "l": "location"},
            "load package P into truck T at location L",
        ),
        (
            "unload-truck",
            {"l": "location", "t": "truck", "p": "package"},
            "unload package P from truck T at location L",
        ),
        (
            "drive",
            {"t": "truck", "from": "location", "to": "location"},
            "drive truck T from location FROM to location TO",
        ),
        ("move", {"src": OBJECT, "dst": OBJECT}, "move from SRC to DST"),
        (
            "walk",
            {"p": "passenger", "from": "city", "to": "city"},
            "have passenger P walk from city FROM to city TO",
        ),
        ("up", {"from": OBJECT, "to": OBJECT}, "go up from FROM to TO"),
        ("pick-up", {"x": OBJECT}, "pick up X"),
        ("pick", {"b": "ball", "l": "location", "g": "gripper"}, "pick ball B at location L with gripper G"),
        ("stack", {"x": OBJECT, "y": OBJECT}, "stack X on Y"),
        ("go-to", {"l": "location"}, "go to location L"),
        ("wait", {}, "wait"),
    ],
)
def test_actions_that_can_be_read(name: str, parameters: dict[str, str], text: str) -> None:
    assert phrase(name, **parameters) == text


@pytest.mark.parametrize(
    ("name", "parameters", "text"),
    [
        ("move", {"a": "location", "b": "location"}, "move (location A, location B)"),
        ("drop", {"b": OBJECT, "r": OBJECT, "g": OBJECT}, "drop (B, R, G)"),
        ("stack", {"below": OBJECT, "top": OBJECT}, "stack (BELOW, TOP)"),
        ("throw", {"b": "ball", "l": "location"}, "throw (ball B, location L)"),
        ("unlock", {"k": "key", "l": "location"}, "unlock (key K, location L)"),
        ("wash", {"h": "hand", "b": "ball"}, "wash (hand H, ball B)"),
        (
            "move",
            {"k": "key", "from": "location", "to": "location"},
            "move from location FROM to location TO (key K)",
        ),
        ("zap-3", {"x": OBJECT}, "do `zap 3` (X)"),
        ("zap", {}, "do `zap`"),
        ("__", {}, "do `__`"),
    ],
)
def test_actions_that_are_only_listed(name: str, parameters: dict[str, str], text: str) -> None:
    assert phrase(name, **parameters) == text


def test_a_known_model_tells_where_a_journey_goes() -> None:
    vocabulary = Vocabulary.of(
        types=["room"],
        predicates={"here": {"r": "room"}},
        actions={"move": {"x": "room", "y": "room"}, "walk": {"from": "room", "to": "room"}},
    )

    def moves(action: str, origin: str, target: str) -> ActionModel:
        old, new = Atom("here", (origin,)), Atom("here", (target,))
        effects = frozenset({Literal(new), Literal(old, False)})
        return ActionModel.strips(vocabulary.action[action], frozenset({Literal(old)}), effects)

    model = Model(vocabulary, (moves("move", "?y", "?x"), moves("walk", "?to", "?from")))
    assert Speaker(vocabulary).action("move") == "move (room X, room Y)"
    assert Speaker(vocabulary, model).action("move") == "move from room Y to room X"
    assert Speaker(vocabulary).action("walk") == "walk from room FROM to room TO"
    assert Speaker(vocabulary, model).action("walk") == "walk (room FROM, room TO)"


def test_names_of_parameters() -> None:
    vocabulary = Vocabulary.of(
        types=["truck", "bread-portion", "city"],
        constants={"T": "city"},
        predicates={},
        actions={
            "a": {"truck": "truck", "b": "bread-portion", "t": "city", "my-city": "city"},
            "b": {"truck": "truck", "other": "truck"},
            "c": {"x": "truck|city", "_": OBJECT, "": OBJECT},
        },
    )

    def said(action: str) -> list[str]:
        names, parameters = Speaker(vocabulary).names(action), vocabulary.action[action].parameters
        return [names.say(p.name) for p in parameters for _ in range(2)]

    assert said("a") == [
        *("the truck", "the truck"),
        *("bread portion B", "B"),
        *("city T-3", "T-3"),
        *("MY-CITY", "MY-CITY"),
    ]
    assert said("b") == ["TRUCK", "TRUCK", "truck OTHER", "OTHER"]
    assert said("c") == ["truck or city X", "X", "`_`", "`_`", "X3", "X3"]


# --- questions and answers


@pytest.fixture
def delivery() -> tuple[Speaker, Universe]:
    vocabulary = domain("delivery").vocabulary
    things = {"p1": "package", "t1": "truck", "l1": "location", "l2": "location"}
    return Speaker(vocabulary), Universe(vocabulary, [Object(n, t) for n, t in things.items()])


def state(universe: Universe, *atoms: str):  # type: ignore[no-untyped-def]
    return universe.state(map(Atom.parse, atoms))


def test_a_short_question_and_its_answers(delivery: tuple[Speaker, Universe]) -> None:
    speaker, universe = delivery
    start = state(universe, "at p1 l1", "at t1 l1")
    query = PlanQuery(start, (Step("load", ("p1", "t1", "l1")), Step("drive", ("t1", "l1", "l2"))))
    assert speaker.question(query) == (
        "Suppose only that package p1 is at location l1 and truck t1 is at l1. "
        "What happens if you load p1 into t1 at l1, then drive t1 from l1 to location l2?"
    )
    assert speaker.answer(query, PlanResponse(0, start)) == (
        "The agent refused the first of 2 steps, to load package p1 into truck t1 at location l1. "
        "Nothing changed."
    )
    assert speaker.answer(query, PlanResponse(1, state(universe, "in p1 t1", "at t1 l1"))) == (
        "The agent did the first of 2 steps and refused the next, to drive truck t1 from location l1 to "
        "location l2. At that point only this is true among t1, l1 and l2: t1 is at l1. "
        "What changed: package p1 is in t1 and p1 is no longer at l1."
    )
    assert speaker.answer(query, PlanResponse(2, state(universe, "in p1 t1", "at t1 l2"))) == (
        "The agent did all 2 steps. What changed: truck t1 is at location l2, package p1 is in t1, "
        "p1 is no longer at location l1 and t1 is no longer at l1."
    )


def test_questions_at_the_edge(delivery: tuple[Speaker, Universe]) -> None:
    speaker, universe = delivery
    empty = state(universe)
    load = PlanQuery(empty, (Step("load", ("p1", "t1", "l1")),))
    assert speaker.question(load) == (
        "Suppose that nothing we have words for is true. "
        "What happens if you load package p1 into truck t1 at location l1?"
    )
    assert speaker.answer(load, PlanResponse(0, empty)) == (
        "The agent refused to load package p1 into truck t1 at location l1. Nothing changed."
    )
    assert speaker.answer(load, PlanResponse(1, state(universe, "in p1 t1"))) == (
        "The agent did it. What changed: package p1 is in truck t1."
    )
    assert speaker.answer(load, Invalid("a truck is somewhere.")) == (
        "The agent says that this situation cannot exist: a truck is somewhere."
    )
    nothing = PlanQuery(empty, ())
    assert speaker.question(nothing).endswith("What is true if you do nothing?")
    assert speaker.answer(nothing, PlanResponse(0, empty)) == "There was nothing to do."


def test_a_long_question_is_told_by_the_refused_step(delivery: tuple[Speaker, Universe]) -> None:
    speaker, universe = delivery
    for number in range(20):
        universe.add(Object(f"c{number}", "package"))
    start = state(universe, *(f"at c{n} l1" for n in range(20)), "at t1 l1", "in c7 t1")
    plan = tuple(Step("load", (f"c{n}", "t1", "l1")) for n in range(20))
    query = PlanQuery(start, plan)
    after = start.change(add=[Atom("in", (f"c{n}", "t1")) for n in range(7)])
    response = PlanResponse(7, after)
    assert speaker.question(query, response) == (
        "Suppose a situation of 22 facts. There everything we have words for is true among package c7, "
        "truck t1 and location l1, except that there is no road from l1 to l1. "
        "What happens if you do 20 steps, of which step 8 is to load c7 into t1 at l1?"
    )
    assert speaker.answer(query, response).startswith(
        "The agent did the first 7 of 20 steps and refused the next, to load package c7 into truck t1 at "
        "location l1. At that point everything we have words for is true among c7, t1 and l1, except that"
    )
    full = speaker.question(query, full=True)
    assert all(f"c{n} is at l1" in full or f"c{n} is at location l1" in full for n in range(20))
    assert full.count("then load") == 19
    many = start.change(delete=[Atom("at", (f"c{n}", "l1")) for n in range(20)])
    assert "0 facts became true and 20 became false" in speaker.answer(query, PlanResponse(20, many))
    assert "c19 is no longer at l1" in speaker.answer(query, PlanResponse(20, many), full=True)


# --- properties

PIECES = (
    "at in on is has have can not above carry holding clear empty locked next to of from road level height "
    "hand robot truck key room goal table robby foo x1 b2 move load pick up stack drive put walk open take "
    "board"
)
WORDS = st.sampled_from(PIECES.split())
NAMES = st.builds(
    lambda words, sign: sign.join(words),
    st.lists(WORDS, min_size=1, max_size=3),
    st.sampled_from(["-", "_", "", ".", "+"]),
) | st.from_regex(r"[A-Za-z_][A-Za-z0-9_\-.@#+]{0,8}", fullmatch=True)
NAMES = NAMES.filter(lambda name: name.lower() not in RESERVED)
KINDS = ["truck", "robot", "room", "level", "big-key", "a", OBJECT]


@st.composite
def models(draw: st.DrawFn) -> Model:
    def unique(size: int) -> list[str]:
        return draw(st.lists(NAMES, max_size=size, unique_by=str.lower))

    def parameters() -> dict[str, str]:
        names = draw(
            st.lists(
                st.sampled_from(["x", "y", "X", "from", "to", "truck", "r-1", "_"]),
                max_size=3,
                unique_by=str.lower,
            )
        )
        return {name: draw(st.sampled_from(KINDS)) for name in names}

    vocabulary = Vocabulary.of(
        types=KINDS[:-1],
        constants=dict.fromkeys(sorted(draw(st.sets(st.sampled_from(["X", "depot"])))), "room"),
        predicates={name: parameters() for name in unique(5)},
        actions={name: parameters() for name in unique(3)},
    )

    def action(header: ActionHeader) -> ActionModel:
        atoms = vocabulary.lifted_atoms(header.name)
        some = st.dictionaries(st.sampled_from(atoms), st.booleans(), max_size=4) if atoms else st.just({})
        needs, effects = (frozenset(Literal(a, s) for a, s in draw(some).items()) for _ in range(2))
        return ActionModel.strips(header, needs, effects)

    return Model(vocabulary, tuple(map(action, vocabulary.actions)))


def spoken(word: str, text: str) -> bool:
    """Whether the word is in the text, perhaps inflected or taken apart."""
    stems = {"has": "ha", "have": "ha", "carry": "carr"}
    parts = [word[2:]] if word[:2] in ("at", "in", "on") and word[2:] else []
    return stems.get(word, word) in text or any(part in text for part in parts)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(models())
def test_nothing_is_lost_and_nothing_is_confused(model: Model) -> None:
    vocabulary, speaker = model.vocabulary, Speaker(model.vocabulary, model)
    assert describe(model, [], []).startswith("# What the agent can do")
    for action in model.actions:
        name = action.header.name
        names = speaker.names(name)
        shown = [[names.say(p.name) for p in action.header.parameters] for _ in range(2)][1]
        assert len(set(shown)) == len(shown)
        task = speaker.action(name, names)
        assert task.strip()
        assert all(s in task for s in shown)
        for literal in action.needed:
            text = speaker.clause(literal, names).lower()
            words = split(literal.atom.predicate) or (literal.atom.predicate,)
            assert all(spoken(w, text) for w in words) or literal.atom.predicate.lower() in text
        atoms = vocabulary.lifted_atoms(name)
        said = [speaker.clause(Literal(a, sign), names) for a in atoms for sign in (True, False)]
        assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    "name", sorted(p.name.removesuffix(".pddl") for p in DOMAINS.iterdir() if "problem" not in p.name)
)
def test_bundled_domains_read_without_gaps(name: str) -> None:
    model = domain(name)
    text = describe(model, [], [])
    for action in model.actions:
        assert f"## {action.header.name}\n" in text
    assert "{" not in text
    assert "  " not in text
