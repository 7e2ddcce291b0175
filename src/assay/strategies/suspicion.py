"""Which literals are likely to be required, and how to cut the suspects of an action into tests.

Orders and sizes change what a run costs, never what it concludes. A question ends at its first refusal,
so to convict one literal per question each question must be long enough to meet a refusal and no longer
than needed: `Rates` keeps the share of suspects found required so far.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import reduce
from math import isqrt
from operator import and_, or_

from assay.core.symbols import Atom
from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.outlook import Outlook

SINGLES = 768
"""Up to this many suspects an action is tested literal by literal, beyond it in groups: a question's text
grows with the square of the suspects tested singly, and a group that fails costs one more question."""
LIKELY = 0.3
"""Chance of being required from which on a suspect is not flipped together with others."""

USUAL, AT_MOST, NEEDED = 0.1, 0.3, 2.0
"""The share of suspects expected to be required. Of what held where the agent came by itself it is more, at
most the second; so much of that an action is expected to need."""

NEVER = 0.003
"""Suspicion left of a shared atom that was otherwise wherever the agent was seen doing the action."""

Suspects = list[tuple[int, float]]
"""Atom numbers with the chance that each is required, likeliest first."""
Flips = Generator[tuple[int, float], bool | None, None]
"""Sets of suspects to flip, each with the chance that the test fails if all before it pass. The generator is
sent whether the set found a place in the question."""


@dataclass(slots=True)
class Tally:
    required: int = 0
    judged: int = 0

    def count(self, required: int) -> None:
        self.required += required
        self.judged += 1

    def rate(self, expected: float, weight: int) -> float:
        """The share required, starting from what was expected."""
        return (self.required + expected * weight) / (self.judged + weight)


class Rates:
    """How often suspects turned out to be required: by sort and kind, and more closely by predicate."""

    def __init__(self, knowledge: Knowledge, outlook: Outlook) -> None:
        self._knowledge, self.outlook = knowledge, outlook
        self._shared = (1 << len(knowledge.vocabulary.shared_atoms)) - 1
        self._repeated = {
            name: bits_of(i for i, a in enumerate(d.atoms) if len(set(a.args)) < len(a.args))
            for name, d in knowledge.dossiers.items()
        }
        self._counted: dict[str, int] = {}
        """Per action, the atoms counted in the tallies so far."""
        bare = bits_of(i for i, a in enumerate(knowledge.vocabulary.shared_atoms) if not a.args)
        self._sorts = bare, self._shared & ~bare, ~self._shared
        """Atoms without arguments, over constants alone, and with parameters."""
        self._tallies = [[Tally() for _ in range(4)] for _ in self._sorts]
        self._predicates = {p.name: Tally() for p in knowledge.vocabulary.predicates}
        self._atoms = {atom: Tally() for atom in knowledge.vocabulary.shared_atoms}
        self._seen = {outlook.shared(state.bits) for state in knowledge.setting.offered}
        """Valuations of the shared atoms in the situations that the agent offers."""

    def update(self) -> None:
        """Count what has been settled since the last time."""
        for name, dossier in self._knowledge.dossiers.items():
            needs = dossier.precondition
            settled = dossier.atom_mask & ~needs.open
            counted = self._counted.get(name, 0)
            news = settled & ~counted
            if not news:
                continue
            self._counted[name] = settled
            kinds = self._kinds(dossier, needs.first_true)
            for tallies, sort in zip(self._tallies, self._sorts, strict=True):
                for tally, kind in zip(tallies, kinds, strict=True):
                    tally.required += (kind & sort & news & needs.required).bit_count()
                    tally.judged += (kind & sort & news).bit_count()
            for index in indices(news):
                atom, required = dossier.atoms[index], needs.required >> index & 1
                if not self._repeated[name] >> index & 1:
                    self._predicates[atom.predicate].count(required)
                if atom in self._atoms:
                    self._atoms[atom].count(required)

    def _kinds(self, dossier: Dossier, example: int) -> tuple[int, int, int, int]:
        """Atoms split into: consumed, repeating a variable, false in the first example, and the others."""
        effects, full = dossier.effects, dossier.atom_mask
        consumed = effects.may_delete & ~effects.may_keep & ~effects.may_add
        repeated = self._repeated[dossier.header.name] & ~consumed
        negative = full & ~example & ~consumed & ~repeated
        return consumed, repeated, negative, full & ~consumed & ~repeated & ~negative

    def ranked(self, dossier: Dossier, example: int, suspects: int) -> Suspects:
        kinds, odd = self._kinds(dossier, example), self._odd(dossier, example)
        plain_rate = self._expected(dossier)
        found: Suspects = []
        for tallies, sort in zip(self._tallies, self._sorts, strict=True):
            usual = [tally.rate(USUAL, 10) for tally in tallies[:3]] + [tallies[3].rate(plain_rate, 10)]
            consumed, repeated, negative, plain = (indices(kind & sort & suspects) for kind in kinds)
            found += [(i, usual[0]) for i in consumed]
            found += [(i, self._own(dossier.atoms[i], usual[1])) for i in repeated]
            found += [(i, usual[2]) for i in negative]
            for index in plain:
                atom = dossier.atoms[index]
                like_it = self._predicates[atom.predicate].rate(usual[3], 2) if atom.args else usual[3]
                found.append((index, self._own(atom, like_it)))
        found = [(i, chance * NEVER if odd >> i & 1 else chance) for i, chance in found]
        return sorted(found, key=lambda suspect: -suspect[1])

    def _expected(self, dossier: Dossier) -> float:
        """The share of what held in an action's first example that is expected to be required. In a situation
        that the agent came to by itself little holds, and some of it must be why the action ran."""
        held = (dossier.precondition.first_true & dossier.atom_mask).bit_count()
        return max(USUAL, min(AT_MOST, NEEDED / max(1, held))) if self._knowledge.walked else USUAL

    def unlikely(self, dossier: Dossier, example: int) -> int:
        """Shared atoms that may be required as they are in the example, but hardly are: their like seldom is,
        and what refusals are left to be explained others explain better."""
        needs = dossier.precondition
        if not needs.open & self._shared:
            return 0
        chances = dict(self.ranked(dossier, example, needs.open & dossier.atom_mask))
        accused = 0
        for clause in needs.clauses:
            members = [i for i in indices(clause.true | clause.false) if i in chances]
            total = sum(chances[i] for i in members)
            accused |= bits_of(i for i in members if chances[i] > LIKELY * total)
        hardly = bits_of(i for i, chance in chances.items() if chance < LIKELY)
        return hardly & self._shared & ~accused

    def _odd(self, dossier: Dossier, example: int) -> int:
        """Shared atoms that were not as in the example where the agent probably did the action; if that is
        not known, wherever it was seen with what the action is known to need."""
        if not self._seen:
            return 0
        if scenes := self.outlook.of(dossier).scenes:
            return reduce(or_, (scene ^ example for scene in scenes)) & self._shared
        needs = dossier.precondition
        true, false = needs.need_true & self._shared, needs.need_false & self._shared
        fitting = [seen for seen in self._seen if not (true & ~seen or false & seen)]
        return reduce(and_, (seen ^ example for seen in fitting), self._shared)

    def _own(self, atom: Atom, rate: float) -> float:
        """What is usual, for a shared atom corrected by what is known of that very atom."""
        own = self._atoms.get(atom)
        return rate if own is None else own.rate(rate, 2)


def singles(suspects: Suspects, clauses: list[int]) -> Flips:
    """Shared suspects to flip one by one; those that a refusal accuses are left to trials."""
    accused = reduce(or_, clauses, 0)
    for index, chance in reversed(suspects):
        if not accused >> index & 1:
            yield 1 << index, chance


def group_size(dossier: Dossier) -> int:
    atoms = len(dossier.atoms)
    return 1 if atoms <= SINGLES else isqrt(atoms) // 2


def density(dossier: Dossier, atoms: int) -> float:
    """The share of these atoms that is expected to be required, going by the action itself."""
    needs = dossier.precondition
    return ((needs.required & atoms).bit_count() + 1) / ((atoms & ~needs.open).bit_count() + 3)


def limited_groups(suspects: Suspects, clauses: list[int], capacity: int, density: float) -> Flips:
    """Suspects to flip where one question holds only so many runs of the action. Sets grow as long as they
    pass and are cut up when they fail, which finds a required literal in about log2 n questions."""
    accused = min((c for c in clauses if c.bit_count() > 1), key=int.bit_count, default=0)
    if accused:
        members = indices(accused)
        size = -(-len(members) // (capacity + 1))
    else:
        members = [i for i, _ in suspects]
        size = min(-(-len(members) // capacity), max(capacity + 1, round(0.7 / density)))
        likely = sum(chance >= LIKELY for _, chance in suspects)
        for index in members[: min(likely, capacity)]:
            yield 1 << index, 0.5
        members, capacity = members[likely:], capacity - likely
    for start in range(0, min(len(members), size * capacity), size):
        yield bits_of(members[start : start + size]), 0.5


def groups(suspects: Suspects, clauses: list[int], size: int) -> Flips:
    """Suspects to flip, in sets of `size`; of a clause all but the likeliest, convicted if these pass."""
    cleared = convicted = 0
    for clause in sorted(clauses, key=int.bit_count):
        for index in (i for i, _ in reversed(suspects) if clause >> i & 1):
            left = clause & ~cleared
            if left.bit_count() == 1:
                convicted |= left
            elif left >> index & 1 and (yield 1 << index, 1 / left.bit_count()):
                cleared |= 1 << index
    rest = [(i, chance) for i, chance in suspects if not (cleared | convicted) >> i & 1]
    for start in range(0, len(rest), size):
        part = rest[start : start + size]
        yield bits_of(i for i, _ in part), min(0.9, sum(chance for _, chance in part))
