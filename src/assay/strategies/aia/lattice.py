"""Where the interrogation stands in the lattice of models (AIA-21 Def. 2), read off the dossiers.

A node is the modes still possible per slot. It is not stored: the knowledge holds it, with the clauses
that a plain product of mode sets would lose.
"""

from __future__ import annotations

from typing import NamedTuple

from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.planning.abstract import AbstractAction, Refinement, refinements


class Slot(NamedTuple):
    """A pal tuple: a lifted atom, by number, in the precondition or the effect of an action."""

    action: str
    atom: int
    effect: bool


def slots(knowledge: Knowledge) -> list[Slot]:
    return [
        Slot(name, atom, effect)
        for name, dossier in sorted(knowledge.dossiers.items())
        for atom in range(len(dossier.atoms))
        for effect in (False, True)
    ]


def is_decided(knowledge: Knowledge, slot: Slot) -> bool:
    """One mode is left, or no question can tell those left apart."""
    dossier = knowledge.dossiers[slot.action]
    if slot.effect:
        return not dossier.open_effects >> slot.atom & 1
    return not dossier.precondition.open >> slot.atom & 1


def pairs(knowledge: Knowledge, slot: Slot) -> list[Refinement]:
    """The pairs of modes that are left to tell apart."""
    if is_decided(knowledge, slot):
        return []
    dossier = knowledge.dossiers[slot.action]
    if slot.effect:
        modes = dossier.effects.modes(slot.atom)
    else:
        needs = dossier.precondition
        modes = "".join(
            mode
            for mode, mask in (("+", needs.may_true), ("-", needs.may_false), ("0", ~needs.required))
            if mask >> slot.atom & 1
        )
    return refinements(*slot, modes)


def modes_left(knowledge: Knowledge) -> int:
    """How many palm tuples are still possible; it only ever falls."""
    return sum(
        mask.bit_count()
        for d in knowledge.dossiers.values()
        for mask in (
            d.precondition.may_true,
            d.precondition.may_false,
            d.atom_mask & ~d.precondition.required,
            d.effects.may_add,
            d.effects.may_delete,
            d.effects.may_keep,
        )
    )


def decided_share(knowledge: Knowledge) -> float:
    """The running estimate of accuracy of AIA-21 section 3.1."""
    every = slots(knowledge)
    return sum(is_decided(knowledge, slot) for slot in every) / len(every) if every else 1.0


def abstraction(dossier: Dossier) -> AbstractAction:
    """The decided part of an action: what every model still possible agrees on."""
    needs, effects, mask = dossier.precondition, dossier.effects, dossier.atom_mask
    sure = mask & ~effects.ambiguous
    return AbstractAction(
        need_true=needs.need_true & mask,
        need_false=needs.need_false & mask,
        blank=needs.may_true & needs.may_false & ~needs.required & mask,
        add=sure & effects.may_add,
        delete=sure & effects.may_delete,
        unknown=dossier.open_effects,
    )


def certain_to_fail(dossier: Dossier, valuation: int) -> bool:
    """Whether every model still possible refuses the action under this valuation."""
    needs = dossier.precondition
    if needs.need_true & ~valuation or needs.need_false & dossier.atom_mask & valuation:
        return True
    return any(not clause.true & valuation and not clause.false & ~valuation for clause in needs.clauses)
