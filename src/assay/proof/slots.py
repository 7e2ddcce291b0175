"""Models by slot number, and the variables that stand for an unknown one.

Each slot has four variables: its atom is needed, is forbidden, is added, is deleted. Where one object may
fill two parameters, each such pair has a variable: they must differ.

Models are kept in normal form: nothing is added that is needed, nothing deleted that is forbidden, so that
equivalent models are one assignment. Where one object may fill two parameters, or a constant one, an add of
what is needed is not always void, because it beats the delete of an atom that has become the same; there, and
only there, it is allowed (see `merging`).
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from itertools import combinations

from assay.core.model import ActionModel, Model
from assay.core.setting import Setting
from assay.core.symbols import Literal
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.proof.merging import Merge, overlapping_slots

FORBIDDEN, ADDED, DELETED = 1, 2, 3
"""Offsets from a slot's first variable, which says that the atom is needed."""


@dataclass(frozen=True, slots=True)
class SlotAction:
    """An action model in slot numbers and parameter positions; an add beats a delete."""

    needed: frozenset[int]
    forbidden: frozenset[int]
    added: frozenset[int]
    deleted: frozenset[int]
    distinct: frozenset[tuple[int, int]] = frozenset()

    def satisfiable(self, merge: Merge) -> bool:
        """Whether some state satisfies the precondition's atoms when these parameters are the same."""
        return all(self.needed.isdisjoint(g) or self.forbidden.isdisjoint(g) for g in merge.groups)

    def permits(self, merge: Merge) -> bool:
        """Whether the action can run with these parameters the same."""
        return self.distinct.isdisjoint(merge.pairs) and self.satisfiable(merge)


def slot_actions(model: Model, vocabulary: Vocabulary) -> dict[str, SlotAction]:
    """A model in slots of the vocabulary; parameters are matched by position."""
    found = {}
    for action in model.actions:
        name = action.header.name
        header = vocabulary.action.get(name)
        if header is None or header.arity != action.header.arity:
            raise InputError(f"the model's action {name!r} is not in the vocabulary")
        if len(action.outcomes) != 1:
            raise InputError(f"the model's action {name!r} has several outcomes; one can be proved")
        found[name] = _slot_action(action, vocabulary)
    return found


def _slot_action(action: ActionModel, vocabulary: Vocabulary) -> SlotAction:
    header = vocabulary.action[action.header.name]
    renaming = {p.name: q.name for p, q in zip(action.header.parameters, header.parameters, strict=True)}
    number = {atom: n for n, atom in enumerate(vocabulary.lifted_atoms(header.name))}
    place = {p.name: i for i, p in enumerate(action.header.parameters)}

    def slots(literals: frozenset[Literal], positive: bool) -> frozenset[int]:
        found = set()
        for literal in literals:
            atom = literal.atom.substitute(renaming)
            if atom not in number:
                raise InputError(f"{header.name}: {literal.atom} is not an atom of the vocabulary")
            if literal.positive == positive:
                found.add(number[atom])
        return frozenset(found)

    added = slots(action.plain_effects, True)
    pairs = [sorted((place[x], place[y])) for x, y in action.distinct if x in place and y in place]
    return SlotAction(
        slots(action.needed, True),
        slots(action.needed, False),
        added,
        slots(action.plain_effects, False) - added,
        frozenset((i, j) for i, j in pairs),
    )


class Variables:
    """The variables of an unknown model, the normal form, and further variables as needed."""

    def __init__(self, setting: Setting) -> None:
        vocabulary = setting.profile.vocabulary
        self.count = 0
        self.slots: dict[str, range] = {}
        """For each action, the first variable of each slot."""
        self.pairs: dict[str, dict[tuple[int, int], int]] = {}
        """For each action, the variable of each pair of parameters that one object could fill."""
        self.loose: set[int] = set()
        """Slots that may add what they need."""
        self.anew: dict[int, int] = {}
        """For each loose slot, the variable that says it adds what it does not need."""
        for header in vocabulary.actions:
            first, size = self.count + 1, 4 * len(vocabulary.lifted_atoms(header.name))
            self.slots[header.name] = range(first, first + size, 4)
            self.count += size
            self.pairs[header.name] = {}
            free = header.name in setting.profile.free_arguments
            if setting.equality or free:
                overlapping = overlapping_slots(vocabulary, header.name, free)
                self.loose.update(first + 4 * n for n in overlapping)
            if setting.equality:
                mergeable = vocabulary.mergeable(header.name)
                for (i, x), (j, y) in combinations(enumerate(header.parameters), 2):
                    if (x.name, y.name) in mergeable:
                        self.pairs[header.name][i, j] = self.fresh()
        self.anew = {slot: self.fresh() for slot in sorted(self.loose)}

    def fresh(self) -> int:
        self.count += 1
        return self.count

    def normal_form(self) -> list[tuple[int, ...]]:
        slots = [slot for each in self.slots.values() for slot in each]
        return [
            *((-slot - ADDED, -slot - DELETED) for slot in slots),
            *((-slot - FORBIDDEN, -slot - DELETED) for slot in slots),
            *((-slot, -slot - ADDED) for slot in slots if slot not in self.loose),
            *((-new, slot + ADDED) for slot, new in self.anew.items()),
            *((-new, -slot) for slot, new in self.anew.items()),
            *((new, slot, -slot - ADDED) for slot, new in self.anew.items()),
        ]

    def decode(self, solution: Container[int]) -> dict[str, SlotAction]:
        """The model that a solution describes."""
        found = {}
        for name, slots in self.slots.items():
            needed, forbidden, added, deleted = (
                frozenset(n for n, slot in enumerate(slots) if slot + part in solution)
                for part in (0, FORBIDDEN, ADDED, DELETED)
            )
            distinct = frozenset(pair for pair, variable in self.pairs[name].items() if variable in solution)
            found[name] = SlotAction(needed, forbidden, added, deleted, distinct)
        return found
