"""Players with oddities, around the games' search agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.core.reach import Answer, Cannot, GaveUp
from assay.games.opening import open_game


class Odd:
    """The search agent of a game, with its answers looked at by a function first."""

    def __init__(
        self, spec: str, seed: int, answer: Callable[[Any, Any, Callable[..., Answer]], Answer]
    ) -> None:
        self._player, self._answer = open_game(spec, seed), answer
        for name in ("universe", "static", "derived", "keys", "name", "abstract", "starts", "press"):
            setattr(self, name, getattr(self._player, name))
        self.asked: list[tuple[Any, Any]] = []

    def reach(self, low: Any, target: Any) -> Answer:
        self.asked.append((low, target))
        return self._answer(low, target, self._player.reach)


def gives_up(low: Any, target: Any, reach: Callable[..., Answer]) -> Answer:
    return GaveUp("it is tired")


def honest(low: Any, target: Any, reach: Callable[..., Answer]) -> Answer:
    return reach(low, target)


def never_looking_up(low: Any, target: Any, reach: Callable[..., Answer]) -> Answer:
    """It cannot do anything from states in which it faces up: the words do not tell."""
    return Cannot("it looks up") if low.state[1] == 0 else reach(low, target)


def superstitious(low: Any, target: Any, reach: Callable[..., Answer]) -> Answer:
    """It moves nowhere from every other cell, for which the user has no word."""
    moves = low.state[0] != target.state[0]
    return Cannot("a bad cell") if moves and low.state[0] % 2 == 0 else reach(low, target)


def moody(low: Any, target: Any, reach: Callable[..., Answer]) -> Answer:
    """It refuses one task of eight, for no reason that the user has a word for."""
    refuses = (7 * low.state[0] + 3 * target.state[0] + low.instance) % 8 == 0
    return Cannot("not in the mood") if refuses else reach(low, target)


class Blind:
    """A player whose simulator is not to be had."""

    def __init__(self, spec: str, seed: int) -> None:
        self._player = open_game(spec, seed)
        self.universe = self._player.universe
        self.static, self.derived = self._player.static, self._player.derived
        self.abstract, self.reach = self._player.abstract, self._player.reach

    def starts(self, count: int) -> list[Any]:
        """Situations on the way through one instance."""
        start = self._player.starts(1)[0]
        found, todo = [start], [start]
        for low in todo:
            for key in self._player.keys:
                after = self._player.press(low, key)
                if after not in found and len(found) < count:
                    found.append(after)
                    todo.append(after)
        return found
