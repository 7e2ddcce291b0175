"""The claimed model over the agent's own objects: where it can begin, its steps, and the steps to watch.

Atoms are numbered here anew, only those that matter: a literal over a predicate that no action changes is
decided once, while objects are being chosen for an action's parameters, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import State, bits_of
from assay.proof.grounding import Grounding, Key, Terms, keys_of
from assay.proof.slots import SlotAction
from assay.proof.stakes import Stake, overlapping

MOST_BINDINGS = 300_000
"""Choices of objects for parameters that are looked at before the task counts as too large."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Atoms that must hold and atoms that must not."""

    needed: int = 0
    forbidden: int = 0

    @property
    def care(self) -> int:
        return self.needed | self.forbidden


@dataclass(frozen=True, slots=True)
class Move:
    """A step of the claimed model that changes something."""

    step: Step
    condition: Condition
    added: int
    deleted: int


@dataclass(frozen=True, slots=True)
class Watch:
    """A step at which something is at stake."""

    stake: Stake
    step: Step
    sure: Condition
    """What every model left needs."""
    condition: Condition | None
    """What the claim needs; None if that never holds."""
    places: Mapping[int, int]
    """The number of the ground atom of each slot that is at stake."""
    company: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """For slots at stake that stand for an atom together with others, all of these."""


@dataclass(frozen=True, slots=True)
class Try:
    """A step of an action that never ran: where would it be something new?"""

    step: Step
    condition: Condition | None
    """Where the claim runs it, if it does anywhere."""
    places: tuple[int, ...]
    """The numbers of all its atoms, in slot order."""


class TooLarge(Exception):
    """More steps than anybody should enumerate."""


class Task:
    def __init__(
        self,
        setting: Setting,
        grounding: Grounding,
        claimed: Mapping[str, SlotAction],
        stakes: Iterable[Stake],
        never_ran: Iterable[str],
        initial: Sequence[State],
    ) -> None:
        self._setting, self._grounding = setting, grounding
        self._bindings = 0
        vocabulary = setting.profile.vocabulary
        self._changing = {
            vocabulary.lifted_atoms(name)[n].predicate
            for name, action in claimed.items()
            for n in action.added | action.deleted
        }
        states = {state: keys_of(state) for state in initial}
        self._ever = set[Key]().union(*states.values())
        self._always = self._ever.intersection(*states.values())
        self._number: dict[Key, int] = {}
        self.moves = [move for name in sorted(claimed) for move in self._moves(name, claimed[name])]
        self.watches = [watch for stake in stakes for watch in self._watches(stake)]
        self.tries = [each for name in never_ran for each in self._tries(name, claimed.get(name))]
        self.initial = {self._bits(keys): state for state, keys in states.items()}
        """Where a run can begin."""

    @property
    def size(self) -> int:
        """How many atoms matter."""
        return len(self._number)

    def atoms_by_object(self) -> list[int]:
        """For each object, the atoms about it that matter."""
        found: dict[str, int] = {}
        for key, number in self._number.items():
            for thing in set(key[1:]) if not isinstance(key, str) else ():
                found[thing] = found.get(thing, 0) | 1 << number
        return [found[thing] for thing in sorted(found)]

    def _bits(self, keys: Iterable[Key]) -> int:
        return bits_of(self._number[key] for key in keys if key in self._number)

    def _at(self, key: Key) -> int:
        return self._number.setdefault(key, len(self._number))

    def _moves(self, name: str, action: SlotAction) -> Iterator[Move]:
        if not action.added - action.needed and not action.deleted - action.forbidden:
            return
        for step in self._steps(name, action):
            keys = self._grounding.keys(step)
            if (condition := self._condition(keys, action)) is not None:
                added, deleted = self._mask(keys, action.added), self._mask(keys, action.deleted)
                yield Move(step, condition, added, deleted & ~added)

    def _watches(self, stake: Stake) -> Iterator[Watch]:
        slots = sorted({n for n, _ in stake.tells}.union(stake.doubtful))
        for step in self._steps(stake.action, stake.sure):
            keys = self._grounding.keys(step)
            if (sure := self._condition(keys, stake.sure)) is not None:
                places = {n: self._at(keys[n]) for n in slots}
                condition = self._condition(keys, stake.claim)
                if self._grounding.shares(step):
                    company = {n: tuple(m for m, key in enumerate(keys) if key == keys[n]) for n in slots}
                    company = {n: together for n, together in company.items() if len(together) > 1}
                    yield Watch(overlapping(stake, keys), step, sure, condition, places, company)
                else:
                    yield Watch(stake, step, sure, condition, places)

    def _tries(self, name: str, action: SlotAction | None) -> Iterator[Try]:
        for step in self._steps(name, None):
            keys = self._grounding.keys(step)
            condition = self._condition(keys, action) if action else None
            yield Try(step, condition, tuple(map(self._at, keys)))

    def _condition(self, keys: Sequence[Key], action: SlotAction) -> Condition | None:
        """The precondition, without what always holds; None if something never does."""
        needed = [keys[n] for n in action.needed if not self._constant(keys[n], True)]
        forbidden = [keys[n] for n in action.forbidden if not self._constant(keys[n], False)]
        if any(self._constant(k, False) for k in needed) or any(self._constant(k, True) for k in forbidden):
            return None
        if not set(needed).isdisjoint(forbidden):
            return None
        return Condition(bits_of(map(self._at, needed)), bits_of(map(self._at, forbidden)))

    def _mask(self, keys: Sequence[Key], slots: Iterable[int]) -> int:
        return bits_of(self._at(keys[n]) for n in slots)

    def _constant(self, key: Key, value: bool) -> bool:
        """Whether the atom has this value in every state."""
        predicate = key if isinstance(key, str) else key[0]
        return predicate not in self._changing and (key in self._always if value else key not in self._ever)

    def _steps(self, name: str, action: SlotAction | None) -> Iterator[Step]:
        """Steps with different objects for all parameters, less those that constant atoms rule out.

        Where arguments are free, with any objects.
        """
        header = self._setting.profile.vocabulary.action[name]
        place = {p.name: i for i, p in enumerate(header.parameters)}
        atoms = self._setting.profile.vocabulary.lifted_atoms(name)
        tests = [
            (frozenset(place[v] for v in atoms[n].variables), n, wanted)
            for wanted, slots in (((True, action.needed), (False, action.forbidden)) if action else ())
            for n in sorted(slots)
            if atoms[n].predicate not in self._changing
        ]
        fitting, picks = self._setting.fitting(header), self._grounding.picks(name)
        free = name in self._setting.profile.free_arguments
        order = _order([len(things) for things in fitting], [about for about, _, _ in tests])
        last = {i: depth for depth, i in enumerate(order, start=1)}
        due: list[list[tuple[Callable[[Terms], Key], bool]]] = [[] for _ in range(header.arity + 1)]
        for about, n, wanted in tests:
            due[max((last[i] for i in about), default=0)].append((picks[n], wanted))
        args = [""] * header.arity

        def choose(depth: int) -> Iterator[Step]:
            self._bindings += 1
            if self._bindings > MOST_BINDINGS:
                raise TooLarge
            step = Step(name, tuple(args))
            if due[depth]:
                terms = self._grounding.terms(step)
                if any(self._constant(pick(terms), not wanted) for pick, wanted in due[depth]):
                    return
            if depth == header.arity:
                yield step
                return
            for thing in fitting[order[depth]]:
                if free or thing not in args:
                    args[order[depth]] = thing
                    yield from choose(depth + 1)
                    args[order[depth]] = ""

        return choose(0)


def _order(choices: Sequence[int], tests: Sequence[frozenset[int]]) -> list[int]:
    """In which order to choose objects for parameters: first those that soonest allow a test."""
    order: list[int] = []
    while len(order) < len(choices):
        rest = [i for i in range(len(choices)) if i not in order]
        order.append(
            min(rest, key=lambda i: (-sum(i in t and t <= {*order, i} for t in tests), choices[i], i))
        )
    return order
