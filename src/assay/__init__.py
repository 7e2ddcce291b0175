"""assay asks a black-box agent the right questions and returns a model of what it can do."""

from assay.assess import Costs, Outcome, Result, assess, resume
from assay.core.model import ActionModel, Model, differences
from assay.core.query import Agent, Invalid, PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError, AgentTimeout, AssayError, Contradiction, InputError
from assay.testing import check_agent

__all__ = [
    "ActionModel",
    "Agent",
    "AgentError",
    "AgentTimeout",
    "AssayError",
    "Atom",
    "Contradiction",
    "Costs",
    "InputError",
    "Invalid",
    "Literal",
    "Model",
    "Object",
    "Outcome",
    "PlanQuery",
    "PlanResponse",
    "Result",
    "Start",
    "State",
    "Step",
    "Universe",
    "Vocabulary",
    "assess",
    "check_agent",
    "differences",
    "resume",
]
