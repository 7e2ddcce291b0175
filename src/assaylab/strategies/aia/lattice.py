"""Where the interrogation stands in the lattice of models (AIA-21 Def. 2), read off the version spaces.

A node is the modes still possible per slot, together with the clauses that a plain product of mode sets
would lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from assay.learn.conjunctive import VersionSpace
from assay.planning.abstract import AbstractAction, Refinement, refinements
from assaylab.strategies.conjunctive import ActionRecord


class Slot(NamedTuple):
    """A pal tuple: a lifted atom, by number, in the precondition or the effect of an action."""

    action: str
    atom: int
    effect: bool


def slots(records: Mapping[str, ActionRecord]) -> list[Slot]:
    return [
        Slot(name, atom, effect)
        for name, record in sorted(records.items())
        for atom in range(len(record.atoms))
        for effect in (False, True)
    ]


def pairs(record: ActionRecord, slot: Slot) -> list[Refinement]:
    """The pairs of modes that a question may tell apart; none if no conjunction explains the action."""
    space = record.space
    open_slots = space.open_effects if slot.effect else space.open_needs
    if record.trouble or not open_slots >> slot.atom & 1:
        return []
    return refinements(*slot, "".join(m for m, mask in _modes(space, slot.effect) if mask >> slot.atom & 1))


def _modes(space: VersionSpace, effect: bool) -> tuple[tuple[str, int], ...]:
    if effect:
        return ("+", space.may_add), ("-", space.may_delete), ("0", space.may_keep)
    return ("+", space.may_true), ("-", space.may_false), ("0", space.full & ~space.required)


def modes_left(records: Iterable[ActionRecord]) -> int:
    """How many palm tuples are still possible; it only ever falls."""
    return sum(
        mask.bit_count() for r in records for effect in (False, True) for _, mask in _modes(r.space, effect)
    )


def abstraction(space: VersionSpace) -> AbstractAction:
    """The decided part of an action: what every model still possible agrees on."""
    sure = space.full & ~space.ambiguous
    return AbstractAction(
        need_true=space.need_true,
        need_false=space.need_false,
        blank=space.may_true & space.may_false & ~space.required,
        add=sure & space.may_add,
        delete=sure & space.may_delete,
        unknown=space.open_effects,
    )
