"""How much a test promises: what it settles if it passes and if it fails, and how likely it passes.

Where an action has run before, each violated literal in doubt is a risk: positive literals are required
often, negative ones seldom, going by what was convicted and cleared so far. Where it never ran, its chance
is that of a precondition which explains all refusals so far and accepts the situation (`posterior`); literals
are likelier if their like is required by other actions, and if they seldom hold. Actions with few atoms come
first, and those that were refused seldom. None of this is evidence.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from math import prod

from assay.core.symbols import Atom
from assay.core.universe import bits_of
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.planning.applicable import Facts
from assay.planning.pattern import Pattern
from assay.strategies.acting.posterior import Posterior
from assay.strategies.acting.readings import Doubt, Reading

POSITIVE, NEGATIVE, ODD = 0.35, 0.02, 0.02
"""Chances of a literal to be required, when nothing is known about its like."""
TWIN = 0.85
"""Chance of a literal that an action with the same parameters requires."""
UNDONE = 0.5
"""The same for an atom that this other action changes: the one may undo the other."""
ROLE = 2
"""How much more an atom counts that is alike also by the names of its variables."""
FORBIDDEN = 0.004
"""Chance of a literal to be required false by an action that never ran: there are many of them."""
COMMON, UNSEEN = 0.4, 0.4
"""How much less likely something is required true that nearly always holds, and that never held yet."""
FEW = 5.0
"""How many atoms an action is expected to require at most, when nothing is known about their like."""
FIRST = 8.0
"""What the first example of an action is worth."""
CLUE = 0.3
"""What a refusal is worth that several literals could explain."""

Shape = tuple[str, tuple[str, ...]]


class Prospects:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._rates = (POSITIVE, NEGATIVE)
        self._rarity = self._rarities()
        self._posteriors: dict[str, tuple[int, Posterior]] = {}
        """For each action that never ran, with how much was known of the others at the time."""
        self._together: dict[str, list[int]] = {}
        """For each atom of each action, the atoms that were true with it in some situation."""

        self._patterns: dict[tuple[object, ...], Pattern] = {}

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
            return self._posterior(reading.dossier).chance(valuation)
        positive, negative = self._rates
        untrue = (doubt.needs & ~valuation).bit_count()
        return (1 - positive) ** untrue * (1 - negative) ** (doubt.needs.bit_count() - untrue)

    def gain(self, reading: Reading, doubt: Doubt, chance: float) -> float:
        """Slots that the test settles, on average."""
        if not reading.ran:
            dossier = reading.dossier
            patience = 1 / (1 + (len(dossier.atoms) / 10) ** 2 + dossier.tried / 10)
            return (chance * FIRST + (1 - chance) * CLUE / 10) * patience
        violated = doubt.needs.bit_count()
        if violated == 0:
            return chance * doubt.effects.bit_count()
        convicts = 1.0 if violated == 1 else CLUE / violated
        return chance * (violated + doubt.effects.bit_count()) + (1 - chance) * convicts

    def _posterior(self, dossier: Dossier) -> Posterior:
        name = dossier.header.name
        judged = sum(d.precondition.required.bit_count() for d in self._knowledge.dossiers.values())
        known = self._posteriors.get(name)
        if known is None or known[0] != judged:
            rng = random.Random(f"{self._knowledge.setting.seed} {name} {judged}")
            known = self._posteriors[name] = (
                judged,
                Posterior(self._prior(dossier), FORBIDDEN, _scopes(dossier), rng),
            )
        together = self._together.setdefault(name, [0] * len(dossier.atoms))
        known[1].learn(dossier.precondition.failures, together)
        return known[1]

    def suspicions(self, dossier: Dossier) -> list[float]:
        """How likely each atom is to be required true by an action that never ran."""
        return self._posterior(dossier).suspicions()

    def guesses(self, dossier: Dossier, count: int) -> list[int]:
        """Likely preconditions of an action that never ran: the atoms that each requires true."""
        return self._posterior(dossier).drawn[:count]

    def strangers(self, reading: Reading) -> list[Atom]:
        """Atoms of an action that were never met true."""
        together = self._together.setdefault(reading.name, [0] * len(reading.dossier.atoms))
        return [a for i, a in enumerate(reading.dossier.atoms) if not together[i] >> i & 1]

    def meet(self, reading: Reading, facts: Facts) -> None:
        """Find out which pairs of the action's atoms are true together for some arguments."""
        dossier, scopes = reading.dossier, _scopes(reading.dossier)
        together = self._together.setdefault(reading.name, [0] * len(dossier.atoms))
        for i, first in enumerate(dossier.atoms):
            if not together[i] >> i & 1 and self._holds(reading, [first], facts):
                together[i] |= 1 << i
            for j in range(i) if together[i] >> i & 1 else ():
                if (
                    together[j] >> j & 1
                    and not together[i] >> j & 1
                    and (not scopes[i] & scopes[j] or self._holds(reading, [first, dossier.atoms[j]], facts))
                ):
                    together[i] |= 1 << j
                    together[j] |= 1 << i

    def _holds(self, reading: Reading, atoms: list[Atom], facts: Facts) -> bool:
        """Whether the action has arguments under which the atoms hold."""
        key = (reading.name, *atoms)
        if key not in self._patterns:
            free = reading.name in self._knowledge.setting.profile.free_arguments
            self._patterns[key] = Pattern(facts.universe, reading.dossier.header, atoms, free)
        return next(self._patterns[key].matches(facts), None) is not None

    def _prior(self, dossier: Dossier) -> list[float]:
        """How likely each atom is to be required true, going by its like in actions that ran.

        Its like are atoms of the same shape, and the more so if their variables have the same names; where
        the parameters are the same altogether, the other action says nearly all, but of what it changes.
        """
        true: defaultdict[object, float] = defaultdict(float)
        judged: defaultdict[object, float] = defaultdict(float)
        twin: dict[int, float] = {}
        types = [p.types for p in dossier.header.parameters]
        for other in self._knowledge.dossiers.values():
            alike = [p.types for p in other.header.parameters] == types
            for index, (atom, shape) in enumerate(zip(other.atoms, _shapes(other), strict=True)):
                needed = _required(other, index) if other.ran else None
                if needed is not None:
                    for like in (shape, (atom, shape)):
                        judged[like] += 1
                        true[like] += needed
                    if alike:
                        like_it = TWIN if needed > 0.5 else 1 - TWIN
                        chance = UNDONE if other.effects.changed >> index & 1 else like_it
                        twin[index] = max(twin.get(index, 0.0), chance)
        bases = [
            ODD if len(set(atom.args)) < len(atom.args) else self._rarity[atom.predicate] * POSITIVE
            for atom in dossier.atoms
        ]
        scale, found = min(1.0, FEW / (sum(bases) or 1.0)), []
        for index, (atom, shape) in enumerate(zip(dossier.atoms, _shapes(dossier), strict=True)):
            base, same = scale * bases[index], (atom, shape)
            chance = (true[shape] + ROLE * true[same] + 2 * base) / (judged[shape] + ROLE * judged[same] + 2)
            found.append(twin.get(index, chance))
        return found

    def _rarities(self) -> dict[str, float]:
        """For each predicate, how seldom it holds: what nearly always holds is seldom worth requiring."""
        setting = self._knowledge.setting
        counts = Counter(atom.predicate for state in setting.offered[:1] for atom in state)
        fits, found = self._knowledge.vocabulary.fits, {}
        for predicate in self._knowledge.vocabulary.predicates:
            places = [
                sum(fits(o.type, p.types) for o in self._knowledge.universe.objects)
                for p in predicate.parameters
            ]
            held = counts[predicate.name] / max(1, prod(places))
            found[predicate.name] = max(COMMON, 1 - held) if held else UNSEEN
        return found


def _required(dossier: Dossier, index: int) -> float | None:
    """How likely an action that ran requires the atom true; None if nothing is known of that."""
    needs = dossier.precondition
    if not needs.may_true >> index & 1:
        return 0.0
    if needs.need_true >> index & 1:
        return 1.0
    reasons = [c.true.bit_count() for c in needs.clauses if c.true >> index & 1]
    return 1 / min(reasons) if reasons else None


def _scopes(dossier: Dossier) -> list[int]:
    """For each atom, which parameters it is about."""
    place = {p.name: n for n, p in enumerate(dossier.header.parameters)}
    return [bits_of(place[a] for a in atom.args if a in place) for atom in dossier.atoms]


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
