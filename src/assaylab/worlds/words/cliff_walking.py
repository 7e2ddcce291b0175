"""CliffWalking in words: along a cliff to the goal. One action per key.

A step over the cliff leads back to the start, wherever that is. From the start itself it changes nothing, but
it costs what a fall costs: so it ran.
"""

from typing import NamedTuple

from assay.agents.gymnasium import Press
from assay.perception.predicates import predicate
from assaylab.worlds.words.grid import cell_name, neighbour

environment = "CliffWalking-v1"

FALL = -100
"""The reward of a fall."""


class Seen(NamedTuple):
    at: str
    cells: tuple[str, ...]
    cliff: tuple[str, ...]
    start: str
    goal: str


def look(env, observation):
    height, width = env.shape

    def name(index):
        row, column = divmod(int(index), width)
        return cell_name(column, row)

    cells = tuple(map(name, range(height * width)))
    cliff = tuple(cell for cell, over in zip(cells, env._cliff.ravel(), strict=True) if over)
    return Seen(name(observation), cells, cliff, name(env.start_state_index), cells[-1])


def save(env):
    return env.s


def restore(env, saved):
    env.s = saved


def objects(state):
    return dict.fromkeys(state.cells, "cell")


@predicate
def at(state, cell: "cell"):
    return state.at == cell


@predicate(static=True)
def cliff(state, cell: "cell"):
    return cell in state.cliff


@predicate(static=True)
def start(state, cell: "cell"):
    return cell == state.start


@predicate(static=True)
def goal(state, cell: "cell"):
    return cell == state.goal


@predicate(static=True)
def east_of(state, cell: "cell", other: "cell"):
    return cell == neighbour(other, "east")


@predicate(static=True)
def south_of(state, cell: "cell", other: "cell"):
    return cell == neighbour(other, "south")


def _towards(way):
    return lambda before, after: (before.at, neighbour(before.at, way))


MOVE = {"from": "cell", "to": "cell"}
actions = {way: Press(key, MOVE, _towards(way)) for key, way in enumerate(("north", "east", "south", "west"))}


def refused(before, after, reward, info):
    return before == after and reward != FALL
