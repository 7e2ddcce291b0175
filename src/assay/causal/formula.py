"""Propositional formulas over variables of any hashable kind: what structural functions and events are.

Formulas of a model (`core.formula`) speak of atoms and objects; grounded over a question's objects, at a
time, they become these. Besides the connectives there is "at least k of these", for votes and thresholds. A
formula is evaluated under a total assignment, or handed to a SAT solver (`encoding`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from assay.errors import InputError

Variable = Hashable


@dataclass(frozen=True, slots=True)
class Var:
    variable: Variable


@dataclass(frozen=True, slots=True)
class Not:
    part: Formula


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class AtLeast:
    """At least so many of the parts are true."""

    count: int
    parts: tuple[Formula, ...]


Formula = Var | Not | And | Or | AtLeast

TRUE, FALSE = And(()), Or(())


def event(variable: Variable, value: bool) -> Formula:
    """The primitive event "this variable has this value" (DCDN Def. 15)."""
    return Var(variable) if value else Not(Var(variable))


def all_of(parts: Iterable[Formula]) -> Formula:
    """The conjunction, without constants."""
    found = [p for p in parts if p != TRUE]
    if FALSE in found:
        return FALSE
    return found[0] if len(found) == 1 else And(tuple(found))


def any_of(parts: Iterable[Formula]) -> Formula:
    """The disjunction, without constants."""
    found = [p for p in parts if p != FALSE]
    if TRUE in found:
        return TRUE
    return found[0] if len(found) == 1 else Or(tuple(found))


def none_of(part: Formula) -> Formula:
    """The negation, without constants."""
    return FALSE if part == TRUE else TRUE if part == FALSE else Not(part)


def substitute(formula: Formula, values: Mapping[Variable, Formula]) -> Formula:
    """The formula with some variables replaced by formulas, and constants absorbed."""
    match formula:
        case Var(variable):
            return values.get(variable, formula)
        case Not(part):
            return none_of(substitute(part, values))
        case And(parts):
            return all_of(substitute(p, values) for p in parts)
        case Or(parts):
            return any_of(substitute(p, values) for p in parts)
        case AtLeast(count, parts):
            return AtLeast(count, tuple(substitute(p, values) for p in parts))
    raise InputError(f"not a formula: {formula!r}")


def evaluate(formula: Formula, values: Mapping[Variable, bool]) -> bool:
    match formula:
        case Var(variable):
            return values[variable]
        case Not(part):
            return not evaluate(part, values)
        case And(parts):
            return all(evaluate(p, values) for p in parts)
        case Or(parts):
            return any(evaluate(p, values) for p in parts)
        case AtLeast(count, parts):
            return sum(evaluate(p, values) for p in parts) >= count
    raise InputError(f"not a formula: {formula!r}")


def variables(formula: Formula) -> Iterator[Variable]:
    """The variables it mentions, repeated as often as it mentions them."""
    match formula:
        case Var(variable):
            yield variable
        case Not(part):
            yield from variables(part)
        case And(parts) | Or(parts) | AtLeast(_, parts):
            for part in parts:
                yield from variables(part)
        case _:
            raise InputError(f"not a formula: {formula!r}")
