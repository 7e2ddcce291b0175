"""Structural causal models over Boolean variables (DCDN Defs. 11-14).

Exogenous variables get their values from outside, by a *context*; every endogenous variable has a
structural function, a formula over other variables. The functions are acyclic, so a context determines
the value of everything. An intervention `do(X = x)` gives the submodel in which the functions of X are
replaced by constants and all others are as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from assay.causal.encoding import Encoding
from assay.causal.formula import FALSE, TRUE, Formula, Variable, evaluate, substitute, variables
from assay.causal.minimal import minimal_sets
from assay.errors import InputError

Values = Mapping[Variable, bool]


@dataclass(frozen=True)
class StructuralModel:
    exogenous: frozenset[Variable]
    functions: Mapping[Variable, Formula]
    """The structural function of every endogenous variable."""

    def __post_init__(self) -> None:
        for variable, parents in self.parents.items():
            if variable in self.exogenous:
                raise InputError(f"{variable} cannot be both exogenous and endogenous")
            for parent in parents:
                if parent not in self.functions and parent not in self.exogenous:
                    raise InputError(f"the function of {variable} mentions an unknown variable {parent}")
        _ = self.order

    @cached_property
    def parents(self) -> dict[Variable, tuple[Variable, ...]]:
        return {v: tuple(dict.fromkeys(variables(f))) for v, f in self.functions.items()}

    @cached_property
    def order(self) -> tuple[Variable, ...]:
        """The endogenous variables, each after its parents."""
        order: list[Variable] = []
        state: dict[Variable, int] = {}  # 1 while its parents are being placed, 2 when it is
        for root in self.functions:
            stack = [root]
            while stack:
                variable = stack[-1]
                if state.get(variable) == 2 or variable in self.exogenous:
                    stack.pop()
                    continue
                waiting = [p for p in self.parents[variable] if p not in self.exogenous and state.get(p) != 2]
                if state.get(variable) == 1 and any(state.get(p) == 1 for p in waiting):
                    raise InputError(f"the model is cyclic: {variable} depends on itself")
                state[variable] = 1
                if waiting:
                    stack += waiting
                else:
                    state[variable] = 2
                    order.append(variable)
                    stack.pop()
        return tuple(order)

    def evaluate(self, context: Values) -> dict[Variable, bool]:
        """The value of every variable in the context (the solution of a causal setting, Def. 12)."""
        if missing := [v for v in self.exogenous if v not in context]:
            raise InputError(f"the context gives no value to {missing[0]}")
        values = {v: bool(context[v]) for v in self.exogenous}
        for variable in self.order:
            values[variable] = evaluate(self.functions[variable], values)
        return values

    def do(self, interventions: Values) -> StructuralModel:
        """The submodel in which these endogenous variables are set, whatever caused them (Def. 13)."""
        self.check_endogenous(interventions)
        fixed = {v: TRUE if value else FALSE for v, value in interventions.items()}
        return StructuralModel(self.exogenous, {**self.functions, **fixed})

    def dependence(self, variable: Variable, on: Variable) -> dict[Variable, bool] | None:
        """A setting of the other variables in which `on` makes a difference to `variable` (Def. 14).

        Only the parents matter; as few of them as possible are true. None if there is no such setting.
        """
        self.check_endogenous([variable])
        if on not in self.parents[variable]:
            return None
        function, encoding = self.functions[variable], Encoding()
        first, second = (encoding.literal(substitute(function, {on: value})) for value in (TRUE, FALSE))
        encoding.equate(first, -second)
        others = {encoding.number(v): v for v in self.parents[variable] if v != on}
        chosen, _ = next(minimal_sets(encoding, list(others)), (None, None))
        return None if chosen is None else {v: number in chosen for number, v in others.items()}

    def depends(self, variable: Variable, on: Variable) -> bool:
        """Whether some setting of all other variables lets `on` make a difference to `variable` (Def. 14)."""
        return self.dependence(variable, on) is not None

    def ancestors(self, seeds: Iterable[Variable]) -> set[Variable]:
        """The variables themselves and everything that their functions lead back to."""
        found: set[Variable] = set()
        todo = list(seeds)
        while todo:
            if (variable := todo.pop()) not in found:
                found.add(variable)
                todo += self.parents.get(variable, ())
        return found

    def check_endogenous(self, wanted: Iterable[Variable]) -> None:
        for variable in wanted:
            if variable in self.exogenous:
                raise InputError(f"{variable} is exogenous: its value belongs to the context")
            if variable not in self.functions:
                raise InputError(f"unknown variable {variable}")
