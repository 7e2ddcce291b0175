"""Preconditions an action may have, where the agent shows no situations at all.

Then nothing but the refusals so far and the ways of those who write models say what an action may require:
what the known actions require of the same predicates, how many things a predicate is about, and whether an
action is known that does nothing but make something false: it is there because that is in the way of others.
Each atom gets odds of being required true, and false, and preconditions are drawn by Gibbs sampling given
that each refusal has to be explained. How much an action requires in all is uncertain, too, and drawn with the
rest; so the more tries are refused, the more literals are thought of. None of this is evidence.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from math import prod

from assay.core.universe import indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge

DRAWN, SWEEPS = 200, 2
"""Preconditions drawn, and rounds of sampling for each."""
TRUE, FALSE = (0.15, 0.18, 0.25, 0.35), (0.1, 0.04, 0.02, 0.01)
"""Chances of a literal to be required, by the number of its arguments, when nothing is known about its like:
true, and false although the action does not make it true."""
SWAPPED, REPEATED = 0.3, 0.03
"""Weights of arguments in another order than in the header, and of one parameter in several places."""
MOST_TRUE, MOST_FALSE = 3.5, 2.0
"""How many literals of each kind an action is expected to have at most."""
HABIT = 2.0
"""How many known actions count as much as what is usual."""
IN_THE_WAY = 0.6
"""Chance that an atom is required false if some action does nothing but make such atoms false."""
RISEN = 0.8
"""Share of the actions requiring something false that forbid what they make true."""
WANTED, MADE = 5.0, 0.4
"""How likely an action makes something true that others use up and none makes true, or that others make true:
against what nothing is known about."""
STRENGTHS = (0.5, 1.0, 2.0, 4.0)
"""How much more, or less, than expected an action may require."""


@dataclass(frozen=True, slots=True)
class Thinkable:
    """A precondition that explains all refusals so far: atoms required true, and required false."""

    positive: int
    negative: int
    witnessed: frozenset[int]
    """Atoms that alone explain one of the refusals."""

    @classmethod
    def of(cls, positive: int, negative: int, refused: list[int]) -> Thinkable | None:
        """None if it does not explain all of them."""
        missing = [positive & ~valuation | negative & valuation for valuation in refused]
        if not all(missing):
            return None
        return cls(positive, negative, frozenset(m for m in missing if m & m - 1 == 0))

    def violated(self, valuation: int) -> int:
        return self.positive & ~valuation | self.negative & valuation


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely each atom is to be required true, false, and false because the action makes it true."""

    true: list[float]
    false: list[float]
    risen: list[float]


def unaided(knowledge: Knowledge, dossier: Dossier, plain: float) -> list[Thinkable]:
    """Preconditions that explain all refusals; `plain` is the share of actions that need nothing false."""
    refused = sorted(dossier.precondition.failures)
    rng = random.Random(f"{knowledge.setting.seed} {dossier.header.name} {len(refused)}")
    sampler = _Sampler(_chances(knowledge, dossier), refused, plain, rng)
    drawn = (Thinkable.of(*sampler.draw(), refused) for _ in range(DRAWN))
    return [each for each in drawn if each is not None]


class _Sampler:
    """Draws the atoms required true, and false, given that every refusal is explained by one of them."""

    def __init__(self, chances: Chances, refused: list[int], plain: float, rng: random.Random) -> None:
        self._rng = rng
        self._odds = [  # against not being required
            (t / (1 - t - f), f / (1 - t - f)) for t, f in zip(chances.true, chances.false, strict=True)
        ]
        self._numbers = range(len(self._odds))
        self._all = (1 << len(refused)) - 1
        self._explains = []
        """Per atom, the refusals explained by its being required true, and false."""
        for index in self._numbers:
            held = sum(1 << n for n, valuation in enumerate(refused) if valuation >> index & 1)
            self._explains.append((self._all & ~held, held))
        total = sum(chances.risen) or 1.0
        rising = (1 - plain) * RISEN
        self._risen = [*(rising * chance / total for chance in chances.risen), 1 - rising]
        """Chance of each atom to be forbidden because it is made true; the last: of none."""
        shares = [(0.0, (1 + plain) / 2), *((s, (1 - plain) / 2 / len(STRENGTHS)) for s in STRENGTHS)]
        self._strengths = [
            (s, t, share / prod(1 + t * true + s * false for true, false in self._odds))
            for s, share in shares
            for t in STRENGTHS[:3]
        ]

    def draw(self) -> tuple[int, int]:
        """Atoms required true, and false."""
        signs: dict[int, int] = {}
        risen = self._rise(signs)
        self._explain(signs, risen)
        for _ in range(SWEEPS):
            strengths = self._strength(signs)
            for index in self._numbers:
                self._redraw(index, signs, risen, *strengths)
            risen = self._rise(signs)
        positive = sum(1 << i for i, sign in signs.items() if not sign)
        negative = sum(1 << i for i, sign in signs.items() if sign)
        return positive, negative | (1 << risen if risen is not None else 0)

    def _left(self, signs: dict[int, int], risen: int | None) -> int:
        """The refusals that nothing explains so far."""
        left = self._all if risen is None else self._explains[risen][0]
        for index, sign in signs.items():
            left &= ~self._explains[index][sign]
        return left

    def _rise(self, signs: dict[int, int]) -> int | None:
        """What is forbidden because the action makes it true."""
        left = self._left(signs, None)
        weights = [
            0.0 if signs.get(i) == 0 or left & ~self._explains[i][1] else self._risen[i]
            for i in self._numbers
        ]
        weights.append(0.0 if left else self._risen[-1])
        if not any(weights):  # not yet explained
            weights = [0.0 if i in signs else self._risen[i] for i in self._numbers] + self._risen[-1:]
        (risen,) = self._rng.choices(range(len(weights)), weights)
        return risen if risen < len(self._odds) else None

    def _explain(self, signs: dict[int, int], risen: int | None) -> None:
        """Add literals until every refusal is explained."""
        while left := self._left(signs, risen):
            lowest = left & -left
            options = [
                (index, sign)
                for index in self._numbers
                for sign in (0, 1)
                if self._explains[index][sign] & lowest and index not in signs and index != risen
            ]
            if not options:
                return
            odds = list(accumulate(self._odds[i][s] for i, s in options))
            ((index, sign),) = self._rng.choices(options, cum_weights=odds)
            signs[index] = sign

    def _strength(self, signs: dict[int, int]) -> tuple[float, float]:
        """How much is required true, and false, against what is expected, going by what is required."""
        negative = sum(signs.values())
        positive = len(signs) - negative
        weights = [share * s**negative * t**positive for s, t, share in self._strengths]
        ((s, t, _),) = self._rng.choices(self._strengths, weights)
        return t, s

    def _redraw(
        self, index: int, signs: dict[int, int], risen: int | None, positives: float, negatives: float
    ) -> None:
        """Draw anew what is required of one atom, given the rest."""
        if index == risen:
            return
        signs.pop(index, None)
        left = self._left(signs, risen)
        (true, false), (if_true, if_false) = self._odds[index], self._explains[index]
        t = 0.0 if left & ~if_true else true * positives
        f = 0.0 if left & ~if_false else false * negatives
        chance = self._rng.random() * ((0.0 if left else 1.0) + t + f)
        if chance < t:
            signs[index] = 0
        elif chance < t + f:
            signs[index] = 1
        elif left:
            signs[index] = int(bool(left & ~if_true))


def _chances(knowledge: Knowledge, dossier: Dossier) -> Chances:
    known = [d for d in knowledge.dossiers.values() if d.ran]
    unknown = Counter(p for d in knowledge.dossiers.values() if not d.ran for p in {a.predicate for a in d.atoms})
    judged: Counter[str] = Counter()
    required: Counter[str] = Counter()
    forbidden: Counter[str] = Counter()
    made: set[str] = set()
    lost: set[str] = set()
    in_the_way: set[str] = set()
    for other in known:
        needs, effects, full = other.precondition, other.effects, other.atom_mask
        adds, deletes = effects.may_add & ~effects.may_keep & full, effects.may_delete & ~effects.may_keep & full
        judged.update(_predicates(other, full & ~needs.open))
        required.update(_predicates(other, needs.need_true & full))
        forbidden.update(_predicates(other, needs.need_false & full & ~adds))
        made |= _predicates(other, adds)
        lost |= _predicates(other, deletes)
        if not effects.may_add & full:
            in_the_way |= _predicates(other, deletes)
    place = {p.name: number for number, p in enumerate(dossier.header.parameters)}
    true, false, risen = [], [], []
    for atom in dossier.atoms:
        name, arity = atom.predicate, min(len(atom.args), len(TRUE) - 1)
        places = [place.get(a, -1) for a in atom.args]
        weight = SWAPPED if places != sorted(places) else 1.0
        if len(set(atom.args)) < len(atom.args):
            weight = REPEATED
        usual = IN_THE_WAY if name in in_the_way else FALSE[arity]
        true.append(weight * (required[name] + HABIT * TRUE[arity]) / (judged[name] + HABIT))
        false.append(weight * (forbidden[name] + HABIT * usual) / (judged[name] + HABIT))
        wanted = MADE if name in made else 1 + WANTED / unknown[name] if name in lost else 1.0
        risen.append(weight * wanted / (1 if arity < 2 else 2))
    for chances, most in ((true, MOST_TRUE), (false, MOST_FALSE)):
        scale = min(1.0, most / (sum(chances) or 1.0))
        chances[:] = [min(0.45, max(1e-4, chance * scale)) for chance in chances]
    return Chances(true, false, risen)


def _predicates(dossier: Dossier, atoms: int) -> set[str]:
    return {dossier.atoms[i].predicate for i in indices(atoms)}
