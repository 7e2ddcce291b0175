"""assay asks a black-box agent the right questions and returns a model of what it can do.

The public names are imported on first use, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.agents.keys import KeyAgent
    from assay.agents.simulator import Simulator, SimulatorAgent
    from assay.assessment import Costs, Outcome, Result, assess, resume
    from assay.core.model import ActionModel, Model, differences
    from assay.core.query import Agent, Invalid, PlanQuery, PlanResponse, Start
    from assay.core.reach import Cannot, GaveUp, LowLevelAgent, Reached
    from assay.core.symbols import Atom, Literal, Object, Step
    from assay.core.universe import State, Universe
    from assay.core.vocabulary import Vocabulary
    from assay.discovery.study import Study, study
    from assay.errors import AgentError, AgentTimeout, AssayError, Contradiction, InputError
    from assay.perception.predicates import predicate
    from assay.testing import check_agent

_HOMES = {
    "assay.agents.keys": ("KeyAgent",),
    "assay.agents.simulator": ("Simulator", "SimulatorAgent"),
    "assay.assessment": ("Costs", "Outcome", "Result", "assess", "resume"),
    "assay.core.model": ("ActionModel", "Model", "differences"),
    "assay.core.query": ("Agent", "Invalid", "PlanQuery", "PlanResponse", "Start"),
    "assay.core.reach": ("Cannot", "GaveUp", "LowLevelAgent", "Reached"),
    "assay.core.symbols": ("Atom", "Literal", "Object", "Step"),
    "assay.core.universe": ("State", "Universe"),
    "assay.core.vocabulary": ("Vocabulary",),
    "assay.discovery.study": ("Study", "study"),
    "assay.errors": ("AgentError", "AgentTimeout", "AssayError", "Contradiction", "InputError"),
    "assay.perception.predicates": ("predicate",),
    "assay.testing": ("check_agent",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "ActionModel",
    "Agent",
    "AgentError",
    "AgentTimeout",
    "AssayError",
    "Atom",
    "Cannot",
    "Contradiction",
    "Costs",
    "GaveUp",
    "InputError",
    "Invalid",
    "KeyAgent",
    "Literal",
    "LowLevelAgent",
    "Model",
    "Object",
    "Outcome",
    "PlanQuery",
    "PlanResponse",
    "Reached",
    "Result",
    "Simulator",
    "SimulatorAgent",
    "Start",
    "State",
    "Step",
    "Study",
    "Universe",
    "Vocabulary",
    "assess",
    "check_agent",
    "differences",
    "predicate",
    "resume",
    "study",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
