"""A state to look at: as text for the terminal, and as a PNG drawn with the standard library alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assay.games.game import Game
from assay.games.shapes import DRAWINGS, Tile, player, tile
from assay.perception.png import encode

CELL = 32
"""Pixels along the side of a cell."""

_FLOOR, _LINE = (240, 237, 228), (216, 211, 198)

LETTERS = {
    "wall": "##",
    "key": "ky",
    "door": "[]",
    "open door": "][",
    "monster": "MM",
    "block": "bb",
    "hole": "()",
    "cheese": "ch",
    "goal": "**",
    "raw_pasta": "pa",
    "water": "wa",
    "sauce": "sa",
    "tuna": "tu",
    "cooked_pasta": "PA",
    "cooked_tuna": "TU",
    "dish": "DI",
    "bottom": "o3",
    "middle": "o2",
    "top": "o1",
}
_FACES = ("P^", "<P", "Pv", "P>")
_WORDS = {"raw_pasta": "raw pasta", "cooked_pasta": "cooked pasta", "cooked_tuna": "cooked tuna"}


def text(game: Game[Any], state: Any) -> str:
    """Two characters a cell; the topmost thing shows, and the player above all, with the way it faces."""
    grid = game.grid
    cells = dict.fromkeys(grid.walls, LETTERS["wall"])
    cells |= {cell: LETTERS[kind] for kind, cell in game.sprites(state)}
    cells[state[0]] = _FACES[state[1]]
    rule = "+" + "-" * (3 * grid.columns + 1) + "+"
    rows = [
        "| " + " ".join(cells.get(y * grid.columns + x, " .") for x in range(grid.columns)) + " |"
        for y in range(grid.rows)
    ]
    return "\n".join([rule, *rows, rule])


def legend(game: Game[Any], state: Any) -> str:
    """What the letters of a state mean."""
    kinds = dict.fromkeys(sprite.kind for sprite in game.sprites(state))
    shown = [f"{_FACES[state[1]]} player", "## wall", *(f"{LETTERS[k]} {_WORDS.get(k, k)}" for k in kinds)]
    return ", ".join(shown)


def picture(game: Game[Any], state: Any) -> bytes:
    grid = game.grid
    width, height = grid.columns * CELL, grid.rows * CELL
    pixels = bytearray(bytes(_FLOOR) * (width * height))
    for y in range(height):
        for x in range(width) if y % CELL == 0 else range(0, width, CELL):
            at = 3 * (y * width + x)
            pixels[at : at + 3] = bytes(_LINE)
    drawn: Iterable[tuple[Tile, int]] = [
        *((tile(DRAWINGS["wall"], CELL), cell) for cell in sorted(grid.walls)),
        *((tile(DRAWINGS[kind], CELL), cell) for kind, cell in game.sprites(state)),
        (tile(player(state[1]), CELL), state[0]),
    ]
    for what, cell in drawn:
        left, top = cell % grid.columns * CELL, cell // grid.columns * CELL
        for y, row in enumerate(what):
            for x, (*colour, cover) in enumerate(row):
                if cover:
                    at = 3 * ((top + y) * width + left + x)
                    pixels[at : at + 3] = bytes(
                        round(new * cover + old * (1 - cover))
                        for new, old in zip(colour, pixels[at : at + 3], strict=True)
                    )
    return encode(width, height, bytes(pixels))
