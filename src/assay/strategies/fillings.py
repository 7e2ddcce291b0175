"""Objects for the parameters that a change does not name.

They are chosen so that as much as possible holds in all situations in which the action is thought to have
run, above all what seldom holds, or what links objects: actions happen to things that have to do with each
other. Situations that the walk had seen before may have been put back, not brought about, so a few of them
need not fit.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import log2, prod

from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.changes import Scene
from assay.strategies.writing import inverted

BEAM, FAR = 32, 10
"""Fillings of the parameters that a change does not name: kept at a time, and objects looked at for one
parameter beyond those that have to do with the others."""
MATCHES, MATCHED = 16, 4
"""Ways to fill several situations alike: kept at a time, and in the end."""
STRAY = 4
"""Of so many changes that lead back to where the walk was before, one may be no doing of the action."""
LINKS, ALONE, SCALE = 0.4, 0.2, 3.0

Arguments = tuple[str | None, ...]


class Fillings:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._fitting = {a.name: knowledge.setting.fitting(a) for a in knowledge.vocabulary.actions}
        self._free = knowledge.setting.profile.free_arguments
        self._themselves = {c.name: (c.name,) for c in knowledge.vocabulary.constants}
        self._indexes: dict[str, dict[tuple[str, tuple[str, ...]], int]] = {}
        self._rate: dict[tuple[str, bool], float] = {}
        self._worth: dict[str, list[float]] = {}
        self._filled: dict[tuple[str, Scene, Arguments], list[int]] = {}

    def of(self, dossier: Dossier, scene: Scene, args: Arguments) -> list[int]:
        """Valuations of the action's atoms with the open arguments chosen well; best first."""
        key = (dossier.header.name, scene, args)
        if key not in self._filled:
            self._filled[key] = self._fill(dossier, scene, args)
        return self._filled[key]

    def matched(
        self, dossier: Dossier, fillings: list[list[int]], doubtful: list[list[int]]
    ) -> list[list[int]]:
        """One filling for each situation, so that they have as much as possible in common; the best few.
        Some of the doubtful situations may be left out."""
        beam: dict[int, list[int]] = {dossier.atom_mask: []}
        spare = len(doubtful) // STRAY
        for number, others in enumerate([*sorted(fillings, key=len), *sorted(doubtful, key=len)]):
            grown: dict[int, list[int]] = {}
            for true, matched in beam.items():
                if number >= len(fillings) and matched and number - len(matched) < spare:
                    grown.setdefault(true, matched)
                for filling in others:
                    each = grown.get(true & filling)
                    if each is None or len(each) <= len(matched):
                        grown[true & filling] = [*matched, filling]
            best = sorted(grown, key=lambda true: -self.surprise(dossier, true) - 2 * len(grown[true]))
            beam = {true: grown[true] for true in _largest(best, MATCHES)}
        ranked = sorted(beam, key=lambda true: (-self.surprise(dossier, true), inverted(dossier, true)))
        return [beam[true] for true in ranked[:MATCHED]]

    def surprise(self, dossier: Dossier, true: int) -> float:
        """How much it says that all these atoms hold: more for predicates that seldom do, or that link."""
        worth = self._worths(dossier)
        return sum(worth[i] for i in indices(true))

    def _worths(self, dossier: Dossier) -> list[float]:
        """For each of the action's atoms how much it speaks for the objects that it holds of them, going by how
        often it holds of any."""
        name = dossier.header.name
        if name not in self._worth:
            rates = self._rates()
            self._worth[name] = []
            for predicate, args in dossier.atoms:
                links = len(set(args)) > 1
                rate = rates[predicate, len(set(args)) < len(args)]
                needed = LINKS if links else ALONE
                self._worth[name].append(SCALE * log2((needed + (1 - needed) * rate) / rate))
        return self._worth[name]

    def _rates(self) -> dict[tuple[str, bool], float]:
        if not self._rate:
            vocabulary = self._knowledge.vocabulary
            objects, offered = self._knowledge.setting.profile.objects, self._knowledge.setting.offered[::20]
            holding = Counter((a.predicate, len(set(a.args)) < len(a.args)) for state in offered for a in state)
            for p in vocabulary.predicates:
                fitting = [sum(vocabulary.fits(o.type, q.types) for o in objects) for q in p.parameters]
                for odd in (False, True):
                    many = len(offered) * (max(fitting, default=1) if odd else prod(fitting))
                    self._rate[p.name, odd] = min(1.0, (holding[p.name, odd] + 0.5) / (many + 1))
        return self._rate

    def _fill(self, dossier: Dossier, scene: Scene, args: Arguments) -> list[int]:
        index, places = self._index(dossier), self._fitting[dossier.header.name]
        variables = [p.name for p in dossier.header.parameters]
        blank: Arguments = (None,) * len(args)
        beam = [(bits_of(index[atom] for atom in scene.shared if atom in index), blank)]
        left = [n for n, name in enumerate(args) if name is not None]
        left += [n for n, name in enumerate(args) if name is None]
        for number in left:
            grown: dict[int, Arguments] = {}
            for value, each in beam:
                roles = dict(self._themselves)
                for variable, name in zip(variables, each, strict=True):
                    if name:
                        roles[name] = (*roles.get(name, ()), variable)
                given = args[number]
                for name in [given] if given else self._candidates(dossier, scene, each, places[number]):
                    played = {**roles, name: (*roles.get(name, ()), variables[number])}
                    more = value
                    for predicate, terms in scene.about[name]:
                        for lifted in product(*(played.get(term, ()) for term in terms)):
                            found = index.get((predicate, lifted))
                            if found is not None:
                                more |= 1 << found
                    grown.setdefault(more, (*each[:number], name, *each[number + 1 :]))
            beam = sorted(grown.items(), key=lambda item: -self.surprise(dossier, item[0]))[:BEAM]
        return [value for value, _ in beam]

    def _candidates(self, dossier: Dossier, scene: Scene, args: Arguments, place: list[str]) -> list[str]:
        """Objects for an open parameter: those that have to do with the others, and a few more."""
        near = {name for a in args if a for atom in scene.about[a] for name in atom.args}
        twice = [name for name in place if name in args] if dossier.header.name in self._free else []
        free = [name for name in place if name not in args]
        close = [name for name in free if name in near]
        if not close:
            return free + twice
        return close + [name for name in free if name not in near][:FAR] + twice

    def _index(self, dossier: Dossier) -> dict[tuple[str, tuple[str, ...]], int]:
        name = dossier.header.name
        if name not in self._indexes:
            self._indexes[name] = {atom: i for i, atom in enumerate(dossier.atoms)}
        return self._indexes[name]


def _largest(sets: list[int], count: int) -> list[int]:
    """The first few that are no part of an earlier one."""
    found: list[int] = []
    for each in sets:
        if all(each & ~other for other in found):
            found.append(each)
            if len(found) == count:
                break
    return found
