"""Facts of one question, indexed for the checker: what holds, about which object, by which predicate.

A fact is a flat tuple, the predicate first and then the objects: ("at", "box1", "room2"). This is the
checker's own representation; it shares nothing with the bit masks that the learner works on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from assay.core.symbols import ActionHeader, Predicate
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

Fact = tuple[str, ...]
"""A predicate and its arguments; of a step: the action and its arguments."""

NOTHING: frozenset[Fact] = frozenset()


class Change(NamedTuple):
    """Facts that became true and facts that became false."""

    added: frozenset[Fact]
    removed: frozenset[Fact]


class Objects:
    """The objects that exist in a question: the agent's own, the constants, and those the question brings."""

    def __init__(self, vocabulary: Vocabulary, types: Mapping[str, str]) -> None:
        self.vocabulary, self.types = vocabulary, types
        self._fitting: dict[tuple[str, ...], dict[str, None]] = {}

    def fitting(self, types: tuple[str, ...]) -> Collection[str]:
        """All objects whose type is one of these or below; an ordered set."""
        found = self._fitting.get(types)
        if found is None:
            fits = self.vocabulary.fits
            found = self._fitting[types] = dict.fromkeys(o for o, t in self.types.items() if fits(t, types))
        return found


class Facts:
    """A state that can be changed. Facts by object and by predicate are at hand once they are asked for."""

    def __init__(self, objects: Objects, facts: Iterable[Fact]) -> None:
        self.objects = objects
        self.all: set[Fact] = set(facts)
        self._index: dict[str, set[Fact]] | None = None
        """The facts of each predicate, and those about each object, under its name after a colon."""

    def about(self, name: str) -> Iterable[Fact]:
        return self._indexed().get(f":{name}", ())

    def of(self, predicate: str) -> Iterable[Fact]:
        return self._indexed().get(predicate, ())

    def change(self, change: Change) -> None:
        """Removals first, then additions, as in a step."""
        removed, added = change.removed & self.all, change.added - self.all
        self.all -= removed
        self.all |= added
        if self._index is not None:
            for fact in removed:
                for key in _keys(fact):
                    self._index[key].discard(fact)
            for fact in added:
                for key in _keys(fact):
                    self._index.setdefault(key, set()).add(fact)

    def _indexed(self) -> dict[str, set[Fact]]:
        if self._index is None:
            self._index = {}
            for fact in self.all:
                for key in _keys(fact):
                    self._index.setdefault(key, set()).add(fact)
        return self._index


def _keys(fact: Fact) -> list[str]:
    return [fact[0], *[f":{name}" for name in fact[1:]]]


class Reader:
    """Reads facts and steps from their text and checks them; texts recur, so what was read is kept."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._types: dict[str, str] = {}
        """The type of every object in what was read and kept."""
        self._facts: dict[str, Fact] = {}

    def begin(self, types: Mapping[str, str]) -> None:
        """From here on the objects of a question are these."""
        if any(self._types.get(name, kind) != kind for name, kind in types.items()):
            self._types, self._facts = {}, {}
        self._types.update(types)

    def facts(self, texts: Sequence[str], types: Mapping[str, str]) -> frozenset[Fact]:
        known = self._facts
        for text in texts:
            if text not in known:
                known[text] = self._read(text, self._vocabulary.predicate)
        found = frozenset([known[text] for text in texts])
        if unknown := {*chain.from_iterable([fact[1:] for fact in found])} - types.keys():
            raise InputError(f"unknown object {min(unknown)!r}")
        return found

    def step(self, text: str, types: Mapping[str, str]) -> Fact:
        step = self._read(text, self._vocabulary.action)
        if unknown := {*step[1:]} - types.keys():
            raise InputError(f"unknown object {min(unknown)!r}")
        return step

    def _read(self, text: str, declared: Mapping[str, Predicate | ActionHeader]) -> Fact:
        fact = tuple(text.split())
        if not fact or fact[0] not in declared or declared[fact[0]].arity != len(fact) - 1:
            raise InputError(f"{text!r} does not fit the vocabulary")
        for name, place in zip(fact[1:], declared[fact[0]].parameters, strict=True):
            if name not in self._types:
                raise InputError(f"{text!r}: unknown object {name!r}")
            if not self._vocabulary.fits(self._types[name], place.types):
                raise InputError(f"{text!r}: {name!r} is of type {self._types[name]!r}")
        return fact
