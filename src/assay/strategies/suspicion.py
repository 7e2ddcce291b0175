"""Which literals are likely to be required, and how to cut the suspects of an action into tests.

Orders and sizes change what a run costs, never what it concludes. A question ends at its first refusal,
so to convict one literal per question each question must be long enough to meet a refusal and no longer
than needed: `Rates` keeps, per kind of suspect, the share found required so far.
"""

from __future__ import annotations

from collections.abc import Generator
from math import isqrt

from assay.core.universe import indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge

SINGLES = 768
"""Up to this many suspects an action is tested literal by literal, beyond it in groups: a question's text
grows with the square of the suspects tested singly, and a group that fails costs one more question."""


class Rates:
    """How often suspects of a kind turned out to be required."""

    def __init__(self, knowledge: Knowledge) -> None:
        required = [0, 0, 0, 0]
        judged = [0, 0, 0, 0]
        self._repeated: dict[str, int] = {}
        for name, dossier in knowledge.dossiers.items():
            self._repeated[name] = sum(
                1 << i for i, a in enumerate(dossier.atoms) if len(set(a.args)) < len(a.args)
            )
            needs = dossier.precondition
            settled = dossier.atom_mask & ~needs.open
            for kind, mask in enumerate(self._kinds(dossier, needs.first_true)):
                required[kind] += (mask & needs.required).bit_count()
                judged[kind] += (mask & settled).bit_count()
        self._rate = [(r + 1) / (j + 10) for r, j in zip(required, judged, strict=True)]

    def _kinds(self, dossier: Dossier, example: int) -> tuple[int, int, int, int]:
        """Atoms split into: consumed, repeating a variable, false in the first example, and the others."""
        effects, full = dossier.effects, dossier.atom_mask
        consumed = effects.may_delete & ~effects.may_keep & ~effects.may_add
        repeated = self._repeated[dossier.header.name] & ~consumed
        negative = full & ~example & ~consumed & ~repeated
        return consumed, repeated, negative, full & ~consumed & ~repeated & ~negative

    def ranked(self, dossier: Dossier, example: int, suspects: int, first: int) -> list[tuple[int, float]]:
        """The suspects with the probability that each is required, those in `first` first, then likeliest."""
        kinds = self._kinds(dossier, example)
        order = sorted(range(len(kinds)), key=lambda kind: -self._rate[kind])
        return [
            (i, self._rate[kind])
            for chosen in (suspects & first, suspects & ~first)
            for kind in order
            for i in indices(kinds[kind] & chosen)
        ]


def groups(
    ranked: list[tuple[int, float]], clauses: list[int], capacity: int | None
) -> Generator[tuple[int, float], bool | None, None]:
    """Sets of suspects to flip, each with the probability that the test fails, assuming all before it pass.

    It is sent whether the set found a place in the question. `capacity` is the number of runs of this
    action that one question can hold, if that is a concern. With one, a test of all suspects and then
    halving finds each required literal in about log2 n questions.
    """
    chance = dict(ranked)
    pending = sorted((c for c in clauses if c.bit_count() > 1), key=int.bit_count)
    if capacity is not None and capacity < len(ranked):
        members = indices(pending[0]) if pending else [i for i, _ in ranked]
        size = -(-len(members) // (capacity + bool(pending)))
        for start in range(0, min(len(members), size * capacity), size):
            part = members[start : start + size]
            yield sum(1 << i for i in part), 0.5
        return
    cleared, accused = 0, 0
    for clause in pending:
        for index in indices(clause):
            left = clause & ~cleared
            if left.bit_count() == 1:
                accused |= left
            elif left >> index & 1 and (yield 1 << index, 1 / left.bit_count()):
                cleared |= 1 << index
    rest = [i for i, _ in ranked if not (cleared | accused) >> i & 1]
    size = 1 if len(ranked) <= SINGLES else isqrt(len(ranked)) // 2
    for start in range(0, len(rest), size):
        part = rest[start : start + size]
        yield sum(1 << i for i in part), min(0.9, sum(chance[i] for i in part))
