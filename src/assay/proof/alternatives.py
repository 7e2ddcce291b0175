"""The alternatives that a summary lists: does the model, with each of them in it, give the answers?

The claimed model gives them, and with another condition or one effect more it passes through the same states,
if it gives them, too. So it is run through the questions once, to see what an action's atoms were where it
ran and where it was refused. Then

- what may be needed `besides` must have held wherever the action ran;
- so must what may be needed `instead` of a condition; and where nothing but that condition was wanting when
  the action was refused, all literals of one list must have been: then any of them explains it;
- what it may make so again (`effects`) must have been so whenever it had run.

What it may do to things that were one and the same (`others`) goes together with other effects: some model
that gives the answers must have it. That all such models do the same on reachable states is proved elsewhere
(`acting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.core.symbols import Atom
from assay.proof.certificate import Mode
from assay.proof.claims import Alternative, Subject
from assay.proof.examination import Examination
from assay.proof.grounding import Grounding, Key
from assay.proof.slots import ADDED, DELETED, SlotAction
from assay.proof.testimony import Testimony

Spoken = Mapping[str, tuple[int, bool]]
"""For each literal as it is written, the slot, and whether it is positive."""


def refuted_alternatives(
    listed: Any,
    lifted: Mapping[str, tuple[Atom, ...]],
    examination: Examination,
    claimed: Mapping[str, SlotAction],
) -> Iterator[str]:
    """What is listed although the answers rule it out, in words; the model must give the answers."""
    seen = {name: _Seen.of(len(atoms)) for name, atoms in lifted.items()}
    for answer in (part for whole in examination.testimony.values() for part in whole.parts):
        _run(answer, claimed, examination.grounding, seen)
    for name, found in listed.items():
        spoken = {f"({atom.text})": (n, True) for n, atom in enumerate(lifted[name])}
        spoken |= {f"(not {text})": (n, False) for text, (n, _) in spoken.items()}
        refuted = [
            *_refuted(found, spoken, seen[name], claimed[name]),
            *_impossible(found.get("others", ()), spoken, examination, name),
        ]
        yield from (f"{name}: {literal}" for literal in dict.fromkeys(refuted))


@dataclass(slots=True)
class _Seen:
    """Slots by what was so wherever an action ran, as far as that is known."""

    true: int
    """The atom was true before."""
    false: int
    added: int
    """The atom was true afterwards: to add it as well changes nothing."""
    deleted: int
    """The atom was false afterwards, or added all the same."""
    refused: set[int] = field(default_factory=set)
    """Where the action was refused: the slots whose atoms were true."""

    @classmethod
    def of(cls, size: int) -> _Seen:
        full = (1 << size) - 1
        return cls(full, full, full, full)


def _run(
    answer: Testimony, claimed: Mapping[str, SlotAction], grounding: Grounding, seen: Mapping[str, _Seen]
) -> None:
    """Goes through a question with the model, as far as it is known what holds."""
    values: dict[Key, bool] = {}
    lost = False
    for step in answer.plan[: answer.steps]:
        if not grounding.tells(step):
            values, lost = {}, True
            continue
        keys, action, told = grounding.keys(step), claimed[step.action], seen[step.action]
        before = [values.get(key, None if lost else key in answer.start) for key in keys]
        told.true &= ~_slots(before, False)
        told.false &= ~_slots(before, True)
        added = {keys[n] for n in action.added}
        values |= {keys[n]: False for n in action.deleted}
        values |= dict.fromkeys(added, True)
        after = [values.get(key, value) for key, value in zip(keys, before, strict=True)]
        told.added &= ~_slots(after, False)
        gone = [value and key not in added for key, value in zip(keys, after, strict=True)]
        told.deleted &= ~_slots(gone, True)
    if answer.refused is not None and answer.refused.action in claimed:
        keys = grounding.keys(answer.refused)
        seen[answer.refused.action].refused.add(_slots([key in answer.final for key in keys], True))


def _slots(values: list[bool | None], wanted: bool) -> int:
    return sum(1 << n for n, value in enumerate(values) if value is wanted)


def _refuted(found: Any, spoken: Spoken, seen: _Seen, action: SlotAction) -> Iterator[str]:
    for literal in found.get("besides", ()):
        if not _held(spoken[literal], seen):
            yield literal
    for literal, lists in found.get("instead", {}).items():
        for other in (other for each in lists for other in each):
            if not _held(spoken[other], seen):
                yield other
        if not all(_explained(v, spoken, literal, lists, action) for v in seen.refused):
            yield literal
    for literal in found.get("effects", ()):
        slot, positive = spoken[literal]
        if not (seen.added if positive else seen.deleted) >> slot & 1:
            yield literal


def _impossible(
    literals: Iterable[str], spoken: Spoken, examination: Examination, name: str
) -> Iterator[str]:
    """Effects that no model has which gives the answers."""
    slots, wanted = examination.variables.slots[name], dict[Alternative, str]()
    for literal in literals:
        slot, positive = spoken[literal]
        mode: Mode = "+" if positive else "-"
        effect = slots[slot] + (ADDED if positive else DELETED)
        wanted[Alternative(Subject(name, literal, "effect"), mode, (effect,))] = literal
    for alternative in examination.surviving(wanted, examination.selectors):
        del wanted[alternative]
    yield from wanted.values()


def _held(condition: tuple[int, bool], seen: _Seen) -> bool:
    slot, positive = condition
    return bool((seen.true if positive else seen.false) >> slot & 1)


def _explained(
    valuation: int, spoken: Spoken, literal: str, lists: list[list[str]], action: SlotAction
) -> bool:
    """Whether the action is refused there, too, with any one of each list in place of the literal."""

    def wanting(slot: int, positive: bool) -> bool:
        return bool(valuation >> slot & 1) is not positive

    needs = [*((n, True) for n in action.needed), *((n, False) for n in action.forbidden)]
    if any(wanting(*need) for need in needs if need != spoken[literal]):
        return True
    return any(all(wanting(*spoken[other]) for other in each) for each in lists)
