"""Which ground actions to consider in a situation: those under which most of the action's atoms hold, first.

Nothing is known yet of what an action needs, so its steps cannot be found by joining preconditions. But
situations that really occur make few atoms true, and actions mostly need true atoms: the arguments
under which many hold together are the likeliest to work. They are chosen parameter by parameter; where
there are more tuples than the limit, the poorest partial ones are dropped and the list is marked as
incomplete. Arguments are all different and never constants.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from assay.core.symbols import Object, Step
from assay.core.universe import State
from assay.core.vocabulary import Vocabulary

Pattern = tuple[str, tuple[int | str, ...]]
"""A lifted atom with parameters written as their numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """A state and the objects that steps may be applied to there. Compared by identity."""

    state: State
    objects: tuple[Object, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """The richest steps first."""

    steps: tuple[Step, ...]
    complete: bool


class Grounding:
    """Lists the steps of each action in each situation, once."""

    def __init__(self, vocabulary: Vocabulary, limit: int) -> None:
        self._vocabulary, self._limit = vocabulary, limit
        self._constants = frozenset(c.name for c in vocabulary.constants)
        self._patterns = {a.name: _patterns(vocabulary, a.name) for a in vocabulary.actions}
        self._found: dict[tuple[Situation, str], Steps] = {}

    def steps(self, situation: Situation, action: str) -> Steps:
        key = situation, action
        if key not in self._found:
            self._found[key] = self._search(situation, action)
        return self._found[key]

    def _search(self, situation: Situation, action: str) -> Steps:
        rows: dict[str, list[tuple[str, ...]]] = {}
        for predicate, args in situation.state:
            rows.setdefault(predicate, []).append(args)
        tuples: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        complete = True
        header = self._vocabulary.action[action]
        for level, parameter in enumerate(header.parameters):
            names = [
                o.name
                for o in situation.objects
                if o.name not in self._constants and self._vocabulary.fits(o.type, parameter.types)
            ]
            indexes = [
                _Index(level, pattern, rows[pattern[0]])
                for pattern in self._patterns[action][level]
                if pattern[0] in rows
            ]
            extended = []
            for score, args in tuples:
                gains = Counter(name for index in indexes for name in index.names(args))
                extended += [(score + gains[name], (*args, name)) for name in names if name not in args]
            extended.sort(key=lambda entry: -entry[0])
            complete = complete and len(extended) <= self._limit
            tuples = extended[: self._limit]
        return Steps(tuple(Step(action, args) for _, args in tuples), complete)


class _Index:
    """For one lifted atom, what the parameter at this level must be for it to hold, given those before."""

    def __init__(self, level: int, pattern: Pattern, rows: list[tuple[str, ...]]) -> None:
        _, places = pattern
        new = [n for n, place in enumerate(places) if place == level]
        old = [n for n, place in enumerate(places) if place != level]
        self._key = [places[n] for n in old]
        self._found: dict[tuple[str, ...], list[str]] = {}
        for row in rows:
            if len({row[n] for n in new}) == 1:
                self._found.setdefault(tuple(row[n] for n in old), []).append(row[new[0]])

    def names(self, args: tuple[str, ...]) -> list[str]:
        return self._found.get(tuple([args[k] if isinstance(k, int) else k for k in self._key]), [])


def _patterns(vocabulary: Vocabulary, action: str) -> list[list[Pattern]]:
    """Per parameter, the lifted atoms whose last free parameter it is."""
    number = {p.name: n for n, p in enumerate(vocabulary.action[action].parameters)}
    found: list[list[Pattern]] = [[] for _ in number]
    for atom in vocabulary.lifted_atoms(action):
        if atom.variables:
            last = max(number[v] for v in atom.variables)
            found[last].append((atom.predicate, tuple(number.get(a, a) for a in atom.args)))
    return found
