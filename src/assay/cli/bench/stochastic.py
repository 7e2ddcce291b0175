"""Benchmarks of agents with chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.bench.presentation import RESULTS, JsonOption, OutOption, finish, listed, tracked
from assay.cli.conventions import errors
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.bench.stochastic.runs import Job, Run

SLOW = ("glib-g", "glib-l", "random")


def add_commands(app: typer.Typer) -> None:
    app.command()(stochastic)


def stochastic(
    agents: Annotated[str, typer.Option(help="Agents, separated by commas.", show_default="all five")] = "",
    methods: Annotated[str, typer.Option(help="Learners, separated by commas.", show_default="all")] = "",
    seeds: Annotated[int, typer.Option(help="Runs per symbolic agent and learner.", min=1)] = 300,
    baseline_seeds: Annotated[
        int, typer.Option(help="The same for glib-g, glib-l and random: the first so many seeds.", min=1)
    ] = 10,
    cafe_seeds: Annotated[int, typer.Option(help="Runs of the cafe's robot per learner.", min=1)] = 10,
    reset_seeds: Annotated[
        int, typer.Option(help="Runs per agent that is only reset; 0 leaves that out.", min=0)
    ] = 10,
    workers: Annotated[int, typer.Option(help="Processes.", min=1, max=64)] = 2,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How near the truth each learner comes with the samples that QACE used, beside an oracle's distance.

    The cafe's robot comes with [bold]pip install 'assay\\[physics]'[/bold]. Example:
    [bold]assay bench stochastic --agents driving,warehouse --seeds 20 --methods sampling,qace[/bold]
    """
    from assay.bench.plot import draw
    from assay.bench.stochastic.runs import METHODS, ORACLE, Job
    from assay.bench.stochastic.subjects import SUBJECTS, subject
    from assay.bench.stochastic.summary import OURS, charts, reset_rows, rows
    from assay.bench.stochastic.tables import distances_table, resets_table, totals

    with errors():
        names, learners = listed(agents) or list(SUBJECTS), listed(methods) or list(METHODS)
        if unknown := [m for m in learners if m not in METHODS]:
            raise InputError(f"unknown learner {unknown[0]!r}; there are {', '.join(METHODS)}")
        jobs, resets = [], []
        for name in names:
            count = cafe_seeds if name == "cafe" else seeds
            for method in (ORACLE, *learners):
                own = min(count, baseline_seeds) if method in SLOW else count
                jobs += [Job(name, method, seed) for seed in range(own)]
            declared = str(getattr(subject(name).open(0), "start", "any"))
            for seed in range(reset_seeds):
                resets += [Job(name, OURS, seed, start, times=4) for start in (declared, "reset")]
        runs = _measured(jobs, workers)
        tied = _measured(resets, workers)
        found, price = rows(runs), reset_rows(tied)
        out.mkdir(parents=True, exist_ok=True)
        (out / "stochastic.svg").write_text(draw(charts(runs)), encoding="utf-8")
        data = {"benchmark": "stochastic", "rows": found, "reset": price, "runs": [*runs, *tied]}
        tables = [distances_table(found)] + ([resets_table(price)] if price else [])
        finish("stochastic", data, tables, out, json, totals(found))


def _measured(jobs: Sequence[Job], workers: int) -> list[Run]:
    from assay.bench.stochastic.runs import measure

    def results() -> Iterator[Run]:
        if workers == 1 or len(jobs) < 2:
            yield from map(measure, jobs)
            return
        with ProcessPoolExecutor(workers) as pool:
            yield from pool.map(measure, jobs, chunksize=4)

    found, made = [], results()
    for _ in tracked(jobs, "stochastic", lambda job: f"{job.subject}, {job.method}, seed {job.seed}"):
        found.append(next(made))
    return found
