"""What a person at a terminal sees: progress while a run goes on, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.syntax import Syntax

from assay.core.quantity import count
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start, WalkQuery
from assay.knowledge.knowledge import Knowledge
from assay.old_assessment import Progress as Report
from assay.old_result import Costs, Outcome, Result
from assay.proof.folder import FolderVerdict
from assay.report.describe import answered_invalid
from assay.report.findings import FENCED
from assay.report.forbidden import Forbidden
from assay.report.reach import Reach


@contextmanager
def live_progress(folder: Path) -> Iterator[Report]:
    """A bar of settled slots, with the question being asked beside it."""
    console = Console(stderr=True)
    with Progress(
        SpinnerColumn(),
        TextColumn("[bold]{task.fields[action]}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} slots settled, {task.fields[questions]}"),
        TimeElapsedColumn(),
        console=console,
        refresh_per_second=8,
    ) as bar:
        task = bar.add_task("", total=None, visible=False, action="", questions="")

        def report(knowledge: Knowledge, costs: Costs, query: PlanQuery | WalkQuery) -> None:
            settled, total = knowledge.slots_settled()
            action = query.plan[0].action if isinstance(query, PlanQuery) and query.plan else ""
            bar.update(
                task,
                visible=True,
                completed=settled,
                total=total,
                action=action,
                questions=count(costs.questions, "question"),
            )

        yield report


def show_pddl(console: Console, text: str) -> None:
    """Whole lines, however long: what is printed can be pasted back."""
    syntax = Syntax("", "lisp", theme="ansi_dark", background_color="default")
    console.print(syntax.highlight(text), soft_wrap=True)


def show_result(result: Result, folder: Path) -> None:
    console = Console()
    show_pddl(console, result.to_pddl())
    console.print(Markdown(result.describe()))
    console.print()
    summary, slots = result.summary(), result.summary()["slots"]
    forbidden = Forbidden.of(result.knowledge)
    fenced = result.outcome is Outcome.OPEN and forbidden.slots
    headline = FENCED if fenced else _HEADLINES[result.outcome]
    reach = Reach.of(result.knowledge)
    if result.complete and reach.confinement:
        headline = f"The model is complete as far as steps {reach.confinement.words} lead."
    told = (
        f"[bold]{headline}[/bold] "
        f"{count(summary['questions'], 'question')} ({summary['search']} to find first examples, "
        f"{count(summary['test'], 'test')}) and {count(summary['steps'], 'step')}"
    )
    if "asked_again" in summary:
        told += f", {summary['asked_again']} of the questions asked again"
    if summary["start"] == Start.ANY and not summary["traces"]:  # else the number of conditions is no bound
        bound = summary["lower_bound"]
        told += f"; at least {count(bound, 'question')} {'was' if bound == 1 else 'were'} needed"
    if summary["traces"]:
        told += f", after {summary['traces']} {'entry' if summary['traces'] == 1 else 'entries'} from logs"
    console.print(f"{told}.")
    invalid = Counter(e.response.reason for e in result.entries if isinstance(e.response, Invalid))
    if invalid and sum(invalid.values()) == len(result.entries):
        console.print(f"Every question was {answered_invalid(invalid)}.", markup=False)
    ends = [(e.query.state, e.response) for e in result.entries if isinstance(e.response, PlanResponse)]
    if any(answer.steps for _, answer in ends) and all(state == answer.state for state, answer in ends):
        console.print(_STILL, markup=False)
    if lacking := summary.get("lacking"):
        console.print(f"Not asked about, for want of objects: {', '.join(lacking)}.", markup=False)
    because = f" ({forbidden.points} of them because of --never)" if forbidden.slots else ""
    of_these = [
        *([f"{reach.points} on reachable states"] if reach.points else []),
        *([f"{reach.idle_points} of actions that never run there"] if reach.idle_points else []),
    ]
    alike = f"{slots['indistinguishable']} that no question can tell apart"
    alike += f" ({', '.join(of_these)})" if of_these else ""
    console.print(
        f"Slots: {slots['settled']} settled, {alike}, {slots['open']} open{because}, of {slots['total']}."
    )
    if result.outcome is Outcome.CONTRADICTION:
        console.print()
        console.print(result.explain_contradiction(), markup=False)
        console.print(result.hint, markup=False)
    console.print(f"Result folder: {folder}", markup=False, soft_wrap=True)


_STILL = (
    "In no answer had anything changed, whatever ran. If the agent does change things, it reports the state "
    "it was given, not the one it ends in."
)

_HEADLINES = {
    Outcome.COMPLETE: "The model is complete.",
    Outcome.OPEN: "Not complete: no further question would settle what is open.",
    Outcome.BUDGET: "Not complete: the budget ran out.",
    Outcome.CONTRADICTION: "The answers contradict every model of this class.",
    Outcome.INTERRUPTED: "Not complete: it was interrupted.",
    Outcome.FAILED: "Not complete: the agent failed.",
}


LISTED = 12
"""Findings that are shown before "and so many more"."""


def show_verdict(verdict: FolderVerdict, differing: tuple[int, ...] | None) -> None:
    console = Console()
    if verdict.proved:
        console.print("[bold]Proved.[/bold]")
    elif verdict.model_proved:
        console.print(
            "[bold]Not in order:[/bold] the journal proves the model, but other files do not fit it."
        )
    else:
        console.print("[bold]Not proved.[/bold]")
    sentences = verdict.sentences()
    shown = sentences[:LISTED] if len(sentences) > LISTED + 1 else sentences
    for sentence in shown:
        console.print(f"- {sentence}", markup=False)
    if more := len(sentences) - len(shown):
        console.print(f"- and {more} more; with --json all are listed.")
    if differing:
        console.print(
            "[bold]But the agent has changed:[/bold] asked again, it answered differently to "
            f"{', '.join(map(str, differing))}."
        )
    elif differing is not None:
        console.print("Asked again, the agent gave the same answers.")
