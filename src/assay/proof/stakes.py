"""What is at stake, action by action, when several models are left and the agent can only act.

Each slot where another model differs from the claim shows in some situation and in no other: an alternative
that needs more, or does something else, shows where the claimed action runs with the atom true, or with it
false; an alternative that does without a literal of the claim shows where that literal is violated and
all else is in order. If no reachable state is such a situation, no run of the agent tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.core.vocabulary import Vocabulary
from assay.proof.claims import Subject
from assay.proof.grounding import Key
from assay.proof.slots import SlotAction
from assay.proof.verdict import Doubt, Verdict


@dataclass(frozen=True, slots=True)
class Stake:
    """What would tell another model from the claim at one action that ran."""

    action: str
    claim: SlotAction
    sure: SlotAction
    """The part of the claim's precondition that every model left has."""
    tells: Mapping[tuple[int, bool], tuple[Subject, ...]]
    """Per slot and value of its atom: what differs where the claimed action runs with that value."""
    optional: Mapping[int, Subject]
    """Slots of the claimed precondition that another model does without."""
    doubtful: tuple[int, ...]
    """Slots whose part in the precondition is in doubt."""

    def violated(self, valuation: int) -> list[int]:
        """Optional slots that these values of the doubtful ones violate."""
        true = {n for place, n in enumerate(self.doubtful) if valuation >> place & 1}
        return [n for n in self.optional if (n in true) != (n in self.claim.needed)]


def stakes(verdict: Verdict, claimed: Mapping[str, SlotAction], vocabulary: Vocabulary) -> list[Stake]:
    """One for each action about which something is in doubt."""
    by_action: dict[str, list[Doubt]] = {}
    for doubt in verdict.unproved:
        by_action.setdefault(doubt.action, []).append(doubt)
    return [_stake(name, claimed[name], doubts, vocabulary) for name, doubts in by_action.items()]


def demanding(
    verdict: Verdict, claimed: Mapping[str, SlotAction], vocabulary: Vocabulary
) -> dict[str, SlotAction]:
    """The claim with all preconditions besides that some other model has: where it runs, most models do."""
    found = dict(claimed)
    for doubt in verdict.unproved:
        if doubt.part == "precondition" and doubt.mode == "absent":
            action = found[doubt.action]
            number = {atom.text: n for n, atom in enumerate(vocabulary.lifted_atoms(doubt.action))}
            slot = {number[doubt.atom]}
            if "+" in doubt.alternatives:
                found[doubt.action] = replace(action, needed=action.needed | slot)
            else:
                found[doubt.action] = replace(action, forbidden=action.forbidden | slot)
    return found


def overlapping(stake: Stake, keys: Sequence[Key]) -> Stake:
    """What tells at a step at which several slots stand for one atom.

    An effect does not show where another of these slots is sure to add the atom, nor a delete where another
    is sure to delete it. An add shows where the atom is true as well, if another slot deletes it in the claim
    or in a model that is left.
    """
    doubtful = {n: _effects(s) for (n, _), s in stake.tells.items() if _effects(s)}
    added = {keys[n] for n in stake.claim.added if n not in doubtful}
    deleted = {keys[n] for n in stake.claim.deleted if n not in doubtful}
    may_delete = stake.claim.deleted | {n for n, value in stake.tells if value and n in doubtful}
    tells: dict[tuple[int, bool], tuple[Subject, ...]] = {}
    for (n, value), subjects in stake.tells.items():
        effects = _effects(subjects)
        shown = keys[n] not in (added | deleted if value else added)
        seen = tuple(s for s in subjects if shown or s not in effects)
        tells[n, value] = (*tells.get((n, value), ()), *seen)
        saved = any(m != n and keys[m] == keys[n] for m in may_delete) and keys[n] not in added
        if not value and effects and saved:
            tells[n, True] = (*tells.get((n, True), ()), *effects)
    return replace(stake, tells={place: subjects for place, subjects in tells.items() if subjects})


def _effects(subjects: tuple[Subject, ...]) -> tuple[Subject, ...]:
    return tuple(s for s in subjects if s.part == "effect")


def _stake(name: str, claim: SlotAction, doubts: list[Doubt], vocabulary: Vocabulary) -> Stake:
    number = {atom.text: n for n, atom in enumerate(vocabulary.lifted_atoms(name))}
    tells: dict[tuple[int, bool], tuple[Subject, ...]] = {}
    optional: dict[int, Subject] = {}
    doubtful = []
    for doubt in doubts:
        n = number[doubt.atom]
        for value in _telling_values(doubt):
            tells[n, value] = (*tells.get((n, value), ()), doubt.subject)
        if doubt.part == "precondition":
            doubtful.append(n)
            if doubt.mode != "absent":
                optional[n] = doubt.subject
    sure = SlotAction(
        claim.needed - optional.keys(), claim.forbidden - optional.keys(), frozenset(), frozenset()
    )
    return Stake(name, claim, sure, tells, optional, tuple(doubtful))


def _telling_values(doubt: Doubt) -> Iterator[bool]:
    """The values of the atom with which the action, where the claim runs it, shows a difference."""
    others = set(doubt.alternatives)
    if doubt.part == "precondition":
        yield from (value for value, mode in ((True, "-"), (False, "+")) if mode in others)
    else:
        for value, mode in ((True, "-"), (False, "+")):
            if any((other == mode) != (doubt.mode == mode) for other in others):
                yield value
