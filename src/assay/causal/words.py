"""What this layer needs of a language: clauses for literals and verb phrases for steps.

The plain-language speaker of the reports fits; so does anything else with these two methods. Clauses of
formulas, moments and variables are made of them here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from assay.causal.formula import Variable
from assay.causal.variables import Chance, Decision, Executable, Fact, Static
from assay.core.formula import And, Equality, Exists, Forall, Formula, Or
from assay.core.symbols import Atom, Literal, Parameter, Step


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


def clause(words: Words, formula: Formula) -> str:
    """A formula as a clause: "the door is open and either the key or the card is there"."""
    match formula:
        case Literal():
            return words.clause(formula)
        case Equality(left, right, positive):
            return words.clause(Literal(Atom("=", (left, right)), positive))
        case And(()):
            return "nothing in particular is so"
        case Or(()):
            return "the impossible is so"
        case And(parts):
            return listed([clause(words, p) for p in parts])
        case Or(parts):
            told = [clause(words, p) for p in parts]
            comma = "," if any(isinstance(p, And) for p in parts) else ""
            return f"either {f'{comma} or '.join(told)}"
        case Exists(variables, body):
            return f"for some {_things(variables)}, {clause(words, body)}"
        case Forall(variables, body):
            return f"{every(variables)}{clause(words, body)}"


def every(variables: tuple[Parameter, ...]) -> str:
    """The opening of a clause about all that the variables may stand for; nothing without variables."""
    return f"for every {_things(variables)}, " if variables else ""


def _things(variables: tuple[Parameter, ...]) -> str:
    """Variables with their types, called as clauses call them."""
    return " and ".join(f"{' or '.join(v.types)} {v.name.removeprefix('?').upper()}" for v in variables)


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
