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

The result says of each outcome which atoms' modes are still ambiguous. `fit` says whether the counts can come
from one set of probabilities: if not, what happens depends on the situation in a way that no model of the
class has, or on something that the vocabulary does not say (Theorem 1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
"""What it must gain that an outcome came up under a valuation, if its not having come up would do as well."""
MANY, ENDS = 5, 64
"""Outcomes from which on, and ends up to which, it is tried whether every outcome sets everything."""
ROUNDS, STEPS = 4, 200
UNLIKELY = 1e-9
ENOUGH = 10
"""Runs under one valuation from which on it is asked whether they fit the probabilities."""


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


def outcomes(runs: Runs, size: int) -> Outcomes:
    """The outcomes that explain the runs of a capability with so many lifted atoms."""
    total = sum(c.total() for c in runs.values())
    if not total:
        return Outcomes((), 0)
    mask = _changing(runs)
    match = _Match(_projected(runs, mask), mask)
    match.find()
    still = match.untouched(runs, (1 << size) - 1 & ~mask)
    branches = []
    for k, (add, delete) in enumerate(match.effects):
        hits, tries = match.counted(k)
        modes = match.clusters[k].beside(still[k])
        branches.append(Branch(add, delete, modes, match.shares[k], hits, tries))
    branches.sort(key=lambda b: (-b.probability, b.add, b.delete))
    return Outcomes(tuple(branches), total)


def fit(runs: Runs, size: int, apart: Iterable[Runs] = ()) -> float:
    """How likely runs are that go by the situation at least as much as these, if chance does not.

    Pearson's test of the counts against one set of probabilities, under all values of the atoms that ever
    change, and once more for each other atom, true and false apart, and for the same runs sorted otherwise
    (`apart`, say by the objects involved); the least of all, times their number.
    """
    mask = _changing(runs)
    found = outcomes(runs, size).branches
    parts = [_deviations(_projected(runs, part), found, part) for part in _parts(mask, size)]
    if sorted_runs := [_projected(part, mask) for part in apart]:
        each = [_deviations(part, found, mask) for part in sorted_runs]
        parts.append((sum(value for value, _ in each), sum(freedom for _, freedom in each)))
    likely = [chi_square_tail(*part) for part in parts]
    return min(1.0, min(likely) * len(likely))


def _parts(mask: int, size: int) -> list[int]:
    return [mask, *(mask | 1 << i for i in range(size) if not mask >> i & 1)]


def _deviations(runs: Runs, branches: Sequence[Branch], mask: int) -> tuple[float, int]:
    """Chi-square and its degrees of freedom."""
    value, freedom = 0.0, 0
    for valuation, counts in sorted(runs.items()):
        expected: dict[int, float] = {}
        for branch in branches:
            end = branch.after(valuation) & mask
            expected[end] = expected.get(end, 0.0) + branch.probability * counts.total()
        cells = [(counts[end], e) for end, e in sorted(expected.items()) if e >= 1]
        if counts.total() >= ENOUGH and len(cells) > 1:
            value += sum((seen - e) ** 2 / e for seen, e in cells)
            freedom += len(cells) - 1
    return value, freedom


def _changing(runs: Runs) -> int:
    """The atoms that ever change."""
    mask = 0
    for before, ends in runs.items():
        for after in ends:
            mask |= before ^ after
    return mask


def _projected(runs: Runs, mask: int) -> dict[int, Counter[int]]:
    """The runs as far as these atoms are concerned: those that never changed tell no outcomes apart."""
    found: dict[int, Counter[int]] = {}
    for before, ends in runs.items():
        counts = found.setdefault(before & mask, Counter())
        for after, count in ends.items():
            counts[after & mask] += count
    return found


class _Match:
    """Outcomes, and under each valuation the end that each of them brought about, or None."""

    def __init__(self, runs: Runs, mask: int) -> None:
        self._runs, self._mask = runs, mask
        self._order = sorted(runs, key=lambda v: (-runs[v].total(), v))
        self.clusters: list[Modes] = []
        self._ends: dict[int, list[int | None]] = {v: [] for v in runs}
        self.shares: list[float] = []
        self.effects: list[tuple[int, int]] = []

    def find(self) -> None:
        for _ in range(ROUNDS):
            before = list(self.clusters)
            for valuation in self._order:
                self._explain(valuation)
            self._prune()
            if self.clusters == before:
                break
        if not self.clusters:
            self._take_all()
        self._estimate(self._by_mapping())
        self.effects = _effects(self.clusters, self.shares)
        self._estimate(self._by_effects())
        while self._simplify():
            pass
        self._or_set_all()

    def _or_set_all(self) -> None:
        """Outcomes that leave nothing as it was, one for every end, if these explain the runs better."""
        found, ends = (self.clusters, self.effects, self.shares), {e for c in self._runs.values() for e in c}
        score = self._likelihood() - NEW * len(self.clusters)
        if len(self.clusters) < MANY or len(ends) > ENDS:
            return
        self.effects = [(end, self._mask & ~end) for end in sorted(ends)]
        self.clusters = [Modes(add, delete, 0) for add, delete in self.effects]
        self._estimate(self._by_effects())
        if self._likelihood() - NEW * len(ends) <= score + UNLIKELY:
            self.clusters, self.effects, self.shares = found

    def _take_all(self) -> None:
        """Every end for an outcome of its own, where no choice is stable: what happens goes by the situation,
        and no probabilities fit; `fit` will say so."""
        seen = {Modes.of(v, after, self._mask) for v, ends in self._runs.items() for after in ends}
        self.clusters = sorted(seen, key=lambda m: (m.add, m.delete, m.keep))
        self._ends = {v: [] for v in self._runs}

    def _simplify(self) -> bool:
        """Leave out an outcome without which the runs are about as likely; whether there was one."""
        kept = self.clusters, self.effects, self.shares
        likely = self._likelihood()
        for k in sorted(range(len(kept[0])), key=lambda k: kept[2][k]):
            self.clusters = kept[0][:k] + kept[0][k + 1 :]
            self.effects = kept[1][:k] + kept[1][k + 1 :]
            self._estimate(self._by_effects())
            if self.clusters and self._likelihood() > likely - NEW:
                return True
            self.clusters, self.effects, self.shares = kept
        return False

    def _likelihood(self) -> float:
        """The logarithm of how likely the runs are."""
        found = 0.0
        for valuation, counts in self._runs.items():
            after = self._after(valuation)
            for end, count in counts.items():
                chance = sum(share for a, share in zip(after, self.shares, strict=True) if a == end)
                found += count * log(max(chance, UNLIKELY))
        return found

    def _explain(self, valuation: int) -> None:
        """Narrow the known outcomes by what they did under one valuation, and add those that are new."""
        mask = self._mask
        ends = sorted(self._runs[valuation].items(), key=lambda item: (-item[1], item[0]))
        seen = [Modes.of(valuation, after, mask) for after, _ in ends]
        self._estimate(self._by_mapping())
        choices: list[list[int | None]] = [
            [*(n for n, end in enumerate(seen) if cluster.both(end).possible(mask)), None]
            for cluster in self.clusters
        ]
        counts = [count for _, count in ends]
        if prod(map(len, choices)) > MAPPINGS:
            likes = [[_purity(c, valuation, after, mask) for after, _ in ends] for c in self.clusters]
            best, sure = _matching(choices, self.shares, counts, likes)
        else:
            best, sure = _mapping(choices, self.shares, counts)
        for k, end in enumerate(best):
            if end is not None and sure[k]:
                self.clusters[k] = self.clusters[k].both(seen[end])
        found = [None if end is None else ends[end][0] for end in best]
        for n in range(len(ends)):
            if n not in best:
                self.clusters.append(seen[n])
                found.append(ends[n][0])
        self._ends[valuation] = found

    def _prune(self) -> None:
        """Leave out outcomes that are the same as others, or that came up nowhere."""
        for k in reversed(range(len(self.clusters))):
            nowhere = all(k >= len(ends) or ends[k] is None for ends in self._ends.values())
            if nowhere or self.clusters[k] in self.clusters[:k]:
                del self.clusters[k]
                for ends in self._ends.values():
                    del ends[k : k + 1]

    def _by_mapping(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Each end with its count and the outcomes that it may be the doing of."""
        for valuation in self._order:
            mapped = self._ends[valuation]
            for after, count in sorted(self._runs[valuation].items()):
                end = Modes.of(valuation, after, self._mask)
                fitting = [
                    k
                    for k, cluster in enumerate(self.clusters)
                    if (mapped[k] == after if k < len(mapped) else cluster.both(end).possible(self._mask))
                ]
                yield tuple(fitting), count

    def _by_effects(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """The same, going by what each outcome does."""
        for valuation in self._order:
            after = self._after(valuation)
            for (fitting, count), (end, _) in zip(
                self._within(valuation), sorted(self._runs[valuation].items()), strict=True
            ):
                yield tuple(k for k, a in enumerate(after) if a == end) or fitting, count

    def _within(self, valuation: int) -> Iterator[tuple[tuple[int, ...], int]]:
        for after, count in sorted(self._runs[valuation].items()):
            end = Modes.of(valuation, after, self._mask)
            fitting = [k for k, c in enumerate(self.clusters) if c.both(end).possible(self._mask)]
            yield tuple(fitting), count

    def _after(self, valuation: int) -> list[int]:
        return [valuation & ~delete | add for add, delete in self.effects]

    def _estimate(self, table: Iterable[tuple[tuple[int, ...], int]]) -> None:
        """The likeliest probabilities, by expectation maximisation."""
        size = len(self.clusters)
        certain, unclear, total = [0.0] * size, Counter[tuple[int, ...]](), 0
        for fitting, count in table:
            if len(fitting) == 1:
                certain[fitting[0]] += count
            elif fitting:
                unclear[fitting] += count
            total += count if fitting else 0
        shares = [1 / size] * size if size else []
        for _ in range(STEPS if total else 0):
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
        self.shares = shares

    def untouched(self, runs: Runs, rest: int) -> list[Modes]:
        """What each outcome may do to the atoms that never changed: set them to the only value they had."""
        high, low = [0] * len(self.clusters), [0] * len(self.clusters)
        for before, ends in runs.items():
            after = self._after(before & self._mask)
            for end in ends:
                fitting = [k for k, a in enumerate(after) if a == end & self._mask]
                if len(fitting) == 1:
                    high[fitting[0]] |= before
                    low[fitting[0]] |= ~before
        return [Modes(rest & ~low[k], rest & ~high[k], rest) for k in range(len(self.clusters))]

    def counted(self, k: int) -> tuple[int, int]:
        """Runs that were of an outcome, and all runs where it could not be taken for another one."""
        hits = tries = 0
        for valuation, counts in self._runs.items():
            after = self._after(valuation)
            if after.count(after[k]) == 1:
                hits += counts[after[k]]
                tries += counts.total()
        return hits, tries


def _mapping(
    choices: Sequence[Sequence[int | None]], shares: Sequence[float], counts: Sequence[int]
) -> tuple[tuple[int | None, ...], list[bool]]:
    """Which end each outcome brought about, or None; and for which ones it is beyond doubt that it did."""
    rated = [(_rate(mapping, shares, counts), mapping) for mapping in product(*choices)]
    most, best = max(rated, key=lambda item: item[0])
    sure = []
    for k in range(len(choices)):
        absent = max((rate for rate, mapping in rated if mapping[k] is None), default=None)
        sure.append(absent is None or most - absent > SURE)
    return best, sure


def _matching(
    choices: Sequence[Sequence[int | None]],
    shares: Sequence[float],
    counts: Sequence[int],
    likes: Sequence[Sequence[int]],
) -> tuple[tuple[int | None, ...], list[bool]]:
    """The same where there are too many ways to compare them all: the outcomes with fewest choices choose
    first, an end that is nobody's yet and needs the least of a story; then each may choose again as long as
    that makes the counts likelier."""
    best: list[int | None] = [None] * len(choices)
    for k in sorted(range(len(choices)), key=lambda k: (len(choices[k]), k)):
        free = [n for n in choices[k] if n is not None and n not in best]
        best[k] = min(free, key=lambda n: (likes[k][n], n), default=None)
    most, better = _rate(best, shares, counts), True
    while better:
        better = False
        for k, several in enumerate(choices):
            for end in several:
                other = [*best[:k], end, *best[k + 1 :]]
                if (rate := _rate(other, shares, counts)) > most + UNLIKELY:
                    best, most, better = other, rate, True
    absent = [_rate([*best[:k], None, *best[k + 1 :]], shares, counts) for k in range(len(best))]
    return tuple(best), [most - rate > SURE for rate in absent]


def _purity(cluster: Modes, valuation: int, after: int, mask: int) -> int:
    """How much of a story it takes that the outcome led there: none if it sets, or leaves, all in doubt."""
    doubtful = cluster.ambiguous & mask
    kept = doubtful & ~(valuation ^ after)
    value = cluster.add & ~cluster.delete
    set_so = doubtful & ~(value ^ after)
    return min((doubtful & ~kept).bit_count(), (doubtful & ~set_so).bit_count())


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
