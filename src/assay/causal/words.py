"""What this layer needs of a language: clauses for literals and verb phrases for steps.

The plain-language speaker of the reports fits; so does anything else with these two methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from assay.causal.formula import Variable
from assay.causal.network import Chance, Decision, Executable, Fact, Static
from assay.core.symbols import Literal, Step


class Words(Protocol):
    def clause(self, literal: Literal, /) -> str:
        """ "the door is open", "the door is not open"."""
        ...

    def step(self, step: Step, /) -> str:
        """ "open the door"."""
        ...


def listed(parts: Sequence[str]) -> str:
    """a, b and c; with a comma before the "and" where a part holds one itself."""
    if len(parts) < 2:
        return "".join(parts)
    comma = "," if any(" and " in p for p in parts) else ""
    return f"{', '.join(parts[:-1])}{comma} and {parts[-1]}"


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


def plain(variable: Variable, value: bool) -> dict[str, Any]:
    """The same as data for JSON."""
    match variable:
        case Fact(atom, time):
            return {"kind": "fact", "atom": str(atom), "time": time, "value": value}
        case Static(atom):
            return {"kind": "static", "atom": str(atom), "value": value}
        case Decision(step, time):
            return {"kind": "decision", "step": str(step), "time": time, "value": value}
        case Executable(step, time):
            return {"kind": "executable", "step": str(step), "time": time, "value": value}
        case Chance(time, outcome):
            return {"kind": "chance", "outcome": outcome, "time": time, "value": value}
    return {"kind": "variable", "name": str(variable), "value": value}
