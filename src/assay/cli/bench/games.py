"""`assay bench games`: capabilities of players that press keys, found out and put to the test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.bench.presentation import RESULTS, JsonOption, OutOption, finish, listed, tracked
from assay.cli.conventions import errors
from assay.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from assay.bench.games import Answers, Run, Score


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
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """What players of four games can do: questions, seconds, and whether the descriptions come true.

    All of it takes hours; [bold]assay bench games --sizes 5x5 --seeds 1[/bold] a few minutes.
    """
    from assay.bench.games import AGENTS, GAMES, Answers, few_shot, measure
    from assay.bench.games import sizes as grids

    with errors():
        for kind, given, known in (("game", games, GAMES), ("agent", agents, AGENTS)):
            if unknown := sorted(set(listed(given)) - set(known)):
                raise InputError(f"there is no {kind} {unknown[0]!r}; there are {', '.join(known)}")
        jobs = [
            (game, size, agent, seed)
            for game in listed(games)
            for size in (listed(sizes) or grids(game))
            for agent in listed(agents)
            for seed in range(seeds)
        ]
        answers: dict[tuple[str, ...], Answers] = {}
        runs = [
            measure(*job, situations, answers.setdefault(job[:3], Answers()))
            for job in tracked(jobs, "games", lambda j: f"{j[0]} {j[1]} {j[2]} {j[3]}")
        ]
        pairs = [(game, agent) for game in listed(games) for agent in listed(agents)]
        transfers = {
            pair: [
                few_shot(*pair, seed, situations, answers.setdefault((*pair, "few"), Answers()))
                for seed in range(seeds)
            ]
            for pair in tracked(pairs, "small to large", " ".join)
        }
        data = {
            "benchmark": "games",
            "runs": [asdict(run) for run in runs],
            "few_shot": {" ".join(pair): [asdict(s) for s in found] for pair, found in transfers.items()},
        }
        finish("games", data, [_table(runs, answers), _transfer_table(transfers, answers)], out, json, _NOTES)


_NOTES = [
    "Questions, capabilities and seconds are means over the seeds; seconds are processor time, the agent's "
    "share beside them. Precision and recall are of pairs of a situation and where a capability leads, in "
    "instances not learned from. Shown: the share of errors that no conjunction over the vocabulary avoids, "
    "by the test's own answers."
]


def _table(runs: list[Run], answers: Mapping[tuple[str, ...], Answers]) -> Table:
    from rich.table import Table

    from assay.bench.games import PUBLISHED, Score

    names = (
        "game",
        "grid",
        "player",
        "capabilities",
        "asked in words",
        "reached the agent",
        "published code",
    )
    more = (
        "seconds",
        "agent's",
        "situations",
        "precision",
        "recall",
        "wrong",
        "shown",
        "every change explained",
    )
    table = Table(*names, *more)
    for key in dict.fromkeys((r.game, r.size, r.agent) for r in runs):
        same = [r for r in runs if (r.game, r.size, r.agent) == key]
        score = Score()
        for run in same:
            score.add(run.score)
        published = PUBLISHED.get((key[0], key[1]), "")
        table.add_row(
            *key,
            _mean([r.capabilities for r in same]),
            _mean([r.user_questions for r in same]),
            _mean([r.agent_questions for r in same]),
            str(published),
            f"{sum(r.seconds for r in same) / len(same):.1f}",
            f"{sum(r.agent_seconds for r in same) / len(same):.2f}",
            *_scored(score, answers[key]),
            "yes" if all(r.theorem for r in same) else "NO",
        )
    return table


def _transfer_table(
    transfers: dict[tuple[str, str], list[Score]], answers: Mapping[tuple[str, ...], Answers]
) -> Table:
    from rich.table import Table

    from assay.bench.games import LARGEST, Score, sizes

    columns = (
        "game",
        "player",
        "learned on",
        "tested on",
        "situations",
        "precision",
        "recall",
        "wrong",
        "shown",
    )
    table = Table(*columns, title="Learned on the smallest grid, tested unchanged on the largest")
    for (game, agent), found in transfers.items():
        score = Score()
        for each in found:
            score.add(each)
        table.add_row(game, agent, sizes(game)[0], LARGEST, *_scored(score, answers[game, agent, "few"]))
    return table


def _scored(score: Score, answers: Answers) -> tuple[str, ...]:
    errors = score.wrong + score.missed
    shown = f"{answers.inexpressible / errors:.0%}" if errors else ""
    return str(score.situations), f"{score.precision:.4f}", f"{score.recall:.4f}", str(errors), shown


def _mean(values: list[int]) -> str:
    return f"{sum(values) / len(values):.1f}".removesuffix(".0")
