"""Finding a first situation in which an action runs.

Most actions run where all their lifted atoms are true. An action with negative preconditions does not,
and then every try costs a question; in the worst case exponentially many. So as soon as one action has been
refused where all its atoms are true, each try is the valuation that most of the preconditions still
thinkable would accept: preconditions are drawn at random, made of what holds and what does not in the
situations of one of the hypotheses about what the agent did there (`situations`), the positive
literals like those of actions already known; those refuted by earlier tries are thrown away, and the
valuation accepted by most of the rest is next. When too few survive, valuations are tried systematically,
fewest false atoms first. An agent that offers no situations leaves only the habits of those who write models
(`habits`, `gibbs`, `crowd`). None of this is evidence: it decides what to try, never what is concluded.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, combinations
from math import log2, prod

from assay.core.symbols import Atom
from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.changes import Change
from assay.strategies.crowd import Crowd
from assay.strategies.gibbs import gather
from assay.strategies.habits import Habits
from assay.strategies.readings import Hypothesis
from assay.strategies.situations import Situations
from assay.strategies.suspicion import Tally

DRAWS, ENOUGH, TOO_FEW, CANDIDATES = 3000, 300, 20, 150
PAIRED = 12
"""Hypotheses of which two at a time are tried to be met by one valuation."""
STARTS, FLIPS = 4, 40
"""Valuations that are improved by flips, and flips that are looked at each time."""
MOST_TRIES = 2000
"""Refusals after which an action is given up as never seen to run."""
POSITIVE, NEGATIVE, FALLING, RISING = 0.6, 0.1, 0.95, 0.4
"""Chances of a literal to be required, when nothing is known about its like: true, false, true where the
action makes it false, and false where it makes it true."""
LASTING = 0.25
"""How likely something that is never seen to change is to be required false, against something that is."""
AT_MOST = 0.8
"""How likely anything is to be required false, however often it holds elsewhere, which makes it likelier."""
FURTHER = 0.5
"""Chance that one more thing is required false, beside those drawn one by one."""
CERTAIN = 0.25
"""Worth of a hypothesis by which the action is certain to run, whatever it requires; the more so with every
refusal, which shows what was thought of to be wrong."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A valuation to try next, if there is one, with what the preconditions thought of say about it."""

    valuation: int | None
    required: tuple[float, ...] = ()
    """How likely each atom is to be required if the guess is right, as far as thought about."""
    confidence: float = 1.0
    """The share of them that accept it."""

    def suspicion(self, suspects: int) -> list[tuple[int, float]]:
        """The suspects with the chance that each is required if the guess is right, likeliest first."""
        return sorted(((i, self.required[i]) for i in indices(suspects)), key=lambda suspect: -suspect[1])


@dataclass(frozen=True, slots=True)
class Jury:
    """What judges a valuation: preconditions thought of, and hypotheses as such, which err less."""

    crowd: Crowd
    hypotheses: list[Hypothesis]

    def worth(self, valuation: int) -> float:
        believed = sum(h.weight for h in self.hypotheses if h.accepts(valuation))
        certain = believed / (sum(h.weight for h in self.hypotheses) or 1)
        weight = CERTAIN * (1 + len(self.crowd.refused))
        return self.crowd.worth(valuation) / self.crowd.members.bit_count() + weight * certain

    def climb(self, valuation: int, tried: set[int]) -> int:
        """Flip single atoms as long as that makes the valuation better."""
        most, improved = self.worth(valuation), True
        while improved:
            improved = False
            for atom, _ in self.crowd.alone(valuation).most_common(FLIPS):
                if (other := valuation ^ atom) not in tried:
                    worth = self.worth(other)
                    if worth > most:
                        valuation, most, improved = other, worth, True
                        break
        return valuation


class FirstExample:
    """Proposes valuations for actions that have not run yet.

    With `habits` names are taken to mean something, parameters of the same name for the same kind of thing in
    all actions, and an agent that shows nothing being done for one written as people write models.
    """

    def __init__(self, knowledge: Knowledge, *, habits: bool = True) -> None:
        self._knowledge, self._habits = knowledge, habits
        self._situations = Situations(knowledge, habits=habits)
        self._proposed: dict[tuple[object, ...], Guess] = {}
        self._forbidden = -1, False

    def _something_forbidden(self) -> bool:
        """Whether some action is known to need something false; looked up once per answer."""
        if self._forbidden[0] != (entries := self._knowledge.entries):
            self._forbidden = entries, any(map(_negative, self._knowledge.dossiers.values()))
        return self._forbidden[1]

    @property
    def changes(self) -> list[Change]:
        """What was done where one offered situation follows another."""
        return self._situations.changes

    def propose(self, dossier: Dossier, rejected: set[int]) -> Guess:
        """The next valuation to try, or none."""
        needs, full = dossier.precondition, dossier.atom_mask
        tried = needs.failures | rejected
        if dossier.ran:  # where only one sign is left give it that one, elsewhere true
            valuation = full & (needs.may_true | ~needs.may_false)
            return Guess(valuation if valuation not in tried else None)
        if dossier.hints and tried.isdisjoint(dossier.hints):  # one that is wrong discredits the others
            return Guess(dossier.hints[0])
        dossiers = self._knowledge.dossiers.values()
        if full not in tried and not (full and self._something_forbidden()):
            return Guess(full)
        if dossier.tried >= MOST_TRIES or len(tried) >= 1 << min(len(dossier.atoms), 20):
            return Guess(None)
        aided = bool(self._situations.changes) or not self._habits
        # where things are seen being done, what another action did not do is left for this one
        rivals = [d for d in dossiers if not d.ran] if aided else []
        refusals = tuple(len(d.precondition.failures) for d in rivals)
        key = (dossier.header.name, len(tried), refusals, sum(d.settled for d in dossiers))
        if key not in self._proposed:
            guess = self._likeliest(dossier, tried) if aided else Guess(None)
            if guess.valuation is None and self._habits:
                guess = self._unaided(dossier, tried)
            if guess.valuation is None:
                guess = Guess(next((v for v in _by_falsehoods(dossier) if v not in tried), None), (), 0.0)
            self._proposed[key] = guess
        return self._proposed[key]

    def _likeliest(self, dossier: Dossier, tried: set[int]) -> Guess:
        """The untried valuation that most thinkable preconditions accept."""
        full = dossier.atom_mask
        chances = self.chances(dossier)
        hypotheses = _plausible(self._situations.of(dossier), chances[0])
        thinkable = self._draw(dossier, hypotheses, *chances)
        if len(thinkable) < TOO_FEW:
            return Guess(None)
        likely = sorted(hypotheses, key=lambda h: -h.weight)[: CANDIDATES // 3]
        candidates = dict.fromkeys([full, *(full & ~h.false for h in likely), *(h.true for h in likely)])
        candidates.update(dict.fromkeys(a.true | b.true for a, b in combinations(likely[:PAIRED], 2)))
        drawn = Counter(full & ~negative for _, negative in thinkable)
        candidates.update(dict.fromkeys(v for v, _ in drawn.most_common(CANDIDATES // 3)))
        crowd = Crowd.of(thinkable, len(dossier.atoms), list(dossier.precondition.failures))
        jury = Jury(crowd, [h for h in likely if not h.part])
        untried = [v for v in candidates if v not in tried]
        if not untried:
            return Guess(None)
        starts = sorted(untried, key=jury.worth, reverse=True)[:STARTS]
        best = max((jury.climb(start, tried) for start in starts), key=jury.worth)
        return Guess(best, crowd.required(best), crowd.confidence(best))

    def _unaided(self, dossier: Dossier, tried: set[int]) -> Guess:
        """The same where nothing is seen being done, or no reading of it is left."""
        failures = dossier.precondition.failures
        rng = random.Random(f"{self._knowledge.setting.seed} {dossier.header.name} {len(failures)}")
        crowd = gather(Habits.of(self._knowledge, dossier), failures, rng)
        best = crowd.best(tried, rng)
        return Guess(None) if best is None else Guess(best, crowd.required(best), crowd.confidence(best))

    def _draw(
        self,
        dossier: Dossier,
        hypotheses: list[Hypothesis],
        positive_chances: list[float],
        negative_chances: list[float],
    ) -> list[tuple[int, int]]:
        """Preconditions, as atoms required true and required false, that explain all refusals so far."""
        numbers, failures = range(len(dossier.atoms)), dossier.precondition.failures
        rng = random.Random(f"{self._knowledge.setting.seed} {dossier.header.name} {len(failures)}")
        positives, negatives = _Coins(positive_chances, rng), _Coins(negative_chances, rng)
        few = _Coins([chance / 8 for chance in negative_chances], rng)
        heap = list(accumulate(negative_chances))
        possible = [h for h in hypotheses if not any(map(h.accepts, failures))]
        odds = list(accumulate(h.weight for h in possible))
        plain, rising = self._without_negatives(), self._rising()
        found: list[tuple[int, int]] = []
        for _turn in range(DRAWS):
            (h,) = rng.choices(possible, cum_weights=odds)
            positive = positives.toss()
            negative = bits_of(
                i for i in indices(h.risen) if rng.random() < rising[dossier.atoms[i].predicate]
            )
            if rng.random() >= plain:
                negative |= negatives.toss() if h.kind else few.toss()
                if not negative & h.false or rng.random() < FURTHER:
                    negative |= 1 << rng.choices(numbers, cum_weights=heap)[0]
            positive |= bits_of(i for i in indices(h.fallen) if rng.random() < FALLING)
            negative &= h.false
            positive &= h.true & ~negative
            if all(positive & ~f | negative & f for f in failures):
                found.append((positive, negative))
                if len(found) == ENOUGH:
                    break
        return found

    def _without_negatives(self) -> float:
        """The share of actions expected to need nothing false but what they make true."""
        judged = [d for d in self._knowledge.dossiers.values() if d.ran or _negative(d)]
        return (2 + sum(not _negative(d) for d in judged)) / (2.5 + len(judged))

    def _rising(self) -> defaultdict[str, float]:
        """How likely an action is to need false what it makes true, by predicate, going by known actions."""
        made: Counter[str] = Counter()
        forbidden: Counter[str] = Counter()
        for dossier in self._knowledge.dossiers.values():
            if dossier.ran and not dossier.open_needs:
                risen = dossier.effects.may_add & ~dossier.effects.may_keep
                false = dossier.precondition.need_false
                made.update(dossier.atoms[i].predicate for i in indices(risen))
                forbidden.update(dossier.atoms[i].predicate for i in indices(risen & false))
        usual = (forbidden.total() + 2 * RISING) / (made.total() + 2)
        return defaultdict(lambda: usual, {p: (forbidden[p] + 2 * usual) / (n + 2) for p, n in made.items()})

    def chances(self, dossier: Dossier) -> tuple[list[float], list[float]]:
        """How likely each atom is to be required true, and false: going by its like in other actions, which
        is one with parameters in the same places and, more so, with parameters of the same names."""
        placed: defaultdict[tuple[str, tuple[str | int, ...]], Tally] = defaultdict(Tally)
        named_true: defaultdict[Atom, Tally] = defaultdict(Tally)
        named_false: defaultdict[Atom, Tally] = defaultdict(Tally)
        forbidden: Counter[str] = Counter()
        for other in self._knowledge.dossiers.values():
            needs = other.precondition
            for index, shape in enumerate(_shapes(other)):
                if other.ran and not needs.open >> index & 1:
                    true, false = needs.need_true >> index & 1, needs.need_false >> index & 1
                    placed[shape].count(true)
                    if self._habits and (atom := other.atoms[index]).variables:
                        named_true[atom].count(true)
                        named_false[atom].count(false)
            barred = needs.need_false & other.atom_mask & ~(other.effects.may_add & ~other.effects.may_keep)
            forbidden.update(other.atoms[i].predicate for i in indices(barred))
        changing = {atom.predicate for change in self._situations.changes for atom, _ in change.effects}
        lasting = (sum(n for p, n in forbidden.items() if p not in changing) + 2 * LASTING) / (
            forbidden.total() + 2
        )
        positive, negative = [], []
        for atom, shape in zip(dossier.atoms, _shapes(dossier), strict=True):
            odd = len(set(atom.args)) < len(atom.args)
            usual = placed[shape].rate(0.02 if odd else POSITIVE, 2)
            positive.append(named_true[atom].rate(usual, 2))
            likes = 3.0 if forbidden[atom.predicate] else 1.0 if atom.predicate in changing else lasting
            usual = NEGATIVE * likes * (0.2 if odd else 2 / (1 + len(atom.args)))
            striking = min(AT_MOST, usual / (1 - self._situations.rate(atom)))
            negative.append(named_false[atom].rate(striking, 2))
        return positive, negative


class _Coins:
    """Many coins tossed at once, their chances rounded to powers of one half."""

    def __init__(self, chances: list[float], rng: random.Random) -> None:
        self._rng, self._width = rng, len(chances)
        self._masks: dict[int, int] = {}
        for index, chance in enumerate(chances):
            halvings = max(0, round(-log2(max(chance, 1e-3))))
            self._masks[halvings] = self._masks.get(halvings, 0) | 1 << index

    def toss(self) -> int:
        heads = 0
        for halvings, mask in self._masks.items():
            for _ in range(halvings):
                mask &= self._rng.getrandbits(self._width)
            heads |= mask
        return heads


def _negative(dossier: Dossier) -> bool:
    """Whether the action is known to need something false."""
    needs = dossier.precondition
    return bool(needs.need_false & dossier.atom_mask) or dossier.atom_mask in needs.failures


def _plausible(hypotheses: list[Hypothesis], chances: list[float]) -> list[Hypothesis]:
    """The hypotheses, weighed also by what other actions need in the same place: it should not be missing."""
    likely = [(1 << i, chance) for i, chance in enumerate(chances) if chance > POSITIVE]
    return [
        replace(h, weight=h.weight * prod((1 - c) / (1 - POSITIVE) for bit, c in likely if not h.true & bit))
        for h in hypotheses
    ]


def _shapes(dossier: Dossier) -> list[tuple[str, tuple[str | int, ...]]]:
    """Each atom's predicate with the places of its arguments in the header."""
    place = {p.name: number for number, p in enumerate(dossier.header.parameters)}
    return [(atom.predicate, tuple(place.get(a, a) for a in atom.args)) for atom in dossier.atoms]


def _by_falsehoods(dossier: Dossier) -> Iterator[int]:
    full, numbers = dossier.atom_mask, range(len(dossier.atoms))
    for count in range(len(numbers) + 1):
        for chosen in combinations(numbers, count):
            yield full & ~bits_of(chosen)
