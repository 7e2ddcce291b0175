"""What the four games have in common: keys, facing, and how a low-level state looks in the user's words.

A game is one instance: a grid with what never moves in it. Its low-level states are named tuples of small
numbers, one tuple for one situation, whose first two fields are the player's cell and the direction it
faces. A direction key turns the player if it faces another way, else the player goes there if it can. A won
game is over: no key changes it. A key that changes nothing returns the very same state.

The user's vocabulary does not mention the facing, so up to four low-level states look alike. `facts` reads
all of the vocabulary off a state as one bitmask, from tables prepared per cell, in a microsecond or two.

A `Condition` is what may be asked for: facts that must hold and facts that must not. `bound` gives a
function that never overestimates the keys still needed, and says `FAR` or more only where the condition is
shown to be out of reach for ever: what is spent does not come back, what stands in a corner stays there.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from assay.core.symbols import Atom, Object
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.games.grid import DIRECTIONS, KEYS, NOWHERE, Grid
from assay.games.words import Words

S = TypeVar("S", bound=tuple[Any, ...])

PLAYER = Object("player1", "player")

CELLS_AND_THINGS = {
    "at": {"ob": "thing", "loc": "cell"},
    "wall": {"loc": "cell"},
    "clear": {"loc": "cell"},
    "adjacent": {"a": "cell", "b": "cell"},
}
"""Predicates of every game."""

IN_LINE = {"in_line": {"a": "cell", "b": "cell", "c": "cell"}}


class Condition(NamedTuple):
    """Of the facts in the mask, those in the value hold and the others do not."""

    mask: int
    value: int

    def met(self, facts: int) -> bool:
        return facts & self.mask == self.value

    def asks(self, bit: int) -> bool | None:
        """Whether the fact is to hold; None if it does not matter."""
        return bool(self.value & bit) if self.mask & bit else None


class Sprite(NamedTuple):
    """Something to draw in a cell."""

    kind: str
    cell: int


class Game(ABC, Generic[S]):
    name: ClassVar[str]
    smallest: ClassVar[tuple[int, int]]
    """Rows and columns of the smallest grid that is played."""
    vocabulary: ClassVar[Vocabulary]
    things: ClassVar[tuple[Object, ...]]
    """What may be on a cell, by name; the player is the first."""
    derived: ClassVar[frozenset[str]]
    """Predicates that are functions of the others."""
    underfoot: ClassVar[frozenset[str]] = frozenset({"key", "goal", "cheese", "open door"})
    """What the player can walk over, of all that is to be seen."""
    static: ClassVar[frozenset[str]]
    """Predicates that no key ever changes."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.words = _words(type(self), grid.rows, grid.columns)
        self._name_facts()
        clear = self.words.clear
        self._layout = _geometry(self.words) | sum(self.words.wall[w] for w in grid.walls)
        """What never changes."""
        self._blank = self._layout | sum(clear[cell] for cell in grid.floor)
        """The facts of the empty grid."""

    @classmethod
    @abstractmethod
    def sample(cls, rng: random.Random, rows: int, columns: int) -> Self:
        """A random instance, not yet known to be worth playing."""

    @abstractmethod
    def _name_facts(self) -> None:
        """Numbers the facts of the game's own that may change."""

    @property
    @abstractmethod
    def initial(self) -> S: ...

    @abstractmethod
    def won(self, state: S) -> bool: ...

    @abstractmethod
    def facts(self, state: S) -> int:
        """The facts that hold, as bits of the universe."""

    @abstractmethod
    def sprites(self, state: S) -> list[Sprite]:
        """What is to be seen besides walls and the player, lowest first."""

    @property
    @abstractmethod
    def winning(self) -> Condition: ...

    @abstractmethod
    def showcases(self) -> list[list[Condition]]:
        """Ways to win with every rule at work, in stages: an instance is worth playing if there is one."""

    @abstractmethod
    def bound(self, target: Condition) -> Callable[[S], int]:
        """Never more than the keys needed from a state until the target is met; `FAR`: never at all."""

    @abstractmethod
    def _go(self, state: S, direction: int) -> S:
        """The player walks on in the direction it faces."""

    def _use(self, state: S) -> S:
        """E is pressed."""
        return state

    def successor(self, state: S, key: str) -> S:
        if self.won(state):
            return state
        direction = DIRECTIONS.get(key)
        if direction is None:
            if key != "E":
                raise InputError(f"key {key!r}: the keys are {' '.join(KEYS)}")
            return self._use(state)
        return self._go(state, direction) if direction == state[1] else _turned(state, direction)

    def successors(self, state: S) -> Iterator[tuple[str, S]]:
        """The keys that change the state, with the states they lead to."""
        if self.won(state):
            return
        facing = state[1]
        for key, direction in DIRECTIONS.items():
            if direction != facing:
                yield key, _turned(state, direction)
            elif (gone := self._go(state, direction)) is not state:
                yield key, gone
        if (used := self._use(state)) is not state:
            yield "E", used

    def play(self, state: S, keys: Iterable[str]) -> list[S]:
        """The states passed, the first one included."""
        passed = [state]
        for key in keys:
            passed.append(self.successor(passed[-1], key))
        return passed

    def condition(self, holds: Iterable[Atom] = (), fails: Iterable[Atom] = ()) -> Condition:
        value = self.words.universe.bits(holds)
        return Condition(value | self.words.universe.bits(fails), value)

    def alike(self, state: S) -> Condition:
        """All states that look like this one: every fact is asked for."""
        return Condition(-1, self.facts(state))

    def place_asked(self, target: Condition, thing: str) -> int | None:
        """The cell where the target wants a thing; `NOWHERE` if on none, None if it does not matter."""
        return cell_asked(target, self.words.at[thing])

    def _key_asked(self, target: Condition) -> bool | None:
        """Whether the target wants the key in hand: it is that, or it lies where it lay from the start."""
        asked = target.asks(self.words.bit("has_key"))
        if asked is None and (place := self.place_asked(target, "key1")) is not None:
            return place == NOWHERE
        return asked

    def _walk(self, target: Condition, grid: Grid) -> tuple[int, ...]:
        """From every cell the fewest moves to where the target wants the player."""
        place = self.place_asked(target, PLAYER.name)
        return (0,) * grid.size if place is None or place == NOWHERE else grid.walks_to(place)


def cell_asked(target: Condition, bits: tuple[int, ...]) -> int | None:
    """The cell whose bit is to hold; `NOWHERE` if all are not to, None otherwise."""
    for cell, bit in enumerate(bits):
        if target.mask & target.value & bit:
            return cell
    return NOWHERE if all(target.mask & bit for bit in bits) else None


def scatter(rng: random.Random, grid: Grid, count: int) -> list[int]:
    """Different cells of the floor, in random order."""
    if len(grid.floor) < count:
        raise InputError(f"a grid of {grid.rows}x{grid.columns} cells is too small for {count} things")
    return rng.sample(grid.floor, count)


def _turned(state: S, direction: int) -> S:
    return tuple.__new__(type(state), (state[0], direction, *state[2:]))


@cache
def _words(game: type[Game[Any]], rows: int, columns: int) -> Words:
    return Words(game.vocabulary, game.things, rows, columns)


@cache
def _geometry(words: Words) -> int:
    return words.geometry()
