"""`assay bench worlds` and `assay bench simulator`."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.cli.bench.presentation import RESULTS, JsonOption, OutOption, SeedOption, finish, tracked
from assay.cli.conventions import errors

DOOR_KEY = "minigrid:MiniGrid-DoorKey-5x5-v0"


def add_commands(app: typer.Typer) -> None:
    for command in (worlds, simulator):
        app.command()(command)


def worlds(
    names: Annotated[
        str,
        typer.Option("--worlds", help="Worlds, separated by blanks.", show_default="nine well-known ones"),
    ] = "",
    strength: Annotated[int, typer.Option(help="Strength to reach.", min=0, max=3)] = 2,
    budget: Annotated[int, typer.Option(help="Questions after which a run is stopped.", min=1)] = 1000,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Simulators that many know, acted in; judged by pressing every key in every state within reach.

    Example: [bold]assay bench worlds --worlds "gym:FrozenLake-v1,map_name=8x8 gym:Taxi-v4,seed=3"[/bold]
    """
    from rich.table import Table

    from assaylab.bench.worlds import WORLDS, measure

    with errors():
        chosen = names.split() or list(WORLDS)
        rows = [measure(world, strength, seed, budget) for world in tracked(chosen, "worlds", str)]
        columns = ("questions", "steps", "s ours", "s agent", "strength", "states", "presses", "right")
        table = Table("world", "outcome", *columns, title="Worlds, judged in the bare environment")
        for row in rows:
            judged = row.agreement
            right = "all" if judged.right else f"[bold red]{judged.wrong} WRONG[/bold red]"
            table.add_row(
                row.world,
                row.outcome,
                str(row.questions),
                str(row.steps),
                f"{row.seconds:.1f}",
                f"{row.agent_seconds:.1f}",
                "none" if row.strength is None else str(row.strength),
                str(judged.states),
                f"{judged.transitions:,}" + ("" if judged.whole else ", not all"),
                right,
            )
        notes = [f"{row.world}: {row.agreement.first}" for row in rows if not row.agreement.right]
        finish("worlds", {"benchmark": "worlds", "seed": seed, "rows": rows}, [table], out, json, notes)


def simulator(
    world: Annotated[str, typer.Option(help="A world, as for `assay run`.")] = DOOR_KEY,
    steps: Annotated[int, typer.Option(help="Steps to take.", min=1)] = 300,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """What assay adds to each step of a simulator, beside the bare environment.

    Example: [bold]assay bench simulator --world gym:Taxi-v4[/bold]
    """
    from rich.table import Table

    from assaylab.bench.overhead import measure

    with errors():
        found = measure(world, steps, seed)
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
        data = {"benchmark": "simulator", "world": found.world, "steps": found.steps}
        finish("simulator", data | {"atoms": found.atoms, "microseconds": rows}, [table], out, json)
