"""The contract of a strategy, as checks that the author of one can run.

    from assay.testing.strategies import CHECKS

    @pytest.mark.parametrize("check", CHECKS)
    def test_my_strategy(check):
        check(MyStrategy)

Each check asks a few small agents, of which what they do is known: plain ones, odd ones, one that tells the
states between, one that calls half of all states impossible. What must hold: nothing is said to be learned
that is not so at the strength claimed; the same seed asks the same questions; states that cannot be are no
evidence; evidence from elsewhere may come at any time. A strategy that does not start anywhere is checked
with the start that it wants, and judged by the answers that it got.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, Start
from assay.core.setting import Setting
from assay.learn.finding import LEVELS, Finding, Status, Strategy
from assay.learn.registry import Factory
from assay.scoring.equivalence import differences
from assay.testing.hidden import Hidden, HiddenAgent, hidden_model, needed_strength

PLAIN = [("plain", 6), ("plain", 105), ("only negative", 4)]
ODD = [("exclusive or", 63), ("toggle", 47), ("changes others", 18), ("needs other", 49)]
"""Kinds of hidden agent, each with a seed that gives actions of few lifted atoms."""
MOST_QUESTIONS = 3000
"""No strategy needs so many for agents as small as these."""

Asked = list[tuple[PlanQuery, Response]]


def interview(
    factory: Factory,
    agent: HiddenAgent,
    start: Start,
    *,
    seed: int = 0,
    before: Sequence[tuple[PlanQuery, Response]] = (),
) -> tuple[Strategy, Asked]:
    """Asks all that the strategy wants to know for strength 0 and 1, after evidence from before."""
    strategy = _make(factory, agent, start, seed)
    for query, response in before:
        strategy.take(query, response, response.states if isinstance(response, PlanResponse) else None)
    asked: Asked = []
    for level in range(2):
        questions = strategy.questions(level)
        wanted = next(questions, None)
        while wanted is not None:
            assert isinstance(wanted, PlanQuery), "a walk is asked for that the agent does not offer"
            query = wanted
            response = agent.ask(query)
            asked.append((query, response))
            assert len(asked) < MOST_QUESTIONS, "it does not come to an end"
            try:
                wanted = questions.send(response)
            except StopIteration:
                wanted = None
    return strategy, asked


def _make(factory: Factory, agent: HiddenAgent, start: Start, seed: int = 0) -> Strategy:
    return factory(Setting.of(agent, strategy="under test", seed=seed, start=start), agent.tells_states)


def check_learns_plain_agents(factory: Factory, start: Start = Start.ANY) -> None:
    """Actions that need and do a conjunction: right or open; from any state at least one is learned."""
    learned = 0
    for hidden in _hidden(PLAIN):
        for agent in (hidden.agent(offers=True), hidden.agent(offers=True, tells=True)):
            strategy, asked = interview(factory, agent, start)
            _assert_right(hidden, strategy, start, asked)
            learned += sum(f.status is Status.LEARNED for f in strategy.findings())
    assert learned, "of no plain agent anything is learned"


def check_claims_nothing_wrong(factory: Factory, start: Start = Start.ANY) -> None:
    """Odd agents: what is claimed at a strength holds wherever that strength is enough for the action."""
    for hidden in _hidden(ODD):
        strategy, asked = interview(factory, hidden.agent(offers=True), start)
        _assert_right(hidden, strategy, start, asked)


def check_is_deterministic(factory: Factory, start: Start = Start.ANY) -> None:
    """The same seed and the same answers: the same questions."""
    for hidden in _hidden([*PLAIN[:1], *ODD[:1]]):
        first, second = (interview(factory, hidden.agent(offers=True), start, seed=7)[1] for _ in range(2))
        assert [_spelt(query) for query, _ in first] == [_spelt(query) for query, _ in second]


def check_survives_impossible_states(factory: Factory, start: Start = Start.ANY) -> None:
    """An agent that calls half of all states impossible: no evidence, and no wrong claim."""
    for hidden in _hidden(PLAIN[:2]):
        strategy, asked = interview(factory, _Squeamish(hidden.agent(offers=True)), start)
        _assert_right(hidden, strategy, start, asked)


def check_takes_evidence(factory: Factory, start: Start = Start.ANY) -> None:
    """Answers to another seed's questions as a log, impossible states among them."""
    for hidden in _hidden(PLAIN[:2]):
        agent = hidden.agent(offers=True)
        _, log = interview(factory, agent, start, seed=1)
        invalid = [(query, Invalid("there is no such state")) for query, _ in log[:1]]
        strategy, asked = interview(factory, agent, start, seed=2, before=[*invalid, *log])
        _assert_right(hidden, strategy, start, asked)


def check_progress_agrees_with_findings(factory: Factory, start: Start = Start.ANY) -> None:
    """By action, before the first question and after the last."""
    for hidden in _hidden(PLAIN[:1]):
        agent = hidden.agent(offers=True)
        for strategy in (_make(factory, agent, start), interview(factory, agent, start)[0]):
            found = {f.action: f.strength for f in strategy.findings()}
            assert strategy.progress() == found
            assert found.keys() == agent.vocabulary.action.keys()


CHECKS = (
    check_learns_plain_agents,
    check_claims_nothing_wrong,
    check_is_deterministic,
    check_survives_impossible_states,
    check_takes_evidence,
    check_progress_agrees_with_findings,
)


class _Squeamish(HiddenAgent):
    """Calls every second state impossible."""

    def __init__(self, agent: HiddenAgent) -> None:
        super().__init__(agent._model, agent.objects, agent._situations)

    def ask(self, query: PlanQuery, /) -> Response:
        if random.Random(str(query.state)).random() < 0.5:
            return Invalid("there is no such state")
        return super().ask(query)


def _hidden(kinds: Sequence[tuple[str, int]]) -> Iterator[Hidden]:
    return (hidden_model(kind, seed) for kind, seed in kinds)


def _spelt(query: PlanQuery) -> tuple[object, ...]:
    return query.state.texts(), query.plan, query.new_objects


def _assert_right(hidden: Hidden, strategy: Strategy, start: Start, asked: Asked) -> None:
    vocabulary, truth = hidden.model.vocabulary, hidden.model.action
    learned: list[ActionModel] = []
    for finding in strategy.findings():
        _assert_sound(finding)
        needed = needed_strength(truth[finding.action], vocabulary)
        if finding.strength is not None and needed is not None and finding.strength >= needed.level:
            assert finding.model is not None
            learned.append(finding.model)
    if start is Start.ANY:
        names = [action.header.name for action in learned]
        right = Model(vocabulary, tuple(truth[name] for name in names))
        found = differences(Model(vocabulary, tuple(learned)), right)
        assert not found, f"{hidden.kind} {hidden.seed}: {found[0]}"
    else:  # of states out of reach nothing is claimed
        _assert_foretells(Model(vocabulary, tuple(learned)), asked)


def _assert_foretells(model: Model, asked: Asked) -> None:
    """The model gives the answers to questions about its actions alone."""
    for query, response in asked:
        if isinstance(response, PlanResponse) and all(step.action in model.action for step in query.plan):
            steps, state = Execution(model, query.state.universe).run(query.state, query.plan)
            assert (steps, state) == (response.steps, response.state), f"not foretold: {query}"


def _assert_sound(finding: Finding) -> None:
    """What a finding says fits together."""
    learned = finding.status is Status.LEARNED
    assert learned == (finding.strength is not None) == (finding.level is not None)
    if finding.strength is not None and finding.level is not None:
        assert finding.level <= LEVELS[finding.strength]
    if learned:
        assert finding.model is not None
        assert all(term.runs for term in finding.terms), "a term without a run"
        for term in finding.terms:
            assert all(x.refusals for x in term.literals), "a literal that was never refused alone"
    if finding.runs and finding.status is not Status.NEVER_RAN:
        assert finding.model is not None or finding.trouble
