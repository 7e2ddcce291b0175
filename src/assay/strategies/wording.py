"""What an action's name says about its effects: people call things alike that belong together.

Who folds makes folded, who opens the door makes the door open, and who unloads undoes what loading does.
Where nothing else tells which of several actions made a change, this does. Words that several actions have in
their names, or types, are what things are done to, and do not count; nor do names without a meaning.
"""

from __future__ import annotations

import re
from collections import Counter

from assay.core.vocabulary import Vocabulary
from assay.strategies.changes import Effects

FITTING, UNFITTING = 3.0, 0.4
"""Weights of effects that an action's name speaks of, and of their opposites, against others."""
LEAST = 3
"""Letters that two words of the same stem have in common, at least."""
UNDOING, AGAIN = ("un", "de", "dis"), "re"
"""Prefixes of words for doing the opposite, and for doing it once more."""
CONTRARY = {"out": "in", "off": "on", "close": "open", "shut": "open", "open": "close"}
WAYS = frozenset({"in", "on", "out", "off"})
"""Words that say to what end something is done, wherever they stand."""

Signs = frozenset[bool]


class Wording:
    """What the name of one action speaks of."""

    def __init__(self, vocabulary: Vocabulary, action: str) -> None:
        named = Counter(word for a in vocabulary.actions for word in {*_words(a.name)})
        named.update(word for t in vocabulary.types for word in {*_words(t.name)})
        own = [(word, number) for number, word in enumerate(_words(action)) if named[word] == 1]
        self._spoken_of = {p.name: signs for p in vocabulary.predicates if (signs := _signs(own, p.name))}

    def fits(self, effects: Effects) -> float:
        """How well the effects fit the name."""
        said = {sign in self._spoken_of[a.predicate] for a, sign in effects if a.predicate in self._spoken_of}
        return FITTING if True in said else UNFITTING if said else 1.0


def _signs(words: list[tuple[str, int]], predicate: str) -> Signs:
    """What the words speak of making the predicate: true, false, or either; nothing if they do not.

    The first word says what is done, and to what end; others, but for those of ways, only name it."""
    for word, number in words:
        tells = not number or word in WAYS
        for other in _words(predicate):
            if _alike(word, other) or _alike(word.removeprefix(AGAIN), other):
                return frozenset({True} if tells else {True, False})
            if _alike(CONTRARY.get(word, ""), other) or any(
                word.startswith(prefix) and _alike(word.removeprefix(prefix).lstrip("-_"), other)
                for prefix in UNDOING
            ):
                return frozenset({False})
    return frozenset()


def _words(name: str) -> list[str]:
    """The words of a name, a prefix that undoes joined with what follows it."""
    return re.findall(rf"(?:(?:{'|'.join(UNDOING)})[-_])?[a-z]+", name.lower())


def _alike(one: str, other: str) -> bool:
    """Whether one is the other, or has the same stem as far as the first letters tell."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    common = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return common >= max(LEAST, len(short) - 1)
