"""Interrogation by acting only, for agents that cannot be put into any state one likes.

Questions start where the agent can be put (its initial states; with `visited`, also wherever an answer
ended), go through steps that are sure to run, and end in a test: a step that tells some of the remaining
models apart.

- `readings`: what is sure and what is possible, action by action;
- `territory`: the states known to be within reach, by sure steps;
- `board`: the tests at hand there;
- `prospects`: how much a test promises; `posterior`: what an action may need that never ran;
- `choice`: the test to ask next;
- `aspiration`: states brought about on purpose, to try such an action there;
- `sweep`: states looked at one by one for a step that tells;
- `openings`: facts that would tell something, if they can hold together;
- `impasse`: the proof that nothing is left to be told apart; `forbidden`: what the fence left open.

It ends when everything is settled or proved to make no difference on reachable states; what is neither when
the territory has reached its limit stays open.
"""

from __future__ import annotations

from collections.abc import Generator

from assay.core.query import PlanQuery, Response
from assay.knowledge.knowledge import Knowledge
from assay.strategies.acting.inquiry import Inquiry


def acting(knowledge: Knowledge) -> Generator[PlanQuery, Response, None]:
    yield from Inquiry(knowledge).questions()
