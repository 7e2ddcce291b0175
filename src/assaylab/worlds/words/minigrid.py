"""MiniGrid in words: cells, directions, doors, and things that can be carried. One action per key.

The key `done` changes nothing in these levels and is left out. Boxes are not in the words: toggling one puts
its content in its place, and the objects of a world are fixed.
"""

from typing import NamedTuple

from assay.agents.gymnasium import Press
from assay.perception.predicates import predicate
from assaylab.worlds.words.grid import STEPS, cell_name, neighbour

environment = "minigrid:MiniGrid-DoorKey-5x5-v0"

WAYS = tuple(STEPS)
"""East, south, west, north: MiniGrid numbers them so."""
CARRIED = ("key", "ball")
"""Kinds of things that can be carried."""


class Thing(NamedTuple):
    name: str
    kind: str
    is_open: bool
    is_locked: bool


class Seen(NamedTuple):
    """What of the environment the words are about; counters and views are left out."""

    at: str
    way: str
    carried: str | None
    inside: dict[str, Thing | None]
    """What is in each cell, the agent apart; walls are no cells."""


def look(env, observation):
    inside = {}
    for y in range(env.height):
        for x in range(env.width):
            found = env.grid.get(x, y)
            if found is None or found.type != "wall":
                inside[cell_name(x, y)] = found and _thing(found)
    carried = env.carrying and _thing(env.carrying).name
    return Seen(cell_name(*env.agent_pos), WAYS[env.agent_dir], carried, inside)


def _thing(found):
    opened, locked = getattr(found, "is_open", False), getattr(found, "is_locked", False)
    return Thing(f"{found.color}-{found.type}", found.type, bool(opened), bool(locked))


def objects(state):
    things = [t for t in state.inside.values() if t and t.kind in (*CARRIED, "door")]
    kinds = {t.name: t.kind for t in things}
    return dict.fromkeys(state.inside, "cell") | dict.fromkeys(WAYS, "way") | kinds


types = {"cell": "object", "way": "object", "door": "object", "item": "object", "key": "item", "ball": "item"}


@predicate
def at(state, cell: "cell"):
    return state.at == cell


@predicate
def facing(state, way: "way"):
    return state.way == way


@predicate
def carrying(state, item: "item"):
    return state.carried == item


@predicate
def empty_handed(state):
    return state.carried is None


@predicate
def lies_on(state, item: "item", cell: "cell"):
    return _name(state, cell) == item


@predicate
def bare(state, cell: "cell"):
    """Nothing is there; the agent does not count."""
    return state.inside[cell] is None


@predicate
def blocked(state, cell: "cell"):
    """Something is there that one cannot step on: a thing to carry, a closed door."""
    thing = state.inside[cell]
    return thing is not None and (thing.kind in CARRIED or (thing.kind == "door" and not thing.is_open))


@predicate
def is_open(state, door: "door"):
    return _door(state, door).is_open


@predicate
def is_locked(state, door: "door"):
    return _door(state, door).is_locked


@predicate(static=True)
def opens(state, key: "key", door: "door"):
    """They have the same colour."""
    return key.removesuffix("key") == door.removesuffix("door")


@predicate(static=True)
def door_on(state, door: "door", cell: "cell"):
    return _name(state, cell) == door


@predicate(static=True)
def goal(state, cell: "cell"):
    return _kind(state, cell) == "goal"


@predicate(static=True)
def lava(state, cell: "cell"):
    return _kind(state, cell) == "lava"


@predicate(static=True)
def next_to(state, cell: "cell", other: "cell", way: "way"):
    """The other cell comes after this one, that way."""
    return neighbour(cell, way) == other


@predicate(static=True)
def left_of(state, way: "way", other: "way"):
    """A turn to the left leads from the other way to this one."""
    return WAYS[WAYS.index(other) - 1] == way


def _turned(before, after):
    return before.way, after.way


def _moved(before, after):
    return before.at, after.at, after.way


def _picked_up(before, after):
    return after.carried, *_places(before)


def _dropped(before, after):
    return before.carried, *_places(before)


def _toggled(before, after):
    here, there, way = _places(before)
    return _name(before, there), here, there, way


TURN = {"from": "way", "to": "way"}
PLACES = {"here": "cell", "there": "cell", "way": "way"}
actions = {
    "left": Press(0, TURN, _turned),
    "right": Press(1, TURN, _turned),
    "forward": Press(2, PLACES, _moved),
    "pick-up": Press(3, {"item": "item"} | PLACES, _picked_up),
    "drop": Press(4, {"item": "item"} | PLACES, _dropped),
    "toggle": Press(5, {"door": "door"} | PLACES, _toggled),
}
refused = "unchanged"


def _name(state, cell):
    thing = state.inside.get(cell)
    return thing and thing.name


def _kind(state, cell):
    thing = state.inside.get(cell)
    return thing and thing.kind


def _door(state, door):
    return next(t for t in state.inside.values() if t and t.name == door)


def _places(state):
    return state.at, neighbour(state.at, state.way), state.way
