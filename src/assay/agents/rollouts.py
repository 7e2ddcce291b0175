"""One run of a policy, by an agent that knows how, or step by step by any other.

An agent with a `rollout` of its own is asked for it. Any other that a question may put into the states it
passes through (start `any` or `visited`) is led through the run by plan questions of one step each.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.core.policy import PolicyQuery, RolloutAgent, Trace, follow
from assay.core.query import Agent, Invalid, PlanQuery, Response, Start
from assay.core.symbols import Step
from assay.core.universe import State
from assay.errors import AgentError, InputError

Rollout = Callable[[PolicyQuery, int, int], Trace | Invalid]


def rollouts(agent: Agent, check: Callable[[PlanQuery, object], Response]) -> Rollout:
    """How this agent makes a run; what it answers is checked where it is led."""
    if isinstance(agent, RolloutAgent):
        return agent.rollout
    if Start(getattr(agent, "start", Start.ANY)) is Start.RESET:
        raise InputError(
            "an agent with chance that can only be reset must run policies itself, in a method `rollout`; "
            "over the protocol it must be able to begin where it has been (start `visited`)"
        )
    return lambda query, number, run: _led(agent, query, check)


def _led(agent: Agent, query: PolicyQuery, check: Callable[[PlanQuery, object], Response]) -> Trace | Invalid:
    refused: list[Invalid] = []

    def after(state: State, step: Step) -> State | None:
        asked = PlanQuery(state, (step,))
        answer = check(asked, agent.ask(asked))
        if isinstance(answer, Invalid):
            if state.bits != query.state.bits:
                raise AgentError(f"the agent passed through a state that it says cannot exist: {state}")
            refused.append(answer)
            return None
        if not answer.steps and answer.state.bits != state.bits:
            raise AgentError(f"the agent refused {step} and changed the state all the same")
        return answer.state if answer.steps else None

    trace = follow(query, after)
    return refused[0] if refused else trace
