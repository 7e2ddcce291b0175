"""Asks an agent all that a strategy wants to know."""

from __future__ import annotations

from assay.core.model import Model
from assay.core.query import Agent, PlanQuery, Response
from assay.core.setting import Setting
from assay.learn.finding import Strategy
from assay.learn.registry import Factory
from assay.scoring.equivalence import differences

Asked = list[tuple[PlanQuery, Response]]


def interrogate(factory: Factory, agent: Agent, **options: object) -> tuple[Strategy, Asked]:
    agent.walks = False  # type: ignore[attr-defined]
    setting = Setting.of(agent, strategy="under test", **options)  # type: ignore[arg-type]
    strategy = factory(setting, bool(getattr(agent, "tells_states", False)))
    questions, asked, response = strategy.questions(0), [], None
    while True:
        try:
            query = questions.send(response)
        except StopIteration:
            return strategy, asked
        response = agent.ask(query)
        asked.append((query, response))


def wrong(strategy: Strategy, truth: Model) -> list[str]:
    """What is said to be learned and is not so."""
    learned = [f.model for f in strategy.findings() if f.strength is not None]
    names = [model.header.name for model in learned]
    right = Model(truth.vocabulary, tuple(truth.action[name] for name in names))
    return differences(Model(truth.vocabulary, tuple(learned)), right)


def open_actions(strategy: Strategy) -> list[str]:
    return [f.action for f in strategy.findings() if f.strength is None]
