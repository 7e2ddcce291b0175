"""How much a test promises: what it settles if it passes and if it fails, and how likely it passes.

Where an action has run before, each violated literal in doubt is a risk: positive literals are required
often, negative ones seldom, going by what was convicted and cleared so far. Where it never ran, every
atom that is false is a risk, going by its like in other actions and by how often it was missing when the
action was refused; what is true in no more atoms than where it was refused will hardly work. Actions with
few atoms come first, and those that were refused seldom. None of this is evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.core.universe import indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.acting.readings import Doubt, Reading

POSITIVE, NEGATIVE, ODD = 0.35, 0.02, 0.02
"""Chances of a literal to be required, when nothing is known about its like."""
BLAME = 0.15
"""How much a refusal adds to the suspicion against what was missing, all together."""
POORER = 0.02
"""Chance of an action to run where nothing is true that was not true where it was refused."""
FIRST = 8.0
"""What the first example of an action is worth."""
CLUE = 0.3
"""What a refusal is worth that several literals could explain."""

Shape = tuple[str, tuple[str, ...]]


class Prospects:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._rates = (POSITIVE, NEGATIVE)
        self._suspicions: dict[str, tuple[int, list[float]]] = {}
        self._held: Counter[str] = Counter()
        """Per action, the atoms that some situation made true: no others can be blamed."""

    def saw(self, reading: Reading, valuation: int) -> None:
        self._held[reading.name] |= valuation

    def update(self) -> None:
        """Take in what is known now."""
        needed, cleared = [0, 0], [0, 0]
        for dossier in self._knowledge.dossiers.values():
            needs = dossier.precondition
            if dossier.ran:
                needed[0] += needs.need_true.bit_count()
                needed[1] += (needs.need_false & dossier.atom_mask).bit_count()
                cleared[0] += (needs.first_true & ~needs.suspects).bit_count()
                cleared[1] += (needs.first_seen & ~needs.first_true & ~needs.suspects).bit_count()
        positive = (needed[0] + 4 * POSITIVE) / (needed[0] + cleared[0] + 4)
        negative = (needed[1] + 50 * NEGATIVE) / (needed[1] + cleared[1] + 50)
        self._rates = positive, negative

    def chance(self, reading: Reading, valuation: int, doubt: Doubt) -> float:
        """How likely the action runs there."""
        if not reading.ran:
            chance = 1.0
            for i, suspicion in enumerate(self.suspicions(reading.dossier)):
                if not valuation >> i & 1:
                    chance *= 1 - suspicion
            poorer = any(not valuation & ~f for f in reading.dossier.precondition.failures)
            return chance * POORER if poorer else chance
        positive, negative = self._rates
        untrue = (doubt.needs & ~valuation).bit_count()
        return (1 - positive) ** untrue * (1 - negative) ** (doubt.needs.bit_count() - untrue)

    def gain(self, reading: Reading, doubt: Doubt, chance: float) -> float:
        """Slots that the test settles, on average."""
        if not reading.ran:
            dossier = reading.dossier
            patience = 1 / (1 + len(dossier.atoms) / 20 + dossier.tried / 20)
            return (chance * FIRST + (1 - chance) * CLUE / 10) * patience
        violated = doubt.needs.bit_count()
        if violated == 0:
            return chance * doubt.effects.bit_count()
        convicts = 1.0 if violated == 1 else CLUE / violated
        return chance * (violated + doubt.effects.bit_count()) + (1 - chance) * convicts

    def suspicions(self, dossier: Dossier) -> Sequence[float]:
        """How likely each atom is to be required true by an action that never ran."""
        failures = dossier.precondition.failures
        known = self._suspicions.get(dossier.header.name)
        if known is None or known[0] != len(failures):
            found = prior = self._prior(dossier)
            blame = [0.0] * len(found)
            held = self._held[dossier.header.name]
            for f in sorted(failures):
                missing = indices(held & ~f)
                total = sum(prior[i] for i in missing)
                for i in missing:
                    blame[i] += BLAME * prior[i] / total
            found = [min(0.95, chance + more) for chance, more in zip(prior, blame, strict=True)]
            known = self._suspicions[dossier.header.name] = len(failures), found
        return known[1]

    def _prior(self, dossier: Dossier) -> list[float]:
        true: Counter[Shape] = Counter()
        judged: Counter[Shape] = Counter()
        for other in self._knowledge.dossiers.values():
            if other.ran:
                for index, shape in enumerate(_shapes(other)):
                    if not other.precondition.open >> index & 1:
                        judged[shape] += 1
                        true[shape] += other.precondition.need_true >> index & 1
        return [
            (true[shape] + 2 * (ODD if len(set(a.args)) < len(a.args) else POSITIVE)) / (judged[shape] + 2)
            for a, shape in zip(dossier.atoms, _shapes(dossier), strict=True)
        ]


def _shapes(dossier: Dossier) -> list[Shape]:
    """Each atom's predicate with the types of its arguments in the header, ascending or not."""
    types = {p.name: p.types[0] for p in dossier.header.parameters}
    place = {p.name: n for n, p in enumerate(dossier.header.parameters)}
    found = []
    for atom in dossier.atoms:
        places = [place.get(a, -1) for a in atom.args]
        order = "up" if places == sorted(places) else "down"
        found.append((atom.predicate, (order, *(types.get(a, a) for a in atom.args))))
    return found
