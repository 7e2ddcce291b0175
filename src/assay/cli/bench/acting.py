"""Benchmarks of agents that live in simulators: acting only, bots, pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.bench.presentation import (
    RESULTS,
    STRONGEST,
    JsonOption,
    OutOption,
    SeedOption,
    SizeOption,
    finish,
    listed,
    tracked,
)
from assay.cli.conventions import errors
from assay.errors import InputError


def add_commands(app: typer.Typer) -> None:
    for command in (babyai, acting, pddlgym, perception, images):
        app.command()(command)


def babyai(
    level: Annotated[str, typer.Option(help="A level: vault, or one that MiniGrid registers.")] = "vault",
    situations: Annotated[int, typer.Option(help="Random situations to replay.", min=1)] = 500,
    strength: Annotated[int, typer.Option(help="Strength to reach.", min=0, max=STRONGEST)] = 2,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Whether what was learned about BabyAI's bot comes true in random situations.

    MiniGrid comes with the extra [bold]gym[/bold] (pip install -e '.\\[gym]').
    """
    with errors():
        from assay.bench.babyai import learn, replay
        from assay.bench.babyai_table import notes, replay_table

        result = learn(level, seed, strength=strength)
        found = replay(result.model, level, situations, seed)
        keys = ("outcome", "strength", "questions", "steps", "seconds")
        learned = {key: result.summary()[key] for key in keys}
        learned["model"] = result.to_pddl()
        data = {"benchmark": "babyai", "level": level, "seed": seed, "learned": learned, "replay": found}
        finish("babyai", data, [replay_table(found, learned)], out, json, notes(found))


def acting(
    domains: Annotated[
        str,
        typer.Option(
            help="Domains of the peers' benchmark, separated by commas, or none.", show_default="all 21"
        ),
    ] = "",
    learners: Annotated[
        str, typer.Option(help="Peers' learners to run beside ours; empty for none.")
    ] = "OLAM,OffLAM,SAM,NOLAM,ROSAME",
    peers: Annotated[Path, typer.Option(help="The peers' environment (a virtual environment).")] = Path(
        ".venv-peers"
    ),
    limit: Annotated[
        float, typer.Option(help="Seconds of processor time for one run of a peer.", min=1)
    ] = 600,
    prices: Annotated[bool, typer.Option(help="Also what acting only costs on the bundled domains.")] = True,
    strength: Annotated[int, typer.Option(help="Strength to reach.", min=0, max=STRONGEST)] = 2,
    most: Annotated[int, typer.Option(help="Questions after which a run of ours is stopped.")] = 1000,
    size: SizeOption = 3,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Acting only: the peers' own benchmark (amlgym), and the price of not being able to set states.

    [bold]make bench-acting[/bold] sets up what it needs. What peers learned is kept under the folder for
    results and not learned again; [bold]--learners ''[/bold] measures ours alone,
    [bold]--domains none[/bold] the price of acting alone.
    """
    from assay.bench.acting import compare, means, price
    from assay.bench.acting_tables import (
        disagreements,
        failures,
        judged_table,
        other_table,
        price_of_acting_table,
        reasons,
    )
    from assay.bench.peers import LEARNERS, Peers
    from assay.bench.peers_files import DOMAINS, instance
    from assay.bench.problems import DOMAINS as BUNDLED

    with errors():
        names, others = listed(domains) or list(DOMAINS), listed(learners)
        names = [] if names == ["none"] else names
        if unknown := [name for name in others if name not in LEARNERS]:
            raise InputError(f"unknown learner {unknown[0]!r}; there are {', '.join(LEARNERS)}")
        instances = [instance(name) for name in names]
        colleagues = Peers(peers, out / "acting-peers", limit) if others else None
        rows = [
            compare(each, colleagues, others, strength=strength, seed=seed, most=most)
            for each in tracked(instances, "acting", lambda i: i.domain)
        ]
        averages = means(rows, others)
        costs = [
            price(name, size=size, strength=strength, seed=seed, most=most)
            for name in tracked(BUNDLED if prices else (), "price of acting", str)
        ]
        data = {
            "benchmark": "acting",
            "size": size,
            "seed": seed,
            "strength": strength,
            "rows": rows,
            "means": averages,
            "most": most,
            "prices": costs,
        }
        tables = [judged_table(rows, others, averages)] if rows else []
        if rows and others:
            tables.append(other_table(rows, others))
        if costs:
            tables.append(price_of_acting_table(costs))
        finish("acting", data, tables, out, json, [*reasons(rows), *disagreements(rows), *failures(rows)])


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
        names = listed(environments) or installed()
        rows = [compare(name, steps, seed, seconds) for name in tracked(names, "pddlgym", str)]
        table = Table("environment", "steps", "refused", "verdict", title="Our simulator and PDDLGym's")
        for row in rows:
            verdict = row.refusal or row.disagreement or "both agree"
            table.add_row(row.environment, str(row.steps), str(row.refused), verdict)
        agreeing = sum(row.agrees for row in rows)
        notes = [
            f"{agreeing} of {len(rows)} run and agree; {sum(bool(r.disagreement) for r in rows)} disagree."
        ]
        data = {"benchmark": "pddlgym", "seed": seed, "agree": agreeing, "rows": rows}
        finish("pddlgym", data, [table], out, json, notes)


NoiseOption = Annotated[float, typer.Option(help="Standard deviation of pixel noise, in grey levels.", min=0)]
LightOption = Annotated[float, typer.Option(help="Brightness from 1 - this to 1 + this.", min=0, max=0.9)]
ErrorOption = Annotated[float, typer.Option(help="Chance that an atom is misread.", min=0, max=0.2)]


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
        found = [confusion(game, frames, noise, seed) for game in tracked(listed(games), "perception", str)]
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
        finish("perception", data, tables, out, json)


def images(
    games: Annotated[str, typer.Option(help="Which: sokoban, doors.")] = "sokoban,doors",
    seeds: Annotated[int, typer.Option(help="Runs per game, on different problems.", min=1)] = 5,
    pixels: NoiseOption = 0.0,
    brightness: LightOption = 0.0,
    misread: ErrorOption = 0.0,
    start: Annotated[str, typer.Option(help="visited or reset.")] = "visited",
    strength: Annotated[int, typer.Option(help="Strength to reach.", min=0, max=STRONGEST)] = 2,
    most: Annotated[int, typer.Option(help="Questions after which a run is stopped.")] = 1000,
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
            (problem, seed) for game in listed(games) for seed, problem in enumerate(telling(game, seeds))
        ]
        rows = [
            measure(problem, noise, seed, start, strength=strength, most=most)
            for problem, seed in tracked(jobs, "images", lambda job: f"{job[0]}, seed {job[1]}")
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
        finish("images", {"benchmark": "images", "rows": rows}, [table], out, json)
