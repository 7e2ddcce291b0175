"""Benchmarks of agents that can be put into any state, and of the causal layer."""

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
    numbers,
)
from assay.cli.conventions import errors


def add_commands(app: typer.Typer) -> None:
    for command in (questions, growth, causes):
        app.command()(command)


def questions(
    domains: Annotated[
        str,
        typer.Option(
            help="Domains, separated by commas; those of the amlgym wheel with amlgym: before the name.",
            show_default="all that are bundled, and those of the amlgym wheel if it is installed",
        ),
    ] = "",
    strategies: Annotated[
        str, typer.Option(help="Which to run: interrogate, aia, naive (where feasible).")
    ] = "interrogate,aia,naive",
    strengths: StrengthsOption = "0,1,2",
    problems: Annotated[int, typer.Option(help="Problems of growing size per domain.", min=1, max=10)] = 10,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How many questions each strategy needs per domain, beside lower bounds and published figures.

    Example: [bold]assay bench questions --domains gripper,freecell --problems 1[/bold]
    """
    from assay.bench.questions import Case, measure, methods, totals
    from assay.bench.subjects import domains_named
    from assay.bench.tables import questions_table, spread_table, totals_table

    with errors():
        chosen = methods(listed(strategies), levels(strengths))
        cases = [Case(d, m, problems, seed) for d in domains_named(listed(domains)) for m in chosen]
        rows = measured(measure, cases, workers, chunk=1)
        sums = [*totals(rows, published=True), *totals(rows, published=False)]
        data = {
            "benchmark": "questions",
            "problems": problems,
            "seed": seed,
            "rows": rows,
            "totals": sums,
        }
        tables = [questions_table(rows, chosen, sums), spread_table(rows), totals_table(sums)]
        finish("questions", data, tables, out, json, [note for row in rows for note in row.complaints()])


def growth(
    atoms: Annotated[str, typer.Option(help="Lifted atoms per action.")] = "10,100,1000",
    actions: Annotated[str, typer.Option(help="Numbers of actions.")] = "1,10,100",
    terms: Annotated[str, typer.Option(help="Terms of each precondition, from 1 to 4.")] = "1,2,3,4",
    strengths: StrengthsOption = "2",
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How questions and time grow with the vocabulary, the number of actions and the formula.

    The largest size takes long; leave it out with [bold]--actions 1,10 --atoms 10,100[/bold].
    """
    from assay.bench.growth import Case, known_terms, measure
    from assay.bench.tables import growth_table

    with errors():
        cases = [
            Case(n, a, t, s, seed)
            for s in levels(strengths)
            for t in known_terms(numbers(terms))
            for n in numbers(atoms)
            for a in numbers(actions)
        ]
        rows = measured(measure, cases, workers, chunk=1)
        finish("growth", {"benchmark": "growth", "seed": seed, "rows": rows}, [growth_table(rows)], out, json)


def causes(out: OutOption = RESULTS, json: JsonOption = False) -> None:
    """How fast the actual causes of a fact are found, for plans and worlds of growing size."""
    from assay.bench.causes import measure
    from assay.bench.tables import causes_table

    with errors():
        rows = measure()
        finish("causes", {"benchmark": "causes", "rows": rows}, [causes_table(rows)], out, json)
