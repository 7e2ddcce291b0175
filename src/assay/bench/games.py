"""Capabilities put to the test: what a description says, beside what the agent does.

Situations are drawn from instances that were not learned from. For a search agent the truth is exhaustive:
every keystroke from every realisation of the situation. For a policy agent each of these changes is put to
the policy itself, from a realisation drawn at random. Compared are pairs of a situation and the situation a
capability leads to; derived facts are left out of that and counted apart.

What stays wrong about a policy agent is *shown inexpressible* if among the test's own answers about that
change there is a refusal in which every literal holds that all successes have in common: then no
conjunction over the vocabulary gets both right.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from assay.core.model import Model
from assay.core.reach import LowLevelAgent, Reached
from assay.discovery.atlas import Atlas, Region
from assay.discovery.exploring import explore
from assay.discovery.grounding import Matcher
from assay.discovery.quantified import Facts
from assay.discovery.questions import common
from assay.discovery.schema import Places, Schema
from assay.discovery.shape import Lifter, Shape
from assay.discovery.study import Study, study
from assay.games.instances import game_type
from assay.games.opening import open_game

GAMES = ("zelda", "pasta", "escape", "snowman")
AGENTS = ("search", "policy-hand", "policy-learned")
LARGEST = "8x8"
_ELSEWHERE = 10_000
"""Instances for the test are drawn so far from those for learning."""

PUBLISHED = {
    ("zelda", "3x4"): 235,
    ("zelda", "4x5"): 512,
    ("zelda", "5x6"): 696,
    ("zelda", "8x8"): 2423,
    ("pasta", "4x5"): 2136,
    ("pasta", "8x8"): 11115,
    ("escape", "3x3"): 114,
    ("escape", "4x4"): 445,
    ("escape", "4x5"): 740,
    ("snowman", "5x5"): 4712,
    ("snowman", "8x8"): 8401,
}
"""Questions that the public research code needs, replayed."""


def sizes(game: str) -> list[str]:
    """From the smallest grid of a game to 8x8."""
    rows, columns = game_type(game).smallest
    more = [s for s in ("3x4", "4x4", "4x5", "5x5", "5x6") if tuple(map(int, s.split("x"))) > (rows, columns)]
    return [f"{rows}x{columns}", *more, LARGEST]


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


@dataclass(frozen=True, slots=True)
class Run:
    game: str
    size: str
    agent: str
    seed: int
    capabilities: int
    missing: int
    inexpressible: int
    user_questions: int
    agent_questions: int
    seconds: float
    """Processor time, the agent's included."""
    agent_seconds: float
    complete: bool
    theorem: bool
    """Whether every observed change is an instance of a capability (Theorem 1)."""
    score: Score


def measure(
    game: str, size: str, agent: str, seed: int, situations: int, answers: Answers | None = None
) -> Run:
    """One run, and its description put to the test."""
    player = open_game(f"{game}:{size}:{agent}", seed)
    found = study(player, name=player.name, seed=seed, clock=time.process_time)
    score = examine(found.description.model, f"{game}:{size}:{agent}", seed, situations, answers)
    return Run(
        game,
        size,
        agent,
        seed,
        len(found.description.capabilities),
        len(found.description.missing),
        sum(not c.expressible for c in found.description.capabilities),
        found.findings.user_questions,
        found.questions,
        found.seconds,
        found.agent_seconds,
        found.complete,
        explained(found),
        score,
    )


def explained(found: Study) -> bool:
    """Whether every change seen in the agent's ways is an instance of a capability."""
    atlas = found.findings.atlas
    matcher = Matcher(found.findings.facts, atlas.static)
    own = ~atlas.universe.mask(atlas.derived)
    model = found.description.model
    for before, after in sorted(set(found.findings.observed)):
        ends = (end for action in model.actions for _, end in matcher.successors(before, action))
        if not any(not (end ^ after) & own for end in ends):
            return False
    return True


def few_shot(game: str, agent: str, seed: int, situations: int, answers: Answers | None = None) -> Score:
    """Learned on the smallest grid, tested unchanged on the largest."""
    player = open_game(f"{game}:{sizes(game)[0]}:{agent}", seed)
    model = study(player, name=player.name, seed=seed).description.model
    return examine(model, f"{game}:{LARGEST}:{agent}", seed, situations, answers)


@dataclass(slots=True)
class _Answers:
    """What the test itself found out about one change."""

    schema: Schema
    passes: list[int] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)
    errors: int = 0

    @property
    def inexpressible(self) -> bool:
        true, false = common(self.passes, len(self.schema.atoms))
        return bool(self.passes) and any(v & true == true and not v & false for v in self.failures)


class Answers(dict[Shape, _Answers]):
    """What the tests of one player found out, change by change; several tests may share it."""

    @property
    def inexpressible(self) -> int:
        """Errors about changes that no conjunction over the vocabulary describes."""
        return sum(answers.errors for answers in self.values() if answers.inexpressible)


def examine(model: Model, spec: str, seed: int, situations: int, answers: Answers | None = None) -> Score:
    """The description beside the agent, in situations of instances that it was not learned from."""
    agent: LowLevelAgent = open_game(spec, _ELSEWHERE + seed)
    return Examination(agent, model, seed, Answers() if answers is None else answers).run(situations)


class Examination:
    def __init__(self, agent: LowLevelAgent, model: Model, seed: int, answers: Answers) -> None:
        self._agent, self._model, self._answers = agent, model, answers
        self._atlas = Atlas(agent)
        self._rng = random.Random(seed)
        self._exhaustive = getattr(agent, "kind", "search") == "search"
        self._facts = Facts(agent.universe, self._atlas.static | self._atlas.derived)
        self._matcher = Matcher(self._facts, self._atlas.static)
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
            found = explore(self._atlas, [start], [20 * each]).regions
            few = self._rng.sample(found, min(len(found), each, left))
            left -= len(few)
            yield from few

    def _compare(self, region: Region, score: Score) -> None:
        own = ~self._derived
        promised: dict[int, int] = {}
        for action in self._model.actions:
            for _, after in self._matcher.successors(region.bits, action):
                if (after ^ region.bits) & own:
                    promised[after & own] = after
        actual = {after & own: after for after in region.ways if (after ^ region.bits) & own}
        score.situations += 1
        for key, after in sorted(actual.items()):
            done = self._exhaustive or self._does(region, after)
            wrong = (key in promised) != done
            self._note(region, after, done, wrong)
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

    def _does(self, region: Region, after: int) -> bool:
        way = self._rng.choice(region.ways[after])
        answer = self._agent.reach(self._rng.choice(region.beside(way.low)), way.after)
        if not isinstance(answer, Reached):
            return False
        passed = [self._atlas.bits(state) for state in answer.states]
        return sum(a != b for a, b in pairwise(passed)) == 1

    def _note(self, region: Region, after: int, done: bool, wrong: bool) -> None:
        if self._exhaustive or (lifted := self._lifter.lift(region.bits, after)) is None:
            return
        shape, args = lifted
        if shape not in self._answers:
            schema = Schema(shape, args, region.bits, self._facts, self._places)
            self._answers[shape] = _Answers(schema)
        answers = self._answers[shape]
        value = answers.schema.valuation(args, region.bits)
        (answers.passes if done else answers.failures).append(value)
        answers.errors += wrong
