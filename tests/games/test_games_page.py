"""What docs/games.md shows is what happens."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

from typer.testing import CliRunner

from assay.cli import app
from assay.games.instances import GAMES, random_game
from assay.games.picture import picture

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/games.md").read_text()


def test_the_game_that_is_shown():
    shown = re.search(r"```console\n\$ echo (\w+) \| assay (play .*?)\n(.*?)```", PAGE, re.DOTALL)
    keys, command, output = shown.groups()
    assert CliRunner().invoke(app, command.split(), input=keys).output == output


def test_the_agent_that_is_opened():
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(program, "games.md", "exec"), {})


def test_the_pictures_are_of_these_games():
    sizes = {"zelda": (5, 6, 3), "pasta": (5, 6, 1), "escape": (4, 5, 1), "snowman": (5, 5, 2)}
    for name, (rows, columns, seed) in sizes.items():
        game = random_game(name, rows, columns, seed)
        drawn = (ROOT / f"docs/images/game-{name}.png").read_bytes()
        assert _pixels(drawn) == _pixels(picture(game, game.initial)), name


def _pixels(png):
    """The size and the pixels: how they are packed is zlib's affair."""
    return png[16:24], zlib.decompress(png[png.index(b"IDAT") + 4 : png.index(b"IEND") - 8])


def test_the_words_are_those_of_the_vocabularies():
    """Every predicate of every game is named on the page, and the derived ones beside their game."""
    rows = [line.split("|") for line in PAGE.splitlines() if line.startswith("| ")]
    for title, name in (
        ("Zelda", "zelda"),
        ("Cook-Me-Pasta", "pasta"),
        ("Escape", "escape"),
        ("Snowman", "snowman"),
    ):
        (row,) = (row for row in rows if row[1].strip() == title and "`" in row[2])
        more = set(re.findall(r"`(\w+)", row[2])) | {"at", "wall", "clear", "adjacent"}
        game = GAMES[name]
        assert more | ({"in_line"} & game.static) == set(game.vocabulary.predicate)
        assert set(re.findall(r"`(\w+)", row[3])) == game.derived
