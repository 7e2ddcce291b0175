"""A description put to the test: what it says, beside what the agent does.

Situations are drawn from instances that were not learned from. For a search agent the truth is exhaustive:
every keystroke from every realisation of the situation. For a policy agent each of these changes is put to
the policy itself, from a realisation drawn at random. Compared are pairs of a situation and the situation a
capability leads to; derived facts are left out of that and counted apart.

What is wrong about a policy is asked about once more, from the other realisations and in other situations,
until it is shown to be inexpressible (see `answers`) or nothing is left to ask; that does not change the
score.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from assay.bench.answers import Answers, Asked, Promises, Told
from assay.core.model import Model
from assay.core.reach import Low, LowLevelAgent, Reached
from assay.discovery.atlas import Atlas, Region
from assay.discovery.exploring import explore
from assay.discovery.grounding import Matcher
from assay.discovery.quantified import Facts
from assay.discovery.schema import Places, Schema
from assay.discovery.shape import Lifter, Shape

MORE = 1000
"""Questions about one kind of change, after the test, to show that an error is inexpressible."""
INSTANCES, AROUND = 60, 1500
"""Where the situations for them are looked for: so many instances, so many situations around each."""


@dataclass(slots=True)
class Score:
    """How often a description was right."""

    right: int = 0
    """Changes that it says are possible, and are."""
    wrong: int = 0
    """Changes that it says are possible, and are not."""
    missed: int = 0
    derived_wrong: int = 0
    """Changes that are right, but for a derived fact about the things that change."""
    situations: int = 0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    def add(self, other: Score) -> None:
        self.right += other.right
        self.wrong += other.wrong
        self.missed += other.missed
        self.derived_wrong += other.derived_wrong
        self.situations += other.situations


class Examination:
    def __init__(self, agent: LowLevelAgent, model: Model, seed: int, answers: Answers | None = None) -> None:
        self._agent = agent
        self._answers = Answers() if answers is None else answers
        self._atlas = Atlas(agent)
        self._rng = random.Random(seed)
        self._exhaustive = getattr(agent, "kind", "search") == "search"
        self._facts = Facts(agent.universe, self._atlas.static | self._atlas.derived)
        matcher = Matcher(self._facts, self._atlas.static)
        self._promises = Promises(model, matcher, self._derived)
        self._number = self._answers.begin(self._promises)
        self._places = Places(self._facts, self._atlas.static | self._atlas.derived)
        self._lifter = Lifter(agent.universe, self._atlas.derived)

    def run(self, count: int) -> Score:
        score = Score()
        for region in self._situations(count):
            self._compare(region, score)
        return score

    def _situations(self, count: int) -> Iterator[Region]:
        """Random situations, some per instance, deep ones among them."""
        starts = list(self._agent.starts(max(2, count // 10)))
        each = -(-count // len(starts))
        left = count
        for start in starts:
            found = explore(self._atlas, start, 20 * each).regions
            few = self._rng.sample(found, min(len(found), each, left))
            left -= len(few)
            yield from few

    def _compare(self, region: Region, score: Score) -> None:
        promised, key_of = self._promises.of(region.bits), self._promises.key
        here = key_of(region.bits)
        actual = {key: after for after in region.ways if (key := key_of(after)) != here}
        score.situations += 1
        for key, after in sorted(actual.items()):
            done = self._exhaustive or self._does(region, after)
            self._note(region, after, done, key in promised)
            score.right += key in promised and done
            score.wrong += key in promised and not done
            score.missed += key not in promised and done
            if key in promised and done:
                score.derived_wrong += self._derived_differs(region.bits, promised[key], after)
        score.wrong += len(promised.keys() - actual.keys())

    @property
    def _derived(self) -> int:
        return self._agent.universe.mask(self._atlas.derived)

    def _derived_differs(self, before: int, said: int, after: int) -> bool:
        """Whether a derived fact about things, not one about the whole situation, came out otherwise."""
        universe = self._agent.universe
        return any(atom.args for atom in universe.atoms((said ^ after) & self._derived))

    # the policy's own answers

    def _does(self, region: Region, after: int) -> bool:
        way = self._rng.choice(region.ways[after])
        return self._gets(self._rng.choice(region.beside(way.low)), way.after)

    def _gets(self, low: Low, target: Low) -> bool:
        """Whether the change is executed: the way there changes the abstract state once."""
        answer = self._agent.reach(low, target)
        if not isinstance(answer, Reached):
            return False
        passed = [self._atlas.bits(state) for state in answer.states]
        return sum(a != b for a, b in pairwise(passed)) == 1

    def _note(self, region: Region, after: int, done: bool, promised: bool) -> None:
        if self._exhaustive or (lifted := self._lifter.lift(region.bits, after)) is None:
            return
        told, value = self._told(*lifted, region.bits)
        told.asked.append(Asked(region.bits, self._promises.key(after), value, done))
        if done:
            told.succeeded(value)
            if not promised:
                told.missed[self._number] += 1
            return
        if promised:
            told.promised.append(value)
        if told.lacking(value) and self._sometimes(region, after):
            told.succeeded(value)

    def _sometimes(self, region: Region, after: int) -> bool:
        """Whether it does from another realisation what it refused to do from one."""
        return any(self._gets(low, way.after) for way in region.ways[after] for low in region.beside(way.low))

    def _told(self, shape: Shape, args: tuple[str, ...], bits: int) -> tuple[Told, int]:
        if shape not in self._answers:
            self._answers[shape] = Told.about(Schema(shape, args, None, self._facts, self._places))
        told = self._answers[shape]
        return told, told.schema.valuation(args, bits)

    def ask_more(self) -> None:
        """Further situations, about changes of which an error is not yet shown to be inexpressible."""
        self._answers.compare()
        wanted = {shape: found for shape, told in self._answers.items() if (found := told.wanted())}
        left = dict.fromkeys(wanted, MORE)
        for region in self._further():
            for after in region.ways:
                if not wanted:
                    return
                lifted = self._lifter.lift(region.bits, after)
                if lifted is None or lifted[0] not in wanted:
                    continue
                shape = lifted[0]
                told, value = self._told(*lifted, region.bits)
                lacking = told.lacking(value)
                if not any(lacking & each for each in wanted[shape]):
                    continue
                told.more += 1
                left[shape] -= 1
                if self._does(region, after):
                    told.succeeded(value)
                    wanted[shape] = told.wanted()
                if not wanted[shape] or not left[shape]:
                    del wanted[shape]

    def _further(self) -> Iterator[Region]:
        """All that the test passed by, then the same around more instances."""
        yield from list(self._atlas.regions.values())
        for start in self._agent.starts(INSTANCES):
            yield from explore(self._atlas, start, AROUND).regions
