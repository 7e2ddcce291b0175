"""Learners for agents with chance, siblings behind one protocol.

A learner reads an `Experience`, the fold of all answers so far, and asks for more: `questions` is a generator
that yields a policy question and is sent the answer after it has been folded into the experience. `model` is
the best estimate at any time: only outcomes that were seen, with probabilities that add up to one. A learner
holds no agent, and given the same setting, seed and answers it asks the same questions; nothing that it does
depends on how many samples it will be allowed. It may be stopped between any two questions, and a question
may come back with fewer runs, or shorter ones, than were asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Protocol

from assay.core.model import Model
from assay.core.policy import PolicyQuery, PolicyResponse
from assay.core.query import Invalid
from assay.knowledge.experience import Experience

Questions = Generator[PolicyQuery, PolicyResponse | Invalid, None]


class Learner(Protocol):
    def questions(self) -> Questions: ...

    def model(self) -> Model: ...


MakeLearner = Callable[[Experience], Learner]
"""Made from an empty experience, whose setting has the seed and what is wanted."""
