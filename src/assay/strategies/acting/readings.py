"""The two readings of what is known about an action.

Read *pessimistically* every literal still in doubt is required: a step that meets them all is sure to run,
and where its result does not depend on an effect in doubt, its result is sure as well. Read
*optimistically* only what is proved is required: a step that meets that may run. A step that may run but is
not sure to, or whose result is in doubt, tells some of the remaining models apart: it is a test.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from assay.core.model import ActionModel
from assay.core.symbols import Literal
from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier

MOST_PAIRED = 14
"""Atoms in doubt up to which all pairs of them are looked at."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a test leaves in the balance."""

    needs: int
    """Literals in doubt that the situation violates: if the action runs, none of them is required."""
    effects: int
    """Atoms whose effect in doubt would show."""


class Reading:
    """One action as it is known at some moment."""

    def __init__(self, dossier: Dossier) -> None:
        needs, effects = dossier.precondition, dossier.effects
        self.dossier, self.name, self.ran = dossier, dossier.header.name, dossier.ran
        self.may_true, self.may_false = (
            needs.may_true & dossier.atom_mask,
            needs.may_false & dossier.atom_mask,
        )
        self.need_true, self.need_false = needs.need_true, needs.need_false & dossier.atom_mask
        clauses = sorted({(c.true, c.false) for c in needs.clauses})
        self.clauses = [
            (true, false)
            for true, false in clauses
            if not any(
                (t, f) != (true, false) and t | true == true and f | false == false for t, f in clauses
            )
        ]
        """For each refusal not explained yet, atoms that may be required true, and such required false.

        Refusals that another one explains as well are left out.
        """
        void = dossier.void
        self.add_or_keep = effects.may_add & effects.may_keep & ~effects.may_delete & ~void
        self.delete_or_keep = effects.may_delete & effects.may_keep & ~effects.may_add & ~void
        self._unseen = effects.may_add & effects.may_delete
        self._certain = dossier.atom_mask & ~effects.ambiguous
        self._add, self._delete = effects.may_add & self._certain, effects.may_delete & self._certain
        self.foreseeable = dossier.ran and not self._unseen
        """Whether there are situations in which the result is sure."""

    def settled_but_for(self, needs: int, effects: int) -> bool:
        """Whether nothing is in doubt besides these literals and effects."""
        doubtful = self.add_or_keep | self.delete_or_keep | self._unseen
        return self.ran and not (self.dossier.open_needs & ~needs | doubtful & ~effects)

    @property
    def sure(self) -> ActionModel:
        """The action where it is sure to run."""
        return self.requiring(self.may_true, self.may_false)

    def requiring(self, true: int, false: int) -> ActionModel:
        """The action with these atoms required true and false, and the effects that are certain."""
        return ActionModel.strips(
            self.dossier.header, self._literals(true, false), self._literals(self._add, self._delete)
        )

    def overlap(self, positions: tuple[int, ...]) -> tuple[int, int]:
        """What the effects in doubt have to do with others where several slots stand for one atom.

        Those that cannot show because another slot adds the atom, or deletes it as well; those that show even
        where it is true, for they would keep what another slot may delete.
        """
        if len(set(positions)) == len(positions):
            return 0, 0
        added, deleted = ({positions[i] for i in indices(mask)} for mask in (self._add, self._delete))
        gone: dict[int, int] = {}
        for i in indices(self._delete | self.delete_or_keep | self._unseen):
            gone[positions[i]] = gone.get(positions[i], 0) | 1 << i
        hidden = bits_of(i for i in indices(self.add_or_keep) if positions[i] in added)
        hidden |= bits_of(i for i in indices(self.delete_or_keep) if positions[i] in added | deleted)
        saving = bits_of(i for i in indices(self.add_or_keep) if gone.get(positions[i], 0) & ~(1 << i))
        return hidden, saving & ~hidden

    def optional(self, atoms: int) -> frozenset[Literal]:
        """What may or may not happen to these atoms."""
        return self._literals(self.add_or_keep & atoms, self.delete_or_keep & atoms)

    def _literals(self, true: int, false: int) -> frozenset[Literal]:
        atoms = self.dossier.atoms
        return frozenset(
            [*(Literal(atoms[i]) for i in indices(true)), *(Literal(atoms[i], False) for i in indices(false))]
        )

    def doubt(self, valuation: int, hidden: int = 0, saving: int = 0) -> Doubt | None:
        """What doing the action there would tell; None if nothing, or if it is sure to be refused.

        Effects that are hidden do not show, those that save something show where it is true (see `overlap`).
        """
        dossier = self.dossier
        if not self.ran:
            return None if valuation in dossier.precondition.failures else Doubt(dossier.atom_mask, 0)
        if self.need_true & ~valuation or self.need_false & valuation:
            return None
        untrue, unfalse = self.may_true & ~valuation, self.may_false & valuation
        if any(not (true & ~untrue or false & ~unfalse) for true, false in self.clauses):
            return None
        shown = (self.add_or_keep & ~valuation | self.delete_or_keep & valuation | self._unseen) & ~hidden
        shown |= saving & valuation
        return Doubt(untrue | unfalse, shown) if untrue | unfalse | shown else None

    def after(self, valuation: int) -> int | None:
        """The action's atoms once it ran there, if no effect in doubt would show."""
        if not self.ran or self._unseen or self.add_or_keep & ~valuation or self.delete_or_keep & valuation:
            return None
        return valuation & ~self._delete | self._add

    def probes(self, pairs: bool = False) -> list[int]:
        """Sets of atoms to look for: all that may be needed true; all of them but one; what is proved.

        And all of them but two: where one atom is true exactly if another is false, both change at a time.
        """
        open_bits = [1 << i for i in indices(self.may_true & ~self.need_true)]
        partial = [self.may_true & ~bit for bit in open_bits]
        if pairs and len(open_bits) <= MOST_PAIRED:
            partial += [self.may_true & ~(one | other) for one, other in combinations(open_bits, 2)]
        return list(dict.fromkeys([self.may_true, *partial, self.need_true]))
