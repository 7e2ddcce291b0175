"""Formulas with every quantifier over one variable and as narrow as it can be (miniscoping).

Afterwards the body of a quantifier mentions its own variable, parameters and constants, and no variable of
another quantifier. That is what a term can say: it speaks of other objects one at a time. A formula that
relates two of them ("some box on some other box") cannot be brought into this form, and `Inexpressible`
says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, product

from assay.core.formula import (
    FALSE,
    TRUE,
    And,
    Equality,
    Exists,
    Forall,
    Formula,
    Or,
    conjoin,
    disjoin,
    negate,
    substitute,
)
from assay.core.symbols import Literal, Parameter
from assay.errors import InputError

MOST_PARTS = 1_000
"""Conjunctions that one formula may be multiplied out to before it is given up."""


class Inexpressible(InputError):
    """A formula that no disjunction of terms over the features can say."""


def narrowed(formula: Formula) -> Formula:
    """An equivalent formula of this form; bound variables get names of their own (`?1`, `?2`, ...)."""
    return _narrow(formula, count(1))


def free_variables(formula: Formula) -> frozenset[str]:
    match formula:
        case Literal(atom, _):
            return frozenset(atom.variables)
        case Equality(left, right, _):
            return frozenset(t for t in (left, right) if t.startswith("?"))
        case And(parts) | Or(parts):
            return frozenset[str]().union(*map(free_variables, parts))
        case Exists(variables, body) | Forall(variables, body):
            return free_variables(body) - {v.name for v in variables}
    raise TypeError(f"not a formula: {formula!r}")


def quantified(formula: Formula) -> Iterator[Exists | Forall]:
    """Every quantified formula in it, outer ones first."""
    match formula:
        case And(parts) | Or(parts):
            for part in parts:
                yield from quantified(part)
        case Exists(_, body) | Forall(_, body):
            yield formula
            yield from quantified(body)


def _narrow(formula: Formula, numbers: Iterator[int]) -> Formula:
    match formula:
        case And(parts):
            return conjoin(_narrow(p, numbers) for p in parts)
        case Or(parts):
            return disjoin(_narrow(p, numbers) for p in parts)
        case Forall(variables, body):
            return negate(_narrow(Exists(variables, negate(body)), numbers))
        case Exists(variables, body):
            named = [Parameter(f"?{next(numbers)}", v.types) for v in variables]
            names = {v.name: n.name for v, n in zip(variables, named, strict=True)}
            found = _narrow(substitute(body, names), numbers)
            for variable in reversed(named):
                found = _some(variable, found)
            return found
        case Equality(left, right, positive) if left == right:
            return TRUE if positive else FALSE
    return formula


def _some(variable: Parameter, body: Formula) -> Formula:
    """There is a value for the variable such that the body holds."""
    if isinstance(body, Or):
        return disjoin(_some(variable, part) for part in body.parts)
    parts = body.parts if isinstance(body, And) else (body,)
    inside = [p for p in parts if variable.name in free_variables(p)]
    outside = [p for p in parts if variable.name not in free_variables(p)]
    if any(_is_bound(name) for p in inside for name in free_variables(p) - {variable.name}):
        return conjoin([*outside, disjoin(_apart(variable, c) for c in conjunctions(inside))])
    return conjoin([*outside, Exists((variable,), conjoin(inside) if inside else TRUE)])


def _apart(variable: Parameter, leaves: Iterable[Formula]) -> Formula:
    """The same for a conjunction of parts that cannot be taken apart any more."""
    inside: list[Formula] = []
    outside: list[Formula] = []
    for leaf in leaves:
        names = free_variables(leaf)
        if variable.name in names and any(map(_is_bound, names - {variable.name})):
            raise Inexpressible(f"{leaf} relates two other objects, which no term can say")
        (inside if variable.name in names else outside).append(leaf)
    return conjoin([*outside, Exists((variable,), conjoin(inside) if inside else TRUE)])


def _is_bound(name: str) -> bool:
    return name[1:].isdecimal()


def conjunctions(parts: Iterable[Formula]) -> list[tuple[Formula, ...]]:
    """The conjunction of the parts, multiplied out to a disjunction; quantified formulas stay whole."""
    choices = [_alternatives(part) for part in parts]
    total = 1
    for choice in choices:
        total *= len(choice)
        if total > MOST_PARTS:
            raise Inexpressible(f"multiplied out, the formula has more than {MOST_PARTS:,} parts")
    return [tuple(leaf for part in chosen for leaf in part) for chosen in product(*choices)]


def _alternatives(formula: Formula) -> list[tuple[Formula, ...]]:
    if isinstance(formula, Or):
        return [leaves for part in formula.parts for leaves in _alternatives(part)]
    if isinstance(formula, And):
        return conjunctions(formula.parts)
    return [(formula,)]
