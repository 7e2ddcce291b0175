"""Snowman: carry bottom, middle and top to the goal cell, in this order.

E acts on the cell that the player faces. With no piece in hand it takes the key or a piece lying there; with
the key it opens the locked door; with a piece in hand it puts the piece on a free cell. On the goal cell
only the piece whose turn it is can be put, and there it stays: bottom, then middle, then top. All three
placed, the game is won. The key goes to the belt and stays there: only pieces fill the hand, one at a time.
Things on the floor, and the door while it is closed, block the player.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import ClassVar, NamedTuple, Self

from assay.core.symbols import Object
from assay.core.vocabulary import Vocabulary
from assay.games.game import CELLS_AND_THINGS, PLAYER, Condition, Sprite, cell_asked, scatter
from assay.games.grid import DOWN, FAR, NOWHERE, Grid
from assay.games.locked import Locked

PIECES = ("bottom", "middle", "top")
EMPTY = -1
"""The hand holds no piece."""


class SnowmanState(NamedTuple):
    player: int
    facing: int
    has_key: int
    open: int
    """Whether the door is."""
    hand: int
    """The number of the piece in it, or `EMPTY`."""
    placed: int
    """How many pieces are in their place."""
    pieces: tuple[int, int, int]
    """The cell of every piece, `NOWHERE` for the one in the hand."""


class Snowman(Locked[SnowmanState]):
    name: ClassVar = "snowman"
    smallest: ClassVar = (5, 5)
    vocabulary: ClassVar = Vocabulary.of(
        name="snowman",
        types={"thing": "object", "cell": "object", "player": "thing", "key": "thing", "piece": "thing"}
        | dict.fromkeys(PIECES, "piece"),
        predicates=CELLS_AND_THINGS
        | {
            "has_key": {},
            "player_has": {"ob": "piece"},
            "is_goal": {"loc": "cell"},
            "placed": {"part": "piece"},
            "is_door": {"loc": "cell"},
        },
        actions={},
    )
    things: ClassVar = (PLAYER, Object("key1", "key"), *(Object(f"{piece}1", piece) for piece in PIECES))
    derived: ClassVar = frozenset({"clear"})
    underfoot: ClassVar = frozenset({"goal", "open door"})
    static: ClassVar = frozenset({"wall", "adjacent", "is_goal"})

    def __init__(
        self, grid: Grid, player: int, key: int, door: int, goal: int, pieces: tuple[int, int, int]
    ) -> None:
        super().__init__(grid, key, door)
        self.start, self.goal, self.pieces = player, goal, pieces
        self._piece = [self.words.at[f"{piece}1"] for piece in PIECES]
        self._blank |= self._goals[goal]

    @classmethod
    def sample(cls, rng: random.Random, rows: int, columns: int) -> Self:
        grid = Grid.sample(rng, rows, columns)
        player, key, door, goal, bottom, middle, top = scatter(rng, grid, 7)
        return cls(grid, player, key, door, goal, (bottom, middle, top))

    def _name_facts(self) -> None:
        super()._name_facts()
        words = self.words
        self._holds = [words.bit("player_has", f"{piece}1") for piece in PIECES]
        self._placed = [words.bit("placed", f"{piece}1") for piece in PIECES]
        self._goals = words.per_cell("is_goal")

    @property
    def initial(self) -> SnowmanState:
        return SnowmanState(self.start, DOWN, 0, 0, EMPTY, 0, self.pieces)

    def won(self, state: SnowmanState) -> bool:
        return state[5] == 3

    def _go(self, state: SnowmanState, direction: int) -> SnowmanState:
        here, facing, has_key, door_open, hand, placed, pieces = state
        to = self.grid.step[direction][here]
        if to == NOWHERE or to in pieces or (to == self.door and not door_open):
            return state
        if to == self.key and not has_key:
            return state
        return SnowmanState(to, facing, has_key, door_open, hand, placed, pieces)

    def _use(self, state: SnowmanState) -> SnowmanState:
        here, facing, has_key, door_open, hand, placed, pieces = state
        faced = self.grid.step[facing][here]
        if faced == NOWHERE:
            return state
        if faced == self.door and not door_open:
            return SnowmanState(here, facing, has_key, 1, hand, placed, pieces) if has_key else state
        if faced == self.key and not has_key:
            return SnowmanState(here, facing, 1, door_open, hand, placed, pieces) if hand == EMPTY else state
        if hand == EMPTY:
            if faced not in pieces or faced == self.goal:
                return state
            hand, cell = pieces.index(faced), NOWHERE
            moved = hand
        else:
            if hand != placed if faced == self.goal else faced in pieces:
                return state
            moved, cell = hand, faced
            placed += faced == self.goal
            hand = EMPTY
        a, b, c = pieces
        pieces = (cell, b, c) if moved == 0 else (a, cell, c) if moved == 1 else (a, b, cell)
        return SnowmanState(here, facing, has_key, door_open, hand, placed, pieces)

    def _arrangement(self, state: SnowmanState) -> int:
        clear, facts = self.words.clear, super()._arrangement(state)
        for number, cell in enumerate(state.pieces):
            if cell == NOWHERE:
                facts |= self._holds[number]
            else:
                facts = facts & ~clear[cell] | self._piece[number][cell]
        return facts | sum(self._placed[: state.placed])

    def sprites(self, state: SnowmanState) -> list[Sprite]:
        key = [] if state.has_key else [Sprite("key", self.key)]
        pieces = zip(PIECES, state.pieces, strict=True)
        return [
            Sprite("goal", self.goal),
            Sprite("open door" if state.open else "door", self.door),
            *key,
            *(Sprite(piece, cell) for piece, cell in pieces if cell != NOWHERE),
        ]

    @property
    def winning(self) -> Condition:
        return Condition(sum(self._placed), sum(self._placed))

    def showcases(self) -> list[list[Condition]]:
        """The door is opened; then piece by piece."""
        stages = [Condition(bit, bit) for bit in self._placed]
        return [[Condition(self._is_door[self.door], 0), *stages]]

    def bound(self, target: Condition) -> Callable[[SnowmanState], int]:
        """Pieces are carried one at a time, so their trips add up: each is taken, carried and put down."""
        keyed, shut = self._key_asked(target), target.asks(self._is_door[self.door])
        # what is to stay as it was from the start was never passed
        stay = [cell for cell, asked in ((self.key, keyed is False), (self.door, shut)) if asked]
        grid = self.grid.closed(stay)
        set_down = [target.asks(bit) for bit in self._placed]
        most_placed = min((n for n, asked in enumerate(set_down) if asked is False), default=3)
        to_place = max((n + 1 for n, asked in enumerate(set_down) if asked), default=0)
        places: list[int | None] = []
        for number in range(3):
            place = cell_asked(target, self._piece[number])
            if number < to_place:
                place = self.goal
            elif place is None and target.asks(self._holds[number]):
                place = NOWHERE
            places.append(place)
        to_key, to_door, walk = grid.walks_to(self.key), grid.walks_to(self.door), self._walk(target, grid)
        trips = [None if place in (None, NOWHERE) else grid.walks_to(place) for place in places]
        known: dict[tuple[object, ...], tuple[int, list[tuple[int, ...]]]] = {}

        def work(hand: int, placed: int, pieces: tuple[int, ...]) -> tuple[int, list[tuple[int, ...]]]:
            """The keys needed for the pieces after the first walk, and the ways that it may go."""
            astray = [n for n in range(3) if n != hand and places[n] not in (None, pieces[n])]
            if placed > most_placed or any(n < placed for n in astray):
                return FAR, []
            keys, first = 0, [grid.walks_to(pieces[n]) for n in astray]
            for n in astray:
                carried = trips[n]
                keys += 1 if carried is None else max(2, carried[pieces[n]])
            if hand != EMPTY:
                carried = trips[hand]
                if carried is not None:
                    keys, first = keys + 1, [carried]
                elif astray:
                    keys += 1
            return keys, first

        def left(state: SnowmanState) -> int:
            here, _, has_key, door_open, hand, placed, pieces = state
            if (has_key and keyed is False) or (door_open and shut):
                return FAR
            found = known.get((hand, pieces))
            if found is None:
                found = known[hand, pieces] = work(hand, placed, pieces)
            keys, first = found
            if keys >= FAR:
                return FAR
            most = walk[here]
            if keys:
                most = max(most, keys - 1 + min([way[here] for way in first]))
            if not door_open and shut is False:
                most = max(most, to_door[here] if has_key else to_key[here] + to_door[self.key] - 1)
            elif keyed and not has_key:
                most = max(most, to_key[here])
            return most

        return left
