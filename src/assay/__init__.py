"""assay asks a black-box agent the right questions and returns a model of what it can do.

The public names are imported on first use, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.agents.keys import KeyAgent
    from assay.agents.simulator import Simulator, SimulatorAgent
    from assay.chance_assessment import assess_chance, resume_chance
    from assay.chance_result import ChanceResult, Spent
    from assay.core.model import ActionModel, Model
    from assay.core.policy import End, PolicyQuery, PolicyResponse, RolloutAgent, Trace
    from assay.core.query import Agent, Invalid, PlanQuery, PlanResponse, Start, WalkQuery, WalkResponse
    from assay.core.reach import Cannot, GaveUp, LowLevelAgent, Reached
    from assay.core.symbols import Atom, Literal, Object, Step
    from assay.core.universe import State, Universe
    from assay.core.vocabulary import Vocabulary
    from assay.discovery.study import Study, study
    from assay.errors import AgentError, AgentTimeout, AssayError, Contradiction, InputError
    from assay.perception.predicates import predicate
    from assay.result import Costs, Outcome, Result
    from assay.scoring.equivalence import differences
    from assay.session import assess, resume
    from assay.testing import check_agent

_HOMES = {
    "assay.agents.keys": ("KeyAgent",),
    "assay.agents.simulator": ("Simulator", "SimulatorAgent"),
    "assay.session": ("assess", "resume"),
    "assay.chance_assessment": ("assess_chance", "resume_chance"),
    "assay.chance_result": ("ChanceResult", "Spent"),
    "assay.core.model": ("ActionModel", "Model"),
    "assay.core.policy": ("End", "PolicyQuery", "PolicyResponse", "RolloutAgent", "Trace"),
    "assay.core.query": (
        "Agent",
        "Invalid",
        "PlanQuery",
        "PlanResponse",
        "Start",
        "WalkQuery",
        "WalkResponse",
    ),
    "assay.core.reach": ("Cannot", "GaveUp", "LowLevelAgent", "Reached"),
    "assay.core.symbols": ("Atom", "Literal", "Object", "Step"),
    "assay.core.universe": ("State", "Universe"),
    "assay.core.vocabulary": ("Vocabulary",),
    "assay.discovery.study": ("Study", "study"),
    "assay.errors": ("AgentError", "AgentTimeout", "AssayError", "Contradiction", "InputError"),
    "assay.perception.predicates": ("predicate",),
    "assay.result": ("Costs", "Outcome", "Result"),
    "assay.scoring.equivalence": ("differences",),
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
    "ChanceResult",
    "Contradiction",
    "Costs",
    "End",
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
    "PolicyQuery",
    "PolicyResponse",
    "Reached",
    "Result",
    "RolloutAgent",
    "Simulator",
    "SimulatorAgent",
    "Spent",
    "Start",
    "State",
    "Step",
    "Study",
    "Trace",
    "Universe",
    "Vocabulary",
    "WalkQuery",
    "WalkResponse",
    "assess",
    "assess_chance",
    "check_agent",
    "differences",
    "predicate",
    "resume",
    "resume_chance",
    "study",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
