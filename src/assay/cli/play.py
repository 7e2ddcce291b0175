"""`assay play`: a person plays one of the games, and `assay train`: a policy learns to play it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.conventions import JsonOption, errors, print_json
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.games.game import Game

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME[:RxC]", help="zelda, pasta, escape or snowman; 5x6 is 5 rows of 6.", show_default=False
    ),
]
GamesArgument = Annotated[
    list[str],
    typer.Argument(metavar="GAME...", help="zelda, pasta, escape, snowman.", show_default=False),
]
SizeOption = Annotated[
    str, typer.Option(help="Rows x columns, for example 5x6.", show_default="each game's smallest")
]
OutOption = Annotated[Path, typer.Option(help="The folder to write to.", show_default=False)]
SeedOption = Annotated[int, typer.Option(help="The same seed, the same game.")]

_KEYS = frozenset("WASDEQR")
_ARROWS = {"A": "W", "D": "A", "B": "S", "C": "D"}
"""The last character that a terminal sends for an arrow, and the key it stands for."""


def add_commands(app: typer.Typer) -> None:
    app.command()(play)
    app.command()(train)


def play(game: GameArgument, seed: SeedOption = 0) -> None:
    """Play a game in the terminal: W A S D turn and walk, E uses what is at hand, Q ends.

    After each key it is said what changed in the words of the vocabulary; a turn changes nothing there.
    Without a terminal, keys are read line by line.
    """
    from assay.games.instances import random_game
    from assay.games.opening import parse_size
    from assay.games.picture import legend, text

    with errors():
        name, _, size = game.removeprefix("game:").partition(":")
        board = random_game(name, *parse_size(name, size), seed)
        with _keys() as keys:
            state, pressed = board.initial, 0
            typer.echo(f"{legend(board, state)}\nW A S D: turn, walk. E: use. R: once more. Q: end.")
            typer.echo(text(board, state))
            for key in keys:
                if key not in _KEYS:
                    typer.echo(f"{key if key.isprintable() else repr(key)}: no key of the game")
                    continue
                if key == "Q":
                    break
                if key == "R":
                    state, pressed = board.initial, 0
                    typer.echo(text(board, state))
                    continue
                before, state = state, board.successor(state, key)
                pressed += 1
                typer.echo(f"{text(board, state)}\n{key}: {_change(board, before, state)}")
                if board.won(state):
                    typer.echo(f"Won, with {pressed} keys.")
                    break


def train(
    games: GamesArgument,
    out: OutOption,
    size: SizeOption = "",
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Train the policy of policy-learned, from scratch, and write its table and its training curve.

    The agent is then [bold]game:zelda:5x6:policy-learned:OUT/zelda.json[/bold]; without the file it trains
    when it is opened.
    """
    import time

    from assay.bench.plot import Chart, Line, draw
    from assay.games.learned import train as learn
    from assay.games.opening import parse_size, write_table

    with errors(json):
        lines, told = [], []
        sizes = {name: parse_size(name, size) for name in games}
        try:
            out.mkdir(parents=True, exist_ok=True)
            for name, (rows, columns) in sizes.items():
                begun = time.process_time()
                training = learn(name, rows, columns, seed)
                seconds = time.process_time() - begun
                write_table(out / f"{name}.json", name, training.table)
                lines.append(Line(name, tuple(training.curve)))
                share = training.curve[-1][1]
                told.append({"game": name, "views": len(training.table), "does": share, "seconds": seconds})
                if not json:
                    typer.echo(
                        f"{name} {rows}x{columns}: {share:.0%} of tasks on unseen boards after "
                        f"{training.curve[-1][0]:,} episodes, {len(training.table):,} views, {seconds:.0f} s"
                    )
            chart = Chart(
                "Tasks done on boards not trained on", "episodes", "share", tuple(lines), y_range=(0, 1)
            )
            (out / "curve.svg").write_text(draw([chart]), encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot write to {out}: {error.strerror or error}") from None
        if json:
            print_json(told)


def _change(game: Game[Any], before: Any, after: Any) -> str:
    """What a key did, in the user's words."""
    if after is before:
        return "nothing happens"
    was, now = game.facts(before), game.facts(after)
    if was == now:
        return "the player turns; no fact changes"
    texts = game.words.universe.texts
    return ", ".join(
        [f"+({fact})" for fact in texts(now & ~was)] + [f"-({fact})" for fact in texts(was & ~now)]
    )


@contextmanager
def _keys() -> Iterator[Iterator[str]]:
    """The keys as they are pressed."""
    if not sys.stdin.isatty():
        yield _shown(character for line in sys.stdin for character in line)
        return
    try:
        import termios
        import tty
    except ImportError:  # a system without them
        yield _shown(character for line in sys.stdin for character in line)
        return
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield _shown(_pressed())
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _pressed() -> Iterator[str]:
    while character := sys.stdin.read(1):
        if character == "\x1b":  # an arrow is sent as escape, bracket, letter
            character = _ARROWS.get(sys.stdin.read(2)[-1:], "")
        yield character


def _shown(characters: Iterator[str]) -> Iterator[str]:
    """Without spaces and ends of lines."""
    return (character.upper() for character in characters if character.strip())
