"""Objects for the parameters that a change does not name.

They are chosen so that as much as possible is the same in all situations in which the action is thought to
have run, above all what is seldom so, or what links objects: actions happen to things that have to do with
each other. What is seldom so may be a fact that holds, or one that does not although its like mostly do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from itertools import product
from math import log2, prod

from assay.core.setting import cramped, fitting
from assay.core.symbols import Atom
from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.changes import Scene
from assay.strategies.writing import inversions

BEAM, FAR = 128, 10
"""Fillings of the parameters that a change does not name: kept at a time, and objects looked at for one
parameter beyond those that have to do with the others."""
MATCHES, MATCHED = 64, 40
"""Ways to fill several situations alike: kept at a time, and in the end. What is right stands out only once
many situations are looked at together, and should not be lost before."""
LINKING, ALONE = 0.4, 0.2
"""How likely a fact about several of an action's parameters, or about one, is to be required by it."""
USUAL = 0.8
"""How often a fact holds of objects it could hold of for its absence to be what tells something."""
INVERTED = 2.0
"""What speaks against a filling by which an atom names parameters in another order than the header: bits."""
GRAIN = 1 / 16
"""Bits are counted this finely."""

Arguments = tuple[str | None, ...]


class Fillings:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        profile = knowledge.setting.profile
        self._fitting = {a.name: fitting(profile, a, constants=True) for a in knowledge.vocabulary.actions}
        self._constants = [c.name for c in knowledge.vocabulary.constants]
        self._indexes: dict[str, dict[tuple[str, tuple[str, ...]], int]] = {}
        self._saying: dict[str, dict[float, int]] = {}
        self._usually: dict[str, int] = {}
        self._inversions: dict[str, list[tuple[int, int, int]]] = {}
        self._filled: dict[tuple[str, Scene, Arguments], list[int]] = {}

    def of(self, dossier: Dossier, scene: Scene, args: Arguments) -> list[int]:
        """Valuations of the action's atoms with the open arguments chosen well; best first."""
        key = (dossier.header.name, scene, args)
        if key not in self._filled:
            self._filled[key] = self._fill(dossier, scene, args)
        return self._filled[key]

    def matched(self, dossier: Dossier, fillings: list[list[int]]) -> list[list[int]]:
        """One filling for each situation, so that they have as much as possible in common; the best few.
        Among equals, those of which most never holds."""
        usual = self._usual(dossier)
        beam: dict[int, tuple[int, list[int]]] = {dossier.atom_mask: (0, [])}
        for others in sorted(fillings, key=len):
            grown: dict[int, tuple[int, list[int]]] = {}
            for told, (ever, matched) in beam.items():
                for filling in others:
                    common, sometimes = told & (filling ^ usual), ever | filling
                    if common not in grown or sometimes.bit_count() < grown[common][0].bit_count():
                        grown[common] = sometimes, [*matched, filling]
            best = sorted(grown, key=lambda told: -self._surprise(dossier, told))
            beam = {told: grown[told] for told in _largest(best, MATCHES)}
        ranked = sorted(
            beam, key=lambda told: (-self._surprise(dossier, told), self._inverted(dossier, told & ~usual))
        )
        return [beam[told][1] for told in ranked[:MATCHED]]

    def evidence(self, dossier: Dossier, true: int, false: int) -> float:
        """What speaks for the objects of which all these atoms hold, and do not, in bits."""
        return self.surprise(dossier, true, false) - INVERTED * self._inverted(dossier, true)

    def surprise(self, dossier: Dossier, true: int, false: int) -> float:
        """How much likelier the atoms are to be so of what the action happened to than of any, in bits."""
        usual = self._usual(dossier)
        return self._surprise(dossier, true & ~usual | false & usual)

    def _surprise(self, dossier: Dossier, told: int) -> float:
        """The same for atoms that are otherwise than usual."""
        total = 0.0
        for bits, atoms in self._says(dossier).items():
            total += bits * (told & atoms).bit_count()
        return total

    def _usual(self, dossier: Dossier) -> int:
        """Atoms that mostly hold: that they do not is what tells something."""
        name = dossier.header.name
        if name not in self._usually:
            rates = map(self.rate, dossier.atoms)
            self._usually[name] = bits_of(i for i, rate in enumerate(rates) if rate > USUAL)
        return self._usually[name]

    def rate(self, atom: Atom) -> float:
        return self._rates[atom.predicate, len(set(atom.args)) < len(atom.args)]

    def _says(self, dossier: Dossier) -> dict[float, int]:
        """What each of the action's atoms says where it is otherwise than usual, in bits: a sum of powers of
        two, each with its atoms."""
        name = dossier.header.name
        if name not in self._saying:
            says: defaultdict[float, int] = defaultdict(int)
            usual = self._usual(dossier)
            for number, atom in enumerate(dossier.atoms):
                rate = 1 - self.rate(atom) if usual >> number & 1 else self.rate(atom)
                needed = LINKING if len(set(atom.args)) > 1 else ALONE
                grains = round(log2((needed + (1 - needed) * rate) / rate) / GRAIN)
                for digit in indices(grains):
                    says[GRAIN * 2**digit] |= 1 << number
            self._saying[name] = says
        return self._saying[name]

    def _inverted(self, dossier: Dossier, true: int) -> int:
        """How many pairs of parameters these atoms name in another order than the header; atoms that hold in
        its order, too, do not count."""
        name = dossier.header.name
        if name not in self._inversions:
            self._inversions[name] = inversions(dossier)
        return sum(pairs for bit, usual, pairs in self._inversions[name] if true & bit and not true & usual)

    @cached_property
    def _rates(self) -> dict[tuple[str, bool], float]:
        """How often each predicate holds of objects it could hold of: different ones, and one twice."""
        vocabulary, setting = self._knowledge.vocabulary, self._knowledge.setting
        offered = setting.offered[::20]
        objects = {*setting.profile.objects, *vocabulary.constants}
        holding = Counter((a.predicate, len(set(a.args)) < len(a.args)) for state in offered for a in state)
        rates = {}
        for p in vocabulary.predicates:
            choices = [sum(vocabulary.fits(o.type, q.types) for o in objects) for q in p.parameters]
            for twice, tuples in ((False, prod(choices)), (True, max(choices, default=1))):
                held = (holding[p.name, twice] + 0.5) / (len(offered) * tuples + 1)
                rates[p.name, twice] = min(1 - 1e-3, held)
        return rates

    def _fill(self, dossier: Dossier, scene: Scene, args: Arguments) -> list[int]:
        index, places = self._index(dossier), self._fitting[dossier.header.name]
        variables = [p.name for p in dossier.header.parameters]
        blank: Arguments = (None,) * len(args)
        beam = [(sum(index.get(atom, 0) for atom in scene.shared), blank)]
        left = [n for n, name in enumerate(args) if name is not None]
        left += [n for n, name in enumerate(args) if name is None]
        usual, assigned, twice = self._usual(dossier), set(), cramped(places)
        for number in left:
            assigned.add(variables[number])
            decided = bits_of(i for i, a in enumerate(dossier.atoms) if assigned >= set(a.variables))
            grown: dict[int, Arguments] = {}
            for value, each in beam:
                roles = self._roles(variables, each)
                given = args[number]
                for name in [given] if given else self._candidates(scene, each, places[number], twice):
                    more, others = value, roles.get(name, ())
                    roles[name] = (*others, variables[number])
                    for predicate, terms in scene.about[name]:
                        for image in product(*(roles.get(term, ()) for term in terms)):
                            more |= index.get((predicate, image), 0)
                    roles[name] = others
                    grown.setdefault(more, (*each[:number], name, *each[number + 1 :]))
            beam = sorted(
                grown.items(), key=lambda item: -self._surprise(dossier, (item[0] ^ usual) & decided)
            )[:BEAM]
        return [value for value, _ in beam]

    def _roles(self, variables: list[str], args: Arguments) -> dict[str, tuple[str, ...]]:
        """What each object stands for: the parameters it is given to, and itself if it is a constant."""
        roles: dict[str, tuple[str, ...]] = {name: (name,) for name in self._constants}
        for variable, name in zip(variables, args, strict=True):
            if name is not None:
                roles[name] = (*roles.get(name, ()), variable)
        return roles

    def _candidates(self, scene: Scene, args: Arguments, place: list[str], twice: bool) -> list[str]:
        """Objects for an open parameter: those that have to do with the others, and a few more. Where there
        are too few of them for all parameters, some must have been given twice."""
        near = {name for a in args if a for atom in scene.about[a] for name in atom.args}
        free = [name for name in place if twice or name not in args]
        close = [name for name in free if name in near]
        if not close:
            return free
        return close + [name for name in free if name not in near][:FAR]

    def _index(self, dossier: Dossier) -> dict[tuple[str, tuple[str, ...]], int]:
        name = dossier.header.name
        if name not in self._indexes:
            self._indexes[name] = {atom: 1 << i for i, atom in enumerate(dossier.atoms)}
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
