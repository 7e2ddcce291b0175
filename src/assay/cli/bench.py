"""`assay bench`: measure, print a table, keep the numbers as JSON.

What is measured is computed by the modules beside this one; here it is only laid out. Times are those of the
machine it runs on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from assay.cli.conventions import errors
from assay.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from assay.bench.accuracy import Curve

bench_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Measure assay: questions, accuracy on the way, growth, causes, acting only.",
)

WIDE = 172
"""Columns of a table where there is no terminal to ask."""

OutOption = Annotated[Path, typer.Option(help="Folder for the JSON (and SVG) files.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the JSON instead of the tables.")]
SeedOption = Annotated[int, typer.Option(help="Seed of problems, agents and strategies.")]
SizeOption = Annotated[int, typer.Option(help="Size of the problem, from 1 to 10.", min=1, max=10)]
T = TypeVar("T")
RESULTS = Path("results/bench")


@bench_app.command()
def questions(
    domains: Annotated[
        str, typer.Option(help="Domains, separated by commas.", show_default="all that are bundled")
    ] = "",
    strategies: Annotated[
        str,
        typer.Option(
            help="Which: chain, chain-own (the problem's own objects only), aia, naive (where feasible)."
        ),
    ] = "chain,chain-own,aia,naive",
    problems: Annotated[
        int, typer.Option(help="Problems of growing size per domain for the spread of chain.", min=0, max=10)
    ] = 10,
    size: SizeOption = 3,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How many questions each strategy needs per domain, beside the published figures.

    Example: [bold]assay bench questions --domains gripper,freecell --problems 3[/bold]
    """
    from assay.bench.problems import DOMAINS, EXTRA
    from assay.bench.questions import measure, totals
    from assay.bench.tables import price_table, questions_table, spread_table

    with errors():
        names, methods = _listed(domains) or [*DOMAINS, *EXTRA], _listed(strategies)
        rows = [
            measure(name, size=size, seed=seed, methods=methods, problems=problems)
            for name in _tracked(names, "questions", str)
        ]
        total = totals(rows)
        data = {
            "benchmark": "questions",
            "size": size,
            "seed": seed,
            "rows": rows,
            "totals": total,
        }
        tables = [questions_table(rows, methods, total), price_table(rows, methods)]
        if any(r.spread for r in rows):
            tables.append(spread_table(rows))
        _finish("questions", data, tables, out, json)


@bench_app.command()
def accuracy(
    domains: Annotated[
        str, typer.Option(help="Domains, separated by commas.", show_default="the ten of AIA-21 Table 1")
    ] = "",
    strategies: Annotated[str, typer.Option(help="Which to run: chain, aia.")] = "chain,aia",
    traces: Annotated[
        int, typer.Option(help="Random traces for the learner from observations; 0 leaves it out.", min=0)
    ] = 200,
    size: SizeOption = 3,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How fast the model becomes right, after each question (AIA-21 Fig. 4), as table and plot.

    Beside the strategies that ask: OffLAM, which watches random traces of three steps. It comes with
    [bold]pip install 'assay\\[bench]'[/bold]; without it the others are measured all the same.
    """
    from assay.bench.accuracy import charts, interrogation_curve, observation_curve
    from assay.bench.observational import LEARNER, check_installed
    from assay.bench.plot import draw
    from assay.bench.problems import DOMAINS
    from assay.bench.tables import accuracy_table

    with errors():
        names, learners, notes = _listed(domains) or list(DOMAINS), _listed(strategies), []
        if traces:
            try:
                check_installed()
                learners.append(LEARNER)
            except InputError as error:
                notes.append(f"{LEARNER} is left out: {error}")
        curves: list[Curve] = []
        jobs = [(name, learner) for name in names for learner in learners]
        for name, learner in _tracked(jobs, "accuracy", " ".join):
            try:
                curves.append(
                    observation_curve(name, size, seed, traces)
                    if learner == LEARNER
                    else interrogation_curve(name, learner, size, seed)
                )
            except InputError as error:
                if learner != LEARNER:
                    raise
                notes.append(f"{name}: {error}")
        data = {
            "benchmark": "accuracy",
            "size": size,
            "seed": seed,
            "notes": notes,
            "curves": [
                {
                    "domain": c.domain,
                    "learner": c.learner,
                    "perfect_after": c.perfect_after,
                    "note": c.note,
                    "points": c.points,
                }
                for c in curves
            ],
        }
        out.mkdir(parents=True, exist_ok=True)
        (out / "accuracy.svg").write_text(draw(charts(curves)), encoding="utf-8")
        _finish("accuracy", data, [accuracy_table(curves)], out, json, notes)


@bench_app.command()
def growth(
    atoms: Annotated[str, typer.Option(help="Lifted atoms per action.")] = "10,100,1000",
    actions: Annotated[str, typer.Option(help="Numbers of actions.")] = "1,10,100",
    max_plan: Annotated[
        int, typer.Option(help="Plan length of the second half of the table; 0 leaves it out.", min=0)
    ] = 16,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How questions, steps and time grow with the vocabulary and the number of actions (synthetic models).

    The largest size takes minutes; leave it out with [bold]--actions 1,10[/bold].
    """
    from assay.bench.growth import measure
    from assay.bench.tables import growth_table

    with errors():
        lengths = [None, max_plan] if max_plan else [None]
        jobs = [(n, a, m) for m in lengths for n in _numbers(atoms) for a in _numbers(actions)]
        rows = [
            measure(n, a, max_plan=m, seed=seed)
            for n, a, m in _tracked(jobs, "growth", lambda job: f"{job[0]} atoms x {job[1]} actions")
        ]
        _finish(
            "growth", {"benchmark": "growth", "seed": seed, "rows": rows}, [growth_table(rows)], out, json
        )


@bench_app.command()
def causes(out: OutOption = RESULTS, json: JsonOption = False) -> None:
    """How fast the actual causes of a fact are found, for plans and worlds of growing size."""
    from assay.bench.causes import measure
    from assay.bench.tables import causes_table

    with errors():
        rows = measure()
        _finish("causes", {"benchmark": "causes", "rows": rows}, [causes_table(rows)], out, json)


@bench_app.command()
def simulator(
    vocabulary: Annotated[Path, typer.Option(help="A vocabulary file for a Gymnasium environment.")] = Path(
        "examples/minigrid/door_key.py"
    ),
    steps: Annotated[int, typer.Option(help="Steps to take.", min=1)] = 300,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """What assay adds to each step of a simulator, beside the bare environment.

    Example: [bold]assay bench simulator --vocabulary examples/minigrid/door_key.py[/bold]
    """
    from rich.table import Table

    from assay.bench.simulator import measure

    with errors():
        found = measure(vocabulary, steps, seed)
        rows = {
            "bare environment": found.bare,
            "through assay, states known": found.known,
            "through assay, states new (snapshots)": found.new,
            "overhead, states known": found.overhead,
            "one refusal, taken back and checked": found.refusal,
        }
        table = Table(
            "", "microseconds", "per second", title=f"{found.steps} steps, {found.atoms} atoms each"
        )
        for label, cost in rows.items():
            table.add_row(label, f"{cost:.0f}", f"{1e6 / cost:.0f}" if cost > 0 else "")
        data = {"benchmark": "simulator", "vocabulary": found.vocabulary, "steps": found.steps}
        _finish("simulator", data | {"atoms": found.atoms, "microseconds": rows}, [table], out, json)


@bench_app.command()
def babyai(
    level: Annotated[str, typer.Option(help="A level: vault, or one that MiniGrid registers.")] = "vault",
    situations: Annotated[int, typer.Option(help="Random situations to replay.", min=1)] = 500,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Whether what was learned about BabyAI's bot comes true in random situations; about a minute.

    MiniGrid comes with [bold]pip install 'assay\\[gym]'[/bold].
    """
    with errors():
        from assay.bench.babyai import learn, replay
        from assay.bench.babyai_table import notes, replay_table

        result = learn(level, seed)
        found = replay(result.model, level, situations, seed)
        learned = {key: result.summary()[key] for key in ("outcome", "questions", "steps", "seconds")}
        learned["model"] = result.to_pddl()
        data = {"benchmark": "babyai", "level": level, "seed": seed, "learned": learned, "replay": found}
        _finish("babyai", data, [replay_table(found, learned)], out, json, notes(found))


@bench_app.command()
def acting(
    domains: Annotated[
        str, typer.Option(help="Domains of the peers' benchmark, separated by commas.", show_default="all 21")
    ] = "",
    learners: Annotated[
        str, typer.Option(help="Peers' learners to run beside ours; empty for none.")
    ] = "OLAM,OffLAM,SAM,NOLAM,ROSAME",
    peers: Annotated[Path, typer.Option(help="The peers' environment (a virtual environment).")] = Path(
        ".venv-peers"
    ),
    limit: Annotated[float, typer.Option(help="Seconds for one run of a peer.", min=1)] = 600,
    prices: Annotated[bool, typer.Option(help="Also what acting only costs on the bundled domains.")] = True,
    size: SizeOption = 3,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Acting only: the peers' own benchmark (amlgym), and the price of not being able to set states.

    [bold]make bench-acting[/bold] sets up what it needs. What peers learned is kept under the folder for
    results and not learned again; [bold]--learners ''[/bold] measures ours alone.
    """
    from assay.bench.acting import compare, means, price
    from assay.bench.acting_tables import (
        disagreements,
        failures,
        other_table,
        price_of_acting_table,
        reasons,
        syntax_table,
    )
    from assay.bench.peers import LEARNERS, Peers
    from assay.bench.peers_files import PROBLEMS, instance
    from assay.bench.problems import DOMAINS

    with errors():
        names, others = _listed(domains) or list(PROBLEMS), _listed(learners)
        if unknown := [name for name in others if name not in LEARNERS]:
            raise InputError(f"unknown learner {unknown[0]!r}; there are {', '.join(LEARNERS)}")
        instances = [instance(name) for name in names]
        colleagues = Peers(peers, out / "acting-peers", limit) if others else None
        rows = [
            compare(each, colleagues, others, seed=seed)
            for each in _tracked(instances, "acting", lambda i: i.domain)
        ]
        averages = means(rows, others)
        costs = [
            price(name, size=size, seed=seed)
            for name in _tracked(DOMAINS if prices else (), "price of acting", str)
        ]
        data = {
            "benchmark": "acting",
            "size": size,
            "seed": seed,
            "rows": rows,
            "means": averages,
            "prices": costs,
        }
        tables = [syntax_table(rows, others, averages)]
        if others:
            tables.append(other_table(rows, others))
        if costs:
            tables.append(price_of_acting_table(costs))
        _finish("acting", data, tables, out, json, [*reasons(rows), *disagreements(rows), *failures(rows)])


@bench_app.command()
def pddlgym(
    environments: Annotated[
        str, typer.Option(help="Environments, separated by commas.", show_default="all that are installed")
    ] = "",
    steps: Annotated[int, typer.Option(help="Steps of the random walk in each.", min=1)] = 30,
    seconds: Annotated[float, typer.Option(help="Time for each, at most: PDDLGym is slow.", min=1)] = 30.0,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Whether our simulator and PDDLGym's own agree, environment by environment, on random walks.

    Example: [bold]assay bench pddlgym --environments doors,blocks,gripper[/bold]
    """
    from rich.table import Table

    from assay.agents.pddlgym import environments as installed
    from assay.bench.pddlgym import compare

    with errors():
        names = _listed(environments) or installed()
        rows = [compare(name, steps, seed, seconds) for name in _tracked(names, "pddlgym", str)]
        table = Table("environment", "steps", "refused", "verdict", title="Our simulator and PDDLGym's")
        for row in rows:
            verdict = row.refusal or row.disagreement or "both agree"
            table.add_row(row.environment, str(row.steps), str(row.refused), verdict)
        agreeing = sum(row.agrees for row in rows)
        notes = [
            f"{agreeing} of {len(rows)} run and agree; {sum(bool(r.disagreement) for r in rows)} disagree."
        ]
        data = {"benchmark": "pddlgym", "seed": seed, "agree": agreeing, "rows": rows}
        _finish("pddlgym", data, [table], out, json, notes)


NoiseOption = Annotated[float, typer.Option(help="Standard deviation of pixel noise, in grey levels.", min=0)]
LightOption = Annotated[float, typer.Option(help="Brightness from 1 - this to 1 + this.", min=0, max=0.9)]
ErrorOption = Annotated[float, typer.Option(help="Chance that an atom is misread.", min=0, max=0.2)]


@bench_app.command()
def perception(
    games: Annotated[str, typer.Option(help="Which: sokoban, doors.")] = "sokoban,doors",
    frames: Annotated[int, typer.Option(help="Random frames per game.", min=1)] = 1000,
    pixels: NoiseOption = 0.0,
    brightness: LightOption = 0.0,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Whether states are read off pictures as the simulator has them: a confusion table per predicate.

    Beside the numbers a picture of each game is kept. Example:
    [bold]assay bench perception --games doors --frames 200 --pixels 20 --brightness 0.3[/bold]
    """
    from rich.table import Table

    from assay.bench.perception import confusion, example
    from assay.perception.noise import Noise

    with errors():
        noise = Noise(pixels, brightness)
        found = [confusion(game, frames, noise, seed) for game in _tracked(_listed(games), "perception", str)]
        columns = ("true and seen", "true, not seen", "false, but seen", "false, not seen")
        tables = []
        for game in found:
            title = f"{game.game}: {game.frames} frames of {game.problems} problems, {game.unfit} refused"
            table = Table("predicate", *columns, title=title)
            for row in game.rows.values():
                counts = (row.seen, row.missed, row.imagined, row.absent)
                table.add_row(row.predicate, *map(str, counts))
            tables.append(table)
            out.mkdir(parents=True, exist_ok=True)
            (out / f"perception-{game.game}.png").write_bytes(example(game.game, noise, seed))
        data = {"benchmark": "perception", "seed": seed, "noise": noise, "games": found}
        _finish("perception", data, tables, out, json)


@bench_app.command()
def images(
    games: Annotated[str, typer.Option(help="Which: sokoban, doors.")] = "sokoban,doors",
    seeds: Annotated[int, typer.Option(help="Runs per game, on different problems.", min=1)] = 5,
    pixels: NoiseOption = 0.0,
    brightness: LightOption = 0.0,
    misread: ErrorOption = 0.0,
    start: Annotated[str, typer.Option(help="visited or reset.")] = "visited",
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Whether the right model is learned from pictures, in how many questions and repeated frames.

    Example: [bold]assay bench images --games doors --pixels 20 --brightness 0.3 --misread 0.02[/bold]
    """
    from rich.table import Table

    from assay.bench.images import PUBLISHED, measure, telling
    from assay.perception.noise import Noise

    with errors():
        noise = Noise(pixels, brightness, misread)
        jobs = [
            (problem, seed) for game in _listed(games) for seed, problem in enumerate(telling(game, seeds))
        ]
        rows = [
            measure(problem, noise, seed, start)
            for problem, seed in _tracked(jobs, "images", lambda job: f"{job[0]}, seed {job[1]}")
        ]
        columns = (
            "problem",
            "seed",
            "outcome",
            "right model",
            "questions",
            "published",
            "steps",
            "frames",
            "repeats",
        )
        table = Table(*columns, title=f"Learned from pictures: {noise}")
        for row in rows:
            right = f"yes ({row.compared} states)" if row.right else f"no: {row.difference}"
            counts = (row.questions, PUBLISHED[row.game], row.steps, row.frames, row.repeats)
            table.add_row(row.problem, str(row.seed), row.outcome, right, *map(str, counts))
        _finish("images", {"benchmark": "images", "rows": rows}, [table], out, json)


def _tracked(jobs: Sequence[T], title: str, label: Callable[[T], str]) -> Iterator[T]:
    """The jobs one by one, with a progress bar on stderr that names the one under way."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=len(jobs))
        for job in jobs:
            bar.update(task, description=f"{title}: {label(job)}")
            yield job
            bar.advance(task)


def _finish(
    name: str, data: dict[str, Any], tables: Sequence[Table], out: Path, json: bool, notes: Sequence[str] = ()
) -> None:
    """Keep the numbers, and show them."""
    import msgspec
    from rich.console import Console

    text = msgspec.json.format(msgspec.json.encode(data), indent=1).decode() + "\n"
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.json").write_text(text, encoding="utf-8")
    if json:
        typer.echo(text, nl=False)
        return
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDE)
    for table in tables:
        console.print(table)
        console.print()
    for note in notes:
        console.print(note, markup=False)
    console.print(f"Kept in {out}", markup=False, soft_wrap=True)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _numbers(text: str) -> list[int]:
    try:
        found = [int(part) for part in _listed(text)]
    except ValueError:
        raise InputError(f"{text!r} is not a list of numbers separated by commas") from None
    if not found or min(found) < 1:
        raise InputError(f"{text!r}: give numbers of 1 and more, separated by commas")
    return found
