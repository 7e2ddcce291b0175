"""What this layer needs of a language: clauses for formulas, and names for steps (`language.English` fits).

Clauses about moments and variables are made of them here.
"""

from __future__ import annotations

from typing import Any, Protocol

from assay.causal.formula import Variable
from assay.causal.variables import Chance, Decision, Executable, Fact, Static
from assay.core.formula import Formula
from assay.core.symbols import Literal, Parameter, Step
from assay.language.english import noun
from assay.language.lists import listed


class Words(Protocol):
    def clause(self, formula: Formula, /) -> str:
        """ "open(D) is true", "either open(D) is true or key is false"."""
        ...

    def step(self, step: Step, /) -> str:
        """ "open(d1)"."""
        ...


def every(variables: tuple[Parameter, ...]) -> str:
    """The opening of a clause about all that the variables may stand for; nothing without variables."""
    things = listed(f"{noun(v.types)} {v.name.removeprefix('?').upper()}" for v in variables)
    return f"for every {things}, " if variables else ""


def moment(time: int, end: int) -> str:
    if time == 0:
        return "at the start"
    if time == end:
        return "at the end"
    return f"after step {time}"


def span(first: int, last: int, end: int) -> str:
    """From one time to another, both included."""
    if first == last:
        return moment(first, end)
    if last == end:
        return "all along" if first == 0 else f"from step {first} on"
    if first == 0:
        return f"from the start through step {last}"
    return f"after steps {first} {'and' if last == first + 1 else 'to'} {last}"


def said(words: Words, variable: Variable, value: bool, end: int) -> str:
    """That the variable has the value, as a clause."""
    match variable:
        case Fact(atom, time):
            return f"{words.clause(Literal(atom, value))} {moment(time, end)}"
        case Static(atom):
            return words.clause(Literal(atom, value))
        case Decision(step, time):
            taken = "is taken" if value else "is left out"
            return f"step {time + 1} ({words.step(step)}) {taken}"
        case Executable(step, time):
            can = "can" if value else "cannot"
            return f"step {time + 1} ({words.step(step)}) {can} run"
        case Chance(time, outcome):
            return f"outcome {outcome} {'occurs' if value else 'does not occur'} at step {time + 1}"
    return f"{variable} is {str(value).lower()}"


def plain(variable: Variable, value: bool | None = None) -> dict[str, Any]:
    """The same as data for JSON; without a value, the variable alone."""
    valued = {} if value is None else {"value": value}
    match variable:
        case Fact(atom, time):
            return {"kind": "fact", "atom": str(atom), "time": time, **valued}
        case Static(atom):
            return {"kind": "static", "atom": str(atom), **valued}
        case Decision(step, time):
            return {"kind": "decision", "step": str(step), "time": time, **valued}
        case Executable(step, time):
            return {"kind": "executable", "step": str(step), "time": time, **valued}
        case Chance(time, outcome):
            return {"kind": "chance", "outcome": outcome, "time": time, **valued}
    return {"kind": "variable", "name": str(variable), **valued}
