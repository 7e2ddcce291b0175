"""A rectangle of cells, some of them walls, and the distances in it.

Cells are numbers, row by row; `cell_2_1` is the third of the second row: x to the right, y downward. What
lies outside is blocked. Directions are numbered in the order of their keys, W A S D: up, left, down, right.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from assay.errors import InputError

KEYS = "WASDE"
"""All keys: four directions, and E to use what is at hand."""

DIRECTIONS = {"W": 0, "A": 1, "S": 2, "D": 3}
UP, LEFT, DOWN, RIGHT = range(4)
OFFSETS = ((0, -1), (-1, 0), (0, 1), (1, 0))
NOWHERE = -1
"""The number of no cell."""

FAR = 1 << 30
"""Farther than any path."""


@dataclass(frozen=True)
class Grid:
    rows: int
    columns: int
    walls: frozenset[int]
    shunned: frozenset[int] = frozenset()
    """Floor that the player does not set foot on; things may lie there."""

    SHARE_OF_WALLS: ClassVar[float] = 0.2

    @classmethod
    def sample(cls, rng: random.Random, rows: int, columns: int) -> Grid:
        """A grid of that size, a fifth of it walls."""
        if min(rows, columns) < 2 or max(rows, columns) > 40:
            raise InputError(f"a grid of {rows}x{columns} cells: 2x2 to 40x40 can be played")
        cells = rows * columns
        return cls(rows, columns, frozenset(rng.sample(range(cells), round(cells * cls.SHARE_OF_WALLS))))

    @property
    def size(self) -> int:
        return self.rows * self.columns

    @cached_property
    def floor(self) -> tuple[int, ...]:
        """The cells that are no walls."""
        return tuple(cell for cell in range(self.size) if cell not in self.walls)

    @cached_property
    def beside(self) -> tuple[tuple[int, ...], ...]:
        """By direction and cell: the next cell, a wall or not; `NOWHERE` at the edge."""
        return tuple(
            tuple(self.at(cell % self.columns + dx, cell // self.columns + dy) for cell in range(self.size))
            for dx, dy in OFFSETS
        )

    @cached_property
    def step(self) -> tuple[tuple[int, ...], ...]:
        """By direction and cell: the next cell; `NOWHERE` at the edge or before a wall."""
        return tuple(tuple(NOWHERE if to in self.walls else to for to in row) for row in self.beside)

    def at(self, x: int, y: int) -> int:
        inside = 0 <= x < self.columns and 0 <= y < self.rows
        return y * self.columns + x if inside else NOWHERE

    def place(self, cell: int) -> tuple[int, int]:
        """The cell's x and y."""
        return cell % self.columns, cell // self.columns

    def name(self, cell: int) -> str:
        return f"cell_{cell % self.columns}_{cell // self.columns}"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(map(self.name, range(self.size)))

    def closed(self, cells: Iterable[int], shunned: Iterable[int] = ()) -> Grid:
        """The grid with more walls, and floor to be shunned; the same one if asked again."""
        key = (frozenset(cells), frozenset(shunned))
        if key not in self._variants:
            self._variants[key] = Grid(self.rows, self.columns, self.walls | key[0], key[1])
        return self._variants[key]

    @cached_property
    def _variants(self) -> dict[tuple[frozenset[int], frozenset[int]], Grid]:
        return {}

    @cached_property
    def _walks(self) -> dict[int, tuple[int, ...]]:
        return {}

    @cached_property
    def _pushes(self) -> dict[int, tuple[int, ...]]:
        return {}

    def walks_to(self, target: int) -> tuple[int, ...]:
        """From every cell the fewest moves to a cell, walls alone in the way."""
        if target not in self._walks:
            self._walks[target] = self._flood(target, behind=False)
        return self._walks[target]

    def pushes_to(self, target: int) -> tuple[int, ...]:
        """From every cell the fewest pushes that bring a thing to a cell; one pushes from the far side."""
        if target not in self._pushes:
            self._pushes[target] = self._flood(target, behind=True)
        return self._pushes[target]

    def meeting(self, a: int, b: int) -> int:
        """The fewest pushes that bring things on two cells together."""
        pair = (a, b) if a < b else (b, a)
        if pair not in self._meetings:
            ways = (self.pushes_to(cell) for cell in self.floor)
            self._meetings[pair] = min(way[a] + way[b] for way in ways)
        return self._meetings[pair]

    @cached_property
    def _meetings(self) -> dict[tuple[int, int], int]:
        return {}

    def _flood(self, target: int, behind: bool) -> tuple[int, ...]:
        far = [FAR] * self.size
        far[target] = 0
        todo = deque([target])
        while todo:
            cell = todo.popleft()
            for back in range(4):
                came = self.step[back][cell]
                if came == NOWHERE or far[came] < FAR or came in self.shunned:
                    continue
                if behind and (self.step[back][came] == NOWHERE or self.step[back][came] in self.shunned):
                    continue
                far[came] = far[cell] + 1
                todo.append(came)
        return tuple(far)
