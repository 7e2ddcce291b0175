"""For people who write agents: a checker for their agent, and an agent that answers from a script.

`check_agent` asks an agent a few hundred questions and compares its answers with each other, never with a
model: what it may do is its own business, but its answers must hang together. `RULES` is all it checks;
the first four make an agent usable at all, the others are what every strategy takes for granted, first of
all that an agent runs the longest prefix of a plan and stops where the next step is refused (requirement
(1) of DCDN section 3.2). Whether the agent is a STRIPS agent is not checked here; that is what assay is for.

An agent that cannot be put into any state is walked through its world: from the states it offers, by steps
that are found to run, with every state on the way asked for. So a step that goes one way after one history
and another way after another is seen, although no question could start in between: a snapshot that does not
restore everything, a hidden counter, a random effect.

    def test_my_agent():
        assert_agent(MyAgent())
"""

from __future__ import annotations

from assay.testing.check import assert_agent, check_agent
from assay.testing.complaint import RULES, Complaint, describe
from assay.testing.scripted import ScriptedAgent

__all__ = ["RULES", "Complaint", "ScriptedAgent", "assert_agent", "check_agent", "describe"]
