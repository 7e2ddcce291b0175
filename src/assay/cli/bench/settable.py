"""Benchmarks of agents that can be put into any state, and of the causal layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.bench.presentation import (
    RESULTS,
    JsonOption,
    OutOption,
    SeedOption,
    SizeOption,
    WorkersOption,
    finish,
    listed,
    measured,
    numbers,
    tracked,
)
from assay.cli.conventions import errors
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.bench.accuracy import Curve


def add_commands(app: typer.Typer) -> None:
    for command in (questions, variants, accuracy, growth, causes):
        app.command()(command)


def questions(
    domains: Annotated[
        str, typer.Option(help="Domains, separated by commas.", show_default="all that are bundled")
    ] = "",
    strategies: Annotated[
        str,
        typer.Option(
            help="Which: chain, chain-own (the problem's own objects only), aia, naive (where feasible)."
        ),
    ] = "chain,chain-own,aia,naive",
    problems: Annotated[
        int, typer.Option(help="Problems of growing size per domain for the spread of chain.", min=0, max=10)
    ] = 10,
    size: SizeOption = 3,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How many questions each strategy needs per domain, beside the published figures.

    Example: [bold]assay bench questions --domains gripper,freecell --problems 3[/bold]
    """
    from assay.bench.problems import DOMAINS, EXTRA
    from assay.bench.questions import measure, totals
    from assay.bench.tables import price_table, questions_table, spread_table

    with errors():
        names, methods = listed(domains) or [*DOMAINS, *EXTRA], listed(strategies)
        rows = [
            measure(name, size=size, seed=seed, methods=methods, problems=problems)
            for name in tracked(names, "questions", str)
        ]
        total = totals(rows)
        data = {
            "benchmark": "questions",
            "size": size,
            "seed": seed,
            "rows": rows,
            "totals": total,
        }
        tables = [questions_table(rows, methods, total), price_table(rows, methods)]
        if any(r.spread for r in rows):
            tables.append(spread_table(rows))
        finish("questions", data, tables, out, json)


def variants(
    domains: Annotated[
        str,
        typer.Option(
            help="Domains, separated by commas; those of the wheel with amlgym: before the name.",
            show_default="all that are bundled, and those of the amlgym wheel if it is installed",
        ),
    ] = "",
    kinds: Annotated[
        str, typer.Option(help="How they are altered: plain, renamed, opposite, forbidding, crowded, half.")
    ] = "plain,renamed,opposite,forbidding,crowded,half",
    seeds: Annotated[int, typer.Option(help="Variants of each kind per domain.", min=1)] = 2,
    walks: Annotated[
        bool, typer.Option(help="Whether the agents tell what they do when they are left to themselves.")
    ] = True,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How many questions beyond K the default strategy needs on domains altered at random.

    Judge it by seeds that nobody has looked at: [bold]assay bench variants --seed 1000[/bold]
    """
    from assay.bench.tables import variants_table
    from assay.bench.variants import Case, kinds_named, known_domains, measure

    with errors():
        cases = [
            Case(domain, kind, number, walks)
            for kind in kinds_named(listed(kinds))
            for domain in known_domains(listed(domains))
            for number in range(seed, seed + seeds)
        ]
        found = measured(measure, cases, workers)
        rows = [row for row in found if row is not None]
        data = {
            "benchmark": "variants",
            "seed": seed,
            "seeds": seeds,
            "walks": walks,
            "rows": rows,
            "no_such_variant": [case for case, row in zip(cases, found, strict=True) if row is None],
        }
        finish("variants", data, [variants_table(rows)], out, json)


def accuracy(
    domains: Annotated[
        str, typer.Option(help="Domains, separated by commas.", show_default="the ten of AIA-21 Table 1")
    ] = "",
    strategies: Annotated[str, typer.Option(help="Which to run: chain, aia.")] = "chain,aia",
    traces: Annotated[
        int, typer.Option(help="Random traces for the learner from observations; 0 leaves it out.", min=0)
    ] = 200,
    size: SizeOption = 3,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How fast the model becomes right, after each question (AIA-21 Fig. 4), as table and plot.

    Beside the strategies that ask: OffLAM, which watches random traces of three steps. It is the
    extra [bold]bench[/bold] (pip install -e '.\\[bench]'); without it the others are measured all the same.
    """
    from assay.bench.accuracy import charts, interrogation_curve, observation_curve
    from assay.bench.observational import LEARNER, check_installed
    from assay.bench.plot import draw
    from assay.bench.problems import DOMAINS
    from assay.bench.tables import accuracy_table

    with errors():
        names, learners, notes = listed(domains) or list(DOMAINS), listed(strategies), []
        if traces:
            try:
                check_installed()
                learners.append(LEARNER)
            except InputError as error:
                notes.append(f"{LEARNER} is left out: {error}")
        curves: list[Curve] = []
        jobs = [(name, learner) for name in names for learner in learners]
        for name, learner in tracked(jobs, "accuracy", " ".join):
            try:
                curves.append(
                    observation_curve(name, size, seed, traces)
                    if learner == LEARNER
                    else interrogation_curve(name, learner, size, seed)
                )
            except InputError as error:
                if learner != LEARNER:
                    raise
                notes.append(f"{name}: {error}")
        data = {
            "benchmark": "accuracy",
            "size": size,
            "seed": seed,
            "notes": notes,
            "curves": [
                {
                    "domain": c.domain,
                    "learner": c.learner,
                    "perfect_after": c.perfect_after,
                    "note": c.note,
                    "points": c.points,
                }
                for c in curves
            ],
        }
        out.mkdir(parents=True, exist_ok=True)
        (out / "accuracy.svg").write_text(draw(charts(curves)), encoding="utf-8")
        finish("accuracy", data, [accuracy_table(curves)], out, json, notes)


def growth(
    atoms: Annotated[str, typer.Option(help="Lifted atoms per action.")] = "10,100,1000",
    actions: Annotated[str, typer.Option(help="Numbers of actions.")] = "1,10,100",
    max_plan: Annotated[
        int, typer.Option(help="Plan length of the second half of the table; 0 leaves it out.", min=0)
    ] = 16,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How questions, steps and time grow with the vocabulary and the number of actions (synthetic models).

    The largest size takes minutes; leave it out with [bold]--actions 1,10[/bold].
    """
    from assay.bench.growth import measure
    from assay.bench.tables import growth_table

    with errors():
        lengths = [None, max_plan] if max_plan else [None]
        jobs = [(n, a, m) for m in lengths for n in numbers(atoms) for a in numbers(actions)]
        rows = [
            measure(n, a, max_plan=m, seed=seed)
            for n, a, m in tracked(jobs, "growth", lambda job: f"{job[0]} atoms x {job[1]} actions")
        ]
        finish("growth", {"benchmark": "growth", "seed": seed, "rows": rows}, [growth_table(rows)], out, json)


def causes(out: OutOption = RESULTS, json: JsonOption = False) -> None:
    """How fast the actual causes of a fact are found, for plans and worlds of growing size."""
    from assay.bench.causes import measure
    from assay.bench.tables import causes_table

    with errors():
        rows = measure()
        finish("causes", {"benchmark": "causes", "rows": rows}, [causes_table(rows)], out, json)
