"""A vocabulary with objects, and states as bitmasks over its ground atoms.

Ground atoms are numbered on first use, never all of them: a chained question brings thousands of
objects, of whose atoms it mentions few. Numbers are private to a universe; everything that leaves the
process (journal, wire, reports) is written in atoms, sorted by text, so that numbering never shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.core.symbols import ActionHeader, Atom, Object, Predicate, Step, check_name
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError


class Universe:
    """Interns objects and ground atoms; the only mutable thing in `core`, and it only ever grows."""

    def __init__(self, vocabulary: Vocabulary, objects: Iterable[Object] = ()) -> None:
        self.vocabulary = vocabulary
        self._objects: dict[str, Object] = {}
        self._spelt: dict[str, str] = {}
        """How the object is spelt that has these letters, in lower case."""
        self._index: dict[Atom, int] = {}
        self._atoms: list[Atom] = []
        self._texts: dict[int, str] = {}
        self._made_up: dict[tuple[str, int], str] = {}
        self._positions: dict[Step, tuple[int, ...]] = {}
        self._masks: dict[frozenset[str], tuple[int, int]] = {}
        for thing in (*vocabulary.constants, *objects):
            self.add(thing)
        self.own: frozenset[str] = frozenset(self._objects)
        """Names the agent itself knows; later additions are objects made up for questions."""

    def apart(self) -> Universe:
        """A new universe with the agent's own objects only."""
        return Universe(self.vocabulary, [o for o in self.objects if o.name in self.own])

    @property
    def objects(self) -> tuple[Object, ...]:
        return tuple(self._objects.values())

    def object(self, name: str) -> Object:
        try:
            return self._objects[name]
        except KeyError:
            raise InputError(f"unknown object {name!r}") from None

    def add(self, thing: Object) -> Object:
        check_name(thing.name, "object")
        if thing.type not in self.vocabulary._parents:
            raise InputError(f"object {thing.name!r}: unknown type {thing.type!r}")
        if (twin := self._spelt.setdefault(thing.name.lower(), thing.name)) != thing.name:
            raise InputError(f"object {thing.name!r} is declared twice (also as {twin!r})")
        known = self._objects.setdefault(thing.name, thing)
        if known.type != thing.type:
            raise InputError(f"object {thing.name!r} is of type {known.type!r} and of type {thing.type!r}")
        return known

    def made_up(self, type_name: str, number: int) -> str:
        """The name of the n-th object of a type that is not the agent's own, always the same one."""
        key = (type_name, number)
        if key not in self._made_up:
            name = f"new-{type_name}-{number}"
            while self._spelt.get(name.lower()) in self.own:
                name = f"new-{name}"
            self._made_up[key] = self.add(Object(name, type_name)).name
        return self._made_up[key]

    def index(self, atom: Atom) -> int:
        """The atom's bit number; the atom is checked against the vocabulary when first seen."""
        found = self._index.get(atom)
        if found is None:
            self._check(atom)
            found = self._intern(atom)
        return found

    def known(self, atom: Atom) -> int | None:
        """The atom's bit number, if it has one: an atom without holds in no state that there is."""
        return self._index.get(atom)

    @property
    def size(self) -> int:
        """How many atoms have a number."""
        return len(self._atoms)

    def _intern(self, atom: Atom) -> int:
        found = self._index.get(atom)
        if found is None:
            found = self._index[atom] = len(self._atoms)
            self._atoms.append(atom)
        return found

    def _check(self, atom: Atom) -> None:
        predicate = self.vocabulary.predicate.get(atom.predicate)
        if predicate is None:
            raise InputError(f"unknown predicate {atom.predicate!r} in {atom}")
        self._check_args(atom, predicate)

    def _check_args(self, used: Atom | Step, declared: Predicate | ActionHeader) -> None:
        if len(used.args) != declared.arity:
            raise InputError(
                f"{used}: {declared.name!r} takes {declared.arity} argument(s), not {len(used.args)}"
            )
        for name, parameter in zip(used.args, declared.parameters, strict=True):
            if name not in self._objects:
                raise InputError(f"{used}: unknown object {name!r}")
            if not self.vocabulary.fits(self._objects[name].type, parameter.types):
                raise InputError(
                    f"{used}: {name!r} is of type {self._objects[name].type!r}, "
                    f"{declared.name!r} wants {' or '.join(parameter.types)!r} there"
                )

    def check_step(self, step: Step) -> None:
        header = self.vocabulary.action.get(step.action)
        if header is None:
            raise InputError(f"unknown action {step.action!r} in {step}")
        self._check_args(step, header)

    def atom(self, index: int) -> Atom:
        return self._atoms[index]

    def positions(self, step: Step) -> tuple[int, ...]:
        """Bit numbers of the action's lifted atoms under the step's arguments, in slot order."""
        found = self._positions.get(step)
        if found is None:
            self.check_step(step)
            binding = self.vocabulary.action[step.action].bind(step.args)
            atoms = self.vocabulary.lifted_atoms(step.action)
            # lifted atoms fit their parameters and the step was checked, so the atoms need not be
            found = self._positions[step] = tuple([self._intern(a.substitute(binding)) for a in atoms])
        return found

    def mask(self, predicates: frozenset[str]) -> int:
        """The bits of all facts of these predicates that have a number, so of all that states hold so far."""
        known, found = self._masks.get(predicates, (0, 0))
        if known < len(self._atoms):
            news = range(known, len(self._atoms))
            found |= bits_of(n for n in news if self._atoms[n].predicate in predicates)
            self._masks[predicates] = len(self._atoms), found
        return found

    def bits(self, atoms: Iterable[Atom]) -> int:
        return bits_of(map(self.index, atoms))

    def state(self, atoms: Iterable[Atom]) -> State:
        return State(self, self.bits(atoms))

    def atoms(self, bits: int) -> list[Atom]:
        return [self._atoms[i] for i in indices(bits)]

    def texts(self, bits: int) -> list[str]:
        """The atoms as sorted text: the one way a state leaves the process."""
        texts = self._texts
        for i in (numbers := indices(bits)):
            if i not in texts:
                texts[i] = self._atoms[i].text
        return sorted([texts[i] for i in numbers])


def bits_of(numbers: Iterable[int]) -> int:
    """The mask with these bits set, in time linear in its length."""
    numbers = list(numbers)
    if len(numbers) < 8:
        mask = 0
        for number in numbers:
            mask |= 1 << number
        return mask
    buffer = bytearray(max(numbers) // 8 + 1)
    for number in numbers:
        buffer[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(buffer, "little")


_BYTE_BITS = tuple(tuple(b for b in range(8) if byte >> b & 1) for byte in range(256))
_NOT_ZERO = re.compile(rb"[^\0]")


def indices(mask: int) -> list[int]:
    """The numbers of the bits set, ascending, in time linear in the mask's length."""
    found: list[int] = []
    data = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    for match in _NOT_ZERO.finditer(data):
        place = match.start()
        base = place * 8
        found.extend([base + b for b in _BYTE_BITS[data[place]]])
    return found


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """The atoms that hold; every other atom is false."""

    universe: Universe
    bits: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.universe is other.universe:
            return self.bits == other.bits
        return set(self) == set(other)

    def __hash__(self) -> int:
        return self.bits.bit_count()  # the same in every universe, and cheap

    def __iter__(self) -> Iterator[Atom]:
        return iter(self.universe.atoms(self.bits))

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __contains__(self, atom: object) -> bool:
        index = self.universe._index.get(atom)  # type: ignore[call-overload]
        return index is not None and bool(self.bits >> index & 1)

    def change(self, add: Iterable[Atom] = (), delete: Iterable[Atom] = ()) -> State:
        """The state after the deletes, then the adds."""
        universe = self.universe
        return State(universe, self.bits & ~universe.bits(delete) | universe.bits(add))

    def texts(self) -> list[str]:
        return self.universe.texts(self.bits)

    def __str__(self) -> str:
        return " ".join(f"({text})" for text in self.texts()) or "(nothing holds)"

    def __repr__(self) -> str:
        return f"State({self})"
