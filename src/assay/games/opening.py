"""Games and players by name: `zelda`, `zelda:5x6`, `zelda:5x6:search`."""

from __future__ import annotations

import re

from assay.errors import InputError
from assay.games.agent import Player, SearchPlayer
from assay.games.by_hand import HandWritten
from assay.games.instances import game_type
from assay.games.learned import Learned

PLAYERS: dict[str, type[Player]] = {player.kind: player for player in (SearchPlayer, HandWritten, Learned)}


def open_game(spec: str, seed: int = 0) -> Player:
    """A player, from `GAME[:RxC[:PLAYER]]`; the smallest grid and the search agent if nothing is said."""
    name, _, rest = spec.partition(":")
    size, _, kind = rest.partition(":")
    rows, columns = parse_size(name, size)
    kind = kind or SearchPlayer.kind
    if kind not in PLAYERS:
        raise InputError(f"there is no player {kind!r}; there are {', '.join(PLAYERS)}")
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
