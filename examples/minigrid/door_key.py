"""MiniGrid-DoorKey in words: cells, directions, a key and a door.

    assay run gym:examples/minigrid/door_key.py

MiniGrid has seven keys; what a press of one does depends on where the agent stands and what is before it.
So each action here is one kind of thing that a press can bring about, and its arguments are what took part:
`forward(?from ?to ?way)` is a press of "forward" that took the agent from one cell to the other. The key
"toggle" brings about three kinds of things: a door is unlocked, opened or closed.
"""

from typing import NamedTuple

from assay import predicate
from assay.agents.gymnasium import Press

environment = "minigrid:MiniGrid-DoorKey-5x5-v0"
options = {"render_mode": "rgb_array"}
seeds = (0,)
WAYS = ("east", "south", "west", "north")
STEPS = {"east": (1, 0), "south": (0, 1), "west": (-1, 0), "north": (0, -1)}


class Seen(NamedTuple):
    """What of the environment the words below are about; everything else (counters, views) is left out."""

    at: str
    way: str
    carried: str | None
    inside: dict  # cell -> what is there: (name, kind, open, locked), or None; walls are no cells


def look(env, observation):
    inside = {}
    for x in range(env.width):
        for y in range(env.height):
            thing = env.grid.get(x, y)
            if thing is None:
                inside[f"c{x}-{y}"] = None
            elif thing.type != "wall":
                opened, locked = getattr(thing, "is_open", False), getattr(thing, "is_locked", False)
                inside[f"c{x}-{y}"] = (f"{thing.color}-{thing.type}", thing.type, opened, locked)
    x, y = env.agent_pos
    carried = env.carrying and f"{env.carrying.color}-{env.carrying.type}"
    return Seen(f"c{x}-{y}", WAYS[env.agent_dir], carried, inside)


def objects(state):
    things = [thing for thing in state.inside.values() if thing and thing[1] in ("key", "door")]
    return dict.fromkeys(state.inside, "cell") | dict.fromkeys(WAYS, "way") | {t[0]: t[1] for t in things}


# Predicates


@predicate
def at(state, cell: "cell"):
    return state.at == cell


@predicate
def facing(state, way: "way"):
    return state.way == way


@predicate
def carrying(state, key: "key"):
    return state.carried == key


@predicate
def empty_handed(state):
    return state.carried is None


@predicate
def lies_on(state, key: "key", cell: "cell"):
    return _name(state, cell) == key


@predicate
def bare(state, cell: "cell"):
    """Nothing is there; the agent, which stands above the grid, does not count."""
    return state.inside[cell] is None


@predicate
def blocked(state, cell: "cell"):
    """Something is there that one cannot stand on: a key, a closed door."""
    thing = state.inside[cell]
    return thing is not None and thing[1] != "goal" and not thing[2]


@predicate
def is_open(state, door: "door"):
    return _door(state, door)[2]


@predicate
def is_locked(state, door: "door"):
    return _door(state, door)[3]


@predicate(static=True)
def door_on(state, door: "door", cell: "cell"):
    return _name(state, cell) == door


@predicate(static=True)
def goal(state, cell: "cell"):
    return _name(state, cell) == "green-goal"


@predicate(static=True)
def next_to(state, cell: "cell", other: "cell", way: "way"):
    """The other cell comes after this one, that way."""
    return _beyond(cell, way) == other


@predicate(static=True)
def left_of(state, way: "way", other: "way"):
    """A turn to the left leads from the other way to this one."""
    return WAYS[WAYS.index(other) - 1] == way


# What happened: who took part, or None if it was something else


def turned(before, after):
    return before.way, after.way


def moved(before, after):
    return None if _name(after, after.at) == "green-goal" else (before.at, after.at, after.way)


def arrived(before, after):
    return (before.at, after.at, after.way) if _name(after, after.at) == "green-goal" else None


def picked_up(before, after):
    return after.carried, before.at, _ahead(before), before.way


def dropped(before, after):
    return before.carried, before.at, _ahead(before), before.way


def unlocked(before, after):
    return (before.carried, *_at_door(before)) if _lock(before, after) else None


def opened(before, after):
    return None if _lock(before, after) or not after.inside[_ahead(after)][2] else _at_door(before)


def closed(before, after):
    return None if after.inside[_ahead(after)][2] else _at_door(before)


MOVE = {"from": "cell", "to": "cell", "way": "way"}
HANDLE = {"key": "key", "here": "cell", "there": "cell", "way": "way"}
DOOR = {"door": "door", "there": "cell", "here": "cell", "way": "way"}

actions = {
    "turn-left": Press(0, {"from": "way", "to": "way"}, turned),
    "turn-right": Press(1, {"from": "way", "to": "way"}, turned),
    "forward": Press(2, MOVE, moved),
    "reach-goal": Press(2, MOVE, arrived),
    "pick-up": Press(3, HANDLE, picked_up),
    "drop": Press(4, HANDLE, dropped),
    "unlock": Press(5, {"key": "key"} | DOOR, unlocked),
    "open": Press(5, DOOR, opened),
    "close": Press(5, DOOR, closed),
}
refused = "unchanged"


def _name(state, cell):
    thing = state.inside.get(cell)
    return thing and thing[0]


def _door(state, door):
    return next(thing for thing in state.inside.values() if thing and thing[0] == door and thing[1] == "door")


def _beyond(cell, way):
    x, y = map(int, cell[1:].split("-"))
    dx, dy = STEPS[way]
    return f"c{x + dx}-{y + dy}"


def _ahead(state):
    return _beyond(state.at, state.way)


def _lock(before, after):
    there = _ahead(before)
    return before.inside[there][3] and not after.inside[there][3]


def _at_door(state):
    there = _ahead(state)
    return _name(state, there), there, state.at, state.way
