"""States that must not be entered: a formula, and what a step may do as far as it is known.

An action that was never seen to run may do anything to the facts about its arguments. Of one that ran, a
fact is taken to stay as it is where every single feature of the situation was seen in a run that left the
fact alone.
"""

from __future__ import annotations

from assay.core.condition import Condition
from assay.core.query import Start
from assay.core.setting import Setting
from assay.core.universe import Universe
from assay.errors import InputError
from assay.learn.observed import ObservedAction
from assay.pddl.conditions import read_condition

SOURCE = "--never"
"""What the formula is called in messages."""


def check_precaution(setting: Setting) -> None:
    """Raises `InputError` if the setting's precaution cannot be kept."""
    if not setting.never:
        return
    if setting.profile.start is Start.ANY:
        raise InputError(
            f"{SOURCE}: here questions start in any state; use it with --start visited or --start reset"
        )
    condition = read_condition(setting.never, setting.universe, SOURCE)
    if any(condition.holds(state.bits) for state in setting.offered):
        raise InputError(f"{SOURCE}: the initial state is among those that must not be entered")


class Precaution:
    def __init__(self, formula: str, universe: Universe) -> None:
        self.condition = read_condition(formula, universe, SOURCE) if formula else None
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
