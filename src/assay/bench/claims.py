"""What a run claims of each action, and what it took: all that a benchmark of judging wants to know of it."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from assay.core.model import Model
from assay.core.query import Agent, PlanQuery
from assay.core.setting import Setting
from assay.learn.finding import Asking, Finding, Status
from assay.learn.interrogation import Interrogation
from assay.result import Outcome
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
) -> Learned:
    """What a strategy makes of the agent. A strategy that crashes claims nothing: that, too, is a figure."""
    began = time.process_time()
    try:
        if strategy == INTERROGATE:
            model, claims, questions, error = _learned(agent, strength, seed, budget)
        else:
            model, claims, questions, error = _assessed(agent, strategy, seed, budget)
    except Exception as raised:
        model, claims, questions = Model(agent.vocabulary, ()), {}, 0
        error = _place(raised)
    return Learned(model, claims, questions, time.process_time() - began, error)


def _place(raised: Exception) -> str:
    """What went wrong, and where."""
    last = traceback.extract_tb(raised.__traceback__)[-1]
    return f"{type(raised).__name__} at {Path(last.filename).name}:{last.lineno}: {raised}"


_Found = tuple[Model, dict[str, Claim], int, str]


def _learned(agent: Agent, strength: int, seed: int, budget: int | None) -> _Found:
    """By the default strategy, level after level."""
    setting = Setting.of(agent, seed=seed)
    run = Interrogation(setting, bool(getattr(agent, "tells_states", False)))
    questions = 0
    for level in range(strength + 1):
        questions += _converse(run.questions(level), agent, budget, questions)
    found = run.findings()
    models = [f.model for f in found if f.model is not None and f.status is Status.LEARNED]
    troubles = [f"{f.action}: {f.trouble}" for f in found if f.trouble]
    claims = {f.action: _claim(f) for f in found}
    return Model(agent.vocabulary, tuple(models)), claims, questions, "; ".join(troubles)


def _converse(asking: Asking, agent: Agent, budget: int | None, before: int) -> int:
    """Ask what is to be asked; how many questions that took."""
    questions = 0
    try:
        query = next(asking)
        while budget is None or before + questions < budget:
            questions += 1
            if isinstance(query, PlanQuery):
                query = asking.send(agent.ask(query))
            else:
                query = asking.send(agent.walk(query))  # type: ignore[attr-defined]  # it said that it walks
    except StopIteration:
        pass
    return questions


def _claim(found: Finding) -> Claim:
    if found.status is Status.CONTRADICTED:
        return Claim(Standing.CONTRADICTED)
    if found.status is not Status.LEARNED or found.strength is None or found.level is None:
        return Claim(Standing.OPEN)
    return Claim(Standing.CERTIFIED, found.strength, found.level.run)


def _assessed(agent: Agent, strategy: str, seed: int, budget: int | None) -> _Found:
    """By a published strategy, which certifies conjunctions among conjunctions."""
    result = assess(agent, seed=seed, budget=budget, strategy=strategy)
    standing = {Outcome.CONTRADICTION: Standing.CONTRADICTED, Outcome.COMPLETE: Standing.CERTIFIED}
    known = result.model.action
    claims = {
        name: Claim(standing.get(result.outcome, Standing.OPEN) if name in known else Standing.OPEN)
        for name in sorted(agent.vocabulary.action)
    }
    return result.model, claims, result.questions, result.error
