"""Valuations that show what happened.

Under a valuation of its lifted atoms an outcome of a capability can be told from another one if some atom
ends up differently: one adds what the other deletes, or one changes an atom that the other leaves alone. A
*revealing* valuation tells all outcomes known so far from each other: what some of them add is false in it,
what they delete is true. Atoms of which it is open whether an outcome sets them or leaves them alone get the
value that will tell, the rarest outcomes first, as long as outcomes stay apart. Whatever no outcome is known
to touch is tossed, so that an outcome never seen has a chance to show whichever way it works.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from assay.core.universe import indices
from assay.knowledge.outcomes import Branch


def revealing(branches: Sequence[Branch], fixed: int, values: int, size: int, rng: random.Random) -> int:
    """A valuation with these values of the `fixed` atoms that tells as many outcomes apart as can be."""
    free = (1 << size) - 1 & ~fixed
    added = deleted = 0
    for branch in branches:
        added |= branch.add
        deleted |= branch.delete
    chosen = values & fixed | rng.getrandbits(size) & free & ~added & ~deleted | deleted & ~added & free
    contested = free & added & deleted
    chosen |= rng.getrandbits(size) & contested
    apart = told_apart(branches, chosen)
    for branch in sorted(branches, key=lambda b: b.hits):
        for index in indices(branch.modes.ambiguous & free):
            wanted = 1 if branch.modes.delete >> index & 1 else 0
            if (chosen >> index & 1) != wanted:
                other = chosen ^ 1 << index
                if (now := told_apart(branches, other)) >= apart:
                    chosen, apart = other, now
    return chosen


def told_apart(branches: Sequence[Branch], valuation: int) -> float:
    """The share of pairs of outcomes that end differently, weighed by how often they come about."""
    found = whole = 0.0
    for n, one in enumerate(branches):
        for other in branches[:n]:
            weight = one.probability * other.probability
            whole += weight
            differing = one.after(valuation) ^ other.after(valuation)
            if differing & ~one.modes.ambiguous & ~other.modes.ambiguous:
                found += weight
    return found / whole if whole else 1.0
