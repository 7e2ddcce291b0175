"""What a run claims of each action, and what it took: all that a benchmark of judging wants to know of it."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from assay.core.model import Model
from assay.core.query import Agent
from assay.learn.finding import Finding, Status
from assay.result import Result
from assay.session import assess
from assay.testing.hidden import Needed

INTERROGATE = "interrogate"
"""The default strategy."""


class Standing(StrEnum):
    """What a run says of an action."""

    CERTIFIED = "certified"
    OPEN = "open"
    """Not settled at any strength."""
    CONTRADICTED = "contradicted"


@dataclass(frozen=True)
class Claim:
    standing: Standing
    level: int = 0
    """The strength reached."""
    tested: int = 0
    """The s of its class: how many facts together were tried in runs."""
    gaps: int = 0
    """Patterns of the class that are listed as not shown by any situation."""

    def contains(self, needed: Needed) -> bool:
        """Whether the class that is named contains functions that need so much."""
        return needed.level <= self.level and needed.tested <= self.tested


@dataclass(frozen=True)
class Learned:
    """What a run came to."""

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
    strategy: str = INTERROGATE,
    recheck: float = 0.0,
) -> Learned:
    """What a strategy makes of the agent. A strategy that crashes claims nothing: that, too, is a figure.

    With `recheck` a share of all answers is asked again at the end; these count as questions.
    """
    began = time.process_time()
    try:
        result = assess(
            agent, strategy=strategy, strength=strength, seed=seed, budget=budget, recheck=recheck
        )
    except Exception as raised:
        spent = time.process_time() - began
        return Learned(Model(agent.vocabulary, ()), {}, 0, spent, _place(raised))
    spent = time.process_time() - began
    troubles = [f"{f.action}: {f.trouble}" for f in result.findings if f.trouble]
    error = "; ".join(filter(None, [result.error, *troubles]))
    return Learned(result.model, _claims(result), result.questions, spent, error)


def _place(raised: Exception) -> str:
    """What went wrong, and where."""
    last = traceback.extract_tb(raised.__traceback__)[-1]
    return f"{type(raised).__name__} at {Path(last.filename).name}:{last.lineno}: {raised}"


def _claims(result: Result) -> dict[str, Claim]:
    """By action. Answers that differ when asked again, and that no action explains, concern all of them."""
    if result.disagreements and not result.contradicted:
        return {f.action: Claim(Standing.CONTRADICTED) for f in result.findings}
    return {f.action: _claim(f) for f in result.findings}


def _claim(found: Finding) -> Claim:
    if found.status is Status.CONTRADICTED:
        return Claim(Standing.CONTRADICTED)
    if found.status is not Status.LEARNED or found.strength is None or found.level is None:
        return Claim(Standing.OPEN)
    return Claim(Standing.CERTIFIED, found.strength, found.level.run, len(found.not_realised))
