"""How large a vocabulary may be: what work on it would take is counted before any of it is done.

Three parameters and a predicate with two arguments have nine lifted atoms; sixty parameters and one with four
have thirteen million, and a hello that says so is 800 bytes long. So nothing is enumerated here: numbers of
terms that fit each place are multiplied. What goes beyond a limit is refused, with the number and the option
that raises the limit. Options are kept in the environment, for the processes that a command starts.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from functools import cache
from math import prod

from assay.core.symbols import OBJECT, Object
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

ACTIONS = 100
"""All actions together may have as many lifted atoms as so many of the largest."""
LONGEST_REASON = 500
"""Characters of what an agent gives as its reason, or says of an error."""
LONGEST_TOLD = 10_000
"""Characters that a report shows of one question or one answer."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`assay bench growth` goes up to 1,000 lifted atoms; knowledge of an action is some bits for each."""

    lifted: int = 2_000
    """Lifted atoms of an action."""
    ground: int = 1_000_000
    """Ground atoms over the agent's own objects: what a state may hold."""
    objects: int = 10_000
    """The agent's own objects."""
    symbols: int = 4_000
    """Types, constants, predicates and actions: what the counting itself takes grows with their square."""

    @classmethod
    def here(cls) -> Limits:
        """The limits of this process: the usual ones, or as the environment has them."""
        raised = {name: os.environ.get(variable(name), "") for name in names()}
        return cls(**{name: int(text) for name, text in raised.items() if text.isascii() and text.isdigit()})


def names() -> list[str]:
    return [field.name for field in fields(Limits)]


def variable(name: str) -> str:
    """The environment variable of a limit."""
    return f"ASSAY_MAX_{name.upper()}"


def option(name: str) -> str:
    return f"--max-{name}"


def check_symbols(count: int, objects: int) -> None:
    """Before a vocabulary is even made: `InputError` if there are too many names."""
    limits = Limits.here()
    _at_most(count, limits.symbols, "types, constants, predicates and actions", "symbols")
    _at_most(objects, limits.objects, "objects", "objects")


def check_size(vocabulary: Vocabulary, objects: Collection[Object]) -> None:
    """`InputError` if work on the vocabulary would take more than the limits allow."""
    parts = (vocabulary.types, vocabulary.constants, vocabulary.predicates, vocabulary.actions)
    check_symbols(sum(map(len, parts)), len(objects))
    limits, count = Limits.here(), _Count(vocabulary)
    constants = [(c.type,) for c in vocabulary.constants]
    total = 0
    for action in vocabulary.actions:
        atoms = count.atoms([*constants, *(p.types for p in action.parameters)])
        _at_most(atoms, limits.lifted, f"lifted atoms in the action {action.name}", "lifted")
        total += atoms
    _at_most(total, ACTIONS * limits.lifted, "lifted atoms in all actions", "lifted")
    own = {o.name: (o.type,) for o in (*vocabulary.constants, *objects)}
    _at_most(count.atoms(own.values()), limits.ground, "ground atoms", "ground")


class _Count:
    """Counts atoms over terms of given types."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._signatures = Counter(tuple(p.types for p in q.parameters) for q in vocabulary.predicates)
        self._types = {OBJECT, *(t.name for t in vocabulary.types)}
        self._fits = cache(lambda name, place: name in self._types and vocabulary.fits(name, place))
        self._known: dict[frozenset[tuple[tuple[str, ...], int]], int] = {}

    def atoms(self, terms: Iterable[tuple[str, ...]]) -> int:
        """How many atoms there are over terms, each of which is of one of its types."""
        kinds = Counter(terms)
        if (key := frozenset(kinds.items())) not in self._known:
            self._known[key] = self._atoms(kinds)
        return self._known[key]

    def _atoms(self, kinds: Counter[tuple[str, ...]]) -> int:
        @cache
        def fitting(place: tuple[str, ...]) -> int:
            return sum(n for types, n in kinds.items() if all(self._fits(t, place) for t in types))

        return sum(n * prod(map(fitting, places)) for places, n in self._signatures.items())


def _at_most(number: int, most: int, what: str, limit: str) -> None:
    if number > most:
        raise InputError(
            f"there are {number:,} {what}, and work on more than {most:,} may take all time and memory; "
            f"if it is meant, raise the limit with {option(limit)} {number}"
        )
