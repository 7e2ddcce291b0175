"""Actual causes by definition: every X, every other setting of it, every W, nothing skipped.

All scenarios are computed side by side: a variable's values in all of them are the bits of one integer.
In each scenario every endogenous variable is either left alone, held at its actual value (in W), or set to
false or to true (in X), so n variables give 4^n scenarios. Shares no code with the package but the formulas.
"""

from __future__ import annotations

from assay.causal.formula import And, AtLeast, Formula, Not, Or, Var, Variable
from assay.causal.structural import StructuralModel


def all_causes(
    model: StructuralModel,
    context: dict[Variable, bool],
    event: Formula,
    candidates: set[Variable] | None = None,
) -> set[frozenset[Variable]]:
    variables = list(model.functions)
    count = len(variables)
    scenarios = 4**count
    full = (1 << scenarios) - 1
    actual = model.evaluate(context)
    values: dict[Variable, int] = {v: full if context[v] else 0 for v in model.exogenous}
    role = [[_pattern(place, digit, count) for digit in range(4)] for place in range(count)]
    number = {v: i for i, v in enumerate(variables)}
    for v in model.order:
        follows, held, _, up = role[number[v]]
        if candidates is not None and v not in candidates:
            follows |= role[number[v]][2] | role[number[v]][3]
            up = 0
        natural = _parallel(model.functions[v], values, full)
        values[v] = follows & natural | (held if actual[v] else 0) | up
    undone = full & ~_parallel(event, values, full)
    if candidates is not None:
        for v in variables:
            if v not in candidates:
                undone &= ~(role[number[v]][2] | role[number[v]][3])
    in_x = sum(2 << 2 * i for i in range(count))  # roles 2 and 3
    masks = {scenario & in_x for scenario in _bits(undone)}
    minimal = [x for x in masks if not any(y != x and y & x == y for y in masks)]
    return {frozenset(v for i, v in enumerate(variables) if x >> 2 * i & 2) for x in minimal}


def _pattern(place: int, digit: int, count: int) -> int:
    """The scenarios in which digit `place` of the number, in base 4, is this one: that variable's role."""
    block = 4**place
    unit = ((1 << block) - 1) << digit * block
    pattern, length = unit, 4 * block
    while length < 4**count:
        pattern |= pattern << length
        length *= 2
    return pattern & (1 << 4**count) - 1


def _parallel(formula: Formula, values: dict[Variable, int], full: int) -> int:
    match formula:
        case Var(variable):
            return values[variable]
        case Not(part):
            return full & ~_parallel(part, values, full)
        case And(parts):
            found = full
            for part in parts:
                found &= _parallel(part, values, full)
            return found
        case Or(parts):
            found = 0
            for part in parts:
                found |= _parallel(part, values, full)
            return found
        case AtLeast(count, parts):
            reached = [full] + [0] * count  # reached[k]: at least k so far
            for part in parts:
                value = _parallel(part, values, full)
                for k in range(count, 0, -1):
                    reached[k] |= reached[k - 1] & value
            return reached[count]


def _bits(mask: int) -> list[int]:
    data = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    return [8 * i + b for i, byte in enumerate(data) if byte for b in range(8) if byte >> b & 1]
