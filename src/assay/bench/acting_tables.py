"""The figures of `assay bench acting` laid out."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from rich import box
from rich.table import Table

from assay.bench.acting import PLANS, Cost, Mean, Price, Row, Why
from assay.bench.peers import PeerRun, Scores
from assay.result import Outcome

SYNTAX = """\
Problem: its number among the package's ten for learning; atoms, actions: ground ones. P, R: syntactic \
precision and recall by the package's own functions where peers are run, else by ours, of the model with the \
fewest literals. P+, R+: of the model in which what cannot be told apart is written as is customary. P*, R*: \
without literals that the result itself shows to make no difference, void or indistinguishable on reachable \
states. open: literals that differ and are not settled. Peers: precision / recall; OLAM acts in the same \
problem, the others watch the ten trajectories that the package has for the domain."""

OTHER = """\
Means over the domains where there is a model, by the package's own functions on its own tests: which steps \
run (applicability), what they do (effects), problems solved by a right plan, plans that are wrong."""

PRICES = """\
Questions / steps (steps: actions the agent was made to try). any: every state and any objects may be set \
(strategy chain); visited and reset: acting only. In parentheses, slots that no state within reach can \
settle, and slots left open; stopped: after as many questions as were allowed."""

ROUNDED = 0.0051
"""The package rounds to two decimals."""

METRICS = {
    "applicability P": ("predictive", "applicability_precision"),
    "R": ("predictive", "applicability_recall"),
    "effects P": ("predictive", "predicted_effects_precision"),
    "R ": ("predictive", "predicted_effects_recall"),
    "solved": ("solving", "solving_ratio"),
    "false plans": ("solving", "false_plans_ratio"),
}


def syntax_table(rows: Sequence[Row], learners: Sequence[str], averages: Sequence[Mean]) -> Table:
    table = _table("The peers' benchmark, acting only from the problem's initial state", SYNTAX)
    table.add_column("domain")
    names = (
        "problem",
        "atoms",
        "actions",
        "questions",
        "steps",
        "s",
        "P",
        "R",
        "P+",
        "R+",
        "P*",
        "R*",
        "open",
    )
    for name in (*names, *learners):
        table.add_column(name, justify="right")
    for row in rows:
        ours, size = row.ours, row.size
        shown, customary = ours.scores or ours, ours.customary_scores or ours.customary
        left = sum(ours.count(why) for why in (Why.OPEN, Why.NEVER_RAN, Why.UNCONFIRMED))
        wrong = f" [bold red]{n} WRONG[/bold red]" if (n := ours.count(Why.WRONG)) else ""
        table.add_row(
            row.domain,
            str(row.problem),
            f"{size.ground_atoms:,}",
            f"{size.ground_actions:,}",
            str(ours.questions),
            str(ours.steps),
            f"{ours.seconds:.1f}",
            *(f"{x:.2f}" for x in (shown.precision, shown.recall)),
            *(f"{x:.2f}" for x in (customary.precision, customary.recall)),
            *(f"{x:.2f}" for x in (ours.excused_precision, ours.excused_recall)),
            f"{left or ''}{wrong}",
            *(_peer(next((p for p in row.peers if p.learner == name), None)) for name in learners),
        )
    table.add_section()
    own, customary_mean, fair, *others = averages
    cells = (f"{x:.3f}" for mean in (own, customary_mean, fair) for x in (mean.precision, mean.recall))
    table.add_row("mean", *[""] * 6, *cells, "", *map(_average, others), style="bold")
    return table


def other_table(rows: Sequence[Row], learners: Sequence[str]) -> Table:
    table = _table("The package's other metrics", OTHER)
    table.add_column("learner")
    for name in ("domains", *METRICS):
        table.add_column(name, justify="right")
    found: dict[str, list[Scores]] = {"assay": [r.ours.scores for r in rows if r.ours.scores]}
    for name in learners:
        found[name] = [p.scores for r in rows for p in r.peers if p.learner == name and p.scores]
    for name, scores in found.items():
        table.add_row(name, str(len(scores)), *(_metric(scores, *where) for where in METRICS.values()))
    return table


def price_of_acting_table(prices: Sequence[Price]) -> Table:
    table = _table("The price of not being able to set states", PRICES)
    table.add_column("domain")
    for name in PLANS:
        table.add_column(name, justify="right")
    for row in prices:
        table.add_row(f"{row.domain}, size {row.size}", *map(_cost, row.costs))
    table.add_section()
    columns = zip(*(row.costs for row in prices), strict=True)
    sums = [f"{sum(c.questions for c in column)} / {sum(c.steps for c in column)}" for column in columns]
    table.add_row("total", *sums, style="bold")
    return table


def reasons(rows: Sequence[Row]) -> list[str]:
    """For every domain where our model is not the reference: each literal, and why."""
    found = []
    for row in rows:
        if not row.ours.differences:
            continue
        found.append(f"{row.domain}, problem {row.problem}:")
        for d in row.ours.differences:
            found.append(f"  {'not written' if d.missing else 'written'}: {d.text}: {d.why.value}")
        found += [f"  {sentence}" for sentence in row.ours.proof]
    return found


def disagreements(rows: Sequence[Row]) -> list[str]:
    """Where the package's functions do not give what they are defined to (docs/acting-benchmark.md)."""
    return [
        f"{row.domain}: by definition P {ours.precision:.3f} R {ours.recall:.3f},"
        f" by the package's functions {scores.precision:.2f} and {scores.recall:.2f}"
        for row in rows
        if (scores := (ours := row.ours).scores)
        and max(abs(scores.precision - ours.precision), abs(scores.recall - ours.recall)) > ROUNDED
    ]


def failures(rows: Sequence[Row]) -> list[str]:
    """Why a peer has no figure."""
    return [
        f"{row.domain}: {p.learner} has no model: {p.failure}" for row in rows for p in row.peers if p.failure
    ]


def _peer(run: PeerRun | None) -> str:
    if run is None:
        return ""
    return f"{run.scores.precision:.2f} / {run.scores.recall:.2f}" if run.scores else "none"


def _average(mean: Mean) -> str:
    if not mean.domains:
        return ""
    share = "" if mean.complete else f" ({mean.domains})"
    return f"{mean.precision:.3f} / {mean.recall:.3f}{share}"


def _metric(scores: Sequence[Scores], group: str, name: str) -> str:
    values = [found[name] for s in scores if (found := getattr(s, group))]
    return f"{fmean(values):.3f}" if values else ""


def _cost(cost: Cost) -> str:
    remarks = [f"{cost.indistinguishable} alike"] if cost.indistinguishable else []
    remarks += [f"{cost.open} open"] if cost.open or cost.outcome is not Outcome.COMPLETE else []
    remarks += ["stopped"] if cost.outcome is Outcome.BUDGET else []
    remarks += [f"[bold red]{cost.wrong} WRONG[/bold red]"] if cost.wrong else []
    return f"{cost.questions} / {cost.steps}" + (f" ({', '.join(remarks)})" if remarks else "")


def _table(title: str, caption: str) -> Table:
    return Table(title=title, caption=caption, box=box.SIMPLE, caption_justify="left", title_style="bold")
