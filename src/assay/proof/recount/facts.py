"""Facts of one question, indexed for the checker: what holds, about which object, by which predicate.

A fact is a flat tuple, the predicate first and then the objects: ("at", "box1", "room2"). This is the
checker's own representation; it shares nothing with the bit masks that the learner works on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

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
    """A state that can be changed, with the facts about each object at hand."""

    def __init__(self, objects: Objects, facts: Iterable[Fact]) -> None:
        self.objects = objects
        self.all: set[Fact] = set()
        self._about: dict[str, set[Fact]] = {}
        self._by_predicate: dict[str, set[Fact]] = {}
        for fact in facts:
            self._add(fact)

    def about(self, name: str) -> Iterable[Fact]:
        return self._about.get(name, ())

    def of(self, predicate: str) -> Iterable[Fact]:
        return self._by_predicate.get(predicate, ())

    def change(self, change: Change) -> None:
        """Removals first, then additions, as in a step."""
        for fact in change.removed & self.all:
            self.all.remove(fact)
            self._by_predicate[fact[0]].discard(fact)
            for name in fact[1:]:
                self._about[name].discard(fact)
        for fact in change.added:
            self._add(fact)

    def _add(self, fact: Fact) -> None:
        self.all.add(fact)
        self._by_predicate.setdefault(fact[0], set()).add(fact)
        for name in fact[1:]:
            self._about.setdefault(name, set()).add(fact)


class Reader:
    """Reads facts and steps from their text and checks them; texts recur, so they are kept."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._read: dict[str, Fact] = {}
        self._fits: dict[tuple[str, ...], bool] = {}

    def fact(self, text: str, types: Mapping[str, str]) -> Fact:
        return self._checked(text, types, False)

    def step(self, text: str, types: Mapping[str, str]) -> Fact:
        return self._checked(text, types, True)

    def facts(self, texts: Iterable[str], types: Mapping[str, str]) -> frozenset[Fact]:
        return frozenset([self._checked(text, types, False) for text in texts])

    def _checked(self, text: str, types: Mapping[str, str], step: bool) -> Fact:
        fact = self._read.get(text)
        if fact is None:
            fact = self._read[text] = tuple(text.split())
        try:
            signature = ("!" if step else "?", fact[0], *[types[name] for name in fact[1:]])
        except KeyError as error:
            raise InputError(f"{text!r}: unknown object {error.args[0]!r}") from None
        except (IndexError, TypeError):
            raise InputError(f"{text!r} is no fact and no step") from None
        fits = self._fits.get(signature)
        if fits is None:
            fits = self._fits[signature] = self._fitting(fact[0], signature[2:], step)
        if not fits:
            raise InputError(f"{text!r} does not fit the vocabulary")
        return fact

    def _fitting(self, name: str, types: tuple[str, ...], step: bool) -> bool:
        declared = self._vocabulary.action.get(name) if step else self._vocabulary.predicate.get(name)
        if declared is None or declared.arity != len(types):
            return False
        places = zip(types, declared.parameters, strict=True)
        return all(self._vocabulary.fits(given, place.types) for given, place in places)
