"""The benchmark of hidden agents as tables."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from assay.bench.behaviour import Difference
from assay.bench.judging import Verdict
from assay.bench.outside import Row, Summary, summaries, within
from assay.bench.tables import plain_table

CAPTION = """\
Runs by what became of them. WRONG: an action was certified at a class of functions that contains the hidden \
one, and the model does something else. Outside class: certified and different, but the hidden function lies \
outside the class that the certificate names. Noticed: said to contradict itself. Not settled: the strength \
asked for was not reached. Questions and seconds (processor time): means."""

WITHIN = """\
Only runs in which every hidden action lies in a class of the strength that was asked for."""


def outside_tables(rows: Sequence[Row]) -> list[Table]:
    return [
        _table("Hidden agents by kind", CAPTION, "kind", summaries(rows)),
        _table("Hidden agents by what they offer", CAPTION, "mode", summaries(rows, by_mode=True)),
        _table("Hidden agents within reach of the strength", WITHIN, "mode", summaries(within(rows), True)),
    ]


def _table(title: str, caption: str, name: str, found: Sequence[Summary]) -> Table:
    table = plain_table(title, caption)
    table.add_column(name)
    for column in ("strength", "runs", *(v.value for v in Verdict), "% right", "questions", "s"):
        table.add_column(column, justify="right")
    for one in found:
        table.add_row(
            one.name,
            str(one.strength),
            str(one.runs),
            *(str(one.verdicts.get(v) or "") for v in Verdict),
            f"{100 * one.verdicts.get(Verdict.RIGHT, 0) / one.runs:.0f}",
            f"{one.questions:.1f}",
            f"{one.seconds:.2f}",
            style="bold red" if one.verdicts.get(Verdict.WRONG) else None,
        )
    return table


def failures(rows: Sequence[Row]) -> list[str]:
    """The runs in which something was certified wrongly, each with a situation that shows it."""
    return [
        f"{row.case}: {judged.action} (patterns not shown: {judged.claim.gaps}): {_shown(judged.difference)}"
        for row in rows
        for judged in row.actions
        if judged.verdict is Verdict.WRONG and judged.difference
    ]


def _shown(found: Difference) -> str:
    return f"in ({found.state}) {found.step} leads to {_words(found.expected)}, not to {_words(found.found)}"


def _words(state: str | None) -> str:
    return "a refusal" if state is None else f"({state})"
