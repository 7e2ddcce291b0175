"""Runs a hidden model in a world that holds exactly the objects of a question.

What a quantifier ranges over is the agent's own objects and those that the question brings. A universe may
know of more (it remembers earlier questions), so a model with quantifiers is run in a universe of its own,
made for the question's objects; a model without them does not care.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Object
from assay.core.universe import State, Universe

KEPT = 64
"""Worlds whose ground actions are kept for further questions with the same objects."""


class Worlds:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.quantified = any(a.is_quantified for a in model.actions)
        self._kept: OrderedDict[tuple[Object, ...], Execution] = OrderedDict()
        self._last: Execution | None = None

    def execution(self, universe: Universe, objects: Sequence[Object]) -> Execution:
        """The model in a world of these objects, which is the universe itself where others do no harm."""
        if not self.quantified:
            if self._last is None or self._last.universe is not universe:
                self._last = Execution(self.model, universe)
            return self._last
        key = tuple(objects)
        if key not in self._kept:
            self._kept[key] = Execution(self.model, Universe(self.model.vocabulary, key))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def moved(state: State, universe: Universe) -> State:
    """The same state in another universe."""
    return state if state.universe is universe else universe.state(list(state))
