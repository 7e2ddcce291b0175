"""The replay of BabyAI's bot as a table, and its mistakes in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.table import Table

from assay.bench.babyai import Mistake, Replay, Row

CAPTION = """\
refused: the bot itself raised or gave up; misplaced: refused because things are not where the instruction \
says. executability right: carried out or refused, as predicted; effects right: of those carried out, all \
facts afterwards as predicted. The situations are in other worlds than the one it was learned in."""

REASONS = {
    Mistake.REFUSED: "the bot gave up on what the vocabulary cannot tell from something that it can do.",
    Mistake.CARRIED_OUT: "the bot did what the vocabulary cannot tell from something that it gives up on.",
    Mistake.MOVED: "the bot clears its way: what it cannot walk around it picks up and drops somewhere near.",
    Mistake.EFFECT: "where the bot and things end depends on where exactly they were, not only on the room.",
}
"""What is behind each kind of mistake."""


def replay_table(found: Replay, learned: Mapping[str, Any]) -> Table:
    asked = f"learned in {learned['questions']} questions and {learned['steps']} instructions"
    table = Table(
        title=f"BabyAI's bot, {asked}: {_percent(found.total.right, found.total.situations)} as predicted",
        caption=CAPTION,
        box=box.SIMPLE,
        caption_justify="left",
        title_style="bold",
    )
    table.add_column("capability")
    for name in (
        *("situations", "refused", "misplaced", "carried out"),
        *("executability right", "effects right", "wrong"),
    ):
        table.add_column(name, justify="right")
    for row in found.rows:
        table.add_row(*_cells(row))
    table.add_section()
    table.add_row(*_cells(found.total))
    return table


def notes(found: Replay) -> list[str]:
    """What the bot refused with, and the mistakes, kind by kind: how often, why, and the first of them."""
    lines = [f"{count} refusals: {reason}" for reason, count in found.refusals.items()]
    for kind in Mistake:
        cases = [w for w in found.wrong if w.mistake is kind]
        if cases:
            first = cases[0]
            lines.append(
                f"{len(cases)} x {kind}: {REASONS[kind]} For example, situation {first.situation}, "
                f"{first.instruction}: predicted {_told(first.predicted)}; happened {_told(first.happened)}."
            )
    return lines


def _cells(row: Row) -> list[str]:
    return [
        row.capability,
        *map(str, (row.situations, row.refused, row.misplaced, row.carried_out)),
        _percent(row.executability_right, row.situations),
        _percent(row.effects_right, row.carried_out),
        str(row.situations - row.right),
    ]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def _told(changes: list[str]) -> str:
    return " ".join(changes) or "nothing changed"
