"""Random instances from a seed and a size, each known to be playable.

An instance is kept if the game was won in it with every rule at work on the way (`Game.showcases`), by a
search in stages; otherwise the next one is drawn. The same seed and size give the same instance.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from assay.core.reach import Reached
from assay.errors import InputError
from assay.games.escape import Escape
from assay.games.game import Condition, Game
from assay.games.grid import FAR
from assay.games.pasta import Pasta
from assay.games.search import meets, shortest
from assay.games.snowman import Snowman
from assay.games.zelda import Zelda

GAMES: dict[str, type[Game[Any]]] = {game.name: game for game in (Zelda, Pasta, Escape, Snowman)}

DRAWS = 3_000
"""Instances drawn before a size is called too small."""

PATIENCE = 2_000
"""States searched for one stage of a showcase."""


def game_type(name: str) -> type[Game[Any]]:
    if name not in GAMES:
        raise InputError(f"there is no game {name!r}; there are {', '.join(GAMES)}")
    return GAMES[name]


@cache
def random_game(name: str, rows: int, columns: int, seed: int = 0) -> Game[Any]:
    kind = game_type(name)
    for draw in range(DRAWS):
        game = kind.sample(random.Random(f"{name} {rows}x{columns} {seed} {draw}"), rows, columns)
        if showcase(game) is not None:
            return game
    raise InputError(
        f"{DRAWS:,} random {name} games of {rows}x{columns} cells, none of them playable; "
        f"the smallest size is {kind.smallest[0]}x{kind.smallest[1]}"
    )


def showcase(game: Game[Any]) -> list[Any] | None:
    """The states on a way to win with every rule at work, if one was found."""
    if game.won(game.initial):
        return None
    return next((way for stages in game.showcases() if (way := _shown(game, stages))), None)


def _shown(game: Game[Any], stages: list[Condition]) -> list[Any] | None:
    """Stage by stage, without spoiling what comes after as far as bounds can tell."""
    bounds = [game.bound(stage) for stage in stages]
    way = [game.initial]
    for number, stage in enumerate(stages):
        left = _unspoilt(bounds[number], bounds[number + 1 :])
        answer = shortest(game, way[-1], meets(game, stage), left, PATIENCE)
        if not isinstance(answer, Reached):
            return None
        way += answer.states[1:]
    return way


def _unspoilt(bound: Callable[[Any], int], later: list[Callable[[Any], int]]) -> Callable[[Any], int]:
    """The bound, doubled: a way is wanted soon, not a shortest one."""
    return lambda state: FAR if any(other(state) >= FAR for other in later) else 2 * bound(state)
