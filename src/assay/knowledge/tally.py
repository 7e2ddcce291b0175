"""Counts behind the probabilities of a model: how often each outcome came about, and out of how many tries.

A run counts as a try for an outcome if the situation would have shown it, that is, if no other outcome of the
model leads to the same state there; it is a hit if the outcome is what happened. So the interval is one of
plain counting, whichever way the probability itself was estimated. An outcome that no situation tells
from the others has what they leave.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.model import ActionModel, Outcome
from assay.core.symbols import Atom, Literal
from assay.knowledge.experience import Capability
from assay.knowledge.intervals import interval, remainder, unseen

SELDOM = 4
"""A change is seldom shown if less than one run in so many could have shown it."""


@dataclass(frozen=True, slots=True)
class Count:
    outcome: Outcome
    hits: int
    tries: int
    low: float
    high: float
    first: int
    """The question that first showed it."""


@dataclass(frozen=True, slots=True)
class Tally:
    """One capability, counted."""

    counts: tuple[Count, ...]
    runs: int
    refused: int
    unexplained: int
    """Runs that no outcome of the model accounts for."""
    unseen: float
    """What the probability of an outcome that never came about is below."""
    blind: tuple[tuple[Literal, int], ...]
    """Changes that only few runs could have shown, with their number: an outcome that makes just one of them
    is the exception to that."""


def tally(action: ActionModel, capability: Capability, confidence: float) -> Tally:
    places = {atom: index for index, atom in enumerate(capability.dossier.atoms)}
    masks = [_masks(outcome, places) for outcome in action.outcomes]
    size = len(action.outcomes)
    hits, tries, first = [0] * size, [0] * size, [0] * size
    unexplained = 0
    for before, ends in sorted(capability.runs.items()):
        after = [before & ~delete | add for add, delete in masks]
        unexplained += sum(count for end, count in ends.items() if end not in after)
        for k, end in enumerate(after):
            if after.count(end) == 1:
                tries[k] += ends.total()
                hits[k] += ends[end]
            if end in ends and (shown := capability.first_seen[before, end]):
                first[k] = min(first[k] or shown, shown)
    counted = [(hits[k], tries[k]) for k in range(size) if tries[k]]
    rest = remainder(counted, confidence, alone=len(counted) == size - 1)
    chances = _chances(action, capability)
    blind = {literal: n for literal, n in chances.items() if n < capability.tries / SELDOM}
    telling = min((n for literal, n in chances.items() if literal not in blind), default=capability.tries)
    return Tally(
        tuple(
            Count(
                outcome,
                hits[k],
                tries[k],
                *(interval(hits[k], tries[k], confidence) if tries[k] else rest),
                first[k],
            )
            for k, outcome in enumerate(action.outcomes)
        ),
        capability.tries,
        capability.refused,
        unexplained,
        unseen(telling, confidence),
        tuple(sorted(blind.items(), key=lambda item: (item[1], item[0]))),
    )


def _chances(action: ActionModel, capability: Capability) -> dict[Literal, int]:
    """How many runs could have shown that an atom becomes true, or false; without what is needed."""
    needed = {literal.atom for literal in action.needed}
    found = {}
    for index, atom in enumerate(capability.dossier.atoms):
        if atom not in needed:
            true = sum(ends.total() for before, ends in capability.runs.items() if before >> index & 1)
            found[Literal(atom, False)] = true
            found[Literal(atom)] = capability.tries - true
    return found


def _masks(outcome: Outcome, places: dict[Atom, int]) -> tuple[int, int]:
    add = sum(1 << places[atom] for atom, positive in outcome.literals if positive)
    delete = sum(1 << places[atom] for atom, positive in outcome.literals if not positive)
    return add, delete & ~add
