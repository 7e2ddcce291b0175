"""What a person at a terminal sees: progress while a run goes on, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

from rich.console import Console
from rich.markdown import Markdown
from rich.progress import Progress as Bar
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.syntax import Syntax

from assay.core.quantity import count
from assay.core.query import PlanQuery, WalkQuery
from assay.language.english import English
from assay.learn.finding import LEVELS
from assay.report.content import Report, Section
from assay.report.markdown import markdown
from assay.report.overview import overview
from assay.result import Costs, Outcome, Result
from assay.session import Progress


@contextmanager
def live_progress(folder: Path) -> Iterator[Progress]:
    """One line on stderr: the strengths reached, what is asked about, and what it has cost."""
    with Bar(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        refresh_per_second=8,
    ) as bar:
        task = bar.add_task("", total=None, visible=False)

        def report(levels: Mapping[str, int | None], costs: Costs, query: PlanQuery | WalkQuery) -> None:
            bar.update(task, visible=True, description=progress_line(levels, costs.questions, query))

        yield report


def progress_line(levels: Mapping[str, int | None], questions: int, query: PlanQuery | WalkQuery) -> str:
    """Nobody knows how many questions are left, so no share is shown."""
    asking = query.plan[-1].action if isinstance(query, PlanQuery) and query.plan else "a walk"
    return f"{levels_line(levels)} | {count(questions, 'question')}, left: unknown | {asking} |"


def levels_line(levels: Mapping[str, int | None]) -> str:
    """How many actions have reached which strength: "5 actions: 3 at strength 1, 2 at none"."""
    reached = Counter(levels.values())
    told = [f"{reached[n]} at strength {n}" for n in reversed(range(len(LEVELS))) if reached[n]]
    if reached[None]:
        told.append(f"{reached[None]} at none yet")
    return f"{count(len(levels), 'action')}: {', '.join(told)}"


def show_pddl(console: Console, text: str) -> None:
    """Whole lines, however long: what is printed can be pasted back."""
    syntax = Syntax("", "lisp", theme="ansi_dark", background_color="default")
    console.print(syntax.highlight(text), soft_wrap=True)


def show_result(result: Result, folder: Path) -> None:
    """The model, how sure it is, and what can be done next."""
    console = Console()
    show_pddl(console, result.to_pddl())
    console.print(Markdown(_in_short(overview(result, English(result.setting.profile.vocabulary)))))
    console.print()
    for line in what_next(result, folder):
        console.print(line, markup=False, soft_wrap=True)


def _in_short(section: Section) -> str:
    """The section without a title of the page above it."""
    return markdown(Report("", (section,))).removeprefix("# \n\n")


def what_next(result: Result, folder: Path) -> Iterator[str]:
    where = quote(str(folder))
    yield f"Result folder: {folder}"
    yield f"Read:   {folder / 'report.html'}"
    if result.outcome in (Outcome.BUDGET, Outcome.INTERRUPTED, Outcome.FAILED):
        yield f"Go on:  assay resume {where}"
    elif result.strength is not None and result.strength < len(LEVELS) - 1:
        yield f"Surer:  assay resume {where} --strength {result.strength + 1}"
    yield f"Check:  assay verify {where}"
