"""Capabilities of players that press keys: found out, put to the test, and held against published figures.

A `Job` is one player on one grid, all seeds: they share what the tests found out about the player, and its
training. Jobs do not depend on one another, so that they may be done side by side.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

from assay.bench.answers import Answers, Bound
from assay.bench.examination import Examination, Score
from assay.core.model import Model
from assay.discovery.grounding import Matcher
from assay.discovery.study import Study, study
from assay.games.agent import Player
from assay.games.instances import game_type
from assay.games.learned import Learned, train
from assay.games.opening import PLAYERS, open_game, parse_size

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


class Job(NamedTuple):
    """One player on one grid; with `learned`, described on that grid and tested on the other, unchanged."""

    game: str
    size: str
    agent: str
    learned: str = ""

    def __str__(self) -> str:
        grid = f"{self.learned} to {self.size}" if self.learned else self.size
        return f"{self.game} {grid} {self.agent}"


@dataclass(frozen=True, slots=True)
class Measured:
    job: Job
    runs: tuple[Run, ...]
    score: Score
    bound: Bound


def measure(job: Job, seeds: int, situations: int) -> Measured:
    """A run for every seed, and its description put to the test."""
    answers, score = Answers(), Score()
    runs = []
    for seed in range(seeds):
        player = _player(job, job.learned or job.size, seed)
        found = study(player, name=player.name, seed=seed, clock=time.process_time)
        elsewhere = _player(job, job.size, _ELSEWHERE + seed)
        test = Examination(elsewhere, found.description.model, seed, answers)
        result = test.run(situations)
        score.add(result)
        runs.append(_run(job, seed, found, result))
    test.ask_more()
    return Measured(job, tuple(runs), score, answers.bound(score.wrong + score.missed))


def _player(job: Job, size: str, seed: int) -> Player:
    """The same policy on every grid of a job."""
    rows, columns = parse_size(job.game, size)
    if job.agent == Learned.kind:
        table = train(job.game, *parse_size(job.game, job.learned or job.size)).table
        return Learned(job.game, rows, columns, seed, table)
    return PLAYERS[job.agent](job.game, rows, columns, seed)


def _run(job: Job, seed: int, found: Study, score: Score) -> Run:
    return Run(
        job.game,
        job.size,
        job.agent,
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


def examine(model: Model, spec: str, seed: int, situations: int) -> Score:
    """The description beside the agent, in situations of instances that it was not learned from."""
    return Examination(open_game(spec, _ELSEWHERE + seed), model, seed).run(situations)
