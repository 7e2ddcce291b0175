"""How a step sees a state: its point, read from the facts that hold, and kept up to date from step to step.

A question holds the objects of many probes. What a step sees of most of them is their unary facts, which are kept
per object; only objects that are related to an argument are looked at one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from assay.core.symbols import Atom, Step
from assay.core.universe import State
from assay.learn.evidence import Point
from assay.learn.features import OTHER, Features, Numbering, Profile


class UnaryFacts:
    """Where the unary facts of an object stand among the own facts of a step; shared by all questions."""

    def __init__(self, numbering: Numbering) -> None:
        self.place = {
            kind: {atom: n for n, atom in enumerate(atoms)} for kind, atoms in numbering.unary.items()
        }
        self._own: dict[tuple[int, int, str, int], int] = {}
        self.numbering = numbering

    def own(self, features: Features, parameter: int, kind: str, facts: int) -> int:
        """The own facts of a step whose parameter is an object of this type with these unary facts."""
        key = (id(features), parameter, kind, facts)
        found = self._own.get(key)
        if found is None:
            name, found = features.parameters[parameter], 0
            for place, atom in enumerate(self.numbering.unary[kind]):
                if facts >> place & 1:
                    own = features.index.get(atom.substitute({OTHER: name}))
                    if own is not None:
                        found |= 1 << own
            self._own[key] = found
        return found


class Situation:
    """One state of a question."""

    def __init__(self, unary: UnaryFacts, state: State) -> None:
        self._unary = unary
        universe = state.universe
        self._constants = {c.name for c in universe.vocabulary.constants}
        self._types = {o.name: o.type for o in universe.objects if o.name not in self._constants}
        self._facts = dict.fromkeys(self._types, 0)
        self._relations: dict[str, set[Atom]] = {}
        self._shared: set[Atom] = set()
        for atom in state:
            self._turn(atom, True)
        self._kinds = Counter((self._types[name], facts) for name, facts in self._facts.items())

    def _objects(self, atom: Atom) -> set[str]:
        return {a for a in atom.args if a not in self._constants}

    def _turn(self, atom: Atom, holds: bool) -> None:
        objects = self._objects(atom)
        if not objects:
            (self._shared.add if holds else self._shared.discard)(atom)
        elif len(objects) == 1:
            (name,) = objects
            place = self._unary.place[self._types[name]][atom.substitute({name: OTHER})]
            self._facts[name] ^= 1 << place
        else:
            for name in objects:
                related = self._relations.setdefault(name, set())
                (related.add if holds else related.discard)(atom)

    def apply(self, turned: Iterable[Atom], state: State) -> None:
        """Facts that turned, and the state after that."""
        for atom in turned:
            objects = self._objects(atom)
            if len(objects) == 1:
                (name,) = objects
                self._kinds[self._types[name], self._facts[name]] -= 1
                self._turn(atom, atom in state)
                self._kinds[self._types[name], self._facts[name]] += 1
            else:
                self._turn(atom, atom in state)

    def names(self, features: Features, step: Step) -> tuple[str, ...]:
        """One object for each distinct parameter."""
        of = dict(zip(features.shape.parameters, step.args, strict=True))
        return tuple(of[p] for p in features.parameters)

    def point(self, features: Features, step: Step) -> Point:
        names = self.names(features, step)
        own = sum(1 << features.index[atom] for atom in self._shared)
        for number, name in enumerate(names):
            own |= self._unary.own(features, number, self._types[name], self._facts[name])
        related: dict[str, int] = {}
        parameter = dict(zip(names, features.parameters, strict=True))
        for atom in {a for name in names for a in self._relations.get(name, ())}:
            strangers = {a for a in atom.args if a not in parameter and a not in self._constants}
            if not strangers:
                place = features.index.get(atom.substitute(parameter))
                if place is not None:
                    own |= 1 << place
            elif len(strangers) == 1:
                (stranger,) = strangers
                lifted = atom.substitute({**parameter, stranger: OTHER})
                place = features.profile_index[self._types[stranger]].get(lifted)
                if place is not None:
                    related[stranger] = related.get(stranger, 0) | 1 << place
        return Point(own, self._others(names, related))

    def _others(self, names: tuple[str, ...], related: dict[str, int]) -> frozenset[Profile]:
        apart = Counter((self._types[n], self._facts[n]) for n in (*names, *related))
        found = {kind for kind, count in self._kinds.items() if count > apart.get(kind, 0)}
        found.update((self._types[n], self._facts[n] | bits) for n, bits in related.items())
        return frozenset(found)

    def related(self, features: Features, step: Step) -> set[str]:
        """Other objects that share a fact with an argument."""
        known = {*step.args, *self._constants}
        return {a for name in step.args for atom in self._relations.get(name, ()) for a in atom.args} - known

    def one_of_each_kind(self, features: Features, step: Step, known: set[str]) -> list[str]:
        """One unrelated object for every set of unary facts."""
        found: dict[Profile, str] = {}
        for name, facts in self._facts.items():
            if name not in known and name not in step.args:
                found.setdefault((self._types[name], facts), name)
        return list(found.values())

    def profile(self, features: Features, step: Step, name: str) -> Profile:
        """The profile of one other object, as the step sees it."""
        names = self.names(features, step)
        parameter = dict(zip(names, features.parameters, strict=True)) | {name: OTHER}
        kind, facts = self._types[name], self._facts[name]
        for atom in self._relations.get(name, ()):
            place = features.profile_index[kind].get(atom.substitute(parameter))
            if place is not None:
                facts |= 1 << place
        return kind, facts


def outside(turned: Iterable[Atom], step: Step, constants: frozenset[str]) -> list[Atom]:
    """Changes that no effect of an action can say: facts about two objects that are no arguments."""
    known = {*step.args, *constants}
    return [a for a in turned if len({x for x in a.args if x not in known}) > 1]


def strangers(turned: Iterable[Atom], step: Step, constants: frozenset[str]) -> list[str]:
    """Objects that are no arguments and of which a fact changed."""
    known = {*step.args, *constants}
    return sorted({x for a in turned for x in a.args if x not in known})
