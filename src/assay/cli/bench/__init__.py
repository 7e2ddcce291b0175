"""`assay bench`: measure, print a table, keep the numbers as JSON.

What is measured is computed by `assay.bench`; here it is only laid out. Times are those of the machine it
runs on. A package of its own brings benchmarks by entry points of the group `assay.benchmarks`: functions
that add their commands to the application they are given.
"""

from __future__ import annotations

from importlib.metadata import entry_points

import typer

from assay.cli.bench import acting, attack, games, hidden, settable, stochastic

GROUP = "assay.benchmarks"

bench_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Measure assay: questions, hidden agents, growth, causes, acting only, chance, games, attacks.",
)
settable.add_commands(bench_app)
hidden.add_commands(bench_app)
acting.add_commands(bench_app)
stochastic.add_commands(bench_app)
games.add_commands(bench_app)
attack.add_commands(bench_app)
for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
    point.load()(bench_app)
