"""What is known of one action: its precondition, its effects, and how each slot stands.

Beside the lifted atoms the precondition has one more bit per pair of parameters that one object could
fill, if equality is being learned: "these two are the same object". Only its negation can be required.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal as TypingLiteral

from assay.core.model import ActionModel
from assay.core.symbols import ActionHeader, Atom, Literal
from assay.core.universe import bits_of, indices
from assay.core.vocabulary import Vocabulary
from assay.knowledge.conjunction import Conjunction, Evidence
from assay.knowledge.effects import Effects
from assay.knowledge.hitting import fewest
from assay.knowledge.reconciliation import Choice


class Part(StrEnum):
    PRECONDITION = "precondition"
    EFFECT = "effect"


Mode = TypingLiteral["+", "-", "absent"]


class Status(StrEnum):
    SETTLED = "settled"
    INDISTINGUISHABLE = "indistinguishable"
    """Several modes are left, and no question over this vocabulary can ever separate them."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Claim:
    """How one slot stands: the modes still possible, the one the model is written with first."""

    action: str
    atom: Atom
    part: Part
    modes: tuple[Mode, ...]
    status: Status
    evidence: tuple[int, ...]

    @property
    def mode(self) -> Mode:
        return self.modes[0]


@dataclass(slots=True)
class Dossier:
    header: ActionHeader
    atoms: tuple[Atom, ...]
    pairs: tuple[tuple[str, str], ...]
    precondition: Conjunction
    effects: Effects
    first_run: int = 0
    """The entry in which it first ran."""
    tried: int = 0
    """How often it was refused before it ran for the first time."""
    hints: list[int] = field(default_factory=list)
    """Valuations in which the agent did it on a walk, but with arguments that make that no evidence."""
    rejected: Counter[str] = field(default_factory=Counter)
    """Why questions about it were called impossible, each reason with how often it was given."""
    alike_needs: int = 0
    """Literals in doubt that no state within reach of an agent that only acts can settle (see `acting`)."""
    alike_effects: int = 0
    choice: Choice = field(default_factory=Choice)
    idle: bool = False
    """Whether it is proved to be refused in every state within reach."""
    forbidden_needs: int = 0
    """Literals in doubt left open because what would tell might have led into a forbidden state."""
    forbidden_effects: int = 0
    common: Mapping[str, int] = field(default_factory=dict)
    """How often each predicate holds where the agent begins."""
    _places: tuple[tuple[int, int], ...] = field(default=())
    _merges: tuple[tuple[int, ...], ...] = field(default=())
    """Per pair, the sets of atoms that become one atom when the two are the same object."""
    _besides: tuple[int, ...] = field(default=())
    """Where arguments are free: per atom, others that may stand for the same one."""
    _united: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def blank(cls, vocabulary: Vocabulary, action: str, equality: bool, free: bool = False) -> Dossier:
        header, atoms = vocabulary.action[action], vocabulary.lifted_atoms(action)
        pairs = vocabulary.mergeable(action) if equality else ()
        places = {p.name: i for i, p in enumerate(header.parameters)}
        merges = []
        for x, y in pairs:
            together: dict[Atom, int] = {}
            for i, atom in enumerate(atoms):
                same = atom.substitute({y: x})
                together[same] = together.get(same, 0) | 1 << i
            merges.append(tuple(mask for mask in together.values() if mask.bit_count() > 1))
        size = len(atoms) + len(pairs)
        full = (1 << size) - 1
        return cls(
            header,
            atoms,
            pairs,
            Conjunction(size, (1 << len(atoms)) - 1, full),
            Effects.unknown(len(atoms)),
            _places=tuple((places[x], places[y]) for x, y in pairs),
            _merges=tuple(merges),
            _besides=_besides(vocabulary, header, atoms) if free else (),
        )

    @property
    def ran(self) -> bool:
        return self.first_run > 0

    @property
    def atom_mask(self) -> int:
        return (1 << len(self.atoms)) - 1

    def places(self, pair: int) -> tuple[int, int]:
        """Where the two parameters of a pair stand in the header, the earlier one first."""
        return self._places[pair]

    def merged(self, args: tuple[str, ...]) -> int:
        """The "same object" bits of a step with these arguments."""
        base = len(self.atoms)
        return bits_of(base + k for k, (i, j) in enumerate(self._places) if args[i] == args[j])

    @property
    def void_pairs(self) -> int:
        """Pairs that can never be the same object anyway, because opposite literals would fall together."""
        if not self.pairs:
            return 0
        true, false, base = self.precondition.need_true, self.precondition.need_false, len(self.atoms)
        return bits_of(
            base + k
            for k, merges in enumerate(self._merges)
            if any(true & together and false & together for together in merges)
        )

    @property
    def open_needs(self) -> int:
        return self.precondition.open & ~self.void_pairs & ~self.alike_needs

    @property
    def void(self) -> int:
        """Effects that the settled precondition makes invisible whichever way they are."""
        add, delete, keep = self.effects.may_add, self.effects.may_delete, self.effects.may_keep
        needs = self.precondition
        return keep & (add & ~delete & needs.need_true & ~self.exposed | delete & ~add & needs.need_false)

    @property
    def exposed(self) -> int:
        """Needed atoms that may fall together with a deleted one: adding them again would save them."""
        if self._besides:
            return self._exposed_freely()
        if not self.pairs:
            return 0
        exposed, effects = 0, self.effects
        deleted, added = effects.may_delete & ~effects.may_keep, effects.may_add & ~effects.may_keep
        for _, classes in self.merges():
            for together in classes:
                if together & deleted and not together & added:
                    exposed |= together & self.precondition.need_true
        return exposed | self._exposed_further(deleted)

    def _exposed_freely(self) -> int:
        """The same where arguments are free; what makes no difference counts as it is written."""
        needs, effects, choice = self.precondition, self.effects, self.choice
        silent = effects.ambiguous & self.alike_effects
        true, false = self.chosen if silent else (0, 0)
        true, false = true | needs.need_true, false | needs.need_false
        gone = effects.may_delete & ~silent | choice.deletes
        added = effects.added | choice.adds & silent  # what is only supposed proves nothing
        return bits_of(
            i
            for i in indices(needs.need_true & self.atom_mask)
            for j in indices(self._besides[i] & gone)
            if not any(true & together and false & together for together in self._classes(i, j))
            and any(together >> i & 1 and not together & added for together in self._classes(i, j))
        )

    def _classes(self, i: int, j: int) -> tuple[int, ...]:
        """The sets of atoms that become one atom wherever these two are one; none if they never are."""
        key = min(i, j), max(i, j)
        if key not in self._united:
            self._united[key] = _united(self.atoms, *key, {p.name for p in self.header.parameters})
        return self._united[key]

    def _exposed_further(self, deleted: int) -> int:
        """The same where more than one pair must be one object: never tried, so such effects stay open."""
        free = {frozenset(self.pairs[k]) for k, _ in self.merges()}
        gone = [self.atoms[i] for i in indices(deleted)]
        return bits_of(
            i
            for i in indices(self.precondition.need_true & self.atom_mask)
            for other in gone
            if other.predicate == self.atoms[i].predicate
            and len(apart := _apart(self.atoms[i], other)) > 1
            and apart <= free
        )

    def interchangeable(self, atoms: list[int]) -> bool:
        """Whether the atoms fall together with the same others whatever becomes one object."""
        company = [
            {together for _, classes in self.merges() for together in classes if together >> i & 1}
            for i in atoms
        ]
        return all(each == company[0] for each in company)

    def merges(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The pairs that may be one object, with the sets of atoms that then become one atom."""
        ruled_out = self.precondition.need_false | self.void_pairs
        for k, classes in enumerate(self._merges):
            if not ruled_out >> len(self.atoms) + k & 1:
                yield k, classes

    @property
    def open_effects(self) -> int:
        return self.effects.ambiguous & ~self.void & ~self.alike_effects

    @property
    def impossible(self) -> bool:
        """Whether it was refused under every valuation of its atoms: what it needs contradicts itself."""
        refusals = self.precondition.failures
        if self.ran or len(refusals) < 1 << len(self.atoms):
            return False
        return sum(not valuation & ~self.atom_mask for valuation in refusals) == 1 << len(self.atoms)

    @property
    def never_runs(self) -> bool:
        """Whether it is proved to be refused wherever a question can start."""
        return self.idle or self.impossible

    @property
    def settled(self) -> bool:
        return self.never_runs or (self.ran and not self.open_needs and not self.open_effects)

    @property
    def refusals(self) -> list[tuple[int, int]]:
        """Those that no settled need explains: what must be true or false, in doubt, of which one would."""
        needs = self.precondition
        return [
            (c.true & needs.may_true & ~needs.need_false, c.false & needs.may_false & ~needs.need_true)
            for c in needs.clauses
        ]

    @property
    def chosen(self) -> tuple[int, int]:
        """Literals in doubt that are written all the same: the fewest that explain every refusal.

        The atoms that must be true, and those that must be false. Of several such sets the one with most
        positive literals; then with what the action deletes, with predicates that its name speaks of, with
        arguments in the header's order, about parameters that come first, and with what holds most seldom.
        """
        if not self.ran:
            return 0, 0
        needs, deleted, choice = self.precondition, self.effects.deleted, self.choice
        words = set(self.header.name.replace("-", "_").split("_"))
        place = {p.name: n for n, p in enumerate(self.header.parameters)}

        def rank(literal: int) -> tuple[object, ...]:
            negative, index = divmod(literal, needs.size)
            if index >= len(self.atoms):
                return True, True, True, True, (), 0, index
            atom = self.atoms[index]
            return (
                bool(negative),
                not deleted >> index & 1,
                words.isdisjoint(atom.predicate.replace("-", "_").split("_")),
                not self.in_order(atom),
                tuple([place.get(a, -1) for a in atom.args]),
                self.common.get(atom.predicate, 0),
                index,
            )

        refusals = (
            true & ~choice.was_false | (false & ~choice.was_true) << needs.size
            for true, false in self.refusals
        )
        found = fewest(refusals, rank, needs.size)
        return found & (1 << needs.size) - 1, found >> needs.size

    def in_order(self, atom: Atom) -> bool:
        """Whether its arguments are different and in the header's order, constants first."""
        place = {p.name: n for n, p in enumerate(self.header.parameters)}
        places = [place.get(a, -1) for a in atom.args]
        return places == sorted(places) and len(set(atom.args)) == len(atom.args)

    def claims(self) -> list[Claim]:
        needs, effects, void, chosen = self.precondition, self.effects, self.void, self.chosen
        names = [*self.atoms, *(Atom("=", pair) for pair in self.pairs)]
        found = []
        for index, atom in enumerate(names):
            modes = _modes(needs.may_true, needs.may_false, ~needs.required, index)
            modes = _first(modes, *chosen, index)
            status = self._status(self.open_needs, needs.open, index)
            found.append(self._claim(atom, Part.PRECONDITION, modes, status, needs.evidence(index)))
        for index, atom in enumerate(self.atoms):
            modes = _modes(effects.may_add, effects.may_delete, effects.may_keep, index)
            modes = _first(modes, self.choice.adds, self.choice.deletes, index)
            status = self._status(self.open_effects, void | self.alike_effects & effects.ambiguous, index)
            evidence = effects.evidence(index)
            if status is Status.INDISTINGUISHABLE or (self._besides and self._besides[index]):
                evidence |= needs.evidence(index)  # where atoms fall together, an add of what is needed shows
            found.append(self._claim(atom, Part.EFFECT, modes, status, evidence))
        return found

    def _status(self, open_slots: int, ambiguous: int, index: int) -> Status:
        if self.never_runs:
            return Status.INDISTINGUISHABLE
        if not self.ran or open_slots >> index & 1:
            return Status.OPEN
        return Status.INDISTINGUISHABLE if ambiguous >> index & 1 else Status.SETTLED

    def _claim(
        self, atom: Atom, part: Part, modes: tuple[Mode, ...], status: Status, evidence: Evidence
    ) -> Claim:
        if self.ran:  # that the action runs at all is part of every conclusion about it
            evidence |= {self.first_run}
        return Claim(self.header.name, atom, part, modes, status, tuple(sorted(evidence)))

    def model(self) -> ActionModel:
        """The settled literals and the chosen ones; what is open is left out and listed by `claims`."""
        needs, effects = self.precondition, self.effects
        base, chosen = len(self.atoms), self.chosen
        true, false = needs.need_true | chosen[0], needs.need_false | chosen[1]
        precondition = [
            *(Literal(self.atoms[i]) for i in indices(true)),
            *(Literal(self.atoms[i], False) for i in indices(false & self.atom_mask)),
        ]
        sure = self.atom_mask & ~effects.ambiguous
        results = [
            *(Literal(self.atoms[i]) for i in indices(sure & effects.may_add | self.choice.adds)),
            *(
                Literal(self.atoms[i], False)
                for i in indices(sure & effects.may_delete | self.choice.deletes)
            ),
        ]
        distinct = [self.pairs[i - base] for i in indices(false & ~self.atom_mask)]
        return ActionModel.strips(
            self.header, frozenset(precondition), frozenset(results), frozenset(distinct)
        )


def _modes(positive: int, negative: int, absent: int, index: int) -> tuple[Mode, ...]:
    """The modes possible for one atom, given the sets of atoms for which each is."""
    masks: tuple[tuple[Mode, int], ...] = (("absent", absent), ("-", negative), ("+", positive))
    return tuple(mode for mode, mask in masks if mask >> index & 1)


def _first(modes: tuple[Mode, ...], positive: int, negative: int, index: int) -> tuple[Mode, ...]:
    """The modes, with what is written first."""
    if not (positive | negative) >> index & 1:
        return modes
    written: Mode = "+" if positive >> index & 1 else "-"
    return (written, *(mode for mode in modes if mode != written))


def _besides(vocabulary: Vocabulary, header: ActionHeader, atoms: tuple[Atom, ...]) -> tuple[int, ...]:
    """Per atom, the others that come to be the same one under some arguments, at most."""
    types = {p.name: p.types for p in header.parameters} | {c.name: (c.type,) for c in vocabulary.constants}
    named = {c.name for c in vocabulary.constants}

    def same(x: str, y: str) -> bool:
        return x == y or (not {x, y} <= named and vocabulary.common_type(types[x], types[y]) is not None)

    return tuple(
        bits_of(
            j
            for j, other in enumerate(atoms)
            if other != atom and other.predicate == atom.predicate and all(map(same, atom.args, other.args))
        )
        for atom in atoms
    )


def _united(atoms: tuple[Atom, ...], i: int, j: int, parameters: set[str]) -> tuple[int, ...]:
    """The sets of atoms that become one atom when atoms i and j do; none if two constants would be one."""
    same: dict[str, str] = {}
    for pair in zip(atoms[i].args, atoms[j].args, strict=True):
        x, y = sorted((same.get(a, a) for a in pair), key=lambda a: a not in parameters)
        if x != y:
            if x not in parameters:
                return ()
            same = {a: y if b == x else b for a, b in same.items()} | {x: y}
    classes: dict[Atom, int] = {}
    for n, atom in enumerate(atoms):
        one = atom.substitute(same)
        classes[one] = classes.get(one, 0) | 1 << n
    return tuple(mask for mask in classes.values() if mask & mask - 1)


def _apart(first: Atom, second: Atom) -> set[frozenset[str]]:
    """The arguments that would have to be one object for the two atoms to be one."""
    return {frozenset((x, y)) for x, y in zip(first.args, second.args, strict=True) if x != y}
