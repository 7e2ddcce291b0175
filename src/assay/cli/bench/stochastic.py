"""Benchmarks of agents with chance."""

from __future__ import annotations

from functools import partial
from typing import Annotated

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

SLOW = ("glib-g", "glib-l")


def add_commands(app: typer.Typer) -> None:
    for command in (stochastic, intervals):
        app.command()(command)


def stochastic(
    agents: Annotated[str, typer.Option(help="Agents, separated by commas.", show_default="all five")] = "",
    methods: Annotated[str, typer.Option(help="Learners, separated by commas.", show_default="all")] = "",
    seeds: Annotated[int, typer.Option(help="Runs per symbolic agent and learner.", min=1)] = 300,
    baseline_seeds: Annotated[
        int, typer.Option(help="The same for glib-g and glib-l, which take long: the first seeds.", min=1)
    ] = 10,
    cafe_seeds: Annotated[int, typer.Option(help="Runs of the cafe's robot per learner.", min=1)] = 10,
    reset_seeds: Annotated[
        int, typer.Option(help="Runs per agent that is only reset; 0 leaves that out.", min=0)
    ] = 10,
    workers: WorkersOption = 2,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How near the truth each learner comes with the samples that QACE used, beside an oracle's distance.

    The cafe's robot comes with [bold]pip install 'assay\\[physics]'[/bold]. Example:
    [bold]assay bench stochastic --agents driving,warehouse --seeds 20 --methods sampling,qace[/bold]
    """
    from assay.bench.plot import draw
    from assay.bench.stochastic.runs import METHODS, ORACLE, Job, measure
    from assay.bench.stochastic.subjects import SUBJECTS, subject
    from assay.bench.stochastic.summary import OURS, charts, reset_rows, rows
    from assay.bench.stochastic.tables import distances_table, resets_table, totals

    with errors():
        names, learners = listed(agents) or list(SUBJECTS), listed(methods) or list(METHODS)
        if unknown := [m for m in learners if m not in METHODS]:
            raise InputError(f"unknown learner {unknown[0]!r}; there are {', '.join(METHODS)}")
        starts, notes = {}, []
        for name in names:
            try:
                starts[name] = str(getattr(subject(name).open(0), "start", "any"))
            except InputError as error:
                if listed(agents):
                    raise
                notes.append(f"{name} is left out: {error}")
        jobs, resets = [], []
        for name, declared in starts.items():
            count = cafe_seeds if name == "cafe" else seeds
            for method in (ORACLE, *learners):
                own = min(count, baseline_seeds) if method in SLOW else count
                jobs += [Job(name, method, seed) for seed in range(own)]
            for seed in range(reset_seeds):
                resets += [Job(name, OURS, seed, start, times=4) for start in (declared, "reset")]
        runs, tied = (measured(measure, some, workers) for some in (jobs, resets))
        found, price = rows(runs), reset_rows(tied)
        out.mkdir(parents=True, exist_ok=True)
        (out / "stochastic.svg").write_text(draw(charts(runs)), encoding="utf-8")
        data = {"benchmark": "stochastic", "rows": found, "reset": price, "runs": [*runs, *tied]}
        tables = [distances_table(found)] + ([resets_table(price)] if price else [])
        finish("stochastic", data, tables, out, json, [*totals(found), *notes])


def intervals(
    runs: Annotated[int, typer.Option(help="Runs of the small agent.", min=1)] = 1000,
    samples: Annotated[int, typer.Option(help="Samples of each.", min=10)] = 100,
    precision: Annotated[float, typer.Option(help="For the rule when to stop.", min=0.01, max=0.4)] = 0.05,
    workers: WorkersOption = 2,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How often 95 % intervals cover the truth, how wide they are, and when --precision stops.

    Example: [bold]assay bench intervals --runs 100[/bold]
    """
    from rich.table import Table

    from assay.bench.intervals import CONFIDENCE, LATEST, measure, summary

    with errors():
        made = partial(measure, samples=samples, precision=precision)
        trials = measured(made, range(runs), workers)
        rows, stopping = summary(trials, precision)
        table = Table("probability", "covered", "width / Wilson's", title=f"{runs} runs of {samples} samples")
        for row in rows:
            table.add_row(f"{row.probability:g}", f"{row.coverage:.1%}", f"{row.relative_width:.3f}")
        note = (
            f"With a precision of {precision:g} at {CONFIDENCE:.0%} it stopped after {stopping.fewest:.2f} "
            f"to {stopping.most:.2f} times (mean {stopping.mean:.2f}) the {stopping.bound} executions "
            "that Wilson's interval around the true probabilities takes; "
            f"{stopping.within:.1%} of the runs between 1 and {LATEST:g} times."
        )
        data = {"benchmark": "intervals", "runs": runs, "samples": samples, "precision": precision}
        finish("intervals", data | {"rows": rows, "stopping": stopping}, [table], out, json, [note])
