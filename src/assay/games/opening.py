"""Games and players by name: `zelda`, `zelda:5x6`, `zelda:5x6:search`, `zelda:5x6:policy-learned:FILE`."""

from __future__ import annotations

import json
import re
from pathlib import Path

from assay.errors import InputError
from assay.games.agent import Player, SearchPlayer
from assay.games.by_hand import HandWritten
from assay.games.grid import KEYS
from assay.games.instances import game_type
from assay.games.learned import Learned, Table

PLAYERS: dict[str, type[Player]] = {player.kind: player for player in (SearchPlayer, HandWritten, Learned)}


def open_game(spec: str, seed: int = 0) -> Player:
    """A player, from `GAME[:RxC[:PLAYER]]`; the smallest grid and the search agent if nothing is said.

    A learned policy is trained first, or read from the file that is named after it.
    """
    name, _, rest = spec.partition(":")
    size, _, rest = rest.partition(":")
    kind, _, file = rest.partition(":")
    rows, columns = parse_size(name, size)
    kind = kind or SearchPlayer.kind
    if kind not in PLAYERS:
        raise InputError(f"there is no player {kind!r}; there are {', '.join(PLAYERS)}")
    if file:
        if kind != Learned.kind:
            raise InputError(f"{spec}: only {Learned.kind} reads a file")
        return Learned(name, rows, columns, seed, read_table(Path(file), name))
    return PLAYERS[kind](name, rows, columns, seed)


def parse_size(name: str, size: str) -> tuple[int, int]:
    """Rows and columns, the game's smallest if nothing is said."""
    smallest = game_type(name).smallest
    if not size:
        return smallest
    match = re.fullmatch(r"(\d{1,3})x(\d{1,3})", size)
    if match is None:
        raise InputError(f"size {size!r}: write rows x columns, for example 5x6")
    return int(match[1]), int(match[2])


def write_table(path: Path, game: str, table: Table) -> None:
    """What a policy learned: the game, then a view and the worth of the five keys on every line."""
    lines = [f"{json.dumps(view)}: {json.dumps(table[view])}" for view in sorted(table)]
    head = f'{{"game": {json.dumps(game)}, "views": {{\n'
    path.write_text(head + ",\n".join(lines) + "\n}}\n", encoding="utf-8")


def read_table(path: Path, game: str) -> Table:
    """What a policy for this game learned."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"{path} is no table of a learned policy: {error}") from None
    if not isinstance(data, dict) or not isinstance(table := data.get("views"), dict):
        raise InputError(f"{path} is no table of a learned policy: a game and its views are wanted")
    if data.get("game") != game:
        raise InputError(f"{path} is the table of a policy for {data.get('game')}, not for {game}")
    if any(
        not isinstance(worth, list)
        or len(worth) != len(KEYS)
        or not all(isinstance(number, int | float) for number in worth)
        for worth in table.values()
    ):
        raise InputError(
            f"{path} is no table of a learned policy: {len(KEYS)} numbers for every view are wanted"
        )
    return table
