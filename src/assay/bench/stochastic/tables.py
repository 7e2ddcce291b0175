"""The stochastic benchmark's numbers laid out, each table with a caption that says what its columns show."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table

from assay.bench.stochastic.runs import ORACLE
from assay.bench.stochastic.summary import OURS, Reset, Row

DISTANCES = f"""\
At the number of samples that QACE used, in the mean over its published runs. right: runs whose \
preconditions and outcome sets are the truth's (of the cafe's robot, where it can be led). full: mean full \
variational distance with its standard error, refusals included, on problems with more objects; exact: Eq. 1 \
of QACE. oracle: knows the structure and counts frequencies on as many samples, all of them spent on \
capabilities with several outcomes, in equal shares. {OURS}: its mean on the same seeds, and on how many of \
them it is nearer the truth. seconds: the learner's own processor time."""

RESETS = """\
Samples after which preconditions and outcome sets were right, where the agent can be led, and stayed so, \
as far as was looked: mean of the runs in which they were. full: mean full distance at the end, which also \
asks about states that an agent that is only reset can never be in."""


def distances_table(rows: Sequence[Row]) -> Table:
    table = Table(
        title="Distance from the truth", caption=DISTANCES, box=box.SIMPLE_HEAD, caption_justify="left"
    )
    table.add_column("agent")
    table.add_column("learner")
    for name in (
        "runs",
        "samples",
        "right",
        "full",
        "x oracle",
        "exact",
        OURS,
        "nearer",
        "seconds",
        "ms/sample",
    ):
        table.add_column(name, justify="right")
    for row in rows:
        alone = row.method in (OURS, ORACLE)
        table.add_row(
            row.subject,
            row.method,
            str(row.runs),
            f"{row.samples:.0f}",
            f"{row.right}",
            f"{row.full:.5f} ± {row.full_error:.5f}",
            f"{row.ratio:.2f}",
            f"{row.exact:.4f}",
            "" if alone or row.ours is None else f"{row.ours:.5f}",
            "" if alone or row.ours is None else f"{row.wins} of {row.paired}",
            "" if row.method == ORACLE else f"{row.seconds:.2f}",
            "" if row.method == ORACLE else f"{1000 * row.seconds_per_sample:.2f}",
            style="bold" if row.method == OURS else "",
            end_section=row is rows[-1] or rows[rows.index(row) + 1].subject != row.subject,
        )
    return table


def resets_table(rows: Sequence[Reset]) -> Table:
    table = Table(title=f"Acting only ({OURS})", caption=RESETS, box=box.SIMPLE_HEAD, caption_justify="left")
    table.add_column("agent")
    table.add_column("start")
    names = ("runs", "right", "right, reset", "samples", "samples, reset", "extra", "full", "full, reset")
    for name in names:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            row.subject,
            row.declared,
            *map(str, (row.runs, row.right, row.right_reset)),
            *map(_count, (row.settled, row.settled_reset, row.extra)),
            f"{row.full:.4f}",
            f"{row.full_reset:.4f}",
        )
    return table


def totals(rows: Sequence[Row]) -> list[str]:
    """What all agents together take, in words."""
    found = []
    symbolic = [r for r in rows if r.subject != "cafe"]
    for method in dict.fromkeys(r.method for r in symbolic if r.method != ORACLE):
        own = [r for r in symbolic if r.method == method]
        names = ", ".join(r.subject for r in own)
        found.append(f"{method}: {sum(r.seconds for r in own):.2f} s for {names} together")
    return found


def _count(value: float | None) -> str:
    return "never" if value is None else f"{value:.0f}"
