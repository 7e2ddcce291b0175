"""The claimed model slot by slot, and every way in which another model could differ from it.

The claim is normalised first, so that each difference is one of function: what is added although it is
needed, or deleted although it is forbidden, is left out. Where one object may fill two parameters, an add
of what is needed stays in the claim when it saves an atom from a delete (see `merging`), and
"?x different from ?y" is not in question where merging the two makes the precondition unsatisfiable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.setting import Setting
from assay.proof.certificate import Mode, Part
from assay.proof.merging import Merge, least_merges
from assay.proof.slots import ADDED, DELETED, FORBIDDEN, SlotAction, Variables


@dataclass(frozen=True, slots=True)
class Subject:
    """What a claim is about."""

    action: str
    atom: str
    """A lifted atom without parentheses, or `= ?x ?y` for parameters that must differ."""
    part: Part

    def __str__(self) -> str:
        return f"{self.action}: {self.part} ({self.atom})"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another mode for a subject, and the literals that say a model has it."""

    subject: Subject
    mode: Mode
    literals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Assertion:
    """What is claimed about one subject, and every way to differ that would show."""

    subject: Subject
    mode: Mode
    alternatives: tuple[Alternative, ...]
    void: bool = False
    """Whether another mode would come to the same, because of what the action needs."""


def assertions(setting: Setting, variables: Variables, name: str, claim: SlotAction) -> Iterator[Assertion]:
    """All that is claimed about one action."""
    vocabulary = setting.profile.vocabulary
    names = [p.name for p in vocabulary.action[name].parameters]
    free = name in setting.profile.free_arguments
    merges = least_merges(vocabulary, name, free) if setting.equality or free else ()
    slots = variables.slots[name]
    for n, atom in enumerate(vocabulary.lifted_atoms(name)):
        subject = Subject(name, atom.text, "precondition")
        mode: Mode = "+" if n in claim.needed else "-" if n in claim.forbidden else "absent"
        yield Assertion(subject, mode, tuple(_others(subject, mode, slots[n], slots[n] + FORBIDDEN)))
        yield _effect(Subject(name, atom.text, "effect"), variables, claim, n, merges)
    for (i, j), variable in variables.pairs[name].items():
        subject = Subject(name, f"= {names[i]} {names[j]}", "precondition")
        must = (i, j) in claim.distinct
        other = Alternative(subject, "absent" if must else "-", (-variable if must else variable,))
        (merge,) = (m for m in merges if m.pairs == {(i, j)})
        void = not claim.satisfiable(merge)
        yield Assertion(subject, "-" if must else "absent", () if void else (other,), void)


def _others(subject: Subject, mode: Mode, positive: int, negative: int) -> Iterator[Alternative]:
    if mode != "+":
        yield Alternative(subject, "+", (positive,))
    if mode != "-":
        yield Alternative(subject, "-", (negative,))
    if mode != "absent":
        yield Alternative(subject, "absent", (-positive, -negative))


def _effect(
    subject: Subject, variables: Variables, claim: SlotAction, n: int, merges: tuple[Merge, ...]
) -> Assertion:
    slots = variables.slots[subject.action]
    added, deleted = slots[n] + ADDED, slots[n] + DELETED
    mode: Mode = "absent"
    if n in claim.added - claim.needed:
        mode = "+"
    elif n in claim.deleted - claim.forbidden:
        mode = "-"
    # an add of what is needed as well is an add all the same: that it is needed is another subject
    positive = added if mode == "+" else variables.anew.get(slots[n], added)
    found = list(_others(subject, mode, positive, deleted))
    groups = list(_saved(claim, n, merges))
    if groups and n in claim.added:
        mode = "+"
        found = [Alternative(subject, "-", (deleted,))]
        found += [Alternative(subject, "absent", tuple(-slots[k] - ADDED for k in group)) for group in groups]
    unsaved = any(claim.added.isdisjoint(group) for group in groups)
    if unsaved:
        found.append(Alternative(subject, "+", (added,)))
    void = mode == "absent" and (n in claim.forbidden or (n in claim.needed and not unsaved))
    return Assertion(subject, mode, tuple(found), void)


def _saved(claim: SlotAction, n: int, merges: tuple[Merge, ...]) -> Iterator[tuple[int, ...]]:
    """Groups of slots in which adding the needed atom of slot n decides about a delete."""
    if n not in claim.needed:
        return
    anew, deleted = claim.added - claim.needed, claim.deleted - claim.forbidden
    for merge in filter(claim.permits, merges):
        for group in merge.groups:
            if n in group and anew.isdisjoint(group) and not deleted.isdisjoint(group):
                yield group
