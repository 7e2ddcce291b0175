"""States that were not to be entered while asking, and what is open because of that.

This is neither what no situation within reach can tell apart, nor what the budget did not suffice for: a
question could settle it, and was not asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.core.symbols import Atom
from assay.core.universe import indices
from assay.knowledge.dossier import Dossier, Part
from assay.knowledge.knowledge import Knowledge
from assay.report.phrase import enumeration


@dataclass(frozen=True, slots=True)
class Forbidden:
    never: str = ""
    """The formula, as it was given; nothing if there was none."""
    slots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By action, what is open on its account."""
    proof: str = ""
    """How it was shown that nothing allowed would tell more; nothing if it was not."""

    @classmethod
    def of(cls, knowledge: Knowledge) -> Forbidden:
        found = {name: _slots(d) for name, d in sorted(knowledge.dossiers.items())}
        left = {name: slots for name, slots in found.items() if slots}
        return cls(knowledge.setting.never, left, knowledge.forbidden_proof)

    @classmethod
    def recalled(cls, never: str, summary: Mapping[str, Any]) -> Forbidden:
        """As the summary of a run tells it."""
        told = summary.get("forbidden")
        left = told if isinstance(told, dict) else {}
        slots = {name: tuple(slots) for name, slots in left.items() if isinstance(slots, list)}
        return cls(never, slots, str(summary.get("forbidden_proof", "")))

    @property
    def points(self) -> int:
        return sum(map(len, self.slots.values()))

    def to_dict(self) -> dict[str, Any]:
        if not self.never:
            return {}
        proof = {"forbidden_proof": self.proof} if self.proof else {}
        return {"never": self.never, "forbidden": {n: list(s) for n, s in self.slots.items()}, **proof}

    def sentences(self) -> list[str]:
        """In words; none if no states were forbidden."""
        if not self.never:
            return []
        found = [f"While asking, no step was taken that might have led into a state with `{self.never}`."]
        if self.slots:
            told = "1 point is" if self.points == 1 else f"{self.points:,} points are"
            found.append(f"Because of that {told} open, of {enumeration(list(self.slots))}:")
            if self.proof:
                found.append(f"no step that was allowed would settle them (proved by {self.proof}).")
            else:
                found.append("the steps found that would settle them might have led there.")
        return [" ".join(found)]


def _slots(dossier: Dossier) -> tuple[str, ...]:
    atoms = (*dossier.atoms, *(Atom("=", pair) for pair in dossier.pairs))
    return (
        *(f"{Part.PRECONDITION.value} {atoms[i]}" for i in indices(dossier.forbidden_needs)),
        *(f"{Part.EFFECT.value} {atoms[i]}" for i in indices(dossier.forbidden_effects)),
    )
