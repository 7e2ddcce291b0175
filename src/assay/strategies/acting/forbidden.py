"""What is left open because the steps that would tell might have led into forbidden states."""

from __future__ import annotations

from collections.abc import Iterable

from assay.strategies.acting.board import Board
from assay.strategies.acting.readings import Reading


def note_forbidden(readings: Iterable[Reading], board: Board, all_else_tried: bool) -> None:
    """Note it in the dossiers; if it is proved that nothing else could tell more, that is all there is."""
    for reading in readings:
        dossier, needs, effects = reading.dossier, 0, 0
        if all_else_tried:
            needs = effects = -1
        for place in board.forbidden(reading):
            if (doubt := reading.doubt(place.valuation, place.shared)) is not None:
                needs |= doubt.needs if reading.ran else -1
                effects |= doubt.effects if reading.ran else -1
        if reading.ran:
            dossier.forbidden_needs = dossier.open_needs & needs
            dossier.forbidden_effects = dossier.open_effects & effects
        else:
            dossier.forbidden_needs = (1 << dossier.precondition.size) - 1 & needs
            dossier.forbidden_effects = dossier.atom_mask & effects
