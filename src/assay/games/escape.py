"""Escape: push blocks into holes to clear a path to the cheese.

Walking against a block pushes it one cell if the cell beyond is free: no wall, no other block, not outside.
Pushed into a hole it fills it: block and hole vanish and the cell is clear. Holes and walls block the player.
The game is won on the goal cell. Blocks have no names: which one lies where makes no difference, so there is
one state for all their orders, and the vocabulary says only `is_block` of a cell.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import ClassVar, NamedTuple, Self

from assay.core.vocabulary import Vocabulary
from assay.games.game import CELLS_AND_THINGS, IN_LINE, PLAYER, Condition, Game, Sprite, scatter
from assay.games.grid import DOWN, FAR, NOWHERE, Grid


class EscapeState(NamedTuple):
    player: int
    facing: int
    blocks: int
    """The cells with a block, as bits."""
    holes: int


class Escape(Game[EscapeState]):
    name: ClassVar = "escape"
    smallest: ClassVar = (3, 3)
    vocabulary: ClassVar = Vocabulary.of(
        name="escape",
        types={"thing": "object", "cell": "object", "player": "thing"},
        predicates=CELLS_AND_THINGS
        | IN_LINE
        | {"is_hole": {"loc": "cell"}, "is_goal": {"loc": "cell"}, "is_block": {"loc": "cell"}},
        actions={},
    )
    things: ClassVar = (PLAYER,)
    derived: ClassVar = frozenset({"clear"})
    static: ClassVar = frozenset({"wall", "adjacent", "in_line", "is_goal"})

    def __init__(
        self, grid: Grid, player: int, goal: int, blocks: tuple[int, ...], holes: tuple[int, ...]
    ) -> None:
        super().__init__(grid)
        self.start, self.goal, self.blocks, self.holes = player, goal, blocks, holes
        self._player = self.words.at[PLAYER.name]
        self._blank |= self._goals[goal]
        self._things: dict[tuple[int, int], int] = {}
        """The facts of an arrangement of blocks and holes, once for all places of the player."""

    @classmethod
    def sample(cls, rng: random.Random, rows: int, columns: int) -> Self:
        """About one hole in twenty cells, and a block to spare where there is room."""
        grid = Grid.sample(rng, rows, columns)
        holes = max(1, round(grid.size / 20))
        blocks = holes + (grid.size >= 16)
        player, goal, *rest = scatter(rng, grid, 2 + holes + blocks)
        return cls(grid, player, goal, tuple(rest[:blocks]), tuple(rest[blocks:]))

    def _name_facts(self) -> None:
        words = self.words
        self._is_block, self._is_hole = words.per_cell("is_block"), words.per_cell("is_hole")
        self._goals = words.per_cell("is_goal")

    @property
    def initial(self) -> EscapeState:
        return EscapeState(
            self.start, DOWN, sum(1 << cell for cell in self.blocks), sum(1 << cell for cell in self.holes)
        )

    def won(self, state: EscapeState) -> bool:
        return state[0] == self.goal

    def _go(self, state: EscapeState, direction: int) -> EscapeState:
        here, facing, blocks, holes = state
        step = self.grid.step[direction]
        to = step[here]
        if to == NOWHERE or holes >> to & 1:
            return state
        if blocks >> to & 1:
            beyond = step[to]
            if beyond == NOWHERE or blocks >> beyond & 1:
                return state
            blocks ^= 1 << to
            if holes >> beyond & 1:
                holes ^= 1 << beyond
            else:
                blocks |= 1 << beyond
        return EscapeState(to, facing, blocks, holes)

    def facts(self, state: EscapeState) -> int:
        here, _, blocks, holes = state
        things = self._things.get((blocks, holes))
        if things is None:
            things = self._things[blocks, holes] = self._arrangement(blocks, holes)
        return things & ~self.words.clear[here] | self._player[here]

    def _arrangement(self, blocks: int, holes: int) -> int:
        facts = self._blank
        for cell in self.grid.floor:
            if blocks >> cell & 1:
                facts = facts & ~self.words.clear[cell] | self._is_block[cell]
            elif holes >> cell & 1:
                facts = facts & ~self.words.clear[cell] | self._is_hole[cell]
        return facts

    def sprites(self, state: EscapeState) -> list[Sprite]:
        floor = self.grid.floor
        return [
            Sprite("cheese", self.goal),
            *(Sprite("hole", cell) for cell in floor if state.holes >> cell & 1),
            *(Sprite("block", cell) for cell in floor if state.blocks >> cell & 1),
        ]

    @property
    def winning(self) -> Condition:
        return Condition(self._player[self.goal], self._player[self.goal])

    def showcases(self) -> list[list[Condition]]:
        """A hole is filled, by a block that was pushed over free floor before; then the game is won."""
        near = any(step[block] in self.holes for step in self.grid.step for block in self.blocks)
        if near and len(self.blocks) == 1:
            return []
        return [[Condition(self._is_hole[hole], 0), self.winning] for hole in self.holes]

    def bound(self, target: Condition) -> Callable[[EscapeState], int]:
        """Every cell that lacks its block needs one pushed there, every hole to be filled too: one push moves
        one block, so the fewest pushes add up. Blocks and holes only ever vanish, in pairs."""
        floor = self.grid.floor
        wanted = [cell for cell in floor if target.asks(self._is_block[cell])]
        unwanted = sum(1 << c for c in floor if target.asks(self._is_block[c]) is False)
        kept = [cell for cell in floor if target.asks(self._is_hole[cell])]
        open_holes = sum(1 << cell for cell in kept)
        fill = sum(1 << c for c in floor if target.asks(self._is_hole[c]) is False)
        everything = sum(self._is_block[cell] | self._is_hole[cell] for cell in floor)
        exact = target.mask & everything == everything
        home = self.place_asked(target, PLAYER.name)
        # holes that stay were never passed, and who sets foot on the goal does not leave it
        grid = self.grid.closed(kept, () if home in (None, self.goal) else (self.goal,))
        walk, size = self._walk(target, grid), grid.size
        known: dict[tuple[int, int], tuple[int, list[tuple[int, ...]]]] = {}

        def pushes(blocks: int, holes: int) -> tuple[int, list[tuple[int, ...]]]:
            """The pushes at least needed, and the ways to the blocks: one of them is pushed first."""
            there = [cell for cell in range(size) if blocks >> cell & 1]
            lacking = [*wanted, *(cell for cell in range(size) if (fill & holes) >> cell & 1)]
            if open_holes & ~holes or len(there) < len(lacking) or (exact and len(there) > len(lacking)):
                return FAR, []
            ways = [grid.pushes_to(cell) for cell in lacking]
            total = sum(min(way[block] for block in there) for way in ways)
            if exact:  # every block has to go somewhere, too
                total = max(total, sum(min(way[block] for way in ways) for block in there))
            total = max(total, (unwanted & blocks).bit_count())
            return total, [grid.walks_to(block) for block in there]

        def left(state: EscapeState) -> int:
            here, _, blocks, holes = state
            found = known.get((blocks, holes))
            if found is None:
                found = known[blocks, holes] = pushes(blocks, holes)
            total, ways = found
            if not total or total >= FAR:
                return max(walk[here], total)
            return max(walk[here], total - 1 + min([way[here] for way in ways]))

        return left
