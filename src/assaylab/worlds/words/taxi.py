"""Taxi in words: fetch a passenger at one stop and put them down at another. One action per key."""

from typing import NamedTuple

from assay.agents.gymnasium import Press
from assay.perception.predicates import predicate
from assaylab.worlds.words.grid import cell_name, neighbour

environment = "Taxi-v4"

STOPS = ("red", "green", "yellow", "blue")
WIDTH = HEIGHT = 5


class Seen(NamedTuple):
    at: str
    passenger: str
    """The stop where the passenger waits, or `taxi`."""
    destination: str
    stops: tuple[str, ...]
    """The cells of the stops."""
    walls: frozenset[tuple[str, str]]


def look(env, observation):
    row, column, passenger, destination = env.decode(int(observation))
    stops = tuple(cell_name(x, y) for y, x in env.locs)
    return Seen(
        cell_name(column, row), (*STOPS, "taxi")[passenger], STOPS[destination], stops, _walls(env.desc)
    )


def _walls(picture):
    """Pairs of cells with a wall between them; on the map a cell is two letters wide."""
    return frozenset(
        (cell_name(x, y), cell_name(x + 1, y))
        for y in range(HEIGHT)
        for x in range(WIDTH - 1)
        if picture[1 + y, 2 * x + 2] == b"|"
    )


def save(env):
    return env.s


def restore(env, saved):
    env.s = saved


def objects(state):
    cells = (cell_name(x, y) for y in range(HEIGHT) for x in range(WIDTH))
    return dict.fromkeys(cells, "cell") | dict.fromkeys(STOPS, "stop")


@predicate
def at(state, cell: "cell"):
    return state.at == cell


@predicate
def waits_at(state, stop: "stop"):
    return state.passenger == stop


@predicate
def in_taxi(state):
    return state.passenger == "taxi"


@predicate(static=True)
def destination(state, stop: "stop"):
    return state.destination == stop


@predicate(static=True)
def stop_on(state, stop: "stop", cell: "cell"):
    return state.stops[STOPS.index(stop)] == cell


@predicate(static=True)
def east_of(state, cell: "cell", other: "cell"):
    return cell == neighbour(other, "east")


@predicate(static=True)
def south_of(state, cell: "cell", other: "cell"):
    return cell == neighbour(other, "south")


@predicate(static=True)
def wall_between(state, cell: "cell", other: "cell"):
    return (cell, other) in state.walls or (other, cell) in state.walls


def _moved(before, after):
    return before.at, after.at


def _at_stop(before, after):
    return STOPS[before.stops.index(before.at)], before.at


MOVE = {"from": "cell", "to": "cell"}
HANDLE = {"stop": "stop", "here": "cell"}
actions = {
    "south": Press(0, MOVE, _moved),
    "north": Press(1, MOVE, _moved),
    "east": Press(2, MOVE, _moved),
    "west": Press(3, MOVE, _moved),
    "pick-up": Press(4, HANDLE, _at_stop),
    "put-down": Press(5, HANDLE, _at_stop),
}
refused = "unchanged"
