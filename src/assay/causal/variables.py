"""The variables of a network: facts at times, decisions, executability, and what the context gives.

And what becomes of a plan with a step that cannot run.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assay.core.symbols import Atom, Step


@dataclass(frozen=True, slots=True)
class Fact:
    """An atom at a time."""

    atom: Atom
    time: int

    def __str__(self) -> str:
        return f"{self.atom} at {self.time}"


@dataclass(frozen=True, slots=True)
class Static:
    """An atom that no action changes."""

    atom: Atom

    def __str__(self) -> str:
        return str(self.atom)


@dataclass(frozen=True, slots=True)
class Decision:
    """To take the step, at a time."""

    step: Step
    time: int

    def __str__(self) -> str:
        return f"the decision to {self.step} at {self.time}"


@dataclass(frozen=True, slots=True)
class Executable:
    """That the step can run, and that nothing has stopped the plan before."""

    step: Step
    time: int

    def __str__(self) -> str:
        return f"that {self.step} can run at {self.time}"


@dataclass(frozen=True, slots=True)
class Given:
    """The context's value for an endogenous variable that nothing in the network determines."""

    variable: Fact | Decision

    def __str__(self) -> str:
        return f"the given value of {self.variable}"


@dataclass(frozen=True, slots=True)
class Chance:
    """That this outcome (numbered from 1) is the one that occurs at the time."""

    time: int
    outcome: int

    def __str__(self) -> str:
        return f"outcome {self.outcome} at {self.time}"


class Refused(StrEnum):
    """What a step that cannot run does to the rest of the plan."""

    STOP = "stop"
    SKIP = "skip"
