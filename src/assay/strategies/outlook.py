"""What actions that have run probably do to shared atoms, and where, by what the agent was seen doing.

An add is not seen where the atom was true before, so an action that has run where all atoms were true may
still turn out to add any of them. But whatever it did among the situations that the agent offers must agree
with what is known of it; where all changes that it can have made agree on a shared atom, it probably does
just that. If it has told what it did on a walk, that has shown what its actions do wherever it can be seen;
they hardly do more. None of this is evidence: it serves to foresee, while a question is drafted, what a test
will find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.setting import fitting
from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.effects import Effects
from assay.knowledge.knowledge import Knowledge
from assay.strategies.changes import Change, Supposition, attributed, going_together


@dataclass(frozen=True, slots=True)
class Doings:
    effects: Effects
    """The action's effects, without those on shared atoms that it probably does not have."""
    scenes: frozenset[int]
    """Valuations of the shared atoms where it was probably done."""


class Outlook:
    def __init__(self, knowledge: Knowledge, changes: Sequence[Change]) -> None:
        self._knowledge, self._changes = knowledge, changes
        universe = knowledge.universe
        self._places = [universe.index(atom) for atom in knowledge.vocabulary.shared_atoms]
        self._doings: dict[tuple[object, ...], Doings] = {}

    def of(self, dossier: Dossier) -> Doings:
        needs, effects = dossier.precondition, dossier.effects
        walked = self._knowledge.walked
        if not dossier.ran or not self._places or not (walked or self._changes):
            return Doings(effects, frozenset())
        known = needs.need_true, needs.need_false, effects.may_add, effects.may_delete, effects.may_keep
        key = (dossier.header.name, walked, *known)
        if key not in self._doings:
            self._doings[key] = self._look(dossier)
        return self._doings[key]

    def shared(self, bits: int) -> int:
        """The valuation of the shared atoms in a state of the agent."""
        return bits_of(i for i, place in enumerate(self._places) if bits >> place & 1)

    def _look(self, dossier: Dossier) -> Doings:
        places = fitting(self._knowledge.setting.profile, dossier.header, constants=True)
        found = attributed(dossier, self._changes, places)
        scenes = frozenset(self.shared(change.before.state.bits) for change in going_together(found))
        return Doings(self._probable(dossier, list(found)), scenes)

    def _probable(self, dossier: Dossier, supposed: list[Supposition]) -> Effects:
        known, told = dossier.effects, [dict(each) for each in supposed]
        effects = Effects(known.size, known.may_add, known.may_delete, known.may_keep)
        for index in indices(known.ambiguous & (1 << len(self._places)) - 1):
            rises, falls = (
                {each[effect] for each in told if effect in each}
                for effect in ((dossier.atoms[index], True), (dossier.atoms[index], False))
            )
            modes = "+" if rises != {False} and falls != {True} else ""
            modes += "-" if falls != {False} and rises != {True} else ""
            modes += "0" if {True} not in (rises, falls) else ""
            if self._knowledge.walked and "0" in known.modes(index):
                modes = "0"
            if set(modes) & set(known.modes(index)):
                effects.restrict(index, modes, frozenset())
        return effects
