"""Two ground actions, compared in all states at once by a SAT solver.

A state is a value for each atom. Beside it stands a state after the step, and for every outcome of either
action a variable that says whether the outcome applies and leads there. What is asked for is a state in which
these differ; it is given as the few facts that the difference rests on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pysat.solvers import Solver  # type: ignore[import-untyped]  # python-sat ships no types

from assay.core.execution import Branch, GroundAction
from assay.core.universe import indices
from assay.scoring.clauses import Clauses

_SOLVER = "cadical153"
ROUNDING = 1e-6
"""Probabilities this close are the same."""

Values = dict[int, bool]
"""Atoms by their bit numbers."""


class Witness(NamedTuple):
    """Every state with these values shows the difference, if the step runs there (in one or in both)."""

    before: Values
    after: Values
    """What becomes of atoms; only what the difference rests on."""


@dataclass(frozen=True)
class _Side:
    """One of the actions."""

    runs: int
    """A literal that says that the step runs."""
    outcomes: tuple[tuple[int, float], ...]
    """Literals that say that an outcome leads to the state after, and its probability."""


class Comparison:
    def __init__(self, atoms: int, first: GroundAction, second: GroundAction) -> None:
        self._clauses = Clauses(atoms)
        touched = {bit for action in (first, second) for bit in _touched(action)}
        self._before = {bit: self._clauses.atom(bit) for bit in range(atoms)}
        self._after = {bit: self._clauses.fresh() for bit in sorted(touched)}
        self._sides = self._side(first), self._side(second)

    def runs_only(self, side: int) -> Witness | None:
        """A state in which the step runs according to this side (0 or 1) and not to the other."""
        mine, other = self._sides[side], self._sides[1 - side]
        return self._witness([mine.runs], [-other.runs])

    def leads_only(self, side: int) -> Witness | None:
        """A transition of a step that runs in both, which only this side holds possible."""
        mine, other = self._sides[side], self._sides[1 - side]
        return self._witness([mine.runs, other.runs], [self._leads(mine), -self._leads(other)])

    def leads_differently(self) -> tuple[Witness, float, float] | None:
        """A transition of a step that runs in both, with its probabilities, which are not the same.

        Which outcomes lead to a state is a pattern; of each pattern there is, the sums are compared.
        """
        one, two = self._sides
        run = [one.runs, two.runs]
        somewhere = self._clauses.any([self._leads(one), self._leads(two)])
        with Solver(name=_SOLVER, bootstrap_with=self._clauses.clauses) as solver:
            while solver.solve(assumptions=[*run, somewhere]):
                true = {*solver.get_model()}
                first, second = (sum(p for v, p in side.outcomes if _holds(v, true)) for side in self._sides)
                variables = {abs(v) for side in self._sides for v, _ in side.outcomes}
                pattern = [v if _holds(v, true) else -v for v in sorted(variables)]
                if abs(first - second) > ROUNDING:
                    witness = self._witness(run, [somewhere, *pattern])
                    assert witness is not None, "it was just found"
                    return witness, first, second
                solver.add_clause([-v for v in pattern])
        return None

    def _side(self, action: GroundAction) -> _Side:
        """The first case that holds is the one that applies; where none does, nothing changes."""
        clauses, earlier, outcomes = self._clauses, list[int](), list[tuple[int, float]]()
        for case in action.cases:
            applies = clauses.condition(case.condition)
            first = clauses.every([applies, *(-x for x in earlier)])
            outcomes += [(clauses.every([first, self._becomes(b)]), b.probability) for b in case.branches]
            earlier.append(applies)
        none = clauses.every(-x for x in earlier)
        outcomes.append((clauses.every([none, self._becomes(Branch(1.0, ()))]), 1.0))
        return _Side(clauses.condition(action.precondition), tuple(outcomes))

    def _becomes(self, branch: Branch) -> int:
        """That the state after is what the branch makes of the state before; adds win over deletes."""
        clauses = self._clauses
        adds: dict[int, list[int]] = {bit: [] for bit in self._after}
        deletes: dict[int, list[int]] = {bit: [] for bit in self._after}
        for condition, add, delete in branch.effects:
            for mask, found in ((add, adds), (delete, deletes)):
                for bit in indices(mask):
                    found[bit].append(clauses.condition(condition))
        becomes = (
            (after, clauses.any([*adds[b], clauses.every([self._before[b], -clauses.any(deletes[b])])]))
            for b, after in self._after.items()
        )
        return clauses.every(clauses.same(after, value) for after, value in becomes)

    def _leads(self, side: _Side) -> int:
        return self._clauses.any(v for v, p in side.outcomes if p > 0)

    def _witness(self, given: Sequence[int], wanted: Sequence[int]) -> Witness | None:
        """Few facts that, with what is given, make all that is wanted true, if anything does."""
        goal = self._clauses.every(wanted)
        with Solver(name=_SOLVER, bootstrap_with=self._clauses.clauses) as solver:
            if not solver.solve(assumptions=[*given, goal]):
                return None
            true = {*solver.get_model()}
            facts = [v if _holds(v, true) else -v for v in (*self._before.values(), *self._after.values())]
            for fact in sorted(facts, key=abs, reverse=True):
                fewer = [f for f in facts if f != fact]
                if not solver.solve(assumptions=[*given, -goal, *fewer]):
                    facts = fewer
        chosen = set(facts)
        before, after = (
            {bit: v in chosen for bit, v in values.items() if chosen & {v, -v}}
            for values in (self._before, self._after)
        )
        return Witness(before, after)


def _holds(literal: int, true: set[int]) -> bool:
    """Whether the literal is true in a model that may leave out variables."""
    return literal in true or (literal < 0 and -literal not in true)


def _touched(action: GroundAction) -> set[int]:
    return {
        bit
        for case in action.cases
        for branch in case.branches
        for _, add, delete in branch.effects
        for bit in indices(add | delete)
    }
