"""The learner of one action: a first example, then level by level until nothing is missing.

It repeats three things. A run where the hypothesis says refused is generalised to a new term; a refusal where it says
run is blamed on a fact; and where the evidence holds no counterexample, coverage says what to ask next. A level is
reached when its coverage is complete. Every level goes on from the evidence of the one before.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from assay.learn.blame import blame
from assay.learn.coverage import Coverage
from assay.learn.dnf import minimise
from assay.learn.effects import EffectCoverage
from assay.learn.evidence import Example
from assay.learn.features import Features
from assay.learn.finding import LEVELS, Status
from assay.learn.first_example import first_example
from assay.learn.generalise import generalise
from assay.learn.hypothesis import Hypothesis
from assay.learn.probe import Batch, Probe, Prober, Steps

MOST_IDLE = 50
"""Rounds of probes that show nothing new, after which a level is given up."""
MOST_TERMS = 24
MOST_QUANTIFIED = 8
"""A hypothesis that grows beyond this fits the answers one by one: it explains nothing."""


FORETOLD = 7
"""Runs whose effects were told before they are foretold; fewer hid effects on shared facts (measured)."""

MOST_STARTS = 4
"""An action that troubles every one of these is not of the class."""


class ActionLearner:
    def __init__(self, features: Features, rng: random.Random, residents: Mapping[str, int]) -> None:
        self.features = features
        self.hypothesis = Hypothesis(features)
        self.prober = Prober(self.hypothesis, rng, residents)
        self.coverage = Coverage(self.prober)
        self.effects = EffectCoverage(self.prober)
        self.offered: list[int] = []
        """Own facts of steps in situations that the agent offers."""
        self.level: int | None = None
        """The strength reached."""
        self.working_on = 0
        self.gave_up = False
        """Whether the search for a first example is over."""
        self.direct_runs = 0
        self.foretold = False
        """Whether what a run does is foretold well enough to be taken for granted between told states."""
        self.starts = 1
        """How often it began anew, without what had been foretold."""
        self.trouble: str | None = None
        """Why no hypothesis of the class stands, if none does."""

    @property
    def name(self) -> str:
        return self.features.shape.name

    @property
    def status(self) -> Status:
        if self.trouble:
            return Status.CONTRADICTED if self.hypothesis.evidence.conflict else Status.OPEN
        if self.level is not None:
            return Status.LEARNED
        ran = any(e.ran for e in self.hypothesis.evidence.examples)
        return Status.OPEN if ran or not self.gave_up else Status.NEVER_RAN

    def take(self, example: Example) -> None:
        self.hypothesis.evidence.add(example)
        self.direct_runs += example.ran and example.direct
        self.foretold = self.foretold or self.direct_runs >= FORETOLD

    def rule_out(self, probe: Probe) -> None:
        """The agent's world has no such situation."""
        self.coverage.rule_out(probe)
        self.effects.rule_out(probe)

    def probes(self, level: int) -> Steps:
        """What is to be asked until the level is reached; the levels below are reached already."""
        self.working_on = level
        if level == 0:
            yield from first_example(self.prober, self.offered)
            self.gave_up = True
        if self.trouble or not any(e.ran for e in self.hypothesis.evidence.examples):
            return
        if self.level is not None and self.level >= level and not self.contradicted:
            return
        yield from self._reach(level)
        if not self.trouble:
            self.level = level

    @property
    def contradicted(self) -> bool:
        """Whether evidence from elsewhere contradicts the hypothesis."""
        return any(self._counterexamples())

    def _reach(self, level: int) -> Steps:
        """Until no counterexample is left and nothing of the level is missing."""
        known = idle = 0
        while not self._in_trouble():
            run, refusal = self._counterexamples()
            if run is not None:
                yield from generalise(self.prober, run)
            elif refusal is not None:
                self.trouble = yield from blame(self.prober, refusal)
            else:
                self.hypothesis.terms = minimise(self.hypothesis.terms)
                if level and (yield from self.effects.others_that_matter()):
                    continue
                wanted = self.coverage.missing(LEVELS[level])
                if level:
                    wanted += self.effects.missing()
                if len(self.hypothesis.evidence.examples) == known:
                    idle += 1
                else:
                    known, idle = len(self.hypothesis.evidence.examples), 0
                if idle > MOST_IDLE:
                    self.trouble = "what its strength lacks cannot be brought about"
                    return
                if not wanted:
                    if not self.hypothesis.unexplained:
                        return
                    self.trouble = "a change that no feature explains"
                    continue
                yield Batch(wanted)

    def _counterexamples(self) -> tuple[Example | None, Example | None]:
        """A run that no term explains, and a refusal where a term says run."""
        hypothesis, run, refusal = self.hypothesis, None, None
        for example in hypothesis.evidence.examples:
            runs = hypothesis.runs_at(hypothesis.row(example))
            if example.ran and not runs:
                return example, None
            if not example.ran and runs and refusal is None:
                refusal = example
        return run, refusal

    def _in_trouble(self) -> bool:
        hypothesis = self.hypothesis
        if hypothesis.evidence.conflict:
            self.trouble = "the same situation was answered twice differently"
        elif len(hypothesis.terms) > MOST_TERMS or len(hypothesis.quantified) > MOST_QUANTIFIED:
            self.trouble = "no condition of reasonable size explains the answers"
        if self.trouble and self._start_over():
            self.trouble = None
        return self.trouble is not None

    def _start_over(self) -> bool:
        """From what was told alone, if what was foretold may be the trouble; whether there is something to drop."""
        evidence = self.hypothesis.evidence
        if evidence.conflict and all(e.sure for e in evidence.conflict):
            return False
        if self.starts == MOST_STARTS or not evidence.drop_foretold():
            return False
        evidence.conflict, self.hypothesis.terms = None, []
        self.starts, self.direct_runs, self.foretold = self.starts + 1, 0, False
        return True
