"""The commands around an interrogation: run, resume, verify, check, serve-agent."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.chance import (
    CONFIDENCE,
    ConfidenceOption,
    PrecisionOption,
    RefusalsOption,
    SamplesOption,
    Wishes,
    WorkersOption,
    resume_chance,
    run_chance,
    verify_chance_folder,
    with_chance,
)
from assay.cli.conventions import (
    BAD,
    CONTRADICTORY,
    OK,
    PARTIAL,
    AgentOption,
    FolderArgument,
    JsonOption,
    TrustOption,
    agent_of,
    errors,
    print_json,
    resumable,
    tell_how_to_go_on,
)
from assay.cli.report import HUMAN, open_person
from assay.cli.seal import KeyOption
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.result import Result

AGENTS = """\
pddl:DOMAIN.pddl[,PROBLEM.pddl]   an agent that executes that model (you get only its vocabulary)\n
python:package.module:factory     your own object with `vocabulary` and `ask`\n
exec:COMMAND                      another process, JSON lines on stdin and stdout\n
http://HOST:PORT                  the same JSON over HTTP (see `assay serve-agent`)\n
gym:VOCABULARY.py                 a Gymnasium environment (see `assay init`)\n
babyai:LEVEL, pddlgym:NAME        worlds of these packages\n
image:sokoban, image:doors        games seen as pictures\n
game:zelda:5x6:search             a player that presses keys: what it can do is found out\n
ppddl:DOMAIN[,PROBLEM], sdma:NAME  agents with chance (driving, warehouse, responder, elevator, cafe)\n
human:VOCABULARY.pddl             you: every question in a sentence, answers by a few keys
"""

BUILTIN = "builtin"


def add_commands(app: typer.Typer) -> None:
    app.command()(run)
    app.command()(resume)
    app.command()(verify)
    app.command()(check)
    app.command("serve-agent")(serve_agent)


AgentArgument = Annotated[str, typer.Argument(metavar="AGENT", help=AGENTS, show_default=False)]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")]
TIMEOUT = "Seconds the agent may take for one question; its hello may take 60, whatever is given here."
TimeoutOption = Annotated[float | None, typer.Option(help=TIMEOUT, min=0.001)]
BudgetOption = Annotated[int | None, typer.Option(help="Stop after this many questions.", min=0)]
STRENGTH = (
    "What the model is to be sure against. 0: that less is needed. 1: also any single fact that stands in for a "
    "needed one. 2: also two needed facts turned round together. 3: also two facts that stand in for one."
)
StrengthOption = Annotated[int, typer.Option(help=STRENGTH, min=0, max=3)]
AuditOption = Annotated[
    int, typer.Option(help="At the end, try this many random situations to find a counterexample.", min=0)
]
RecheckOption = Annotated[
    float, typer.Option(help="The share of all answers to ask again at the end; 0 for none.", min=0, max=1)
]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same questions, byte for byte.")]


def run(
    agent: AgentArgument,
    out: Annotated[
        Path | None, typer.Option(help="Where to keep the result.", show_default="results/NAME")
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            help="interrogate (any state), acting (from where the agent can be put), aia (as published) or "
            "naive (every state); for agents with chance sampling, qace, glib-g, glib-l or random.",
            show_default="interrogate, acting where the start is not any, sampling where there is chance",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            help="States a question may start from: any, visited or reset.", show_default="the agent's"
        ),
    ] = None,
    strength: StrengthOption = 2,
    seed: SeedOption = 0,
    budget: BudgetOption = None,
    audit: AuditOption = 0,
    recheck: RecheckOption = 0.1,
    max_plan: Annotated[int | None, typer.Option(help="Longest plan in one question.", min=1)] = None,
    timeout: TimeoutOption = 60.0,
    planner: Annotated[
        str, typer.Option(help="Planner of the aia strategy: builtin or fast-downward.")
    ] = BUILTIN,
    equality: Annotated[
        bool, typer.Option("--equality", help="Also learn which parameters must be different objects.")
    ] = False,
    own_objects: Annotated[
        bool, typer.Option("--own-objects", help="Ask only about the agent's own objects, never new ones.")
    ] = False,
    traces: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Logs of the agent, JSON lines: evidence before the first question."
        ),
    ] = None,
    never: Annotated[
        str | None,
        typer.Option(
            metavar="FORMULA",
            help="States not to be entered while asking, e.g. '(exists (?d - door) (open ?d))'. No step is "
            "taken that might lead there; with --start visited or reset.",
        ),
    ] = None,
    interest: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FACT",
            help="For a player: find out only what changes this fact, for example escaped; repeatable.",
        ),
    ] = None,
    samples: SamplesOption = None,
    precision: PrecisionOption = None,
    confidence: ConfidenceOption = CONFIDENCE,
    refusals: RefusalsOption = None,
    workers: WorkersOption = 1,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Interrogate an agent and write its model, with the evidence for every literal.

    Example: [bold]assay run pddl:domain.pddl,problem.pddl --out results/mine[/bold], with files of your own

    Exit codes: 0 every action has reached the strength asked for; 3 the budget or the time for a question ran
    out, it was interrupted, or something stayed open, and a partial result was written; 4 one situation was
    answered twice differently: the actions concerned are named, all others are learned; 2 bad usage, bad
    input, or an agent that broke down: it died, gave an answer that is none, or never said hello. What was
    learned before an agent died is kept.
    """
    from assay.core.reach import is_low_level
    from assay.session import assess
    from assay.store.place import new_folder

    with errors(json), _closing(_open(agent, timeout, seed)) as opened:
        if never is not None and not never.strip():
            raise InputError("--never: a formula is wanted, not nothing")
        plans = {
            "--max-plan": max_plan,
            "--equality": equality,
            "--traces": traces,
            "--never": never,
            "--planner": planner != BUILTIN,
        }
        chance = {
            "--samples": samples,
            "--precision": precision,
            "--confidence": confidence != CONFIDENCE,
            "--refusals": refusals,
            "--workers": workers > 1,
        }
        if is_low_level(opened):
            given = {"--strategy": strategy, "--start": start, "--own-objects": own_objects, **plans}
            _refuse(given, "this agent presses keys, there are no plans to ask about")
            _refuse(chance, "only for agents with chance, and this one presses keys")
            from assay.cli.capabilities import run_study

            run_study(opened, agent, out, seed, budget, interest or [], timeout, quiet or json, json)
        _refuse({"--interest": interest}, "only for agents that press keys")
        folder = out or new_folder(opened.vocabulary.name)
        if with_chance(opened, strategy):
            _refuse({"--budget": budget, **plans}, "not for agents with chance")
            wishes = Wishes(samples, precision, confidence, refusals, workers)
            run_chance(
                agent, opened, folder, wishes, strategy, start, seed, timeout, own_objects, quiet, json
            )
        _refuse(chance, "only for agents with chance")
        if opened.stochastic:
            typer.echo(
                "assay: this agent says that it acts by chance; --strategy sampling learns it", err=True
            )
        with resumable(folder), _progress(folder, quiet or json or agent.startswith(HUMAN)) as progress:
            result = assess(
                opened,
                strategy=strategy,
                strength=strength,
                seed=seed,
                budget=budget,
                audit=audit,
                recheck=recheck,
                max_plan=max_plan,
                timeout=timeout,
                equality=equality,
                start=start,
                new_objects=False if own_objects else None,
                planner=planner,
                traces=traces,
                never=never or "",
                out=folder,
                spec=agent,
                progress=progress,
            )
        _finish(result, folder, json)


def _refuse(given: Mapping[str, object], why: str) -> None:
    """`InputError` that names the options given that this agent has no use for."""
    if unfit := [name for name, value in given.items() if value]:
        raise InputError(f"{', '.join(unfit)}: {why}")


def resume(
    folder: FolderArgument,
    agent: AgentOption = None,
    trust: TrustOption = False,
    budget: Annotated[
        int | None,
        typer.Option(help="Stop after this many questions in all.", show_default="as before", min=0),
    ] = None,
    strength: Annotated[
        int | None, typer.Option(help="Go on to this strength.", show_default="as before", min=0, max=3)
    ] = None,
    audit: Annotated[
        int | None, typer.Option(help="Random situations to try at the end.", show_default="as before", min=0)
    ] = None,
    recheck: Annotated[
        float | None,
        typer.Option(help="The share of answers to ask again.", show_default="as before", min=0, max=1),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(help=TIMEOUT, show_default="as before", min=0.001),
    ] = None,
    samples: SamplesOption = None,
    workers: WorkersOption = 1,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Go on with a run that was cut off; no question in the journal is asked again.

    But an agent that can be put only where it has been is first led there, by the questions in the journal.
    """
    from assay.session import resume as go_on
    from assay.store.folder import JOURNAL, read_options
    from assay.store.journal import read_setting

    with errors(json):
        options = read_options(folder)
        agent = agent_of(options, agent, trust)
        chance = {"--samples": samples, "--workers": workers > 1}
        if options.get("kind") == "capabilities":
            _refuse(chance, "only for agents with chance, and this one presses keys")
            from assay.cli.capabilities import resume_study

            resume_study(folder, options, agent, budget, timeout, quiet or json, json)
        if read_setting(folder / JOURNAL).aims is not None:
            _refuse({"--budget": budget}, "not for agents with chance; --samples says how much may be spent")
            resume_chance(folder, options, _open, agent, samples, timeout, workers, quiet, json)
        _refuse(chance, "only for agents with chance")
        limit = timeout if timeout is not None else options["timeout"]
        spec = agent
        seed = read_setting(folder / JOURNAL).seed
        with _closing(_open(spec, limit, seed)) as opened:
            with resumable(folder), _progress(folder, quiet or json or spec.startswith(HUMAN)) as progress:
                result = go_on(
                    folder,
                    opened,
                    strength=strength,
                    audit=audit,
                    recheck=recheck,
                    budget=budget if budget is not None else options["budget"],
                    timeout=limit,
                    progress=progress,
                )
            _finish(result, folder, json)


def _finish(result: Result, folder: Path, json: bool) -> None:
    """Say how a run ended and leave with the code that says so."""
    from assay.result import Outcome

    if json:
        print_json(result.summary() | {"folder": str(folder)})
    else:
        from assay.cli.console import show_result

        show_result(result, folder)
    if result.outcome is Outcome.BUDGET:
        tell_how_to_go_on(folder, result.questions)
    if result.outcome is Outcome.CONTRADICTION:
        raise typer.Exit(CONTRADICTORY)
    raise typer.Exit(OK if result.complete else PARTIAL)


def verify(
    folder: FolderArgument,
    strength: Annotated[
        int | None,
        typer.Option(help="Ask for this strength, whatever is claimed.", min=0, max=3),
    ] = None,
    replay: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Also ask the journaled questions again and compare.")
    ] = None,
    others: Annotated[
        bool, typer.Option("--others", help="Also count how other objects were varied; takes longer.")
    ] = False,
    share: Annotated[
        float, typer.Option(help="The share of the questions that --replay asks, drawn by chance.", max=1.0)
    ] = 1.0,
    seed: SeedOption = 0,
    timeout: TimeoutOption = 60.0,
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Recount from the journal alone what the result claims, independently of how it was learned.

    Prints for every action how many of the patterns of its strength are covered, and says what the strength
    rules out and what it does not. For an agent that presses keys: whether its capabilities cover every change
    in the journal, and promise no refusal.
    Exit code 0 only if every claim holds; 3 if one does not or a file is not as it was written; 2 if there is
    nothing to go by: the journal is missing, damaged or was edited.
    """
    from assay.proof.capabilities import is_capabilities
    from assay.proof.chance import is_chance
    from assay.proof.recount.folder import verify_folder
    from assay.proof.recount.report import as_dict
    from assay.retold import retold_problems
    from assay.store.seal import seal_problems

    with errors(json):
        if (is_capabilities(folder) or is_chance(folder)) and (broken := [*seal_problems(folder, key)]):
            raise InputError(" ".join(broken))
        if is_capabilities(folder):
            _refuse({"--replay": replay}, "the states of an agent that presses keys are its own")
            from assay.cli.capabilities import verify_study

            verify_study(folder, json)
        if is_chance(folder):
            verify_chance_folder(folder, replay, _open, timeout, json)
        verdict = verify_folder(folder, strength, others)
        further = [*retold_problems(folder), *seal_problems(folder, key)]
        verdict = replace(verdict, problems=tuple(dict.fromkeys((*verdict.problems, *further))))
        differing = _replayed(folder, replay, timeout, share, seed) if replay is not None else None
        if json:
            print_json(as_dict(verdict) | {"replay_differs": differing})
        else:
            from assay.cli.verdict import show_verdict

            show_verdict(verdict, differing)
        raise typer.Exit(OK if verdict.holds and not differing else PARTIAL)


def _replayed(folder: Path, spec: str, timeout: float | None, share: float, seed: int) -> tuple[int, ...]:
    """The entries, of a share drawn by chance, that the agent now answers differently."""
    from assay.agents.guard import Guard
    from assay.proof.replay import chosen, replay
    from assay.store.folder import JOURNAL
    from assay.store.journal import read

    record = read(folder / JOURNAL, apart=True)
    with _closing(_plans(_open(spec, timeout, record.setting.seed), spec)) as opened:
        if opened.vocabulary != record.setting.profile.vocabulary:
            raise InputError("this agent's vocabulary is not the one the journal was begun with")
        return replay(Guard(opened, timeout), chosen(record.entries, share, random.Random(seed)))


def check(
    agent: AgentArgument,
    questions: Annotated[
        int, typer.Option(help="How many plans to try; others follow each, whose answers must agree.", min=1)
    ] = 40,
    seed: SeedOption = 0,
    timeout: TimeoutOption = 60.0,
    json: JsonOption = False,
) -> None:
    """Test an adapter: does the agent answer as an agent must? Says in words what is wrong.

    Exit code 0 if nothing is, else 2.
    """
    from assay.testing import check_agent

    with errors(json), _closing(_open(agent, timeout, seed)) as opened:
        complaints = check_agent(_plans(opened, agent), seed=seed, questions=questions)
        if json:
            print_json({"ok": not complaints, "complaints": [str(c) for c in complaints]})
        elif complaints:
            for complaint in complaints:
                typer.echo(f"- {complaint}")
        else:
            typer.echo("No complaints: the agent answers as an agent must.")
        raise typer.Exit(BAD if complaints else OK)


def serve_agent(
    agent: AgentArgument,
    host: Annotated[
        str, typer.Option(help="Address to listen on; loopback unless you say otherwise.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 picks a free one.", min=0, max=65535)] = 0,
    seed: SeedOption = 0,
    timeout: TimeoutOption = 60.0,
) -> None:
    """Put any agent behind an HTTP address, for `assay run http://...` elsewhere."""
    from assay.agents.http import serve
    from assay.agents.renewed import endable

    with errors(False), _closing(_open(agent, timeout, seed)) as opened:
        server = serve(endable(_plans(opened, agent), agent, seed, timeout), host, port)
        typer.echo(f"serving {agent} at {server.url} (stop with Ctrl-C)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            server.shutdown()


def _open(spec: str, timeout: float | None, seed: int) -> Any:
    from assay.agents.open import open_any

    return open_person(spec) if spec.startswith(HUMAN) else open_any(spec, timeout=timeout, seed=seed)


def _plans(opened: Any, spec: str) -> Any:
    """The agent, if it answers questions about plans."""
    from assay.core.reach import is_low_level

    if is_low_level(opened):
        raise InputError(
            f"{spec} presses keys and answers no questions about plans; 'assay run' describes it"
        )
    return opened


@contextmanager
def _closing(agent: Any) -> Iterator[Any]:
    try:
        yield agent
    finally:
        if hasattr(agent, "close"):
            agent.close()


@contextmanager
def _progress(folder: Path, quiet: bool) -> Iterator[Any]:
    if quiet:
        yield None
        return
    from assay.cli.console import live_progress

    with live_progress(folder) as progress:
        yield progress
