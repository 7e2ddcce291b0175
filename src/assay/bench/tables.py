"""The benchmarks' numbers laid out as tables, each with a caption that says what its columns show."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from rich import box
from rich.table import Table

from assay.bench.accuracy import CHECKPOINTS, Curve
from assay.bench.causes import Row as CausesRow
from assay.bench.growth import Row as GrowthRow
from assay.bench.questions import Row, Run, Totals, Verdict
from assay.bench.variants import MEANING
from assay.bench.variants import Row as VariantRow

QUESTIONS = """\
|P*|: the paper's count of lifted atoms; atoms: ours, of the widest action / of all actions together, \
repeated variables and constants included; slots: two per atom; K: precondition literals of the truth, \
the least number of questions possible. A number alone: it ended at the right model. search: questions \
spent on finding a first run of an action. In parentheses alone: what naive would need; not run. models: \
equivalent ones without normalisation."""

PRICES = "Steps: actions the agent was made to try, over all questions."

SPREAD = """\
Times are of whole runs: mean and variance over the problems. ms: per question; AIA-21 ms: as published, \
on another machine. Only the search for a first run of an action looks at the problem; without one the \
questions are the same for every size."""

ACCURACY = """\
One random trace of three steps counts as one question. Those who ask count only what is proved; the \
model of the learner from observations is taken as it stands: it starts high, because a slot nobody \
suspects counts as absent, and it cannot tell when it is right. all: questions from which on every tuple \
is correct."""

CAUSES = """\
A truck that collects packages one after the other and brings them home; seconds from the plan to its \
minimal causes, smallest first: unrolling the network, encoding and solving."""

GROWTH = """\
Five random precondition literals per action; K: all of them, the least number of questions possible. A \
question of L steps tells at most log2(L+1) bits, so K+1 questions and K log2 n steps cannot both be \
had: without a limit on plans the questions are few and the steps many, with one it is the other way \
round."""

VARIANTS = """\
K: precondition literals of the altered domain, the least number of questions possible. Columns: runs that \
took so many more questions at most. Beyond: those that took more than K + 4, by domain, with how many more \
than K each took."""

EXCESSES = (2, 4, 10)
"""Questions beyond K that get a column."""
BEYOND = 4


def questions_table(rows: Sequence[Row], methods: Sequence[str], total: Totals) -> Table:
    table = _table("Questions until nothing is open", QUESTIONS)
    table.add_column("domain")
    published = ("AIA-21", "AIA-20", "models", "AIA-20 |M|")
    for name in ("actions", "|P*|", "atoms", "slots", "K", *methods, *published):
        table.add_column(name, justify="right")
    extra = [r for r in rows if not r.published]
    for row in [r for r in rows if r.published] + extra:
        if extra and row is extra[0] and len(extra) < len(rows):
            _totals_line(table, total, methods)
        paper = row.published
        first = next((r for r in row.runs if r.equivalent_models), None)
        table.add_row(
            row.domain,
            _differing(row.actions, paper.actions if paper else None),
            _known(paper and paper.lifted_atoms),
            f"{row.most_lifted_atoms} / {row.lifted_atoms}",
            str(row.slots),
            str(row.precondition_literals),
            *(_run_cell(row.run(m)) for m in methods),
            _known(paper and paper.questions),
            _known(paper and paper.earlier_questions),
            _power(first.equivalent_models) if first else "",
            _known(paper and paper.earlier_models),
        )
    if not extra or len(extra) == len(rows):
        _totals_line(table, total, methods)
    return table


def _totals_line(table: Table, total: Totals, methods: Sequence[str]) -> None:
    table.add_section()
    table.add_row(
        f"total of {total.domains}",
        *[""] * 4,
        str(total.precondition_literals),
        *(str(total.questions.get(m, "")) for m in methods),
        _known(total.published or None),
        *[""] * 3,
        style="bold",
    )
    for name, shares in (("per K", total.per_literal), ("per AIA-21", total.per_published)):
        cells = [f"{shares[m]:.2f}" if m in shares else "" for m in methods]
        if any(cells):
            table.add_row(name, *[""] * 5, *cells, *[""] * 4)
    table.add_section()


def price_table(rows: Sequence[Row], methods: Sequence[str]) -> Table:
    table = _table("Steps and seconds", PRICES)
    table.add_column("domain")
    for method in methods:
        table.add_column(f"{method} steps", justify="right")
        table.add_column("s", justify="right")
    for row in rows:
        cells = []
        for run in map(row.run, methods):
            cells += [str(run.steps), f"{run.seconds:.2f}"] if run and run.steps else ["", ""]
        table.add_row(row.domain, *cells)
    return table


def spread_table(rows: Sequence[Row]) -> Table:
    table = _table("The chain strategy over problems of growing size", SPREAD)
    table.add_column("domain")
    for name in ("problems", "questions", "mean s", "variance s²", "ms", "AIA-21 ms", "correct"):
        table.add_column(name, justify="right")
    for row in rows:
        if (spread := row.spread) is None:
            continue
        low, high = min(spread.questions), max(spread.questions)
        table.add_row(
            row.domain,
            str(len(spread.sizes)),
            str(low) if low == high else f"{low}-{high}",
            f"{spread.mean_seconds:.3f}",
            f"{spread.variance_seconds:.2g}",
            f"{spread.milliseconds_per_question:.1f}",
            f"{row.published.milliseconds:g}" if row.published else "",
            f"{sum(v is Verdict.CORRECT for v in spread.verdicts)} of {len(spread.verdicts)}",
        )
    return table


def accuracy_table(curves: Sequence[Curve]) -> Table:
    longest = max((c.points[-1].questions for c in curves if c.points), default=0)
    shown = [n for n in CHECKPOINTS if n <= longest]
    table = _table("Share of palm tuples learned correctly after so many questions", ACCURACY)
    table.add_column("domain")
    table.add_column("learner")
    for name in (*map(str, shown), "end", "all"):
        table.add_column(name, justify="right")
    for number, curve in enumerate(curves):
        if number and curve.domain != curves[number - 1].domain:
            table.add_section()
        table.add_row(
            curve.domain,
            curve.learner,
            *(f"{curve.at(n):.3f}" for n in shown),
            f"{curve.last:.3f}",
            "never" if curve.perfect_after is None else str(curve.perfect_after),
        )
    return table


def growth_table(rows: Sequence[GrowthRow]) -> Table:
    table = _table("Growth with the vocabulary (n lifted atoms per action) and the number of actions", GROWTH)
    for name in (
        *("n", "actions", "longest plan", "slots", "K", "questions", "questions/K", "steps", "K log2 n"),
        *("steps/(K log2 n)", "seconds", "µs/slot", "model"),
    ):
        table.add_column(name, justify="right")
    for number, row in enumerate(rows):
        if number and row.max_plan != rows[number - 1].max_plan:
            table.add_section()
        table.add_row(
            str(row.atoms),
            str(row.actions),
            "any" if row.max_plan is None else str(row.max_plan),
            f"{row.slots:,}",
            str(row.precondition_literals),
            str(row.questions),
            f"{row.questions_per_literal:.2f}",
            f"{row.steps:,}",
            f"{row.literals_log_atoms:,.0f}",
            f"{row.steps_per_literal_log_atoms:.2f}",
            f"{row.seconds:.2f}",
            f"{row.microseconds_per_slot:.0f}",
            row.verdict.value,
        )
    return table


def variants_table(rows: Sequence[VariantRow]) -> Table:
    table = _table("The default strategy on domains altered at random", VARIANTS)
    table.add_column("altered")
    for name in ("runs", "right", *(f"K + {most}" for most in EXCESSES), "worst", "mean"):
        table.add_column(name, justify="right")
    table.add_column("beyond")
    for kind, meaning in MEANING.items():
        excesses = [r.excess for r in rows if r.case.kind is kind]
        if not excesses:
            continue
        beyond: dict[str, list[int]] = {}
        for row in rows:
            if row.case.kind is kind and row.excess > BEYOND:
                beyond.setdefault(row.case.domain, []).append(row.excess)
        table.add_row(
            meaning,
            str(len(excesses)),
            str(sum(r.case.kind is kind and r.verdict is Verdict.CORRECT for r in rows)),
            *(str(sum(excess <= most for excess in excesses)) for most in EXCESSES),
            f"K + {max(excesses)}",
            f"K + {fmean(excesses):.1f}",
            "; ".join(f"{domain} {', '.join(map(str, more))}" for domain, more in beyond.items()),
        )
    return table


def causes_table(rows: Sequence[CausesRow]) -> Table:
    table = _table("Actual causes of a fact after a plan", CAUSES)
    for name in ("steps", "atoms", "first ten, s", "causes", "first hundred, s"):
        table.add_column(name, justify="right")
    for row in rows:
        found = f"{row.all_causes}{' and more' if row.more else ', all'}"
        cells = (str(row.steps), str(row.atoms), f"{row.seconds:.2f}", found, f"{row.all_seconds:.2f}")
        table.add_row(*cells)
    return table


def _run_cell(run: Run | None) -> str:
    if run is None:
        return ""
    if run.verdict is Verdict.NOT_RUN:
        return f"({_power(run.questions)})"
    remarks = [f"{run.search} search"] if run.search and run.method != "naive" else []
    if run.verdict is Verdict.INCOMPLETE:
        remarks.append(f"{run.open} open")
    elif run.verdict is Verdict.WRONG:
        remarks.append("[bold red]WRONG[/bold red]")
    return f"{run.questions}" + (f" ({', '.join(remarks)})" if remarks else "")


def _differing(ours: int, published: int | None) -> str:
    return str(ours) if published in (None, ours) else f"{ours} (paper: {published})"


def _known(value: object) -> str:
    return "" if value is None else str(value)


def _power(number: int) -> str:
    """A number; where it is long, as a power of two if it is one, else rounded."""
    if number < 10_000_000:
        return str(number)
    return f"2^{number.bit_length() - 1}" if number & (number - 1) == 0 else f"{float(number):.1e}"


def _table(title: str, caption: str) -> Table:
    return Table(title=title, caption=caption, box=box.SIMPLE, caption_justify="left", title_style="bold")
