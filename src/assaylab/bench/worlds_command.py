"""`assay bench worlds`."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.cli.bench.presentation import RESULTS, JsonOption, OutOption, SeedOption, finish, tracked
from assay.cli.conventions import errors


def add_commands(app: typer.Typer) -> None:
    app.command()(worlds)


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
