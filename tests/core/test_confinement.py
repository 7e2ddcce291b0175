"""Steps that name one thing twice, or a constant: are some not taken, and are there objects for an action?"""

from __future__ import annotations

import pytest

from assay.core.confinement import UNCONFINED, Confinement, lacks_objects
from assay.core.query import Profile, Start, free_actions
from assay.core.setting import MOST_FREE, Setting
from assay.core.symbols import Object
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.testing import ScriptedAgent


def setting(
    actions: dict[str, list[str]],
    objects: dict[str, str],
    constants: dict[str, str] | None = None,
    start: Start = Start.RESET,
    free: bool | list[str] = False,
) -> Setting:
    vocabulary = Vocabulary.of(
        predicates={"lit": []}, actions=actions, types=["room", "clerk"], constants=constants or {}
    )
    things = tuple(Object(name, kind) for name, kind in objects.items())
    profile = Profile(vocabulary, things, start, False, free_actions(free, vocabulary))
    return Setting(profile, Universe(vocabulary, things))


WALK = {"walk": ["clerk", "room", "room"]}
ROOMS = {"ann": "clerk", "hall": "room", "attic": "room"}


@pytest.mark.parametrize(
    ("actions", "objects", "constants", "expected", "words"),
    [
        (WALK, ROOMS, {}, Confinement(twice=True), "that name no thing twice"),
        (WALK, ROOMS, {"vault": "room"}, Confinement(True, True), "that name no thing twice and no constant"),
        ({"rest": ["clerk"]}, ROOMS, {"bob": "clerk"}, Confinement(constants=True), "that name no constant"),
        ({"rest": ["clerk"]}, ROOMS, {"vault": "room"}, UNCONFINED, ""),
        ({"enter": ["clerk", "room"]}, ROOMS, {}, UNCONFINED, ""),
        # nobody to walk, with whatever arguments
        (WALK, {"hall": "room"}, {}, UNCONFINED, ""),
    ],
)
def test_it_is_said_where_there_are_such_steps_only(
    actions: dict[str, list[str]],
    objects: dict[str, str],
    constants: dict[str, str],
    expected: Confinement,
    words: str,
) -> None:
    found = Confinement.of(setting(actions, objects, constants))
    assert found == expected
    assert found.words == words
    assert bool(found) == bool(words)


def test_nothing_is_lost_where_states_are_set_up_or_arguments_are_free() -> None:
    assert not Confinement.of(setting(WALK, ROOMS, start=Start.ANY))
    assert not Confinement.of(setting(WALK, ROOMS, free=True))


def test_it_is_said_of_which_actions() -> None:
    actions = WALK | {"rest": ["clerk"], "swap": ["room", "room"]}
    found = Confinement.of(setting(actions, ROOMS, {"vault": "room"}, free=["rest", "swap"]))
    assert found == Confinement(True, True, ("walk",))
    assert found.words == "that name no thing twice and no constant in walk"
    assert not Confinement.of(setting(actions, ROOMS, {"vault": "room"}, free=["walk", "swap"]))


@pytest.mark.parametrize(
    ("objects", "constants", "confined", "free"),
    [
        (ROOMS, {}, False, False),
        ({"ann": "clerk", "hall": "room"}, {}, True, False),
        ({"ann": "clerk", "hall": "room"}, {"vault": "room"}, True, False),
        ({"hall": "room", "attic": "room"}, {}, True, True),
    ],
)
def test_whether_there_are_enough_objects(
    objects: dict[str, str], constants: dict[str, str], confined: bool, free: bool
) -> None:
    assert lacks_objects(setting(WALK, objects, constants), "walk") == confined
    assert lacks_objects(setting(WALK, objects, constants, free=True), "walk") == free


def test_the_right_objects_are_given_to_the_parameters() -> None:
    """The first of two parameters must leave the only object that fits the second."""
    vocabulary = Vocabulary.of(
        predicates={"lit": []},
        actions={"lend": ["thing", "tool"]},
        types={"tool": "thing", "thing": "object"},
    )
    things = (Object("saw", "tool"), Object("book", "thing"))
    enough = Setting(Profile(vocabulary, things, Start.RESET, False), Universe(vocabulary, things))
    assert not lacks_objects(enough, "lend")
    saw = things[:1]
    assert lacks_objects(Setting(Profile(vocabulary, saw, Start.RESET, False), enough.universe), "lend")


def test_too_many_steps_are_not_taken_freely() -> None:
    def free(rooms: int) -> bool:
        vocabulary = Vocabulary.of(predicates={"lit": []}, actions={"walk": ["object"] * 3})
        agent = ScriptedAgent(
            vocabulary, [], objects=[Object(f"r{n}") for n in range(rooms)], start="reset", states=[[]]
        )
        agent.free_arguments = True  # type: ignore[attr-defined]  # a declaration it does not know
        return bool(Setting.of(agent).profile.free_arguments)

    assert free(27)
    assert 27**3 <= MOST_FREE < 28**3
    assert not free(28)
