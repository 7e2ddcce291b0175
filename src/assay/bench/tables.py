"""The benchmarks' numbers laid out as tables, each with a caption that says what its columns show."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table

from assay.bench.adl import Row as AdlRow
from assay.bench.causes import Row as CausesRow
from assay.bench.growth import Row as GrowthRow
from assay.bench.judging import Verdict
from assay.bench.questions import Method, Row, Total

QUESTIONS = """\
atoms: lifted atoms over all actions, repeated variables and constants included; K: precondition literals \
of the truth. Per method: mean questions over the problems, in brackets the least that any strategy needs at \
its strength, and how many times that it took. Red: not right on every problem. In parentheses alone: what \
naive would need; not run."""

SPREAD = """\
Over the problems: mean and variance of questions, and of processor seconds for a whole run; milliseconds \
per question; AIA-21 ms: as published, on another machine. right: problems on which all was certified and \
right."""

ACCURACY = """\
One random trace of three steps counts as one question. Those who ask count only what is proved; the \
model of the learner from observations is taken as it stands: it starts high, because a slot nobody \
suspects counts as absent, and it cannot tell when it is right. all: questions from which on every tuple \
is correct."""

CAUSES = """\
A truck that collects packages one after the other and brings them home; seconds from the plan to its \
minimal causes, smallest first: unrolling the network, encoding and solving."""

GROWTH = """\
Synthetic actions that need five literals each; terms: of the precondition as a disjunctive normal form. \
bound: questions that any strategy needs for a conjunction. Seconds are processor time."""

ADL = """\
needed: the strength whose class contains all actions; right: actions certified that do what they should, of \
all; between: the agent tells the states between. Seconds are processor time."""


def questions_table(rows: Sequence[Row], methods: Sequence[Method], sums: Sequence[Total]) -> Table:
    table = plain_table("Questions until nothing is open", QUESTIONS)
    table.add_column("domain")
    for name in ("actions", "atoms", "K", *map(str, methods), "AIA-21", "AIA-20"):
        table.add_column(name, justify="right")
    domains = dict.fromkeys(row.domain for row in rows)
    for domain in domains:
        found = {row.method: row for row in rows if row.domain == domain}
        first = next(iter(found.values()))
        paper = first.published
        table.add_row(
            domain,
            str(first.actions),
            str(first.lifted_atoms),
            str(first.precondition_literals),
            *(_method_cell(found.get(m)) for m in methods),
            _known(paper and paper.questions),
            _known(paper and paper.earlier_questions),
        )
    table.add_section()
    for group in dict.fromkeys((t.domains, t.published) for t in sums):
        by_method = {t.method: t for t in sums if (t.domains, t.published) == group}
        cells = [
            _cell(t.questions, t.bound, t.right == t.runs) if (t := by_method.get(m)) else "" for m in methods
        ]
        table.add_row(f"total of {group[0]}", "", "", "", *cells, _known(group[1]), "", style="bold")
    return table


def _method_cell(row: Row | None) -> str:
    if row is None:
        return ""
    if row.questions is None:
        return f"({_power(row.price)})"
    return _cell(row.questions.mean, row.bound, row.right == len(row.runs))


def _cell(questions: float, bound: int, right: bool) -> str:
    text = f"{questions:.1f} [{bound}] {questions / bound:.2f}" if bound else f"{questions:.1f}"
    return text.replace("[", r"\[") if right else f"[bold red]{text.replace('[', chr(92) + '[')}[/]"


def spread_table(rows: Sequence[Row]) -> Table:
    table = plain_table("Over problems of growing size", SPREAD)
    table.add_column("domain")
    table.add_column("method")
    for name in ("problems", "questions", "variance", "mean s", "variance s²", "ms", "AIA-21 ms", "right"):
        table.add_column(name, justify="right")
    for row in rows:
        if row.questions is None or row.seconds is None:
            continue
        table.add_row(
            row.domain,
            str(row.method),
            str(len(row.runs)),
            f"{row.questions.mean:.1f}",
            f"{row.questions.variance:.2g}",
            f"{row.seconds.mean:.3f}",
            f"{row.seconds.variance:.2g}",
            f"{1000 * row.seconds.mean / max(1.0, row.questions.mean):.1f}",
            f"{row.published.milliseconds:g}" if row.published else "",
            f"{row.right} of {len(row.runs)}",
        )
    return table


def totals_table(sums: Sequence[Total]) -> Table:
    """Questions beside the bound, and processor time, by method."""
    table = plain_table("In all", "")
    table.add_column("method")
    for name in ("domains", "questions", "bound", "ratio", "s", "right", "AIA-21"):
        table.add_column(name, justify="right")
    for one in sums:
        table.add_row(
            str(one.method),
            str(one.domains),
            f"{one.questions:.1f}",
            str(one.bound),
            f"{one.questions / one.bound:.2f}" if one.bound else "",
            f"{one.seconds:.2f}",
            f"{one.right} of {one.runs}",
            _known(one.published),
        )
    return table


def growth_table(rows: Sequence[GrowthRow]) -> Table:
    table = plain_table("Growth with the vocabulary, the number of actions and the formula", GROWTH)
    columns = ("atoms", "actions", "terms", "strength", "literals", "bound", "questions", "per literal")
    for name in (*columns, "s", "ms per question", "model"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            str(row.case.atoms),
            str(row.case.actions),
            str(row.case.terms),
            str(row.case.strength),
            str(row.literals),
            _known(row.bound),
            str(row.questions),
            f"{row.questions_per_literal:.2f}",
            f"{row.seconds:.2f}",
            f"{row.milliseconds_per_question:.1f}",
            row.verdict.value,
            style=None if row.verdict is Verdict.RIGHT else "bold red",
        )
    return table


def adl_table(rows: Sequence[AdlRow]) -> Table:
    table = plain_table("ADL domains from the field", ADL)
    table.add_column("domain")
    for name in ("needed", "strength", "states", "right", "questions", "steps", "s", "verdict"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            row.case.domain,
            "none" if row.needed is None else str(row.needed),
            str(row.case.strength),
            "between" if row.case.tells else "last",
            f"{row.right} of {len(row.actions)}",
            str(row.questions),
            str(row.steps),
            f"{row.seconds:.2f}",
            row.error or row.verdict.value,
            style=None if row.verdict is Verdict.RIGHT else "bold red",
        )
    return table


def causes_table(rows: Sequence[CausesRow]) -> Table:
    table = plain_table("Actual causes of a fact after a plan", CAUSES)
    for name in ("steps", "atoms", "first ten, s", "causes", "first hundred, s"):
        table.add_column(name, justify="right")
    for row in rows:
        found = f"{row.all_causes}{' and more' if row.more else ', all'}"
        cells = (str(row.steps), str(row.atoms), f"{row.seconds:.2f}", found, f"{row.all_seconds:.2f}")
        table.add_row(*cells)
    return table


def _known(value: object) -> str:
    return "" if value is None else str(value)


def _power(number: int) -> str:
    """A number; where it is long, as a power of two if it is one, else rounded."""
    if number < 10_000_000:
        return str(number)
    return f"2^{number.bit_length() - 1}" if number & (number - 1) == 0 else f"{float(number):.1e}"


def plain_table(title: str, caption: str) -> Table:
    return Table(title=title, caption=caption, box=box.SIMPLE, caption_justify="left", title_style="bold")
