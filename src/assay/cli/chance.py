"""What the commands around an interrogation do for agents with chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from assay.cli.conventions import CONTRADICTORY, OK, PARTIAL, print_json, resumable
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.agents.guard import Guard
    from assay.chance_result import ChanceResult

SamplesOption = Annotated[
    int | None,
    typer.Option(help="With chance: stop after this many executions, refused ones included.", min=1),
]
PrecisionOption = Annotated[
    float | None,
    typer.Option(
        help="With chance: stop when every probability is known to within this.",
        show_default="0.05 without --samples",
    ),
]
CONFIDENCE = 0.95
ConfidenceOption = Annotated[
    float, typer.Option(help="With chance: how sure an interval is to hold the truth.")
]
RefusalsOption = Annotated[
    str | None,
    typer.Option(
        help="With chance: shown, or hidden if a refused step looks like one that changes nothing.",
        show_default="as the agent declares",
    ),
]
WorkersOption = Annotated[
    int, typer.Option(help="With chance: processes that make runs side by side.", min=1)
]

Opener = Callable[[str, float | None, int], Any]


@dataclass(frozen=True, slots=True)
class Wishes:
    samples: int | None
    precision: float | None
    confidence: float
    refusals: str | None
    workers: int


def with_chance(agent: Guard, strategy: str | None) -> bool:
    """Whether the strategy is one for chance or, if none is named, the agent says that it has chance."""
    if strategy is None:
        return agent.stochastic
    from assay.learn.registry import strategy_names
    from assay.strategies.chance.registry import LEARNERS

    if strategy not in LEARNERS and strategy not in strategy_names():
        raise InputError(
            f"unknown strategy {strategy!r}; there are {', '.join(strategy_names())} "
            f"and, for agents with chance, {', '.join(LEARNERS)}"
        )
    return strategy in LEARNERS


def run_chance(
    spec: str,
    agent: Guard,
    folder: Path,
    wishes: Wishes,
    strategy: str | None,
    start: str | None,
    seed: int,
    timeout: float | None,
    own_objects: bool,
    quiet: bool,
    json: bool,
) -> NoReturn:
    from assay.agents.open import open_agent
    from assay.chance_assessment import assess_chance

    if wishes.refusals not in (None, "shown", "hidden"):
        raise InputError(f"refusals are shown or hidden, not {wishes.refusals!r}")
    with resumable(folder), _progress(quiet or json, wishes.samples) as progress:
        result = assess_chance(
            agent,
            strategy=strategy,
            seed=seed,
            samples=wishes.samples,
            precision=wishes.precision,
            confidence=wishes.confidence,
            refusals=None if wishes.refusals is None else wishes.refusals == "shown",
            timeout=timeout,
            start=start,
            new_objects=False if own_objects else None,
            workers=wishes.workers,
            opener=partial(open_agent, spec, timeout=timeout, seed=seed),
            out=folder,
            spec=spec,
            progress=progress,
        )
    _finish(result, folder, json)


def resume_chance(
    folder: Path,
    options: Mapping[str, Any],
    opener: Opener,
    agent: str | None,
    samples: int | None,
    timeout: float | None,
    workers: int,
    quiet: bool,
    json: bool,
) -> NoReturn:
    from assay.agents.open import open_agent
    from assay.chance_assessment import resume_chance as go_on
    from assay.store.folder import JOURNAL
    from assay.store.journal import read_setting

    spec, seed = agent or options["agent"], read_setting(folder / JOURNAL).seed
    limit = timeout if timeout is not None else options["timeout"]
    allowed = samples if samples is not None else options["samples"]
    with (
        resumable(folder),
        closing(opener(spec, limit, seed)) as opened,
        _progress(quiet or json, allowed) as progress,
    ):
        result = go_on(
            folder,
            opened,
            samples=allowed,
            timeout=limit,
            workers=workers,
            opener=partial(open_agent, spec, timeout=limit, seed=seed),
            progress=progress,
        )
    _finish(result, folder, json)


def verify_chance_folder(
    folder: Path, replay: str | None, opener: Opener, timeout: float | None, json: bool
) -> NoReturn:
    from assay.agents.guard import Guard
    from assay.proof.chance import verify_chance
    from assay.proof.replay import replay_simulations
    from assay.store.folder import JOURNAL
    from assay.store.journal import read

    verdict = verify_chance(folder)
    differing: tuple[int, ...] | None = None
    if replay is not None:
        record = read(folder / JOURNAL)
        with closing(opener(replay, timeout, record.setting.seed)) as opened:
            differing = replay_simulations(Guard(opened, timeout), record.simulations)
    if json:
        findings = {"proved": verdict.proved, "findings": verdict.sentences(), "replay_differs": differing}
        print_json(findings)
    else:
        typer.echo("In order." if verdict.proved else "Not all is proved.")
        for sentence in verdict.sentences():
            typer.echo(f"- {sentence}")
        if differing is not None:
            same = "Run again, the agent refused the same." if not differing else "Run again, it differs in "
            typer.echo(same + ", ".join(map(str, differing)))
    raise typer.Exit(OK if verdict.proved and not differing else PARTIAL)


def _finish(result: ChanceResult, folder: Path, json: bool) -> NoReturn:
    from assay.result import Outcome

    if json:
        print_json(result.summary() | {"folder": str(folder)})
    else:
        from rich.console import Console
        from rich.markdown import Markdown

        from assay.cli.console import show_pddl
        from assay.core.quantity import count

        console, summary = Console(), result.summary()
        show_pddl(console, result.to_ppddl())
        console.print(Markdown(result.describe()))
        console.print()
        headline = _HEADLINES[result.outcome]
        if result.complete and (summary["preconditions"]["indistinguishable"] or not result.aims.refusals):
            headline = "What is needed is settled as far as situations within reach, or runs, can tell."
        if result.uneven:
            headline += f" But how often what happens goes by the situation: {', '.join(result.uneven)}."
        spent = f"{count(result.samples, 'execution')}, {summary['refused']} of them refused"
        console.print(f"[bold]{headline}[/bold] {spent}.")
        console.print(f"Result folder: {folder}", markup=False, soft_wrap=True)
    if result.outcome is Outcome.CONTRADICTION:
        raise typer.Exit(CONTRADICTORY)
    raise typer.Exit(OK if result.complete else PARTIAL)


_HEADLINES = {
    "complete": "All preconditions are proved.",
    "open": "Not complete: no further execution would settle what is open.",
    "budget": "Not complete: the samples are used up.",
    "contradiction": "Some answers fit no model in this vocabulary.",
    "interrupted": "Not complete: it was interrupted.",
    "failed": "Not complete: the agent failed.",
}


@contextmanager
def _progress(quiet: bool, samples: int | None) -> Iterator[Any]:
    if quiet:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("[bold]{task.fields[action]}"), BarColumn()
    told = TextColumn("{task.completed} executions"), TimeElapsedColumn()
    with Progress(*columns, *told, console=Console(stderr=True), refresh_per_second=8) as bar:
        task = bar.add_task("", total=samples, action="")

        def report(experience: Any, spent: Any, query: Any) -> None:
            step = query.policy[0][1] if query.policy else None
            bar.update(task, completed=spent.samples, action=step.action if step else "")

        yield report
