"""What a run claims of each action, and what it took: all that a benchmark of judging wants to know of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from assay.assessment import assess
from assay.core.model import Model
from assay.core.query import Agent
from assay.errors import AssayError
from assay.result import Outcome, Result
from assay.testing.hidden import Needed


class Standing(StrEnum):
    """What a run says of an action."""

    CERTIFIED = "certified"
    OPEN = "open"
    """Not settled at the strength that was asked for."""
    CONTRADICTED = "contradicted"


@dataclass(frozen=True)
class Claim:
    standing: Standing
    level: int = 0
    """The strength reached."""
    tested: int = 0
    """The s of its class: how many facts together were tried in runs."""

    def contains(self, needed: Needed) -> bool:
        """Whether the class that is named contains functions that need so much."""
        return needed.level <= self.level and needed.tested <= self.tested


@dataclass(frozen=True)
class Finding:
    model: Model
    claims: Mapping[str, Claim]
    questions: int
    seconds: float
    """Processor time."""
    error: str = ""


def interrogate(
    agent: Agent,
    *,
    strength: int,
    seed: int = 0,
    budget: int | None = None,
    strategy: str = "interrogate",
) -> Finding:
    """What a strategy makes of the agent."""
    began = time.process_time()
    try:
        name = "chain" if strategy == "interrogate" else strategy
        result = assess(agent, seed=seed, budget=budget, strategy=name)
    except AssayError as error:
        spent = time.process_time() - began
        return Finding(Model(agent.vocabulary, ()), {}, 0, spent, f"{type(error).__name__}: {error}")
    claims = {name: _claim(result, name, strength) for name in sorted(agent.vocabulary.action)}
    return Finding(result.model, claims, result.questions, time.process_time() - began)


def _claim(result: Result, action: str, strength: int) -> Claim:
    if result.outcome is Outcome.CONTRADICTION:
        return Claim(Standing.CONTRADICTED)
    if not result.complete or action not in result.model.action:
        return Claim(Standing.OPEN)
    return Claim(Standing.CERTIFIED, strength)
