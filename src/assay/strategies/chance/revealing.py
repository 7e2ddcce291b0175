"""Valuations that show what happened.

Under a valuation of its lifted atoms an outcome of a capability can be told from another one if some atom
ends up differently: one adds what the other deletes, or one changes an atom that the other leaves alone. A
*revealing* valuation tells all outcomes known so far from each other: what some of them add is false in it,
what they delete is true; now and then the other way round, if that hides none of them, for it may show one
not seen yet. Atoms of which it is open whether an outcome sets them or leaves them alone get the value that
will tell, the rarest outcomes first, as long as outcomes stay apart; seldom even if they do not, for what is
seen as often as expected elsewhere then tells, too. Whatever no outcome is known to touch is tossed, so that
an outcome never seen has a chance to show whichever way it works.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from assay.core.universe import indices
from assay.knowledge.outcomes import Branch

TURNED = 1 / 8
"""How often an atom that outcomes change has the value that does not show it, where others show them."""
DARING = 1 / 16
"""Share of valuations that may hide an outcome in order to tell what it does."""


def revealing(branches: Sequence[Branch], fixed: int, values: int, size: int, rng: random.Random) -> int:
    """A valuation with these `values` of the `fixed` atoms that tells as many outcomes apart as can be."""
    free = (1 << size) - 1 & ~fixed
    added = deleted = 0
    for branch in branches:
        added |= branch.add
        deleted |= branch.delete
    tossed = rng.getrandbits(size) if size else 0
    chosen = values & fixed | free & (tossed & ~(added ^ deleted) | deleted & ~added)
    apart = told_apart(branches, chosen)
    for index in indices(free & (added ^ deleted)):
        if rng.random() < TURNED and told_apart(branches, chosen ^ 1 << index) >= apart:
            chosen ^= 1 << index
    daring = rng.random() < DARING
    for branch in sorted(branches, key=lambda b: b.hits):
        for index in indices(branch.modes.ambiguous & free):
            wanted = 1 if branch.modes.delete >> index & 1 else 0
            if (chosen >> index & 1) != wanted:
                other = chosen ^ 1 << index
                if (now := told_apart(branches, other)) >= apart or daring:
                    chosen, apart, daring = other, now, daring and now >= apart
    return chosen


def told_apart(branches: Sequence[Branch], valuation: int) -> float:
    """The share of pairs of outcomes that surely end differently, weighed by how often they come about."""
    ends = [_ends(branch, valuation) for branch in branches]
    found = whole = 0.0
    for n, one in enumerate(branches):
        for m, other in enumerate(branches[:n]):
            weight = one.probability * other.probability
            whole += weight
            if ends[n][0] & ends[m][1] or ends[n][1] & ends[m][0]:
                found += weight
    return found / whole if whole else 1.0


def _ends(branch: Branch, valuation: int) -> tuple[int, int]:
    """The atoms that are surely true, and surely false, after the outcome."""
    modes = branch.modes
    true, false = modes.add | modes.keep & valuation, modes.delete | modes.keep & ~valuation
    return true & ~false, false & ~true
