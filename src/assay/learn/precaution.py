"""States that must not be entered: a formula, and what a step may do as far as it is known.

An action that was never seen to run may do anything to the facts about its arguments. Of one that ran, a
fact is taken to stay as it is where every single feature of the situation was seen in a run that left the
fact alone.
"""

from __future__ import annotations

from assay.core.condition import Condition
from assay.core.universe import Universe
from assay.learn.observed import ObservedAction
from assay.pddl.conditions import read_condition


class Precaution:
    def __init__(self, formula: str, universe: Universe) -> None:
        self.condition = read_condition(formula, universe) if formula else None
        self._support = _facts(self.condition) if self.condition else 0

    def __bool__(self) -> bool:
        return self.condition is not None

    def allows(self, action: ObservedAction, state: int, number: int, pid: int) -> bool:
        """Whether the step cannot lead into a forbidden state."""
        if self.condition is None:
            return True
        seen = action.seen.get((state, number))
        if seen is not None:
            return seen.after is None or not self.condition.holds(seen.after)
        open_facts = action.may_turn(state, number, pid, self._support)
        after = action.after(state, number, pid) if action.ran else state
        return not self.condition.possible(after | open_facts, after & ~open_facts)


def _facts(condition: Condition) -> int:
    found = condition.true | condition.false
    for part in condition.parts:
        found |= _facts(part)
    return found
