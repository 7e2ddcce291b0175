"""Finding a first situation in which an action runs.

Most actions run where all their lifted atoms are true. An action with negative preconditions does not,
and then every try costs a question; in the worst case exponentially many. So each try is the valuation
that most of the preconditions still thinkable would accept: preconditions are drawn at random, few of
their literals negative, the positive ones like those of actions already known and often such as hold
together in situations the agent itself offered; those refuted by earlier tries are thrown away, and the
valuation accepted by most of the rest is next. When too few survive, valuations are tried systematically,
fewest false atoms first. None of this is evidence: it decides what to try, never what is concluded.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, combinations
from math import prod

from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.situations import Hypothesis, Situations

DRAWS, ENOUGH, TOO_FEW, CANDIDATES = 3000, 300, 30, 300
MOST_TRIES = 2000
"""Refusals after which an action is given up as never seen to run."""
OFFERED = 0.7
"""Share of preconditions drawn from a hypothesis about situations, where there is one."""
POSITIVE, NEGATIVE = 0.4, 0.02
"""Chances of a literal to be required, when nothing is known about its like."""


class FirstExample:
    """Proposes valuations for actions that have not run yet."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._situations = Situations(knowledge)
        self._proposed: dict[tuple[str, int, int], tuple[int | None, float]] = {}

    def propose(self, dossier: Dossier, rejected: set[int]) -> tuple[int | None, float]:
        """The next valuation to try and the share of thinkable preconditions that accept it; or None."""
        needs, full = dossier.precondition, dossier.atom_mask
        tried = needs.failures | rejected
        if dossier.ran:  # where only one sign is left give it that one, elsewhere true
            valuation = full & (needs.may_true | ~needs.may_false)
            return (valuation, 1.0) if valuation not in tried else (None, 0.0)
        if full not in tried:
            return full, 1.0
        if dossier.tried >= MOST_TRIES or len(tried) >= 1 << min(len(dossier.atoms), 20):
            return None, 0.0
        settled = sum(d.settled for d in self._knowledge.dossiers.values())
        key = (dossier.header.name, len(tried), settled)
        if key not in self._proposed:
            likeliest, share = self._likeliest(dossier, tried)
            if likeliest is None:
                likeliest = next((v for v in _by_falsehoods(dossier) if v not in tried), None)
            self._proposed[key] = likeliest, share
        return self._proposed[key]

    def _likeliest(self, dossier: Dossier, tried: set[int]) -> tuple[int | None, float]:
        """The untried valuation that most thinkable preconditions accept, and the share that do."""
        full = dossier.atom_mask
        hypotheses = self._situations.of(dossier)
        thinkable = self._draw(dossier, hypotheses, len(tried))
        if len(thinkable) < TOO_FEW:
            return None, 0.0
        candidates = Counter(dict.fromkeys((v for h in hypotheses for v in h.valuations), 0))
        candidates.update(full & ~h.false for h in hypotheses)
        candidates.update(full & ~negative for _, negative in thinkable)
        best, most = None, 0
        for valuation, _ in candidates.most_common(CANDIDATES):
            if valuation not in tried:
                accepting = sum(not (p & ~valuation or n & valuation) for p, n in thinkable)
                if accepting > most:
                    best, most = valuation, accepting
        return best, most / len(thinkable)

    def _draw(self, dossier: Dossier, hypotheses: list[Hypothesis], turn: int) -> list[tuple[int, int]]:
        """Preconditions, as atoms required true and required false, that explain all refusals so far."""
        rng = random.Random(f"{self._knowledge.setting.seed} {dossier.header.name} {turn}")
        numbers, failures = range(len(dossier.atoms)), dossier.precondition.failures
        positive_chances, negative_chances = self._chances(dossier)
        heap = list(accumulate(negative_chances))
        possible = [(h.true, h.false, h.weight) for h in hypotheses if failures.isdisjoint(h.valuations)]
        # what other actions need in the same place should not be missing
        plausible = [
            weight
            * prod(min(1, 1 - positive_chances[i] + POSITIVE) if not true >> i & 1 else 1 for i in numbers)
            for true, false, weight in possible
        ]
        found: list[tuple[int, int]] = []
        for _turn in range(DRAWS):
            positive = bits_of(i for i in numbers if rng.random() < positive_chances[i])
            negative = bits_of(i for i in numbers if rng.random() < negative_chances[i])
            negative |= 1 << rng.choices(numbers, cum_weights=heap)[0]
            if possible and rng.random() < OFFERED:
                ((true, false, _),) = rng.choices(possible, plausible)
                positive &= true
                negative &= false
            else:
                positive &= ~negative
            if negative and all(positive & ~f or negative & f for f in failures):
                found.append((positive, negative))
                if len(found) == ENOUGH:
                    break
        return found

    def _chances(self, dossier: Dossier) -> tuple[list[float], list[float]]:
        """How likely each atom is to be required true, and false: going by its like in other actions."""
        true: Counter[tuple[str, tuple[str | int, ...]]] = Counter()
        judged: Counter[tuple[str, tuple[str | int, ...]]] = Counter()
        forbidden: Counter[str] = Counter()
        for other in self._knowledge.dossiers.values():
            needs = other.precondition
            for index, shape in enumerate(_shapes(other)):
                if other.ran and not needs.open >> index & 1:
                    judged[shape] += 1
                    true[shape] += needs.need_true >> index & 1
            forbidden.update(other.atoms[i].predicate for i in indices(needs.need_false & other.atom_mask))
        positive, negative = [], []
        for atom, shape in zip(dossier.atoms, _shapes(dossier), strict=True):
            odd = len(set(atom.args)) < len(atom.args)
            positive.append((true[shape] + (0.02 if odd else POSITIVE) * 2) / (judged[shape] + 2))
            likes = 3.0 if forbidden[atom.predicate] else 1.0
            negative.append(NEGATIVE * likes * (0.2 if odd else 2 / (1 + len(atom.args))))
        return positive, negative


def _shapes(dossier: Dossier) -> list[tuple[str, tuple[str | int, ...]]]:
    """Each atom's predicate with the places of its arguments in the header."""
    place = {p.name: number for number, p in enumerate(dossier.header.parameters)}
    return [(atom.predicate, tuple(place.get(a, a) for a in atom.args)) for atom in dossier.atoms]


def _by_falsehoods(dossier: Dossier) -> Iterator[int]:
    full, numbers = dossier.atom_mask, range(len(dossier.atoms))
    for count in range(len(numbers) + 1):
        for chosen in combinations(numbers, count):
            yield full & ~bits_of(chosen)
