"""How much a test promises: what it settles if it passes and if it fails, and how likely it passes.

Where an action has run before, each violated literal in doubt is a risk: positive literals are required
often, negative ones seldom, going by what was convicted and cleared so far. Where it never ran,
preconditions are drawn at random, each literal to explain a refusal that the others leave unexplained, and
a situation is as likely to work as the share of them that accept it. None of this is evidence.
"""

from __future__ import annotations

import random
from collections import Counter

from assay.core.universe import indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.acting.readings import Doubt, Reading

DRAWS, SAMPLE = 150, 12
"""Preconditions drawn, and how many of them are looked for in each state."""
POSITIVE, NEGATIVE, ODD = 0.35, 0.02, 0.02
"""Chances of a literal to be required, when nothing is known about its like."""
UNSEEN = 0.05
"""How much less likely a literal is that was never seen to hold."""
FIRST = 8.0
"""What the first example of an action is worth."""
CLUE = 0.3
"""What a refusal is worth that several literals could explain."""

Shape = tuple[str, tuple[str, ...]]


class Prospects:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._rates = (POSITIVE, NEGATIVE)
        self._held: Counter[str] = Counter()
        """Per action, the atoms that some situation made true."""
        self._drawn: dict[str, tuple[int, _Draws]] = {}

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
            return self._draws(reading.dossier).share(valuation)
        positive, negative = self._rates
        untrue = (doubt.needs & ~valuation).bit_count()
        return (1 - positive) ** untrue * (1 - negative) ** (doubt.needs.bit_count() - untrue)

    def guesses(self, reading: Reading) -> list[int]:
        """For an action that never ran, sets of atoms that it may well need."""
        return self._draws(reading.dossier).sample

    def gain(self, reading: Reading, doubt: Doubt, chance: float) -> float:
        """Slots that the test settles, on average."""
        if not reading.ran:
            return chance * FIRST + (1 - chance) * CLUE / 10
        violated = doubt.needs.bit_count()
        if violated == 0:
            return chance * doubt.effects.bit_count()
        convicts = 1.0 if violated == 1 else CLUE / violated
        return chance * (violated + doubt.effects.bit_count()) + (1 - chance) * convicts

    def _draws(self, dossier: Dossier) -> _Draws:
        """Preconditions that explain all refusals so far."""
        name, failures = dossier.header.name, dossier.precondition.failures
        if name not in self._drawn or self._drawn[name][0] != len(failures):
            rng = random.Random(f"{self._knowledge.setting.seed} {name} {len(failures)}")
            self._drawn[name] = len(failures), _Draws(self._chances(dossier), sorted(failures), rng)
        return self._drawn[name][1]

    def _chances(self, dossier: Dossier) -> list[float]:
        """How likely each atom is to be required true, going by its like in actions that ran."""
        true: Counter[Shape] = Counter()
        judged: Counter[Shape] = Counter()
        for other in self._knowledge.dossiers.values():
            if other.ran:
                for index, shape in enumerate(_shapes(other)):
                    if not other.precondition.open >> index & 1:
                        judged[shape] += 1
                        true[shape] += other.precondition.need_true >> index & 1
        held = self._held[dossier.header.name]
        return [
            (true[shape] + 2 * (ODD if len(set(a.args)) < len(a.args) else POSITIVE))
            / (judged[shape] + 2)
            * (1 if held >> i & 1 else UNSEEN)
            for i, (a, shape) in enumerate(zip(dossier.atoms, _shapes(dossier), strict=True))
        ]


class _Draws:
    """Random preconditions; for each atom, which of them require it true, and false, as a set of numbers."""

    def __init__(self, chances: list[float], failures: list[int], rng: random.Random) -> None:
        size = len(chances)
        self._true, self._false = [0] * size, [0] * size
        self.sample: list[int] = []
        """Some of them, as far as they require atoms to be true."""
        missing = [sum(not f >> i & 1 for f in failures) / max(1, len(failures)) for i in range(size)]
        wanted = [chance * share**3 for chance, share in zip(chances, missing, strict=True)]
        unwanted = [NEGATIVE * (1 - share) ** 3 for share in missing]
        for number in range(DRAWS):
            true = false = 0
            for f in rng.sample(failures, len(failures)):
                if not (true & ~f or false & f):
                    # what is missing in most refusals is the likeliest reason
                    weights = [
                        (0.0 if true >> i & 1 else unwanted[i]) if f >> i & 1 else wanted[i]
                        for i in range(size)
                    ]
                    (i,) = rng.choices(range(size), weights) if any(weights) else (rng.randrange(size),)
                    true, false = (true, false | 1 << i) if f >> i & 1 else (true | 1 << i, false)
            for i in indices(true):
                self._true[i] |= 1 << number
            for i in indices(false):
                self._false[i] |= 1 << number
            if number < SAMPLE:
                self.sample.append(true)

    def share(self, valuation: int) -> float:
        """How many accept the valuation; a little more where more is true, so that there is always a best."""
        refusing = 0
        for i, (true, false) in enumerate(zip(self._true, self._false, strict=True)):
            refusing |= false if valuation >> i & 1 else true
        return (DRAWS - refusing.bit_count() + 0.001 * valuation.bit_count()) / (DRAWS + 1)


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
