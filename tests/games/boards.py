"""Small boards drawn as text, for tests of the rules."""

from __future__ import annotations

from assay.games.escape import Escape
from assay.games.grid import NOWHERE, Grid
from assay.games.pasta import Pasta
from assay.games.snowman import Snowman
from assay.games.zelda import Zelda


def _read(*rows):
    cells = {}
    for number, letter in enumerate("".join(rows)):
        cells.setdefault(letter, []).append(number)
    return Grid(len(rows), len(rows[0]), frozenset(cells.get("#", ()))), cells


def zelda(*rows):
    """P player, k key, d door, m monster."""
    grid, on = _read(*rows)
    return Zelda(grid, on["P"][0], on["k"][0], on["d"][0], (on["m"][0],))


def pasta(*rows):
    """P player, k key, d door, r raw pasta, w water, s sauce, t tuna."""
    grid, on = _read(*rows)
    ingredients = tuple(on[letter][0] if letter in on else NOWHERE for letter in "rwst")
    return Pasta(grid, on["P"][0], on["k"][0], on["d"][0], ingredients)


def escape(*rows):
    """P player, c cheese, b block, o hole."""
    grid, on = _read(*rows)
    return Escape(grid, on["P"][0], on["c"][0], tuple(on.get("b", ())), tuple(on.get("o", ())))


def snowman(*rows):
    """P player, k key, d door, g goal, 3 bottom, 2 middle, 1 top."""
    grid, on = _read(*rows)
    pieces = (on["3"][0], on["2"][0], on["1"][0])
    return Snowman(grid, on["P"][0], on["k"][0], on["d"][0], on["g"][0], pieces)


def after(game, keys):
    return game.play(game.initial, keys)[-1]


def facts(game, state):
    """What holds, as text, but for the geometry and the clear cells."""
    told = game.words.universe.texts(game.facts(state))
    return {t for t in told if t.split()[0] not in ("adjacent", "in_line", "wall", "clear")}


def clear(game, state):
    told = game.words.universe.texts(game.facts(state))
    return {t.split()[1] for t in told if t.startswith("clear ")}
