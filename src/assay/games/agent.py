"""Agents that play: a game's instances behind the seam of `core.reach`.

A low-level state there is the number of an instance and the state of its game. All instances of an agent are
of one game and one size, so they share their objects; walls and places differ. The simulator is the game
itself; how an agent gets from one state to another is its own affair.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from assay.core.reach import Answer, Cannot, Reached
from assay.core.universe import State
from assay.games.game import Game
from assay.games.grid import KEYS
from assay.games.instances import random_game
from assay.games.picture import picture
from assay.games.search import LIMIT, reach_state


class Low(NamedTuple):
    instance: int
    """The seed that its game was drawn from."""
    state: Any


class Player(ABC):
    """An agent that plays one game on grids of one size."""

    kind: ClassVar[str]
    keys = tuple(KEYS)

    def __init__(self, game: str, rows: int, columns: int, seed: int = 0) -> None:
        self._drawn = (game, rows, columns)
        self._games: dict[int, Game[Any]] = {}
        self.seed = seed
        first = self.game(seed)
        self.name = f"{game}:{rows}x{columns}:{self.kind}"
        self.universe = first.words.universe
        self.static, self.derived = first.static, first.derived

    def game(self, instance: int) -> Game[Any]:
        if instance not in self._games:
            self._games[instance] = random_game(*self._drawn, instance)
        return self._games[instance]

    def starts(self, count: int, /) -> Sequence[Low]:
        seeds = range(self.seed, self.seed + count)
        return [Low(seed, self.game(seed).initial) for seed in seeds]

    def abstract(self, low: Low, /) -> State:
        return State(self.universe, self.game(low[0]).facts(low[1]))

    def press(self, low: Low, key: str, /) -> Low:
        state = self.game(low[0]).successor(low[1], key)
        return low if state is low[1] else Low(low[0], state)

    def picture(self, low: Low, /) -> bytes:
        return picture(self.game(low.instance), low.state)

    def reach(self, low: Low, target: Low, /) -> Answer:
        instance = low.instance
        if target.instance != instance:
            return Cannot("the target is in another instance of the game")
        answer = self._reach(self.game(instance), low.state, target.state)
        if isinstance(answer, Reached):
            return Reached(answer.keys, tuple(Low(instance, state) for state in answer.states))
        return answer

    @abstractmethod
    def _reach(self, game: Game[Any], state: Any, target: Any) -> Answer: ...


class SearchPlayer(Player):
    """Gets wherever the rules allow, by the fewest keys."""

    kind = "search"

    def __init__(self, game: str, rows: int, columns: int, seed: int = 0, limit: int = LIMIT) -> None:
        super().__init__(game, rows, columns, seed)
        self._limit = limit

    def _reach(self, game: Game[Any], state: Any, target: Any) -> Answer:
        return reach_state(game, state, target, self._limit)
