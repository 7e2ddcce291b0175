"""The outcomes of a capability, read off counted runs.

A run shows where each lifted atom went: up (the outcome adds it), down (it deletes it), or nowhere, and then
the outcome may have set it to the value it had, or left it alone. So a run stands for a set of outcomes, its
*modes*: sets of atoms, as bitmasks, that may be added, deleted, left. Runs whose modes have something in
common may be of one outcome, unless they began in the same valuation and ended in different ones.

`outcomes` finds few outcomes that explain all runs. It goes through the valuations, those run most first, and
says for every outcome known so far which of the ends is its doing, or that it just did not come up there:
whatever makes the counts most likely (QACE section 4.3 takes the likelihood for the probabilities alone). An
end that is no known outcome's doing is a new outcome. What an outcome must have done narrows its modes, and
the round is made again until nothing changes. Probabilities are then the likeliest ones, by expectation
maximisation where a valuation hides the difference between two outcomes, by plain counting where none does.

The result says of each outcome which atoms' modes are still ambiguous, and of all together whether the counts
can come from one set of probabilities (`fit`): if not, what happens depends on something that the vocabulary
does not say (Theorem 1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log, prod

from assay.knowledge.intervals import chi_square_tail

Runs = Mapping[int, Counter[int]]

MAPPINGS = 3000
"""Ways to tell which ends are which outcomes' doing, up to which all are compared."""
NEW = 4.0
"""What a further outcome must gain in log likelihood to be believed where known ones might do."""
SURE = 4.0
"""The gain in log likelihood from which on one way to tell outcomes is believed against all others."""
ROUNDS, STEPS = 4, 200
UNLIKELY = 1e-9
GONE = 1e-5
"""Probability below which an outcome that others can stand in for is none."""


@dataclass(frozen=True, slots=True)
class Modes:
    """Which atoms an outcome may add, delete and leave alone."""

    add: int
    delete: int
    keep: int

    @classmethod
    def of(cls, before: int, after: int, mask: int) -> Modes:
        same = mask & ~(before ^ after)
        return cls(mask & after, mask & ~after, same)

    def both(self, other: Modes) -> Modes:
        return Modes(self.add & other.add, self.delete & other.delete, self.keep & other.keep)

    def beside(self, other: Modes) -> Modes:
        """The modes of other atoms taken in."""
        return Modes(self.add | other.add, self.delete | other.delete, self.keep | other.keep)

    def possible(self, mask: int) -> bool:
        return self.add | self.delete | self.keep == mask

    @property
    def ambiguous(self) -> int:
        return self.add & self.delete | self.add & self.keep | self.delete & self.keep


@dataclass(frozen=True, slots=True)
class Branch:
    """One outcome: what it adds and deletes as far as known, and how often it comes about."""

    add: int
    delete: int
    modes: Modes
    probability: float
    hits: int
    """Runs that were certainly of this outcome, among `tries` that would have shown it."""
    tries: int

    def after(self, before: int) -> int:
        return before & ~self.delete | self.add


@dataclass(frozen=True, slots=True)
class Outcomes:
    branches: tuple[Branch, ...]
    """The likeliest first."""
    runs: int
    fit: float
    """How likely counts are that deviate at least as much from the probabilities."""


def outcomes(runs: Runs, size: int) -> Outcomes:
    """The outcomes that explain the runs of a capability with so many lifted atoms."""
    total = sum(c.total() for c in runs.values())
    if not total:
        return Outcomes((), 0, 1.0)
    mask = 0
    for before, ends in runs.items():
        for after in ends:
            mask |= before ^ after
    seen = _projected(runs, mask)
    order = sorted(seen, key=lambda v: (-seen[v].total(), v))
    clusters: list[Modes] = []
    for _ in range(ROUNDS):
        earlier = list(clusters)
        for valuation in order:
            _explain(clusters, seen, valuation, mask)
        clusters = _needed(clusters, seen, mask)
        if clusters == earlier:
            break
    shares = _shares(clusters, seen, mask)
    effects = _effects(clusters, shares)
    still = _untouched(clusters, runs, mask, (1 << size) - 1 & ~mask)
    branches = []
    for k, (add, delete) in enumerate(effects):
        hits, tries = _certain(k, effects, clusters, seen, mask)
        branches.append(Branch(add, delete, clusters[k].beside(still[k]), shares[k], hits, tries))
    branches.sort(key=lambda b: (-b.probability, b.add, b.delete))
    return Outcomes(tuple(branches), total, _fit(clusters, shares, seen, mask))


def _projected(runs: Runs, mask: int) -> dict[int, Counter[int]]:
    """The runs as far as these atoms are concerned: those that never changed tell no outcomes apart."""
    found: dict[int, Counter[int]] = {}
    for before, ends in runs.items():
        counts = found.setdefault(before & mask, Counter())
        for after, count in ends.items():
            counts[after & mask] += count
    return found


def _untouched(clusters: Sequence[Modes], runs: Runs, mask: int, rest: int) -> list[Modes]:
    """What each outcome may do to the atoms that never changed: set them to the only value they ever had."""
    high, low = [0] * len(clusters), [0] * len(clusters)
    known: dict[tuple[int, int], int | None] = {}
    for before, ends in runs.items():
        for after in ends:
            key = before & mask, after & mask
            if key not in known:
                end = Modes.of(*key, mask)
                fitting = [k for k, c in enumerate(clusters) if c.both(end).possible(mask)]
                known[key] = fitting[0] if len(fitting) == 1 else None
            if (k := known[key]) is not None:
                high[k] |= before
                low[k] |= ~before
    return [Modes(rest & ~low[k], rest & ~high[k], rest) for k in range(len(clusters))]


def _explain(clusters: list[Modes], runs: Runs, valuation: int, mask: int) -> None:
    """Narrow the known outcomes by what they did under one valuation, and add those that are new."""
    ends = sorted(runs[valuation].items(), key=lambda item: (-item[1], item[0]))
    seen = [Modes.of(valuation, after, mask) for after, _ in ends]
    counts = [count for _, count in ends]
    shares = _shares(clusters, runs, mask) if clusters else []
    choices: list[list[int | None]] = [
        [*(n for n, end in enumerate(seen) if cluster.both(end).possible(mask)), None] for cluster in clusters
    ]
    best, sure = _mapping(choices, shares, counts)
    for k, end in enumerate(best):
        if end is not None and sure[k]:
            clusters[k] = clusters[k].both(seen[end])
    clusters += [seen[n] for n in range(len(ends)) if n not in best]


def _mapping(
    choices: Sequence[Sequence[int | None]], shares: Sequence[float], counts: Sequence[int]
) -> tuple[tuple[int | None, ...], list[bool]]:
    """Which end each outcome brought about, or None; and for which outcomes that is beyond doubt."""
    if prod(map(len, choices)) > MAPPINGS:
        choices = [c if len(c) <= 2 else c[:2] for c in choices]
    if prod(map(len, choices)) > MAPPINGS:
        choices = [c[:1] for c in choices]
    rated = sorted(
        (
            (_rate(mapping, shares, counts), tuple(-1 if x is None else -2 - x for x in mapping), mapping)
            for mapping in product(*choices)
        ),
        key=lambda item: (-item[0], item[1]),
    )
    most, _, best = rated[0]
    sure = []
    for k in range(len(choices)):
        other = next((rate for rate, _, mapping in rated if mapping[k] != best[k]), None)
        sure.append(other is None or most - other > SURE)
    return best, sure


def _rate(mapping: Sequence[int | None], shares: Sequence[float], counts: Sequence[int]) -> float:
    """The log likelihood of the counts, less a price for every end that needs an outcome of its own."""
    total = sum(counts)
    weight = [0.0] * len(counts)
    for end, share in zip(mapping, shares, strict=True):
        if end is not None:
            weight[end] += share
    fresh = [n for n in range(len(counts)) if n not in mapping]
    left = 1 - sum(counts[n] for n in fresh) / (total + 1)
    found = -NEW * len(fresh)
    for n, count in enumerate(counts):
        chance = count / (total + 1) if n in fresh else max(weight[n], UNLIKELY) * left
        found += count * log(max(chance, UNLIKELY))
    return found


def _needed(clusters: list[Modes], runs: Runs, mask: int) -> list[Modes]:
    """The outcomes once each, without those that others make superfluous."""
    kept = list(dict.fromkeys(clusters))
    return [c for c, share in zip(kept, _shares(kept, runs, mask), strict=True) if share > GONE]


def _shares(clusters: Sequence[Modes], runs: Runs, mask: int) -> list[float]:
    """The likeliest probabilities, by expectation maximisation."""
    shares = [1 / len(clusters)] * len(clusters)
    table = []
    for valuation in sorted(runs):
        for after, count in sorted(runs[valuation].items()):
            end = Modes.of(valuation, after, mask)
            if fitting := [k for k, c in enumerate(clusters) if c.both(end).possible(mask)]:
                table.append((fitting, count))
    total = sum(count for _, count in table)
    if not total:
        return shares
    certain = [0.0] * len(clusters)
    unclear: Counter[tuple[int, ...]] = Counter()
    for fitting, count in table:
        if len(fitting) == 1:
            certain[fitting[0]] += count
        else:
            unclear[tuple(fitting)] += count
    if not unclear:
        return [c / total for c in certain]
    for _ in range(STEPS):
        wanted = list(certain)
        for several, count in unclear.items():
            whole = sum(shares[k] for k in several) or 1.0
            for k in several:
                wanted[k] += count * shares[k] / whole
        new = [w / total for w in wanted]
        moved = max(abs(a - b) for a, b in zip(new, shares, strict=True))
        shares = new
        if moved < 1e-7:
            break
    return shares


def _effects(clusters: Sequence[Modes], shares: Sequence[float]) -> list[tuple[int, int]]:
    """What each outcome adds and deletes; where that is open, as another outcome does, else nothing."""
    by_weight = sorted(range(len(clusters)), key=lambda k: -shares[k])
    found = []
    for k, modes in enumerate(clusters):
        add, delete = modes.add & ~modes.keep & ~modes.delete, modes.delete & ~modes.keep & ~modes.add
        left = modes.ambiguous
        for j in by_weight:
            other = clusters[j]
            if j != k:
                settled = left & ~other.ambiguous
                add |= settled & other.add & modes.add
                delete |= settled & other.delete & modes.delete
                left &= ~settled
        found.append((add, delete))
    return found


def _certain(
    k: int, effects: Sequence[tuple[int, int]], clusters: Sequence[Modes], runs: Runs, mask: int
) -> tuple[int, int]:
    """Runs that were of an outcome, and all runs where it could not be taken for another one."""
    hits = tries = 0
    for valuation, counts in runs.items():
        mine = [w for w in counts if clusters[k].both(Modes.of(valuation, w, mask)).possible(mask)]
        add, delete = effects[k]
        ends = {valuation & ~d | a for j, (a, d) in enumerate(effects) if j != k}
        apart = valuation & ~delete | add not in ends and all(
            sum(c.both(Modes.of(valuation, w, mask)).possible(mask) for c in clusters) == 1 for w in mine
        )
        if apart:
            hits += sum(counts[w] for w in mine)
            tries += counts.total()
    return hits, tries


def _fit(clusters: Sequence[Modes], shares: Sequence[float], runs: Runs, mask: int) -> float:
    """How well one set of probabilities explains the counts under every valuation (Pearson's test)."""
    value, freedom = 0.0, 0
    for valuation in sorted(runs):
        counts = runs[valuation]
        total = counts.total()
        expected: dict[int, float] = {}
        for k, cluster in enumerate(clusters):
            ends = [w for w in counts if cluster.both(Modes.of(valuation, w, mask)).possible(mask)]
            for w in ends:
                expected[w] = expected.get(w, 0.0) + shares[k] * total / len(ends)
        if len(expected) < 1 or total < 10:
            continue
        rest = total - sum(expected.values())
        cells = [(counts[w], e) for w, e in expected.items()]
        if rest > 1:
            cells.append((0, rest))
        cells = [(seen, e) for seen, e in cells if e >= 1]
        if len(cells) > 1:
            value += sum((seen - e) ** 2 / e for seen, e in cells)
            freedom += len(cells) - 1
    return chi_square_tail(value, max(1, freedom))
