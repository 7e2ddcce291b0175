"""Runs that put the learned effects to the test, and effects that only some other object explains.

Every condition of an effect is run about ten times, and so is each of its neighbours with one literal turned round,
in random contexts: runs are free. A change that comes in some runs only is repeated with fewer objects around; if
it turns out differently, the object that matters is found and part of its profile becomes a quantified feature.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from assay.learn.bystander import least_part
from assay.learn.dnf import Term, bits
from assay.learn.evidence import Example
from assay.learn.features import Profile
from assay.learn.hypothesis import BESIDE, Concept
from assay.learn.probe import BARE, FEW, Answers, Batch, Probe, Prober

ENOUGH = 10
"""Runs per condition and neighbour: a dependence on one more fact shows in one of them but once in 500 times."""
REPEATED = 2
"""Runs of each kind that are repeated with nothing around, per change that comes in some runs only."""


class EffectCoverage:
    def __init__(self, prober: Prober) -> None:
        self.prober = prober
        self._failed: dict[tuple[int, int, int], int] = {}
        self._aims: dict[tuple[int, frozenset[Profile]], tuple[int, int, int]] = {}
        self._repeated: set[tuple[Concept, int, frozenset[Profile]]] = set()

    def rule_out(self, probe: Probe) -> None:
        """The probe is impossible, or its situation cannot be brought about."""
        key = self._aims.pop((probe.own, frozenset(probe.others)), None)
        if key is not None:
            self._failed[key] = self._failed.get(key, 0) + 1

    # ---- runs around each condition

    def missing(self) -> list[Probe]:
        hypothesis = self.prober.hypothesis
        rows = [hypothesis.row(e) for e in hypothesis.evidence.runs]
        beside: dict[str, list[int]] = {}
        for example in hypothesis.evidence.runs:
            row = hypothesis.row(example)
            for kind, before, _ in example.changes:
                beside.setdefault(kind, []).append(row | before << BESIDE)
        found: list[Probe] = []
        for concept, terms in hypothesis.changes().items():
            seen = rows if concept[0] is None else beside.get(concept[0], [])
            if terms == [(0, 0)]:
                continue
            for term in terms:
                found += self._around(concept, term, seen)
        return found

    def _around(self, concept: Concept, term: Term, seen: list[int]) -> Iterator[Probe]:
        """Probes of the condition and of each neighbour, within each term of the precondition."""
        kind, place, before = concept
        hypothesis = self.prober.hypothesis
        bit = 1 << place if kind is None else 1 << BESIDE + place
        value = bit if before else 0
        for flip in [0, *(1 << p for p in bits(term[0]))]:
            for needed in hypothesis.terms:
                mask, wanted = term[0] | bit, (term[1] ^ flip) & ~bit | value
                if (wanted ^ needed[1]) & mask & needed[0]:
                    continue
                mask, wanted = mask | needed[0], wanted | needed[1]
                key = (mask, wanted, len(hypothesis.quantified))
                have = sum(1 for row in seen if row & mask == wanted) + self._failed.get(key, 0)
                for _ in range(ENOUGH - have):
                    probe = self._random_probe(kind, mask, wanted)
                    if probe is None:
                        self._failed[key] = self._failed.get(key, 0) + 1
                    else:
                        self._aims[probe.own, frozenset(probe.others)] = key
                        yield probe

    def _random_probe(self, kind: str | None, mask: int, wanted: int) -> Probe | None:
        prober, hypothesis = self.prober, self.prober.hypothesis
        low = (1 << hypothesis.width) - 1
        row = wanted & low | prober.rng.getrandbits(hypothesis.width) & ~mask
        probe = prober.probe(row, prober.rng.choice((BARE, FEW)), True)
        if probe is None:
            return None
        others = probe.others
        if kind is not None:
            others = (*others, prober.random_profile(kind, mask >> BESIDE, wanted >> BESIDE))
        made = hypothesis.row_of(probe.own, others)
        if (made ^ wanted) & mask & low:
            return None
        free = hypothesis.features.shared & ~mask
        return Probe(probe.own, others, True, free, False, made >> hypothesis.features.width)

    # ---- changes that some other object decides

    def others_that_matter(self) -> Generator[Batch, Answers, bool]:
        """Introduces a quantified feature if some other object decides a change; whether it did."""
        hypothesis = self.prober.hypothesis
        for concept, (turned, kept) in list(hypothesis.concepts().items()):
            if concept[0] is not None or not turned or not kept:
                continue
            for example in self._to_repeat(concept):
                if (yield from self._repeat(concept, example)):
                    return True
        return False

    def _to_repeat(self, concept: Concept) -> Iterator[Example]:
        """A few runs in which the fact turned, and a few in which it did not, that had other objects around."""
        hypothesis = self.prober.hypothesis
        _, place, value = concept
        for turned in (1, 0):
            count = 0
            for example in hypothesis.evidence.runs:
                own, after = example.point.own, example.after
                assert after is not None
                if own >> place & 1 != value or (own ^ after) >> place & 1 != turned:
                    continue
                if self._bare(example) != example.point.others:
                    yield example
                    count += 1
                    if count == REPEATED:
                        break

    def _bare(self, example: Example) -> frozenset[Profile]:
        """The other objects that give the quantified features their values."""
        hypothesis = self.prober.hypothesis
        found: set[Profile] = set()
        for feature in hypothesis.quantified:
            if not any(map(feature.fits, found)):
                found.update(sorted(filter(feature.fits, example.point.others))[:1])
        return frozenset(found)

    def _repeat(self, concept: Concept, example: Example) -> Generator[Batch, Answers, bool]:
        """Repeats the run with less around; where the change differs, finds the object that decides it."""
        place, bare = concept[1], self._bare(example)
        key = (concept, example.point.own, example.point.others)
        if key in self._repeated:
            return False
        self._repeated.add(key)
        own, after = example.point.own, example.after
        assert after is not None
        turned = (own ^ after) >> place & 1

        def same(other: Example) -> bool:
            return other.after is None or (own ^ other.after) >> place & 1 == turned

        again = yield from self.prober.ask_alone(own, tuple(bare))
        if again is None or same(again) or bare == example.point.others:
            return False
        around = [p for p in sorted(example.point.others) if p not in bare]
        if not example.direct:  # it was foretold: another step of its question may have made the change
            whole = yield from self.prober.ask_alone(own, (*bare, *around))
            if whole is None or not same(whole):
                return False
        low, high = 0, len(around)  # with the first `high` objects as in the run, with the first `low` not
        while high - low > 1:
            middle = (low + high) // 2
            found = yield from self.prober.ask_alone(own, (*bare, *around[:middle]))
            if found is not None and same(found):
                high = middle
            else:
                low = middle
        rest = (*bare, *around[:low])
        feature = yield from least_part(self.prober, own, rest, around[high - 1], same)
        known = len(self.prober.hypothesis.quantified)
        self.prober.hypothesis.add_feature(feature)
        return len(self.prober.hypothesis.quantified) > known
