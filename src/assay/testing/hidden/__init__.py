"""Random hidden agents, to judge a learner: what they do is known, and it is seldom plain STRIPS.

`hidden_agent("exclusive or", 7)` is an agent over a random typed vocabulary with three actions, of which at
least one is odd in the way that its kind says. A kind and a seed always give the same agent. `KINDS` are the
kinds by name; those in `unseen` are meant for judging alone: who builds a learner should not look at them.
`OUTSIDE` are agents that no model of the learnable class describes.
"""

from __future__ import annotations

from assay.testing.hidden.agent import HiddenAgent
from assay.testing.hidden.catalogue import INVENTED, KINDS, NAMED, OUTSIDE, UNSEEN
from assay.testing.hidden.draw import Hidden, hidden_agent, hidden_model
from assay.testing.hidden.needed import Needed, needed_strength

__all__ = [
    "INVENTED",
    "KINDS",
    "NAMED",
    "OUTSIDE",
    "UNSEEN",
    "Hidden",
    "HiddenAgent",
    "Needed",
    "hidden_agent",
    "hidden_model",
    "needed_strength",
]
