"""What was around a step: the profiles of all objects that are none of its arguments and no constants.

A profile is an object's type and the facts about it that mention nothing else but arguments and constants.
Most objects of a long question have nothing to do with the arguments of a step, and many are alike, so
profiles without arguments are counted once and kept up to date while the question is followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from assay.proof.recount.facts import Change, Fact, Facts, Objects

OTHER = "?"
"""The object that a profile is about; no parameter has this name."""

Profile = tuple[str, frozenset[Fact]]


class Scene:
    """A state that is followed step by step, with the objects in it."""

    def __init__(self, objects: Objects, facts: Iterable[Fact], constants: Collection[str]) -> None:
        self.facts = Facts(objects, facts)
        self._constants = {name: name for name in constants}
        self._alone: dict[str, Profile] = {}
        self._number: Counter[Profile] = Counter()

    def change(self, change: Change) -> None:
        self.facts.change(change)
        changed = {name for fact in (*change.added, *change.removed) for name in fact[1:]}
        for name in changed & self._alone.keys():
            self._number[self._alone[name]] -= 1
            self._enter(name)

    def around(self, step: Fact, parameters: Collection[str]) -> set[Profile]:
        """The profiles of other objects, with the parameters for the step's arguments."""
        if not self._alone:
            for name in self.facts.objects.types.keys() - self._constants.keys():
                self._enter(name)
        lifted = self._constants | dict(zip(step[1:], parameters, strict=True))
        related = {
            name for argument in step[1:] for fact in self.facts.about(argument) for name in fact[1:]
        } - lifted.keys()
        apart = Counter(self._alone[name] for name in {*related, *step[1:]})
        found = {profile for profile, number in self._number.items() if number > apart[profile]}
        found.update(self._profile(name, lifted) for name in related)
        return found

    def _enter(self, name: str) -> None:
        profile = self._profile(name, self._constants)
        self._alone[name] = profile
        self._number[profile] += 1

    def _profile(self, name: str, lifted: Mapping[str, str]) -> Profile:
        at = {**lifted, name: OTHER}
        facts = [
            (fact[0], *[at[term] for term in fact[1:]])
            for fact in self.facts.about(name)
            if all(term in at for term in fact[1:])
        ]
        return self.facts.objects.types[name], frozenset(facts)
