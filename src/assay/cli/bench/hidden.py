"""Benchmarks that judge what is certified: random hidden agents, and ADL domains from the field."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.cli.bench.presentation import (
    RESULTS,
    JsonOption,
    OutOption,
    SeedOption,
    StrengthsOption,
    WorkersOption,
    finish,
    levels,
    listed,
    measured,
)
from assay.cli.conventions import errors


def add_commands(app: typer.Typer) -> None:
    for command in (outside, adl):
        app.command()(command)


def outside(
    kinds: Annotated[
        str,
        typer.Option(
            help="Kinds of hidden agent, or groups of them: named, invented, unseen, outside.",
            show_default="all",
        ),
    ] = "",
    seeds: Annotated[int, typer.Option(help="Agents of each kind.", min=1)] = 40,
    strengths: Annotated[
        str, typer.Option("--strength", help="Strengths, from 0 to 3, separated by commas.")
    ] = "2",
    modes: Annotated[
        str,
        typer.Option(
            help="What agents offer and tell: offers, bare or strict, and -between or -last after it.",
            show_default="all six",
        ),
    ] = "",
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Random agents outside plain STRIPS: is what is certified right, and is the rest said to be open?

    Example: [bold]assay bench outside --kinds named --seeds 5 --modes offers-last[/bold]
    """
    from assay.bench.outside import Case, kinds_named, measure, modes_named, summaries
    from assay.bench.outside_tables import failures, outside_tables

    with errors():
        cases = [
            Case(kind, number, mode, strength)
            for strength in levels(strengths)
            for kind in kinds_named(listed(kinds))
            for mode in modes_named(listed(modes))
            for number in range(seed, seed + seeds)
        ]
        rows = measured(measure, cases, workers)
        data = {
            "benchmark": "outside",
            "seed": seed,
            "seeds": seeds,
            "rows": rows,
            "by_kind": summaries(rows),
            "by_mode": summaries(rows, by_mode=True),
        }
        finish("outside", data, outside_tables(rows), out, json, failures(rows))


def adl(
    domains: Annotated[
        str, typer.Option(help="Domains, separated by commas.", show_default="all eight")
    ] = "",
    strengths: StrengthsOption = "2",
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """ADL domains from the field: learned exactly, with how many questions and in what time?"""
    from assay.bench.adl import DOMAINS, Case, load, measure
    from assay.bench.tables import adl_table

    with errors():
        names = listed(domains) or list(DOMAINS)
        for name in names:
            load(name)
        cases = [
            Case(name, strength, tells, seed)
            for strength in levels(strengths)
            for name in names
            for tells in (True, False)
        ]
        rows = measured(measure, cases, workers, chunk=1)
        finish("adl", {"benchmark": "adl", "seed": seed, "rows": rows}, [adl_table(rows)], out, json)
