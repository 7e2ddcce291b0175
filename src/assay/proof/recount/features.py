"""The features of an action, read off a state by the checker itself.

First come the lifted atoms: predicates over the parameters and constants, repetitions included. Then the
quantified features of the certificate: "some other object of this type, none of the arguments and no
constant, has this profile", a conjunction of literals that all mention it. In text the other object is `?z`,
or, if a parameter is called that, the first of `?z1`, `?z2`, ... that no parameter is called.

A *row* is what a state shows of one step: an integer with one bit for each feature. Rows are read only
for steps whose arguments are different objects and no constants; of others the class says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from operator import itemgetter
from typing import NamedTuple

from assay.core.symbols import ActionHeader
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.proof.recount.facts import Fact, Facts

NOT = "not "
SOME = "some "


class Cube(NamedTuple):
    """A conjunction of literals over features: the bits that it names, and those of them that are true."""

    named: int = 0
    true: int = 0

    def covers(self, row: int) -> bool:
        return row & self.named == self.true

    def join(self, other: Cube) -> Cube:
        """Both; they must not contradict each other."""
        return Cube(self.named | other.named, self.true | other.true)

    def turned(self, bits: int) -> Cube:
        """The conjunction with the literals of these bits turned round."""
        return Cube(self.named, self.true ^ bits)

    def contradicts(self, other: Cube) -> bool:
        return bool((self.true ^ other.true) & self.named & other.named)

    def implies(self, other: Cube) -> bool:
        return other.named & ~self.named == 0 and self.true & other.named == other.true


@dataclass(frozen=True, order=True)
class Other:
    """Some other object of the type has all of these: facts about `?z` with a sign each."""

    type: str
    literals: tuple[tuple[Fact, bool], ...]


def other_name(header: ActionHeader) -> str:
    """What the other object is called in profiles of this action."""
    taken = {p.name for p in header.parameters}
    return next(name for name in chain(["?z"], (f"?z{n}" for n in count(1))) if name not in taken)


class Features:
    """What can be said about the arguments of an action, and about other objects."""

    def __init__(self, vocabulary: Vocabulary, header: ActionHeader, others: Iterable[Other] = ()) -> None:
        self.vocabulary, self.header, self.others = vocabulary, header, tuple(others)
        self.atoms: tuple[Fact, ...] = tuple((a[0], *a[1]) for a in vocabulary.lifted_atoms(header.name))
        self.size = len(self.atoms) + len(self.others)
        self.quantified = ((1 << self.size) - 1) & ~((1 << len(self.atoms)) - 1)
        self._bits = {fact: 1 << n for n, fact in enumerate(self.atoms)}
        self.constants = frozenset(c.name for c in vocabulary.constants)
        self.parameters = tuple(p.name for p in header.parameters)
        self._words = (*(p.name for p in vocabulary.predicates), *sorted(self.constants))
        places = {word: n for n, word in enumerate((*self._words, *self.parameters))}
        self._ground: list[tuple[int, Callable[[Fact], Fact]]] = [
            (bit, itemgetter(*(places[word] for word in fact)))
            for fact, bit in self._bits.items()
            if len(fact) > 1
        ]
        """How each atom is made from the words followed by a step's arguments."""
        self._nullary = [(bit, fact) for fact, bit in self._bits.items() if len(fact) == 1]
        self._looks = [_Look(self, other) for other in self.others]

    def is_plain(self, step: Fact) -> bool:
        """Whether the arguments are different objects and no constants."""
        return len({*step[1:], *self.constants}) == len(step) - 1 + len(self.constants)

    def row(self, facts: Facts, step: Fact) -> int:
        """What the state shows of a plain step."""
        row, holds, words = 0, facts.all, self._words + step[1:]
        for bit, fact in self._nullary:
            if fact in holds:
                row |= bit
        for bit, ground in self._ground:
            if ground(words) in holds:
                row |= bit
        for number, look in enumerate(self._looks, start=len(self.atoms)):
            if look.holds(facts, step):
                row |= 1 << number
        return row

    # ---- text

    def literal(self, text: str) -> Cube:
        """A literal from its text: `not shut ?d`, `some 0`."""
        bare = text.removeprefix(NOT)
        if bare.startswith(SOME):
            number = bare.removeprefix(SOME)
            if not number.isdecimal() or int(number) >= len(self.others):
                raise InputError(f"{self.header.name}: {text!r}: there is no such other object")
            bit = 1 << (len(self.atoms) + int(number))
        else:
            bit = self._bits.get(tuple(bare.split()), 0)
            if not bit:
                raise InputError(f"{self.header.name}: {text!r} is not about the arguments")
        return Cube(bit, 0 if text.startswith(NOT) else bit)

    def cube(self, texts: Sequence[str]) -> Cube:
        """A conjunction from the texts of its literals."""
        found = Cube()
        for literal in map(self.literal, texts):
            if found.contradicts(literal):
                raise InputError(f"{self.header.name}: {', '.join(texts)}: a contradiction in itself")
            found = found.join(literal)
        return found

    def texts(self, cube: Cube) -> list[str]:
        """The literals of a conjunction, in the order of the features."""
        return [
            ("" if cube.true & bit else NOT) + self._name(bit.bit_length() - 1) for bit in single(cube.named)
        ]

    def _name(self, number: int) -> str:
        own = len(self.atoms)
        return " ".join(self.atoms[number]) if number < own else f"{SOME}{number - own}"


def read_other(vocabulary: Vocabulary, header: ActionHeader, type_name: str, profile: Iterable[str]) -> Other:
    """A quantified feature from its text, checked against the vocabulary."""
    other = other_name(header)
    if type_name not in {"object", *(t.name for t in vocabulary.types)}:
        raise InputError(f"{header.name}: unknown type {type_name!r}")
    types = {p.name: p.types for p in header.parameters} | {c.name: (c.type,) for c in vocabulary.constants}
    types[other] = (type_name,)
    literals: dict[Fact, bool] = {}
    for text in profile:
        fact = tuple(text.removeprefix(NOT).split())
        predicate = vocabulary.predicate.get(fact[0]) if fact else None
        if predicate is None or predicate.arity != len(fact) - 1 or not types.keys() >= {*fact[1:]}:
            raise InputError(f"{header.name}: {text!r} does not fit the vocabulary")
        for term, place in zip(fact[1:], predicate.parameters, strict=True):
            if not all(vocabulary.fits(t, place.types) for t in types[term]):
                raise InputError(f"{header.name}: {text!r} does not fit the vocabulary")
        if other not in fact:
            raise InputError(f"{header.name}: {text!r} says nothing about {other}")
        if literals.setdefault(fact, not text.startswith(NOT)) == text.startswith(NOT):
            raise InputError(f"{header.name}: {text!r}: a contradiction in itself")
    return Other(type_name, tuple(sorted(literals.items())))


def single(bits: int) -> Iterator[int]:
    """The bits one by one, lowest first."""
    while bits:
        yield (bit := bits & -bits)
        bits ^= bit


class _Look:
    """Looks for one quantified feature in a state."""

    def __init__(self, features: Features, other: Other) -> None:
        self._types = (other.type,)
        self.constants = features.constants
        self.parameters = features.parameters
        self._other = other_name(features.header)
        self._literals = other.literals
        needed = [fact for fact, positive in other.literals if positive]
        self._guard = max(needed, key=lambda fact: (len({*fact[1:]}), fact), default=None)
        """A positive fact that mentions most: only objects with it are looked at."""

    def holds(self, facts: Facts, step: Fact) -> bool:
        at = dict(zip(self.parameters, step[1:], strict=True))
        return any(self._has_profile(facts, at, name) for name in self._candidates(facts, at, step))

    def _candidates(self, facts: Facts, at: dict[str, str], step: Fact) -> Iterator[str]:
        fitting = facts.objects.fitting(self._types)
        names: Iterable[str] = fitting
        if self._guard is not None:
            place = self._guard.index(self._other)
            anchor = next((t for t in self._guard[1:] if t != self._other), None)
            facts_of = facts.of(self._guard[0]) if anchor is None else facts.about(at.get(anchor, anchor))
            names = {f[place] for f in facts_of if f[0] == self._guard[0]}
        for name in names:
            if name in fitting and name not in step[1:] and name not in self.constants:
                yield name

    def _has_profile(self, facts: Facts, at: dict[str, str], name: str) -> bool:
        bound = {**at, self._other: name}
        return all(
            ((fact[0], *[bound.get(t, t) for t in fact[1:]]) in facts.all) == positive
            for fact, positive in self._literals
        )
