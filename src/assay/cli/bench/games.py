"""`assay bench games`: capabilities of players that press keys, found out and put to the test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.bench.presentation import (
    RESULTS,
    JsonOption,
    OutOption,
    WorkersOption,
    finish,
    listed,
    measured,
)
from assay.cli.conventions import errors
from assay.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from assay.bench.games import Measured


def add_commands(app: typer.Typer) -> None:
    app.command()(games)


def games(
    games: Annotated[
        str, typer.Option(help="Which games, separated by commas.")
    ] = "zelda,pasta,escape,snowman",
    agents: Annotated[str, typer.Option(help="Which players.")] = "search,policy-hand,policy-learned",
    sizes: Annotated[
        str, typer.Option(help="Which grids.", show_default="the smallest of each game to 8x8")
    ] = "",
    seeds: Annotated[int, typer.Option(help="Runs of each, with different seeds.", min=1)] = 10,
    situations: Annotated[int, typer.Option(help="Situations in which each run is tested.", min=1)] = 100,
    workers: WorkersOption = 2,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """What players of four games can do: questions, seconds, and whether the descriptions come true.

    All of it takes half an hour on two cores; [bold]assay bench games --sizes 5x5 --seeds 1[/bold] a minute.
    """
    from assay.bench.games import AGENTS, GAMES, LARGEST, Job, measure
    from assay.bench.games import sizes as grids
    from assay.bench.games_bars import missed
    from assay.games.opening import parse_size

    with errors():
        for kind, given, known in (("game", games, GAMES), ("agent", agents, AGENTS)):
            if unknown := sorted(set(listed(given)) - set(known)):
                raise InputError(f"there is no {kind} {unknown[0]!r}; there are {', '.join(known)}")
        jobs = [
            Job(game, size, agent)
            for game in listed(games)
            for size in (listed(sizes) or grids(game))
            for agent in listed(agents)
        ]
        for job in jobs:
            parse_size(job.game, job.size)
        jobs += [
            Job(game, LARGEST, agent, grids(game)[0]) for game in listed(games) for agent in listed(agents)
        ]
        found = measured(partial(measure, seeds=seeds, situations=situations), jobs, workers, chunk=1)
        whole, transfers = ([m for m in found if bool(m.job.learned) == few] for few in (False, True))
        over = missed(found)
        data = {
            "benchmark": "games",
            "runs": [asdict(run) for m in whole for run in m.runs],
            "bounds": {str(m.job): asdict(m.bound) for m in found},
            "few_shot": {
                f"{m.job.game} {m.job.agent}": [asdict(run.score) for run in m.runs] for m in transfers
            },
            "bars_missed": over,
        }
        notes = _NOTES + ([f"Over the bar: {said}" for said in over] or ["Every bar is held."])
        finish("games", data, [_table(whole), _transfer_table(transfers)], out, json, notes)


_NOTES = [
    "Questions, capabilities and seconds are means over the seeds; seconds are processor time, the agent's "
    "share beside them. Precision and recall are of pairs of a situation and where a capability leads, in "
    "instances not learned from. Best: the precision, on the same answers, of the narrowest conjunctions "
    "that deny nothing of what the player was seen to do. Shown: errors where these are no better."
]

_SCORED = ("situations", "precision", "best", "recall", "wrong", "shown")


def _table(found: Sequence[Measured]) -> Table:
    from rich.table import Table

    from assay.bench.games import PUBLISHED

    asked = ("asked in words", "reached the agent", "published code", "seconds", "agent's")
    table = Table("game", "grid", "player", "capabilities", *asked, *_SCORED, "every change explained")
    for each in found:
        job, runs = each.job, each.runs
        table.add_row(
            job.game,
            job.size,
            job.agent,
            _mean([r.capabilities for r in runs]),
            _mean([r.user_questions for r in runs]),
            _mean([r.agent_questions for r in runs]),
            str(PUBLISHED.get((job.game, job.size), "")),
            f"{sum(r.seconds for r in runs) / len(runs):.1f}",
            f"{sum(r.agent_seconds for r in runs) / len(runs):.2f}",
            *_scored(each),
            "yes" if all(r.theorem for r in runs) else "NO",
        )
    return table


def _transfer_table(found: Sequence[Measured]) -> Table:
    from rich.table import Table

    title = "Learned on the smallest grid, tested unchanged on the largest"
    table = Table("game", "player", "learned on", "tested on", *_SCORED, title=title)
    for each in found:
        job = each.job
        table.add_row(job.game, job.agent, job.learned, job.size, *_scored(each))
    return table


def _scored(each: Measured) -> tuple[str, ...]:
    score, bound = each.score, each.bound
    rates = (f"{rate:.4f}" for rate in (score.precision, bound.best, score.recall))
    shown = str(bound.shown) if bound.errors else ""
    return str(score.situations), *rates, str(bound.errors), shown


def _mean(values: list[int]) -> str:
    return f"{sum(values) / len(values):.1f}".removesuffix(".0")
