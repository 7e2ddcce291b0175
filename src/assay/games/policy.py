"""Agents that follow a fixed policy: one key for one state and one target, and no looking ahead.

Whether such an agent gets to a target is found out by letting it play. It gets there, or it stops, or it
comes back to a state that it was in before: then it goes round in circles for ever, because it would press
the same keys again. Both are certain, though a search might well find a way (Descriptions, section 4: policy
agents).
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Collection
from typing import Any

from assay.core.reach import Answer, Cannot, Reached
from assay.games.agent import Player
from assay.games.game import Game
from assay.games.grid import DIRECTIONS, NOWHERE

KEY_OF = tuple(DIRECTIONS)
"""The key of a direction."""


class PolicyPlayer(Player):
    @abstractmethod
    def choose(self, game: Game[Any], state: Any, target: Any) -> str | None:
        """The key it presses on its way to a target; None if it stops."""

    def _reach(self, game: Game[Any], state: Any, target: Any) -> Answer:
        keys: list[str] = []
        states: dict[Any, None] = {state: None}
        while state != target:
            key = self.choose(game, state, target)
            if key is None:
                return Cannot(f"its policy stops after {len(keys)} key(s)")
            state = game.successor(state, key)
            keys.append(key)
            if state in states:
                return Cannot(f"its policy goes round in circles after {len(keys)} key(s)")
            states[state] = None
        return Reached(tuple(keys), tuple(states))


def walk(game: Game[Any], state: Any, free: Collection[int], goals: Collection[int]) -> str | None:
    """The next key on a shortest way over free cells to the nearest of some cells; None if there is none.

    The player's own cell counts as free; standing on a goal already, there is no key to press.
    """
    step = game.grid.step
    start = state[0]
    first: dict[int, int] = {start: NOWHERE}
    todo = deque([start])
    while todo:
        cell = todo.popleft()
        if cell in goals and cell != start:
            return KEY_OF[first[cell]]
        for direction in range(4):
            to = step[direction][cell]
            if to != NOWHERE and to not in first and to in free:
                first[to] = direction if cell == start else first[cell]
                todo.append(to)
    return None


def approach(game: Game[Any], state: Any, free: Collection[int], thing: int, best: int) -> str | None:
    """The next key on the way to stand beside a cell and face it; "" when it does.

    Of the cells beside it the best one is taken if it can be, else the nearest.
    """
    around = {step[thing] for step in game.grid.step} - {NOWHERE}
    around &= {*free, state[0]}
    for choice in ({best} & around, around):
        if state[0] in choice:
            direction = next(d for d in range(4) if game.grid.step[d][state[0]] == thing)
            return "" if state[1] == direction else KEY_OF[direction]
        if (key := walk(game, state, free, choice)) is not None:
            return key
    return None


def settle(game: Game[Any], state: Any, free: Collection[int], target: Any) -> str | None:
    """Nothing else is left to do: walk to the target's cell and turn as asked."""
    if state[0] != target[0]:
        return walk(game, state, free, {target[0]})
    return KEY_OF[target[1]] if state[1] != target[1] else None
