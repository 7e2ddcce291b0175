"""States that must not be entered while asking.

A step is taken only if no model that is still possible leads from it into such a state: each atom of the
action may become whatever its effects still in doubt allow, and an action that never ran may do anything to
its atoms. A step that may be refused is no danger on that account: nothing changes then. What is known only
grows, so a step once allowed stays allowed, while one that is not may become so later.

This holds for agents of the class that is learned, whose steps change atoms of their own arguments only.
"""

from __future__ import annotations

from assay.core.confinement import distinct_arguments
from assay.core.symbols import Step
from assay.core.universe import bits_of
from assay.errors import InputError
from assay.knowledge.knowledge import Knowledge
from assay.pddl.conditions import read_condition


class Fence:
    def __init__(self, knowledge: Knowledge) -> None:
        self._universe, self._dossiers = knowledge.universe, knowledge.dossiers
        self._free = knowledge.setting.profile.free_arguments
        never, offered = knowledge.setting.never, knowledge.setting.offered
        self._condition = read_condition(never, self._universe, "--never") if never else None
        if offered and all(self.forbids(state.bits) for state in offered):
            which = "the initial state is" if len(offered) == 1 else "all initial states are"
            raise InputError(f"--never: {which} among those that must not be entered, {never}")

    @property
    def there(self) -> bool:
        return self._condition is not None

    def forbids(self, bits: int) -> bool:
        return self._condition is not None and self._condition.holds(bits)

    def allows(self, bits: int, step: Step) -> bool:
        """Whether the step, done in this state, leads to no forbidden one whatever it turns out to do."""
        if self._condition is None:
            return True
        positions = self._universe.positions(step)
        effects = self._dossiers[step.action].effects
        before = bits_of(n for n, place in enumerate(positions) if bits >> place & 1)
        true = effects.may_add | effects.may_keep & before
        false = effects.may_delete | effects.may_keep & ~before
        if step.action not in self._free and not distinct_arguments(self._universe, step):
            # what is known is about different objects
            true = false = -1
        touched = bits_of(positions)
        rising = bits_of(place for n, place in enumerate(positions) if true >> n & 1)
        falling = bits_of(place for n, place in enumerate(positions) if false >> n & 1)
        return not self._condition.possible(bits & ~touched | rising, (bits | touched) & ~falling)
