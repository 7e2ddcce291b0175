"""A policy learned from nothing but pressing keys: tabular Q-learning for whatever target is asked.

The agent does not see the board as it is. It sees which of the four cells around it are taken, what is on the
one that it faces, where its place in the target is, and at most two things that are not yet as in the target,
each with its direction; two cells off is as far as it sees. What it learns is a table from such views to
the worth of the five keys, so it can be used on grids of any size. Training draws instances, a situation and
a target that some keys lead to; getting there is worth one, and less by a tenth with every key. The curve is
taken on instances that are not trained on. Everything is drawn from the seed: the same seed gives the same
table. In views it never met the agent presses nothing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from assay.core.universe import indices
from assay.errors import InputError
from assay.games.game import PLAYER, Game
from assay.games.grid import KEYS, NOWHERE
from assay.games.instances import random_game, showcase
from assay.games.policy import PolicyPlayer
from assay.games.words import Words

View = str
Table = dict[View, list[float]]

EPISODES = 60_000
_BOARDS, _EXAM_BOARDS = 40, 10
_LONGEST = 24
_SIGHT = 2
_EVERY = 2_000
_EXAM = 300
_FIRST = 1_000_000
"""The seed of the first instance to train on: far from those that an agent is asked about."""
_RATE, _FADE, _FREE = 0.3, 0.9, 0.2


@dataclass(frozen=True)
class Training:
    table: Table
    curve: tuple[tuple[int, float], ...]
    """After so many episodes: the share of fixed tasks that it does."""


class Learned(PolicyPlayer):
    kind: ClassVar = "policy-learned"

    def __init__(self, game: str, rows: int, columns: int, seed: int = 0, table: Table | None = None) -> None:
        super().__init__(game, rows, columns, seed)
        self._table = table if table is not None else train(game, rows, columns).table

    def choose(self, game: Game[Any], state: Any, target: Any) -> str | None:
        worth = self._table.get(view(game, state, target))
        return None if worth is None else KEYS[worth.index(max(worth))]


def view(game: Game[Any], state: Any, target: Any) -> View:
    """What the agent sees of a state on its way to a target."""
    here, facing = state[0], state[1]
    on = {cell: kind for kind, cell in game.sprites(state)}
    grid, names = game.grid, _meanings(game.words)
    beside = [step[here] for step in grid.step]
    taken = "".join(".#"[to == NOWHERE or (to in on and on[to] not in game.underfoot)] for to in beside)
    seen = [f"{facing}{taken}{on.get(beside[facing], '')}"]
    wanted = game.facts(target)
    columns = grid.columns
    x, y = here % columns, here // columns
    amiss = 0
    for number in indices(game.facts(state) ^ wanted):
        meaning, cell = names[number]
        if not meaning:
            continue
        amiss += 1
        if amiss > 2:
            break
        off = "" if cell == NOWHERE else f"{_near(cell % columns - x)},{_near(cell // columns - y)}"
        seen.append(f"{'+' if wanted >> number & 1 else '-'}{meaning}{off}")
    there = target[0]
    if there != here or amiss:
        seen.append(f"@{_near(there % columns - x)},{_near(there // columns - y)}")
    else:
        seen.append(f"={target[1]}")
    return " ".join(seen)


def _near(offset: int) -> int:
    return max(-_SIGHT, min(_SIGHT, offset))


@cache
def _meanings(words: Words) -> dict[int, tuple[str, int]]:
    """What a fact says without its cell, and that cell; nothing for those that are seen otherwise."""
    cells = {o.name: n for n, o in enumerate(o for o in words.universe.objects if o.type == "cell")}
    meanings = {}
    for number in range(len(words.universe._atoms)):
        atom = words.universe.atom(number)
        skip = atom.predicate in ("clear", "next_to_monster") or PLAYER.name in atom.args
        cell = cells.get(atom.args[-1], NOWHERE) if atom.args else NOWHERE
        said = " ".join(a for a in atom.args if a not in cells)
        meanings[number] = ("" if skip else f"{atom.predicate} {said}", cell)
    return meanings


@cache
def train(game: str, rows: int, columns: int, seed: int = 0, episodes: int = EPISODES) -> Training:
    """A table for a game of one size, from scratch."""
    if episodes < 1:
        raise InputError(f"training takes at least one episode, not {episodes}")
    rng = random.Random(f"{game} {rows}x{columns} {seed} training")
    boards = [random_game(game, rows, columns, _FIRST + n) for n in range(_BOARDS + _EXAM_BOARDS)]
    unseen = _Tasks(boards[_BOARDS:])
    exam = [unseen.draw(rng) for _ in range(_EXAM)]
    tasks = _Tasks(boards[:_BOARDS])
    table: Table = {}
    curve = [(0, 0.0)]
    for episode in range(1, episodes + 1):
        _practise(table, *tasks.draw(rng), rng)
        if episode % _EVERY == 0 or episode == episodes:
            curve.append((episode, sum(_does(table, *task) for task in exam) / _EXAM))
    return Training(table, tuple(curve))


class _Tasks:
    """Situations and targets: a random walk from somewhere on a way to win, and a few keys more."""

    def __init__(self, boards: list[Game[Any]]) -> None:
        self._boards = boards
        self._ways: list[list[Any]] = []
        for board in boards:
            way = showcase(board)
            assert way is not None  # else it would not have been drawn
            self._ways.append(way)

    def draw(self, rng: random.Random) -> tuple[Game[Any], Any, Any]:
        while True:
            number = rng.randrange(len(self._boards))
            game = self._boards[number]
            state = rng.choice(self._ways[number])
            for _ in range(rng.randrange(6)):
                state = game.successor(state, rng.choice(KEYS))
            target = state
            for _ in range(rng.randrange(1, 6)):
                target = _telling(game, target, rng)
            if target != state:
                return game, state, target


def _telling(game: Game[Any], state: Any, rng: random.Random) -> Any:
    """A state one key on; often one where more has changed than where the player is and how it stands."""
    after = [s for _, s in game.successors(state)]
    if not after:
        return state
    telling = [s for s in after if s[2:] != state[2:]]
    return rng.choice(telling) if telling and rng.random() < 0.5 else rng.choice(after)


def _practise(table: Table, game: Game[Any], state: Any, target: Any, rng: random.Random) -> None:
    seen = view(game, state, target)
    worth = table.setdefault(seen, [0.0] * len(KEYS))
    for _ in range(_LONGEST):
        number = rng.randrange(5) if rng.random() < _FREE else _best(worth, rng)
        state = game.successor(state, KEYS[number])
        if state == target:
            worth[number] += _RATE * (1.0 - worth[number])
            return
        seen = view(game, state, target)
        further = table.setdefault(seen, [0.0] * len(KEYS))
        worth[number] += _RATE * (_FADE * max(further) - worth[number])
        worth = further


def _best(worth: list[float], rng: random.Random) -> int:
    most = max(worth)
    return rng.choice([n for n, w in enumerate(worth) if w == most])


def _does(table: Table, game: Game[Any], state: Any, target: Any) -> bool:
    for _ in range(_LONGEST):
        worth = table.get(view(game, state, target))
        if worth is None:
            return False
        state = game.successor(state, KEYS[worth.index(max(worth))])
        if state == target:
            return True
    return False
