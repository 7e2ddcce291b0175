"""The figures of `assay bench acting` laid out."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from rich import box
from rich.table import Table

from assay.bench.acting import PLANS, Cost, Mean, Price, Row
from assay.bench.peers import PeerRun, Scores
from assay.result import Outcome

JUDGED = """\
Problem: its number among the package's ten for learning; atoms, actions: ground ones; s: processor time. \
states: looked at within reach (not all: the first ones and those of random walks); A P, A R: precision and \
recall of which steps run there; E: share of them that lead where they should. P, R: literals, by the \
package's own functions where peers are run; literals that no state within reach shows count as missing. \
Peers: precision / recall of literals; OLAM acts in the same problem, the others watch the ten trajectories \
that the package has for the domain."""

OTHER = """\
Means over the domains where there is a model, by the package's own functions on its own tests: which steps \
run (applicability), what they do (effects), problems solved by a right plan, plans that are wrong."""

PRICES = """\
Questions / steps (steps: actions the agent was made to try). any: every state and any objects may be set; \
visited and reset: acting only. stopped: after as many questions as were allowed; open: some action is not \
settled; WRONG: not as the hidden model in states within reach."""

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


JUDGED_COLUMNS = (
    "problem",
    "atoms",
    "actions",
    "outcome",
    "questions",
    "steps",
    "s",
    "states",
    "A P",
    "A R",
    "E",
    "P",
    "R",
)


def judged_table(rows: Sequence[Row], learners: Sequence[str], averages: Sequence[Mean]) -> Table:
    table = _table("The peers' benchmark, acting only from the problem's initial state", JUDGED)
    table.add_column("domain")
    for name in (*JUDGED_COLUMNS, *learners):
        table.add_column(name, justify="right")
    for row in rows:
        ours, size, judged = row.ours, row.size, row.ours.agreement
        shown = ours.scores or ours
        table.add_row(
            row.domain,
            str(row.problem),
            f"{size.ground_atoms:,}",
            f"{size.ground_actions:,}",
            ours.outcome.value + ("" if ours.strength is None else f", {ours.strength}"),
            str(ours.questions),
            str(ours.steps),
            f"{ours.seconds:.1f}",
            f"{judged.states}" + ("" if judged.whole else ", not all"),
            *(
                _share(x)
                for x in (judged.applicability_precision, judged.applicability_recall, judged.effects)
            ),
            *(f"{x:.2f}" for x in (shown.precision, shown.recall)),
            *(_peer(next((p for p in row.peers if p.learner == name), None)) for name in learners),
        )
    table.add_section()
    own, *others = averages
    cells = (f"{own.precision:.3f}", f"{own.recall:.3f}")
    table.add_row("mean", *[""] * (len(JUDGED_COLUMNS) - 2), *cells, *map(_average, others), style="bold")
    return table


def _share(value: float) -> str:
    """One only if it is: nothing is rounded up to it."""
    return "1" if value == 1 else f"{min(value, 0.9999):.4f}"


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
    """What our models get wrong, and what they leave open."""
    found = []
    for row in rows:
        ours, name = row.ours, f"{row.domain}, problem {row.problem}"
        if ours.agreement.first:
            found.append(f"{name}: wrong: {ours.agreement.first}")
        if ours.never_ran:
            found.append(f"{name}: never ran: {', '.join(ours.never_ran)}")
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
    remarks = ["stopped"] if cost.outcome is Outcome.BUDGET else []
    remarks += ["open"] if cost.outcome is Outcome.OPEN else []
    remarks += ["[bold red]WRONG[/bold red]"] if cost.agreement.first else []
    return f"{cost.questions} / {cost.steps}" + (f" ({', '.join(remarks)})" if remarks else "")


def _table(title: str, caption: str) -> Table:
    return Table(title=title, caption=caption, box=box.SIMPLE, caption_justify="left", title_style="bold")
