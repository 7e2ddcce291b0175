"""Zelda: fetch the key, slay the monsters, leave through the door.

E kills the monster the player faces from the next cell; else it picks the key up from the player's own cell;
else it opens the door the player faces, if the key is in hand and no monster is alive: escaped, the game is
won. Walls, monsters and the door block. The key stays in hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import ClassVar, NamedTuple, Self

from assay.core.symbols import Object
from assay.core.vocabulary import Vocabulary
from assay.games.game import CELLS_AND_THINGS, PLAYER, Condition, Game, Sprite, scatter
from assay.games.grid import DOWN, FAR, NOWHERE, Grid


class ZeldaState(NamedTuple):
    player: int
    facing: int
    has_key: int
    monsters: int
    """The living ones, as bits."""
    escaped: int


class Zelda(Game[ZeldaState]):
    name: ClassVar = "zelda"
    smallest: ClassVar = (3, 4)
    vocabulary: ClassVar = Vocabulary.of(
        name="zelda",
        types={"thing": "object", "cell": "object"}
        | dict.fromkeys(("player", "key", "door", "monster"), "thing"),
        predicates=CELLS_AND_THINGS
        | {"has_key": {}, "escaped": {}, "monster_alive": {"m": "monster"}, "next_to_monster": {}},
        actions={},
    )
    things: ClassVar = (PLAYER, Object("key1", "key"), Object("door1", "door"), Object("monster1", "monster"))
    derived: ClassVar = frozenset({"clear", "next_to_monster"})
    static: ClassVar = frozenset({"wall", "adjacent"})

    def __init__(self, grid: Grid, player: int, key: int, door: int, monsters: tuple[int, ...]) -> None:
        super().__init__(grid)
        self.start, self.key, self.door, self.monsters = player, key, door, monsters
        at = self.words.at
        names = [thing.name for thing in self.things if thing.type == "monster"]
        self._monster_on = tuple(
            sum(1 << n for n, m in enumerate(monsters) if m == cell) for cell in range(grid.size)
        )
        self._near = tuple(
            sum({self._monster_on[to] for step in grid.beside if (to := step[cell]) != NOWHERE})
            for cell in range(grid.size)
        )
        self._player = at[PLAYER.name]
        alive = [
            at[name][cell] | self.words.bit("monster_alive", name)
            for name, cell in zip(names, monsters, strict=True)
        ]
        clear = self.words.clear
        self._door_facts = at["door1"][door]
        # by which monsters live: their facts, and the cells that are clear but for the player and the key
        self._living = [
            (
                sum(bits for n, bits in enumerate(alive) if living >> n & 1),
                self._blank
                & ~sum(clear[cell] for n, cell in enumerate(monsters) if living >> n & 1)
                & ~clear[door],
            )
            for living in range(1 << len(monsters))
        ]

    @classmethod
    def sample(cls, rng: random.Random, rows: int, columns: int) -> Self:
        grid = Grid.sample(rng, rows, columns)
        monsters = sum(thing.type == "monster" for thing in cls.things)
        player, key, door, *rest = scatter(rng, grid, 3 + monsters)
        return cls(grid, player, key, door, tuple(rest))

    def _name_facts(self) -> None:
        self._has_key = self.words.bit("has_key")
        self._escaped = self.words.bit("escaped")
        self._near_monster = self.words.bit("next_to_monster")

    @property
    def initial(self) -> ZeldaState:
        return ZeldaState(self.start, DOWN, 0, (1 << len(self.monsters)) - 1, 0)

    def won(self, state: ZeldaState) -> bool:
        return bool(state[4])

    def _go(self, state: ZeldaState, direction: int) -> ZeldaState:
        here, facing, has_key, living, escaped = state
        to = self.grid.step[direction][here]
        if to == NOWHERE or to == self.door or self._monster_on[to] & living:
            return state
        return ZeldaState(to, facing, has_key, living, escaped)

    def _use(self, state: ZeldaState) -> ZeldaState:
        here, facing, has_key, living, _ = state
        faced = self.grid.step[facing][here]
        if faced != NOWHERE and self._monster_on[faced] & living:
            return ZeldaState(here, facing, has_key, living & ~self._monster_on[faced], 0)
        if here == self.key and not has_key:
            return ZeldaState(here, facing, 1, living, 0)
        if faced == self.door and has_key and not living:
            return ZeldaState(here, facing, has_key, living, 1)
        return state

    def facts(self, state: ZeldaState) -> int:
        here, _, has_key, living, escaped = state
        clear = self.words.clear
        monsters, blank = self._living[living]
        facts = blank & ~clear[here] | self._player[here] | self._door_facts | monsters
        if has_key:
            facts |= self._has_key
        else:
            facts = facts & ~clear[self.key] | self.words.at["key1"][self.key]
        if self._near[here] & living:
            facts |= self._near_monster
        return facts | self._escaped if escaped else facts

    def sprites(self, state: ZeldaState) -> list[Sprite]:
        key = [] if state.has_key else [Sprite("key", self.key)]
        alive = [Sprite("monster", m) for n, m in enumerate(self.monsters) if state.monsters >> n & 1]
        return [Sprite("open door" if state.escaped else "door", self.door), *key, *alive]

    @property
    def winning(self) -> Condition:
        return Condition(self._escaped, self._escaped)

    def showcases(self) -> list[list[Condition]]:
        return [[self.winning]]

    def bound(self, target: Condition) -> Callable[[ZeldaState], int]:
        """What is done is not undone; the player walks to its place, or to the key, then to the door."""
        words = self.words
        keyed, out = self._key_asked(target), target.asks(self._escaped)
        fates = [
            target.asks(words.bit("monster_alive", thing.name))
            for thing in self.things
            if thing.type == "monster"
        ]
        alive = sum(1 << n for n, fate in enumerate(fates) if fate)
        dead = sum(1 << n for n, fate in enumerate(fates) if fate is False)
        walk, to_key, to_door = (
            self._walk(target, self.grid),
            self.grid.walks_to(self.key),
            self.grid.walks_to(self.door),
        )

        def left(state: ZeldaState) -> int:
            here, _, has_key, living, escaped = state
            if (keyed is False and has_key) or alive & ~living or (out is False and escaped):
                return FAR
            uses = (dead & living).bit_count()
            if out and not escaped:
                uses = living.bit_count() + 1
                way = to_door[here] - 1 if has_key else to_key[here] + to_door[self.key] - 1
                return max(way, walk[here]) + uses + (not has_key)
            fetch = bool(keyed) and not has_key
            return max(walk[here], to_key[here] if fetch else 0) + uses + fetch

        return left
