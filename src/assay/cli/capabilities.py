"""`assay run`, `resume` and `verify` for agents that press keys: what they can do is found out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from assay.cli.conventions import OK, PARTIAL, print_json, resumable, tell_how_to_go_on
from assay.core.quantity import count
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.core.reach import LowLevelAgent
    from assay.discovery.study import Progress, Study


def run_study(
    agent: LowLevelAgent,
    spec: str,
    out: Path | None,
    seed: int,
    budget: int | None,
    interest: list[str],
    timeout: float | None,
    quiet: bool,
    json: bool,
    resume: bool = False,
) -> NoReturn:
    """Find out, write, tell, and leave with the code that says how it ended."""
    from assay.agents.timed_keys import TimedKeys
    from assay.discovery.folder import begin, is_study, parse_interest, write_study
    from assay.discovery.study import study
    from assay.sitting import SOFTWARE
    from assay.store.chain import already_there
    from assay.store.place import new_folder

    wishes = parse_interest(interest)
    folder = out or new_folder(getattr(agent, "name", agent.universe.vocabulary.name))
    options = {"agent": spec, "seed": seed, "budget": budget, "interest": interest, "timeout": timeout}
    options |= SOFTWARE
    if not resume and is_study(folder):
        raise already_there(folder)
    if not resume:  # how it was started, and another may be writing there yet
        begin(folder, options)
    with resumable(folder), _progress(quiet) as progress:
        found = study(
            agent if timeout is None else TimedKeys(agent, timeout),
            name=spec,
            seed=seed,
            budget=budget,
            interest=wishes,
            out=folder,
            resume=resume,
            progress=progress,
        )
    write_study(found, agent, folder)
    if json:
        print_json(found.summary() | {"folder": str(folder)})
    else:
        _show(found, folder)
    if found.spent:
        tell_how_to_go_on(folder, found.questions)
    raise typer.Exit(OK if found.complete else PARTIAL)


def resume_study(
    folder: Path,
    options: dict[str, Any],
    spec: str | None,
    budget: int | None,
    timeout: float | None,
    quiet: bool,
    json: bool,
) -> NoReturn:
    from assay.agents.open import open_any
    from assay.core.reach import is_low_level

    spec = spec or options["agent"]
    agent = open_any(spec, timeout=None, seed=options["seed"] or 0)
    if not is_low_level(agent):
        raise InputError(f"{spec} does not press keys, and {folder} is about an agent that does")
    if budget is None:
        budget = options["budget"]
    if timeout is None:
        timeout = options.get("timeout")
    run_study(
        agent,  # type: ignore[arg-type]  # looked at just above
        spec,
        folder,
        options["seed"] or 0,
        budget,
        [str(fact) for fact in options["interest"] or []],
        timeout,
        quiet,
        json,
        resume=True,
    )


def verify_study(folder: Path, json: bool) -> NoReturn:
    from assay.proof.capabilities import verify_capabilities

    verdict = verify_capabilities(folder)
    if json:
        print_json({"proved": verdict.proved, "findings": verdict.sentences()})
    else:
        complete = "In order." if verdict.proved else "In order as far as it goes, and not complete."
        typer.echo("Not in order." if verdict.problems else complete)
        for sentence in verdict.sentences():
            typer.echo(f"- {sentence}")
    raise typer.Exit(OK if verdict.proved else PARTIAL)


def _show(found: Study, folder: Path) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    from assay.discovery.sentences import Teller

    console = Console()
    teller = Teller(found.description)
    summary = found.summary()
    for capability in found.description.capabilities:
        keys = " or ".join(" ".join(e.keys) for e in capability.examples[:2])
        remarks = "".join(f"; {r}" for r in teller.remarks(capability)[1:])
        console.print(
            Markdown(f"**{capability.name}**: {teller.sentence(capability)} (keys: {keys}{remarks})")
        )
    if found.description.missing:
        console.print(
            Markdown("Never seen, although the simulator allows it: " + ", ".join(summary["missing"]))
        )
    console.print()
    found_count = len(summary["capabilities"])
    console.print(
        f"[bold]{found.verdict}[/bold] "
        f"{found_count} {'capability' if found_count == 1 else 'capabilities'}; "
        f"{count(summary['user_questions'], 'question')} in your words, "
        f"{summary['agent_questions']} reached the agent; {summary['seconds']:.1f} s, of which the agent "
        f"took {summary['agent_seconds']:.1f} s."
    )
    if summary["violations_count"]:
        console.print(
            f"In {count(summary['violations_count'], 'situation')} the words do not tell states apart "
            "that behave differently (see summary.json)."
        )
    console.print(f"Result folder: {folder}", markup=False, soft_wrap=True)


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress | None]:
    if quiet:
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("looking around in the simulator") as status:
        yield lambda number, answer: status.update(f"question {number}: {answer.lower()}")
