"""FrozenLake in words: a walk over the ice to the goal, past holes. One action per key.

Stepping on a hole moves like any other step and also ends the episode. The ice is not slippery unless
`is_slippery=true` is asked for; then the same step leads here or there, and a run says so.
"""

from typing import NamedTuple

from assay.agents.gymnasium import Press
from assay.perception.predicates import predicate
from assaylab.worlds.words.grid import cell_name, neighbour

environment = "FrozenLake-v1"
options = {"is_slippery": False}


class Seen(NamedTuple):
    at: str
    rows: tuple[str, ...]
    """The map, a letter for each cell."""


def look(env, observation):
    rows = tuple(b"".join(row).decode() for row in env.desc)
    row, column = divmod(int(observation), env.ncol)
    return Seen(cell_name(column, row), rows)


def save(env):
    return env.s


def restore(env, saved):
    env.s = saved


def objects(state):
    return dict.fromkeys(_letters(state), "cell")


@predicate
def at(state, cell: "cell"):
    return state.at == cell


@predicate(static=True)
def hole(state, cell: "cell"):
    return _letters(state)[cell] == "H"


@predicate(static=True)
def goal(state, cell: "cell"):
    return _letters(state)[cell] == "G"


@predicate(static=True)
def east_of(state, cell: "cell", other: "cell"):
    return cell == neighbour(other, "east")


@predicate(static=True)
def south_of(state, cell: "cell", other: "cell"):
    return cell == neighbour(other, "south")


def _moved(before, after):
    return before.at, after.at


MOVE = {"from": "cell", "to": "cell"}
actions = {way: Press(key, MOVE, _moved) for key, way in enumerate(("west", "south", "east", "north"))}
refused = "unchanged"


def _letters(state):
    return {cell_name(x, y): letter for y, row in enumerate(state.rows) for x, letter in enumerate(row)}
