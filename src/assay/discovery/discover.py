"""The loop: watch the agent, propose what would tell two descriptions apart, ask, learn.

Stages, as in Algorithm 1 of Descriptions:

1. The simulator is explored through the vocabulary. This costs the agent nothing and is never evidence
   about it: it only finds realisations of abstract states and changes that are possible at all.
2. The agent is watched at random tasks. Every abstract change on its way is a high-level action.
3. For each shape of change, questions are chosen that descriptions disagree on, refined into a low-level
   state and a low-level target, and put to the agent; the way it answers with is read back. The change is
   *executed* if the way stays inside the abstract state up to its last key (Lemma 1). A way through other
   abstract states is a plan of capabilities: each of its parts is evidence, the whole says nothing about
   the change asked for. A no is put to every other realisation of the state, the first few times, before it
   counts for the abstract state.

Guarantee: every observed change is an instance of a capability (Theorem 1), and nothing but the agent's own
yes and no decides what its description excludes beyond what the simulator itself rules out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from assay.core.reach import Answer, Cannot, GaveUp, Low, LowLevelAgent, Reached
from assay.discovery.atlas import Atlas
from assay.discovery.case import Candidate, Case, Example, Refusal
from assay.discovery.exploring import Exploration, explore
from assay.discovery.interest import Interest
from assay.discovery.quantified import Facts
from assay.discovery.questions import shakiest, telling, violated
from assay.discovery.schema import Places, Schema
from assay.discovery.shape import Lifter, Shape
from assay.knowledge.conjunction import Conjunction

Ask = Callable[[Low, Low], Answer]


class Spent(Exception):
    """Raised by who asks, when no further question may be put."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is looked at and asked."""

    starts: int = 24
    regions: int = 120
    """Abstract states looked at around each start."""
    deep: int = 4
    """Starts around which more is looked at, to get to the end of the game."""
    deep_regions: int = 1500
    familiar: int = 3
    """As many starts each kind of change is to be seen from; until then, more is looked at around the next.

    Where there are changes that were seen once, there are probably some that were not seen at all."""
    candidates: int = 400
    """Possible changes looked at for each shape."""
    tasks: int = 6
    """Random tasks at which the agent is watched."""
    first: int = 10
    """Tries for a first success, before it counts as something the agent does not do."""
    again: int = 30
    """The same for an agent of which refusals fit no conjunction: it may do rarely what it mostly refuses."""
    confirm: int = 2
    """Situations in which a finished description is put to the test."""
    wary: int = 4
    """The same for an agent that was seen to refuse what the simulator allows."""
    realisations: int = 1
    """Refusals of each capability that are put to every other realisation of the state in any case."""
    further: int = 24
    """More starts, around which situations to ask an erratic agent about are looked for."""
    more: int = 1200
    """Possible changes looked at for each shape then."""
    enough: int = 10
    """Refusals that each literal is to rest on: one convicts nothing where something else decides, too."""
    most: int = 32
    """Questions for that about one capability, at most."""
    sample: int = 6
    """Situations that its description promises, unless one of them was seen to be refused."""


class Verdict(StrEnum):
    EXECUTED = "executed"
    """Inside the abstract state up to the last key."""
    PLAN = "plan"
    """Through other abstract states: capabilities one after another."""
    CANNOT = "cannot"
    UNKNOWN = "unknown"
    """The agent gave up."""


@dataclass(slots=True)
class Findings:
    """What a run found out."""

    atlas: Atlas
    facts: Facts
    exploration: Exploration
    cases: dict[Shape, Case]
    observed: list[tuple[int, int]]
    """Every abstract change seen in the agent's ways."""
    user_questions: int = 0
    refusals: int = 0
    touched: set[Shape] = field(default_factory=set)
    """The changes that the user is interested in; others are not asked about."""

    @property
    def erratic(self) -> bool:
        """Whether something that the words do not tell was seen to decide what the agent does."""
        return any(case.contradicted or case.uneven for case in self.cases.values())


class Discovery:
    def __init__(
        self,
        agent: LowLevelAgent,
        ask: Ask,
        *,
        seed: int = 0,
        limits: Limits | None = None,
        interest: Interest | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._rng = random.Random(seed)
        self._ask = ask
        self._agent = agent
        self.atlas = Atlas(agent)
        self.facts = Facts(agent.universe, self.atlas.static | self.atlas.derived)
        self._places = Places(self.facts, self.atlas.static | self.atlas.derived)
        self._lifter = Lifter(agent.universe, self.atlas.derived)
        self._starts = list(agent.starts(self.limits.starts))
        self._entry = 0
        self._interest = interest or Interest((), agent.universe, self.atlas.static)
        self.findings = Findings(self.atlas, self.facts, Exploration([], False), {}, [])

    def run(self) -> Findings:
        """All stages; what was found so far is in `findings` even if the asker raises."""
        found = self.findings
        if self.atlas.simulates:
            self._explore()
        self._watch()
        self._collect(self.limits.candidates)
        for case in self._relevant():
            self._interrogate(case)
        if found.refusals:  # an agent that does not do all it could: its descriptions are looked at again
            for case in self._relevant():
                if case.held or found.erratic:
                    self._interrogate(case, self.limits.again)
        if found.erratic:
            self._look_further()
            for case in self._relevant():
                self._interrogate(case, self.limits.again)
                self._doubt(case)
        return found

    def _relevant(self) -> list[Case]:
        """What is known of the changes that the user is interested in."""
        found = self.findings
        return [case for _, case in sorted(found.cases.items()) if case.shape in found.touched]

    def _explore(self) -> None:
        limits, whole = self.limits, Exploration([], True)
        seen: Counter[Shape] = Counter()
        for number, start in enumerate(self._starts):
            deep = number < limits.deep or any(count < limits.familiar for count in seen.values())
            part = explore(self.atlas, start, limits.deep_regions if deep else limits.regions)
            whole.regions += part.regions
            whole.exhausted &= part.exhausted
            changes = (self._lifter.lift(r.bits, after) for r in part.regions for after in r.ways)
            seen.update({lifted[0] for lifted in changes if lifted is not None})
        self.findings.exploration = whole

    def _look_further(self) -> None:
        """Around more starts: a literal is put to the test where it does not hold, and that may be rare."""
        if not self.atlas.simulates:
            return
        known = set(self._starts)
        for start in self._agent.starts(self.limits.starts + self.limits.further):
            if start not in known:
                explore(self.atlas, start, self.limits.regions)
        self._collect(self.limits.more)

    # observation

    def _watch(self) -> None:
        """The agent does random tasks: from a start to somewhere the simulator has been."""
        starts = self._starts
        for number in range(self.limits.tasks if starts else 0):
            start = starts[number % len(starts)]
            target = self._wander(start)
            if target != start and self._put(start, target) is Verdict.CANNOT:
                self._refused_task(start, target)

    def _refused_task(self, start: Low, target: Low) -> None:
        """A task of a single change that the simulator allows there is a question like any other."""
        if not self.atlas.simulates:
            return
        region, after = self.atlas.region(start), self.atlas.bits(target)
        lifted = self._lifter.lift(region.bits, after)
        together = region.beside(start)
        if lifted is None or not any(
            w.after == target and w.low in together for w in region.ways.get(after, ())
        ):
            return
        shape, args = lifted
        case = self._case(shape, args, region.bits)
        self._refused(case, case.schema.valuation(args, region.bits), args, start, target, together)

    def _wander(self, start: Low, longest: int = 12) -> Low:
        """Somewhere a few abstract changes away."""
        here = start
        if not self.atlas.simulates:
            other: Low = self._rng.choice(self._starts)
            return other
        seen = {self.atlas.bits(here)}
        for _ in range(longest):
            ways = self.atlas.region(here).ways
            fresh = sorted(bits for bits in ways if bits not in seen)
            if not fresh:
                break
            bits = self._rng.choice(fresh)
            seen.add(bits)
            here = ways[bits][0].after
        return here

    # candidates

    def _collect(self, most: int) -> None:
        """Changes that the simulator allows, sorted by shape and by what holds there."""
        counts: Counter[Shape] = Counter()
        regions = list(self.atlas.regions.values())
        self._rng.shuffle(regions)
        for region in regions:
            for after in region.ways:
                if (lifted := self._lifter.lift(region.bits, after)) is None:
                    continue
                shape, args = lifted
                self._touch(shape, region.bits, after)
                counts[shape] += 1
                if counts[shape] > most:
                    continue
                case = self._case(shape, args, region.bits)
                value = case.schema.valuation(args, region.bits)
                same = case.candidates.setdefault(value, [])
                candidate = Candidate(region.bits, after, args)
                if len(same) < self.limits.first and candidate not in same:
                    same.append(candidate)

    def _case(self, shape: Shape, args: tuple[str, ...], bits: int) -> Case:
        case = self.findings.cases.get(shape)
        if case is None:
            schema = Schema(shape, args, bits, self.facts, self._places)
            full = (1 << len(schema.atoms)) - 1
            case = Case(schema, Conjunction(len(schema.atoms), full, full))
            self.findings.cases[shape] = case
        return case

    def _touch(self, shape: Shape, before: int, after: int) -> None:
        if self._interest.touched(before, after):
            self.findings.touched.add(shape)

    # questions

    def _interrogate(self, case: Case, tries: int = 0) -> None:
        """Questions until no description is left that another answer could tell apart."""
        confirmed = 0
        while True:
            untried = [value for value in case.candidates if value not in case.tried]
            if case.contradicted and case.held:
                return
            if not case.held:
                again = self._open(case)
                if not again or sum(case.tried.values()) >= (tries or self.limits.first):
                    return
                value = self._unlike(untried or again, case.tried)
            else:
                found = telling(case.schema, case.needs, untried)
                if found is None:
                    wary = self.limits.wary if self.findings.refusals else self.limits.confirm
                    # the second time, what an erratic agent's description denies is in doubt: see _doubt
                    done = confirmed >= wary or (tries and self.findings.erratic)
                    found = None if done else self._check(case)
                    confirmed += 1
                if found is None:
                    return
                value = found
            self._question(case, value)

    def _check(self, case: Case) -> int | None:
        """A situation that a finished description promises, to put it to the test."""
        sure = [v for v in case.candidates if not violated(case.needs, v)]
        return self._rng.choice(sure) if sure else None

    def _doubt(self, case: Case) -> None:
        """Something that the words do not tell decides, too: a literal that all successes have in common may
        be common to them by chance, so it is to rest on several refusals, in situations that differ."""
        for _ in range(self.limits.most if case.held else 0):
            shaky = shakiest(case.schema, case.passes, case.failures, self._open(case), self.limits.enough)
            if not shaky:
                break
            self._question(case, self._rng.choice(shaky))
        for _ in range(self.limits.sample if case.held else 0):
            sure = [v for v in self._open(case) if not violated(case.needs, v)]
            if case.contradicted or not sure:
                return
            self._question(case, self._rng.choice(sure))

    @staticmethod
    def _open(case: Case) -> list[int]:
        """Valuations of which there are situations that were not asked about."""
        return [v for v, same in case.candidates.items() if case.tried[v] < len(same)]

    def _unlike(self, values: list[int], tried: Counter[int]) -> int:
        """A situation as different as possible from those tried."""
        few = self._rng.sample(values, min(len(values), 200))
        return max(few, key=lambda v: min(((v ^ t).bit_count() for t in tried), default=0))

    def _question(self, case: Case, value: int) -> Verdict:
        """A question in the user's words, refined into realisations."""
        self.findings.user_questions += 1
        case.tried[value] += 1
        case.asked += 1
        same = case.candidates[value]
        candidate = same[(case.tried[value] - 1) % len(same)]
        region = self.atlas.regions[candidate.before]
        way = self._rng.choice(region.ways[candidate.after])
        target, together = way.after, region.beside(way.low)
        start = self._rng.choice(together)
        verdict = self._put(start, target)
        if verdict is not Verdict.CANNOT:
            case.gave_up += verdict is Verdict.UNKNOWN
            return verdict
        return self._refused(case, value, candidate.args, start, target, together)

    def _refused(
        self, case: Case, value: int, args: tuple[str, ...], start: Low, target: Low, together: list[Low]
    ) -> Verdict:
        """A no, put to other realisations, too, before it counts for the abstract state."""
        entry, said = self._entry, 1
        others = 0
        # a second and a third time only where realisations were seen to differ
        thorough = len(case.refusals) < self.limits.realisations + min(case.uneven, 2)
        for low in together if thorough else ():
            if low != start:
                again = self._put(low, target)
                others += again is Verdict.EXECUTED
                said += again is Verdict.CANNOT
        case.refusals.append(Refusal(start, target, args, entry, said, others))
        if others:
            case.uneven += 1
            self.findings.refusals += 1
            return Verdict.EXECUTED
        case.failed(value, entry)
        self.findings.refusals += 1
        return Verdict.CANNOT

    def _put(self, low: Low, target: Low) -> Verdict:
        """One question at the agent's level, and what its way shows."""
        answer = self._ask(low, target)
        self._entry += 1
        if isinstance(answer, Cannot):
            return Verdict.CANNOT
        if isinstance(answer, GaveUp):
            return Verdict.UNKNOWN
        changes = self._read(answer)
        return Verdict.EXECUTED if changes == 1 else Verdict.PLAN

    def _read(self, way: Reached) -> int:
        """Every abstract change on the way is an action that the agent executed; tells how many."""
        changes, since = 0, 0
        for place, (here, there) in enumerate(zip(way.states, way.states[1:], strict=False)):
            before, after = self.atlas.bits(here), self.atlas.bits(there)
            if before == after:
                continue
            changes += 1
            self.findings.observed.append((before, after))
            if (lifted := self._lifter.lift(before, after)) is not None:
                shape, args = lifted
                self._touch(shape, before, after)
                case = self._case(shape, args, before)
                case.passed(case.schema.valuation(args, before), self._entry)
                example = Example(way.states[since], there, way.keys[since : place + 1], args, self._entry)
                if len(case.examples) < 40:
                    case.examples.append(example)
            since = place + 1
        return changes
