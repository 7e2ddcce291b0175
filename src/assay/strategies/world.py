"""A question under construction: its start state, its plan, and what is predicted after each step.

Steps that are to be tests must not disturb each other. Where the agent accepts new objects every step
gets a tuple of objects of its own, so only shared atoms (those over constants alone) can be disturbed;
with a fixed set of objects steps are put where the atoms they care about are still free or predicted to
have the right value. Prediction is three-valued: an atom is true, false, or unknown because a step whose
effect on it is not settled ran before. An unknown shared atom that is a mere suspect is hoped to be right:
the state of a refusal is observed, so the answer counts even when the hope was vain.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.query import PlanQuery
from assay.core.symbols import OBJECT, Step
from assay.core.universe import State, bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.outlook import Outlook

TUPLES_TRIED = 12
"""Argument tuples looked at per step when objects are fixed."""


@dataclass(frozen=True, slots=True)
class Test:
    """A run wanted: the action under a valuation of its atoms, of which only those in `care` matter."""

    dossier: Dossier
    want: int
    care: int
    watch: int = 0
    """Shared atoms whose value after the run is what the test is for."""
    pair: int | None = None
    """Number of a pair of parameters to be filled with one object."""


Shared = tuple[int, int]
"""Which shared atoms are known, and the values of those."""


def generous(test: Test, wishes: list[Test], mask: int) -> int:
    """Shared atoms to start with: as the test wants them; where it does not matter, as the first of the
    others that cares about them wants them; and true where that does not matter either, to be used up."""
    values, left = 0, mask
    for each in (test, *wishes):
        values |= each.want & each.care & left
        left &= ~each.care
    return values | left


class World:
    def __init__(self, knowledge: Knowledge, rng: random.Random, outlook: Outlook) -> None:
        self.knowledge, self.universe = knowledge, knowledge.universe
        self._rng, self._outlook = rng, outlook
        self._fresh = knowledge.setting.profile.new_objects
        self.shared_mask = (1 << len(knowledge.vocabulary.shared_atoms)) - 1
        self.shared: Shared | None = None
        self._probable = 0
        """The values of the shared atoms, with what is not known to change as it was."""
        self.wishes: list[Test] = []
        """Tests that are to follow, as far as the start of the question should suit them."""
        self.plan: list[Step] = []
        self._start: set[int] = set()
        self._values: dict[int, int | None] = {}
        self._used: dict[str, int] = {}

    def query(self) -> PlanQuery:
        return PlanQuery(State(self.universe, bits_of(sorted(self._start))), tuple(self.plan))

    @property
    def size(self) -> int:
        """Atoms true at the start."""
        return len(self._start)

    @property
    def all_known(self) -> bool:
        """Whether every shared atom is known here."""
        return self.shared is None or self.shared[0] == self.shared_mask

    def predict(self, dossier: Dossier, shared: Shared) -> Shared:
        """The shared atoms after a run, as far as they are known, or probable (`outlook`)."""
        known, values = shared
        effects, mask = self._outlook.of(dossier).effects, self.shared_mask
        add, delete, keep = effects.may_add & mask, effects.may_delete & mask, effects.may_keep & mask
        high = values & known & ~delete | add & ~delete & ~keep
        low = ~values & known & ~add | delete & ~add & ~keep
        return high | low, high

    def likeliest(self, dossier: Dossier, values: int) -> int:
        """The shared atoms after a run: what is not known to change probably stays as it is."""
        effects = self._outlook.of(dossier).effects
        sure = ~effects.may_keep & self.shared_mask
        add, delete = effects.may_add & ~effects.may_delete, effects.may_delete & ~effects.may_add
        return values & ~(delete & sure) | add & sure

    def suits(self, test: Test, hope: bool = False) -> bool:
        """Whether no shared atom is known to be other than wanted, or probably is, and all needed ones are
        known; with hope those that are not known do not matter."""
        if self.shared is None:
            return True
        known, values = self.shared
        needed = test.dossier.precondition.required & self.shared_mask
        doubtful = needed
        if self.knowledge.walked:  # otherwise what actions do is too uncertain to go by
            doubtful |= (self._probable ^ test.want) & test.care & self.shared_mask
        return not (values ^ test.want) & test.care & known and (hope or not doubtful & ~known)

    def certain(self, test: Test) -> bool:
        """Whether every shared atom that matters to the test is known to be as wanted."""
        return self.shared is None or self.meets(self.shared, test)

    def meets(self, shared: Shared, test: Test) -> bool:
        """Whether the shared atoms are what the test wants."""
        known, values = shared
        return not (values ^ test.want | ~known) & test.care & self.shared_mask

    def add(self, test: Test, hope: bool = False) -> bool:
        """Append the test as the next step if there is a place for it."""
        if not self.suits(test, hope):
            return False
        if self._fresh:
            args: tuple[str, ...] | None = self._new_tuple(test)
        else:
            args = next((a for a in self._own_tuples(test) if self._free(test, a)), None)
        if args is None:
            return False
        self._place(test, Step(test.dossier.header.name, args))
        return True

    def _place(self, test: Test, step: Step) -> None:
        positions = self.universe.positions(step)
        width = self.shared_mask.bit_length()
        if self.shared is None:
            values = generous(test, self.wishes, self.shared_mask)
            self.shared, self._probable = (self.shared_mask, values), values
            self._start |= {p for i, p in enumerate(positions[:width]) if values >> i & 1}
        if self._fresh:
            self._start.update(
                [positions[i] for i in indices(test.want & test.dossier.atom_mask) if i >= width]
            )
        else:
            self._commit(test, positions, width)
        self.shared = self.predict(test.dossier, self.shared)
        self._probable = self.likeliest(test.dossier, self._probable)
        self.plan.append(step)
        for name in step.args:
            self._used[name] = self._used.get(name, 0) + 1

    def _commit(self, test: Test, positions: tuple[int, ...], width: int) -> None:
        """Fix what the step needs of atoms that other steps may meet, and predict them."""
        slots: dict[int, list[int]] = {}
        for index, p in enumerate(positions[width:], width):
            slots.setdefault(p, []).append(index)
        for p, indexes in slots.items():
            if p not in self._values:
                self._values[p] = int(any(test.want >> i & 1 for i in indexes))
                if self._values[p]:
                    self._start.add(p)
            one = test.dossier.effects.after(indexes[0], self._values[p]) if len(indexes) == 1 else None
            self._values[p] = one

    def _free(self, test: Test, args: tuple[str, ...]) -> bool:
        """Whether every atom the test cares about is unused so far or certain to be as wanted."""
        positions = self.universe.positions(Step(test.dossier.header.name, args))
        width = self.shared_mask.bit_length()
        return all(
            not test.care >> index & 1 or p not in self._values or self._values[p] == test.want >> index & 1
            for index, p in enumerate(positions[width:], width)
        )

    def _new_tuple(self, test: Test) -> tuple[str, ...]:
        header, vocabulary = test.dossier.header, self.knowledge.vocabulary
        types = {p.name: p.types[0] for p in header.parameters}
        merged: dict[str, str] = {}
        if test.pair is not None:
            first, second = test.dossier.pairs[test.pair]
            by_name = {p.name: p.types for p in header.parameters}
            types[first] = vocabulary.common_type(by_name[first], by_name[second]) or OBJECT
            merged = {second: first}
        names: dict[str, str] = {}
        for parameter in header.parameters:
            twin = merged.get(parameter.name)
            names[parameter.name] = names[twin] if twin else self._new_object(types[parameter.name])
        return tuple(names.values())

    def _new_object(self, type_name: str) -> str:
        key = f"new {type_name}"
        self._used[key] = number = self._used.get(key, 0) + 1
        return self.universe.made_up(type_name, number)

    def _own_tuples(self, test: Test) -> Iterator[tuple[str, ...]]:
        """Tuples of the agent's objects, those least used in this question first."""
        same = test.dossier.places(test.pair) if test.pair is not None else None
        places = self.knowledge.setting.fitting(test.dossier.header)
        used = self._used
        for attempt in range(TUPLES_TRIED):
            args: list[str] = []
            for number, place in enumerate(places):
                if same is not None and number == same[1]:
                    args.append(args[same[0]])
                    continue
                free = [n for n in place if n not in args]
                if same is not None and number == same[0]:
                    free = [n for n in free if n in places[same[1]]]
                if not free:
                    break
                if attempt >= TUPLES_TRIED // 3:
                    args.append(self._rng.choice(free))
                else:
                    least = min(used.get(n, 0) for n in free)
                    best = [n for n in free if used.get(n, 0) == least]
                    args.append(self._rng.choice(best) if attempt else best[0])
            else:
                yield tuple(args)
