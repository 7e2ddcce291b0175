"""The command line: arguments become wiring. The only place that prints or exits.

Exit codes: 0 complete, 2 bad usage, bad input or a broken agent, 3 the budget or the time ran out or slots
stayed open (a partial result is written), 4 the answers contradict every model of the class.

Heavy parts are imported inside the commands, so that `assay --help` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.bench.command import bench_app
from assay.errors import AgentError, AgentTimeout, AssayError

if TYPE_CHECKING:
    from assay.assessment import Result

OK, BAD, PARTIAL, CONTRADICTORY = 0, 2, 3, 4

AGENTS = """\
pddl:DOMAIN.pddl[,PROBLEM.pddl]   an agent that executes that model (you get only its vocabulary)\n
python:package.module:factory     your own object with `vocabulary` and `ask`\n
exec:COMMAND                      another process, JSON lines on stdin and stdout\n
http://HOST:PORT                  the same JSON over HTTP (see `assay serve-agent`)
"""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="Find out what a black-box agent can and cannot do by asking it the right questions.",
)
app.add_typer(bench_app, name="bench")

AgentArgument = Annotated[str, typer.Argument(metavar="AGENT", help=AGENTS, show_default=False)]
FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="A result folder.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")]
TimeoutOption = Annotated[
    float | None, typer.Option(help="Seconds the agent may take for one question.", min=0.001)
]
BudgetOption = Annotated[int | None, typer.Option(help="Stop after this many questions.", min=0)]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same questions, byte for byte.")]


@app.command()
def run(
    agent: AgentArgument,
    out: Annotated[
        Path | None, typer.Option(help="Where to keep the result.", show_default="results/NAME")
    ] = None,
    strategy: Annotated[
        str, typer.Option(help="chain (fewest questions), aia (as published) or naive (every state).")
    ] = "chain",
    start: Annotated[
        str | None,
        typer.Option(
            help="States a question may start from: any, visited or reset.", show_default="the agent's"
        ),
    ] = None,
    seed: SeedOption = 0,
    budget: BudgetOption = None,
    max_plan: Annotated[int | None, typer.Option(help="Longest plan in one question.", min=1)] = None,
    timeout: TimeoutOption = 60.0,
    planner: Annotated[
        str, typer.Option(help="Planner of the aia strategy: builtin or fast-downward.")
    ] = "builtin",
    equality: Annotated[
        bool, typer.Option("--equality", help="Also learn which parameters must be different objects.")
    ] = False,
    own_objects: Annotated[
        bool, typer.Option("--own-objects", help="Ask only about the agent's own objects, never new ones.")
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Interrogate an agent and write its model, with the evidence for every literal.

    Example: [bold]assay run pddl:domain.pddl,problem.pddl --out results/mine[/bold]
    """
    from assay.agents.open import open_agent
    from assay.assessment import assess

    with _errors(json), _closing(open_agent(agent, timeout=timeout, seed=seed)) as opened:
        folder = out or _new_folder(opened.vocabulary.name)
        with _progress(folder, quiet or json) as progress:
            result = assess(
                opened,
                strategy=strategy,
                seed=seed,
                budget=budget,
                max_plan=max_plan,
                timeout=timeout,
                equality=equality,
                start=start,
                new_objects=False if own_objects else None,
                planner=planner,
                out=folder,
                spec=agent,
                progress=progress,
            )
        _finish(result, folder, json)


@app.command()
def resume(
    folder: FolderArgument,
    agent: Annotated[
        str | None, typer.Option(help="The agent, if it is to be opened differently from before.")
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(help="Stop after this many questions in all.", show_default="as before", min=0),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            help="Seconds the agent may take for one question.", show_default="as before", min=0.001
        ),
    ] = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Go on with a run that was cut off; no question in the journal is asked again."""
    from assay.agents.open import open_agent
    from assay.assessment import resume as go_on
    from assay.store.folder import JOURNAL, read_options
    from assay.store.journal import read_setting

    with _errors(json):
        options = read_options(folder)
        limit = timeout if timeout is not None else options["timeout"]
        spec = agent or options["agent"]
        seed = read_setting(folder / JOURNAL).seed
        with _closing(open_agent(spec, timeout=limit, seed=seed)) as opened:
            with _progress(folder, quiet or json) as progress:
                result = go_on(
                    folder,
                    opened,
                    budget=budget if budget is not None else options["budget"],
                    timeout=limit,
                    progress=progress,
                )
            _finish(result, folder, json)


def _finish(result: Result, folder: Path, json: bool) -> None:
    """Say how a run ended and leave with the code that says so."""
    from assay.assessment import Outcome

    if json:
        _print_json(result.summary() | {"folder": str(folder)})
    else:
        from assay.console import show_result

        show_result(result, folder)
    if result.outcome is Outcome.CONTRADICTION:
        raise typer.Exit(CONTRADICTORY)
    raise typer.Exit(OK if result.complete else PARTIAL)


@app.command()
def verify(
    folder: FolderArgument,
    replay: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Also ask the journaled questions again and compare.")
    ] = None,
    timeout: TimeoutOption = 60.0,
    json: JsonOption = False,
) -> None:
    """Re-derive every literal from the journal, independently of how it was learned.

    Exit code 0 only if the model is the only one, up to equivalence, that gives all the answers.
    """
    from assay.agents.guard import Guard
    from assay.agents.open import open_agent
    from assay.proof.folder import verify_folder
    from assay.proof.replay import replay as ask_again
    from assay.store.folder import JOURNAL
    from assay.store.journal import read

    with _errors(json):
        verdict = verify_folder(folder)
        differing: tuple[int, ...] | None = None
        if replay is not None:
            record = read(folder / JOURNAL)
            with _closing(open_agent(replay, timeout=timeout, seed=record.setting.seed)) as opened:
                differing = ask_again(Guard(opened, timeout), record.entries)
        good = verdict.proved and not differing
        if json:
            _print_json({"proved": verdict.proved, "problems": verdict.problems, "replay_differs": differing})
        else:
            from assay.console import show_verdict

            show_verdict(verdict, differing)
        raise typer.Exit(OK if good else PARTIAL)


@app.command()
def check(
    agent: AgentArgument,
    questions: Annotated[int, typer.Option(help="How many questions to spend.", min=1)] = 40,
    seed: SeedOption = 0,
    timeout: TimeoutOption = 60.0,
    json: JsonOption = False,
) -> None:
    """Test an adapter: does the agent answer as an agent must? Says in words what is wrong."""
    from assay.agents.open import open_agent
    from assay.testing import check_agent

    with _errors(json), _closing(open_agent(agent, timeout=timeout, seed=seed)) as opened:
        complaints = check_agent(opened, seed=seed, questions=questions)
        if json:
            _print_json({"ok": not complaints, "complaints": [str(c) for c in complaints]})
        elif complaints:
            for complaint in complaints:
                typer.echo(f"- {complaint}")
        else:
            typer.echo("No complaints: the agent answers as an agent must.")
        raise typer.Exit(BAD if complaints else OK)


@app.command("serve-agent")
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
    from assay.agents.open import open_agent

    with _errors(False), _closing(open_agent(agent, timeout=timeout, seed=seed)) as opened:
        server = serve(opened, host, port)
        typer.echo(f"serving {agent} at {server.url} (stop with Ctrl-C)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            server.shutdown()


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"assay {installed('assay')}")
        raise typer.Exit


@contextmanager
def _errors(json: bool) -> Iterator[None]:
    """Errors in words on stderr, and the exit code that belongs to them."""
    try:
        yield
    except AssayError as error:
        if json:
            _print_json({"error": str(error), "kind": type(error).__name__})
        typer.echo(f"assay: {error}", err=True)
        if isinstance(error, AgentError) and getattr(error, "result", None) is not None:
            typer.echo(
                "assay: everything learned so far is kept; 'assay resume' goes on from there", err=True
            )
        raise typer.Exit(PARTIAL if isinstance(error, AgentTimeout) else BAD) from error
    except KeyboardInterrupt:
        typer.echo("assay: interrupted; 'assay resume' goes on from there", err=True)
        raise typer.Exit(PARTIAL) from None


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
    from assay.console import live_progress

    with live_progress(folder) as progress:
        yield progress


def _new_folder(name: str) -> Path:
    """A folder that does not exist yet, named after what is assessed."""
    base = Path("results") / name
    number, path = 1, base
    while path.exists():
        number += 1
        path = base.with_name(f"{name}-{number}")
    return path


def _print_json(data: Any) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")


def main() -> None:
    app()
