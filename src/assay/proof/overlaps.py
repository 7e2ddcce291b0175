"""Several slots of an action that stand for one atom: what their effects come to, taken together.

Each of them may be in doubt while the answers settle what becomes of the atom: if one slot deletes it,
another adds it again. So the solver is asked whether some model that gives the answers does otherwise than
the claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.proof.examination import Examination
from assay.proof.slots import ADDED, DELETED, SlotAction


@dataclass(frozen=True, slots=True)
class Overlap:
    """Slots that stand for one atom, with its value where the claim runs the step."""

    action: str
    slots: tuple[int, ...]
    value: bool


class Overlaps:
    def __init__(self, examination: Examination, claimed: Mapping[str, SlotAction]) -> None:
        self._examination, self._claimed = examination, claimed
        self._known: dict[Overlap, bool] = {}

    def come_to_else(self, where: Overlap) -> bool:
        """Whether a model that gives the answers leaves the atom with another value than the claim does."""
        if where not in self._known:
            self._known[where] = self._ask(where)
        return self._known[where]

    def _ask(self, where: Overlap) -> bool:
        claim, slots = self._claimed[where.action], self._examination.variables.slots[where.action]
        adds = [slots[n] + ADDED for n in where.slots]
        deletes = [slots[n] + DELETED for n in where.slots]
        if not claim.added.isdisjoint(where.slots):
            after = True
        else:
            after = where.value and claim.deleted.isdisjoint(where.slots)
        if after:
            clauses = [[-add] for add in adds] + ([deletes] if where.value else [])
        else:
            clauses = [[-delete, *adds] for delete in deletes] if where.value else [adds]
        examination = self._examination
        return examination.solve(examination.selectors, examination.guard(clauses)) is not None
