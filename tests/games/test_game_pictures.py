"""What a board looks like, as text and as a picture."""

from __future__ import annotations

import io

import pytest
from boards import after, escape, pasta, snowman, zelda

from assay.games.instances import GAMES, random_game, showcase
from assay.games.picture import CELL, LETTERS, legend, picture, text
from assay.games.shapes import DRAWINGS

BOARDS = [
    zelda("P.k#", "..m.", "...d"),
    pasta("Prw.", "..st", "k#.d"),
    escape("Pbo.", "..#c"),
    snowman("P3g", "2k1", "#.d"),
]


def test_the_text_of_a_board():
    assert text(BOARDS[0], after(BOARDS[0], "D")) == (
        "+-------------+\n| P>  . ky ## |\n|  .  . MM  . |\n|  .  .  . [] |\n+-------------+"
    )
    assert legend(BOARDS[0], BOARDS[0].initial) == "Pv player, ## wall, [] door, ky key, MM monster"


def test_everything_that_can_be_seen_has_a_drawing_and_letters():
    seen = set()
    for name in GAMES:
        for seed in range(2):
            game = random_game(name, *GAMES[name].smallest, seed)
            for state in showcase(game):
                seen |= {sprite.kind for sprite in game.sprites(state)}
    assert seen | {"wall"} == set(DRAWINGS) == set(LETTERS)


@pytest.mark.parametrize("game", BOARDS, ids=lambda game: game.name)
def test_pictures_show_every_change(game):
    image = pytest.importorskip("PIL.Image")
    pictures = {}
    for keys in ("", "D", "A", "W", "DD", "DDD"):
        state = after(game, keys)
        shown = picture(game, state)
        assert pictures.setdefault(state, shown) == shown
    assert len(set(pictures.values())) == len(pictures)
    size = image.open(io.BytesIO(picture(game, game.initial))).size
    assert size == (game.grid.columns * CELL, game.grid.rows * CELL)
