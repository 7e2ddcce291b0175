"""Actual causes in the modified Halpern-Pearl sense (DCDN Defs. 15-16), smallest first.

X = x is an actual cause of an event in a setting if both are so (AC1); if some other setting of X makes
the event false while some variables W are held at their actual values (AC2, the a^m version); and no
part of X does (AC3). With Boolean variables a minimal X is changed as a whole: a member left as it was
would belong to W.

Everything fits one counterfactual copy of the variables. A copy may differ from the actual value only if
its variable is selected (it is in X) or its function, over the copies, says so; where it does not differ
although the function says so, the variable is in W. So W needs no variables of its own, and the causes
are exactly the minimal sets of selected variables with which the event can be false in the copy, and a
MaxSAT solver finds them smallest first (`minimal`). Only ancestors of the event can matter, so only they are
copied.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from dataclasses import dataclass

from assay.causal.encoding import Encoding
from assay.causal.formula import Formula, Not, Variable, evaluate, variables
from assay.causal.minimal import minimal_sets
from assay.causal.structural import StructuralModel, Values
from assay.errors import InputError

LIMIT = 100
"""So many causes are listed at most, unless asked otherwise."""


@dataclass(frozen=True)
class Cause:
    """X = x, and with which W held as it was a change of X undoes the event."""

    values: tuple[tuple[Variable, bool], ...]
    contingency: tuple[tuple[Variable, bool], ...] = ()

    @property
    def variables(self) -> frozenset[Variable]:
        return frozenset(v for v, _ in self.values)

    @property
    def but_for(self) -> bool:
        """Whether the event would not have been but for it, with nothing held fixed."""
        return not self.contingency


@dataclass(frozen=True)
class Causes:
    found: tuple[Cause, ...]
    more: bool
    """Whether there are others beyond those found."""
    gave_up: bool = False
    """Whether time ran out first, so that there may be others."""


def actual_causes(
    model: StructuralModel,
    context: Values,
    event: Formula,
    candidates: Collection[Variable] | None = None,
    seconds: float | None = None,
) -> Generator[Cause, None, bool]:
    """Every actual cause of the event, smallest first; with candidates, those made of them alone.

    The generator's return value says whether it ended because the time given was over.
    """
    mentioned = set(variables(event))
    model.check_endogenous(mentioned)
    if candidates is not None:
        model.check_endogenous(candidates)
    actual = model.evaluate(context)
    if not evaluate(event, actual):
        raise InputError("the event is not so in this context, so nothing caused it")
    ancestors = model.ancestors(mentioned)
    relevant = [v for v in model.order if v in ancestors]
    chosen = ancestors if candidates is None else set(candidates)
    allowed = [v for v in relevant if v in chosen]
    return _search(model, actual, event, relevant, allowed, seconds)


def first_causes(
    model: StructuralModel,
    context: Values,
    event: Formula,
    candidates: Collection[Variable] | None = None,
    limit: int = LIMIT,
    seconds: float | None = None,
) -> Causes:
    """The first causes, and whether there are more."""
    if limit < 1:
        raise InputError(f"the number of causes must be at least 1, not {limit}")
    search = actual_causes(model, context, event, candidates, seconds)
    found: list[Cause] = []
    while len(found) <= limit:
        try:
            found.append(next(search))
        except StopIteration as end:
            return Causes(tuple(found), False, bool(end.value))
    search.close()
    return Causes(tuple(found[:limit]), True)


def _search(
    model: StructuralModel,
    actual: dict[Variable, bool],
    event: Formula,
    relevant: list[Variable],
    allowed: list[Variable],
    seconds: float | None,
) -> Generator[Cause, None, bool]:
    encoding = Encoding()
    for variable in model.exogenous:
        encoding.fix(variable, actual[variable])
    copies = {v: encoding.number(v) for v in relevant}
    selectors = {v: encoding.fresh() for v in allowed}
    for variable in relevant:
        function = encoding.literal(model.functions[variable])
        sign = 1 if actual[variable] else -1
        clause = [sign * copies[variable], -sign * function]
        if variable in selectors:
            clause.append(selectors[variable])
        encoding.clauses.append(clause)
    encoding.clauses.append([encoding.literal(Not(event))])
    numbers = {selector: v for v, selector in selectors.items()}
    sets = minimal_sets(encoding, list(numbers), seconds)
    while True:
        try:
            chosen, solution = next(sets)
        except StopIteration as end:
            return bool(end.value)
        true = set(solution)
        copy = {v: number in true for v, number in copies.items()}
        members = [numbers[s] for s in chosen]
        yield Cause(
            tuple((v, actual[v]) for v in members),
            tuple((v, actual[v]) for v in _contingency(model, actual, event, relevant, members, copy)),
        )


def _contingency(
    model: StructuralModel,
    actual: dict[Variable, bool],
    event: Formula,
    relevant: list[Variable],
    members: list[Variable],
    copy: dict[Variable, bool],
) -> list[Variable]:
    """A W that no part of can be spared: empty wherever changing the cause alone undoes the event."""

    def undone(held: Collection[Variable]) -> bool:
        values = dict(actual)
        for variable in relevant:
            if variable in changed:
                values[variable] = not actual[variable]
            elif variable not in held:
                values[variable] = evaluate(model.functions[variable], values)
        return not evaluate(event, values)

    changed = set(members)
    if undone(()):
        return []
    values = {v: actual[v] for v in model.exogenous} | copy
    held = [
        v
        for v in relevant
        if v not in changed and copy[v] == actual[v] and evaluate(model.functions[v], values) != actual[v]
    ]
    for variable in list(held):
        fewer = [v for v in held if v != variable]
        if undone(fewer):
            held = fewer
    return held
