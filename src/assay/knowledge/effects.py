"""What a deterministic action may do to each of its lifted atoms: add it, delete it, or leave it alone.

An observed value before and after a run removes the modes that would have led elsewhere. Sets of atoms
are bitmasks. An add is invisible where the atom is always true before (AIA-20 section 2.2); whether that
matters is for the owner to decide, who knows the precondition.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.core.universe import indices
from assay.errors import Contradiction
from assay.knowledge.conjunction import Evidence

MODES = ("+", "-", "0")


@dataclass(slots=True)
class Effects:
    size: int
    may_add: int
    may_delete: int
    may_keep: int
    _evidence: dict[int, Evidence] = field(default_factory=dict)

    @classmethod
    def unknown(cls, size: int) -> Effects:
        full = (1 << size) - 1
        return cls(size, full, full, full)

    def observe(self, known: int, before: int, after: int, evidence: Evidence) -> bool:
        """Learn the values of the `known` atoms right before and after a run; tells if that was news."""
        risen, fallen = known & ~before & after, known & before & ~after
        high, low = known & before & after, known & ~before & ~after
        return self._restrict(add=fallen | low, delete=risen | high, keep=risen | fallen, evidence=evidence)

    def restrict(self, index: int, modes: str, evidence: Evidence) -> bool:
        """Keep only these modes of one atom."""
        bit = 1 << index
        return self._restrict(
            add=0 if "+" in modes else bit,
            delete=0 if "-" in modes else bit,
            keep=0 if "0" in modes else bit,
            evidence=evidence,
        )

    def _restrict(self, *, add: int, delete: int, keep: int, evidence: Evidence) -> bool:
        news = self.may_add & add | self.may_delete & delete | self.may_keep & keep
        if not news:
            return False
        left = self.may_add & ~add, self.may_delete & ~delete, self.may_keep & ~keep
        if ((1 << self.size) - 1) & ~(left[0] | left[1] | left[2]):
            raise Contradiction  # with the modes as they were: what was known stays known
        self.may_add, self.may_delete, self.may_keep = left
        for index in indices(news):
            self._evidence[index] = self._evidence.get(index, frozenset()) | evidence
        return True

    def modes(self, index: int) -> str:
        """The modes still possible, as a subset of "+-0"."""
        masks = (self.may_add, self.may_delete, self.may_keep)
        return "".join(mode for mode, mask in zip(MODES, masks, strict=True) if mask >> index & 1)

    @property
    def ambiguous(self) -> int:
        """Atoms with more than one mode left."""
        add, delete, keep = self.may_add, self.may_delete, self.may_keep
        return add & delete | add & keep | delete & keep

    @property
    def deleted(self) -> int:
        """Atoms that it is sure to delete."""
        return self.may_delete & ~self.may_add & ~self.may_keep

    @property
    def added(self) -> int:
        """Atoms that it is sure to add."""
        return self.may_add & ~self.may_delete & ~self.may_keep

    @property
    def changed(self) -> int:
        """Atoms that it is sure to add or to delete."""
        return ((1 << self.size) - 1) & ~self.may_keep & ~self.ambiguous

    def evidence(self, index: int) -> Evidence:
        return self._evidence.get(index, frozenset())

    def after(self, index: int, before: int | None) -> int | None:
        """The value after a run, if it is certain."""
        modes = self.modes(index)
        values = {before if mode == "0" else int(mode == "+") for mode in modes}
        return values.pop() if len(values) == 1 else None
