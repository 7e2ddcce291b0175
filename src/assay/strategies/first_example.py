"""Finding a first situation in which an action runs.

Most actions run where all their lifted atoms are true. An action with negative preconditions does not,
and then every try costs a question; in the worst case exponentially many. So each try is the valuation
that most of the preconditions still thinkable would accept: preconditions are drawn at random, made of
few negative literals and of positive ones that hold together in situations the agent itself offered,
those refuted by earlier tries are thrown away, and the valuation accepted by most of the rest is next.
When too few survive, valuations are tried systematically, fewest false atoms first.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from assay.core.symbols import Atom
from assay.core.universe import State, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge

DRAWS, KEPT, CANDIDATES = 4000, 300, 300
SITUATIONS, CLIMBS = 8, 4
MOST_TRIES = 2000
"""Refusals after which an action is given up as never seen to run."""


class FirstExample:
    """Proposes valuations for actions that have not run yet."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._typical: dict[str, list[int]] = {}

    def propose(self, dossier: Dossier, rejected: set[int]) -> int | None:
        """The next valuation to try, or None when there is nothing left worth trying."""
        needs, full = dossier.precondition, dossier.atom_mask
        settled = full & ~(needs.may_true & needs.may_false)
        sure = needs.may_true & settled  # where only one sign is left, give it that one
        tried = needs.failures | rejected
        if dossier.ran:
            return sure | full & ~settled if (sure | full & ~settled) not in tried else None
        if full not in tried:
            return full
        if dossier.tried >= MOST_TRIES or len(tried) >= 1 << min(len(dossier.atoms), 20):
            return None
        return self._likeliest(dossier, tried) or next(
            (v for v in self._by_falsehoods(dossier) if v not in tried), None
        )

    def _likeliest(self, dossier: Dossier, tried: set[int]) -> int | None:
        rng = random.Random(f"{self._knowledge.setting.seed} {dossier.header.name} {len(tried)}")
        full, failures = dossier.atom_mask, dossier.precondition.failures
        typical, weights = self._situations(dossier), self._weights(dossier)
        numbers = range(len(dossier.atoms))
        thinkable: list[tuple[int, int]] = []
        for _ in range(DRAWS):
            few = rng.getrandbits(len(numbers)) & rng.getrandbits(len(numbers))
            rare = few & rng.getrandbits(len(numbers)) & rng.getrandbits(len(numbers))
            situation = (
                rng.choice(typical) if typical and rng.random() < 0.7 else rng.getrandbits(len(numbers))
            )
            negative = (rare | 1 << rng.choices(numbers, weights)[0]) & ~situation & full
            positive = few & situation
            if negative and all(positive & ~f or negative & f for f in failures):
                thinkable.append((positive, negative))
                if len(thinkable) == KEPT:
                    break
        if len(thinkable) < KEPT // 10:
            return None
        candidates = Counter(dict.fromkeys(typical, 0))
        candidates.update(full & ~negative for _, negative in thinkable)
        width = (1 << len(self._knowledge.vocabulary.shared_atoms)) - 1
        candidates.update([full & ~width, 0])
        best, score = None, 0
        for valuation, _ in candidates.most_common(CANDIDATES):
            if valuation not in tried:
                passes = sum(not (p & ~valuation or n & valuation) for p, n in thinkable)
                if passes > score:
                    best, score = valuation, passes
        return best

    def _weights(self, dossier: Dossier) -> list[float]:
        """How readily each atom is believed to be forbidden: more if other actions do so, more if it is short."""
        seen: Counter[str] = Counter()
        for other in self._knowledge.dossiers.values():
            seen.update(
                other.atoms[i].predicate for i in indices(other.precondition.need_false & other.atom_mask)
            )
        return [
            (1.0 if len(set(a.args)) == len(a.args) else 0.1)
            * (4.0 if seen[a.predicate] else 1.0)
            / (1 + len(a.args))
            for a in dossier.atoms
        ]

    def _by_falsehoods(self, dossier: Dossier) -> Iterator[int]:
        full, numbers = dossier.atom_mask, range(len(dossier.atoms))
        for count in numbers:
            for chosen in combinations(numbers, count):
                yield full & ~sum(1 << i for i in chosen)
        yield 0

    def _situations(self, dossier: Dossier) -> list[int]:
        """Valuations of the action's atoms on well-connected objects in the situations the agent offered."""
        name = dossier.header.name
        if name not in self._typical:
            offered = self._knowledge.setting.offered
            rng = random.Random(f"{self._knowledge.setting.seed} {name}")
            chosen = [*offered[:2], *rng.sample(offered[2:], min(len(offered[2:]), SITUATIONS - 2))]
            found = Counter(
                valuation
                for state in chosen
                for _ in range(CLIMBS)
                if (valuation := self._climb(dossier, state, rng)) is not None
            )
            self._typical[name] = [v for v, _ in found.most_common()]
        return self._typical[name]

    def _climb(self, dossier: Dossier, state: State, rng: random.Random) -> int | None:
        """Choose objects so that as many of the action's atoms as possible hold among them."""
        vocabulary, holds = self._knowledge.vocabulary, set(state)
        constants = {c.name for c in vocabulary.constants}
        places = [
            [
                o.name
                for o in self._knowledge.setting.profile.objects
                if o.name not in constants and vocabulary.fits(o.type, p.types)
            ]
            for p in dossier.header.parameters
        ]
        args: list[str] = []
        for place in places:
            if not (free := [n for n in place if n not in args]):
                return None
            args.append(rng.choice(free))

        def truths(args: list[str]) -> int:
            binding = dossier.header.bind(tuple(args))
            return sum(
                1 << i
                for i, atom in enumerate(dossier.atoms)
                if Atom(atom.predicate, tuple(binding.get(a, a) for a in atom.args)) in holds
            )

        best = truths(args)
        improved = True
        while improved:
            improved = False
            for number, place in enumerate(places):
                for name in place:
                    if name not in args:
                        other = truths(trial := [*args[:number], name, *args[number + 1 :]])
                        if other.bit_count() > best.bit_count():
                            args, best, improved = trial, other, True
        return best
