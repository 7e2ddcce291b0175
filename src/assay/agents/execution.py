"""Runs a hidden model in a world that holds exactly the objects of a question.

What a quantifier ranges over is the agent's own objects and those that the question brings. A universe may
know of more (it remembers earlier questions), so a model with quantifiers is run in a universe of its own,
made for the question's objects; a model without them does not care.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence

from assay.core.execution import Execution
from assay.core.formula import And, Exists, Forall, Formula, Or
from assay.core.model import ActionModel, Model
from assay.core.symbols import Object
from assay.core.universe import State, Universe

KEPT = 64
"""Worlds whose ground actions are kept for further questions with the same objects."""


class Worlds:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.quantified = any(map(is_quantified, model.actions))
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


def is_quantified(action: ActionModel) -> bool:
    """Whether objects other than the arguments may matter."""
    effects = (e for c in action.cases for o in c.outcomes for e in o.effects)
    return any(e.variables for e in effects) or any(
        isinstance(f, Exists | Forall) for c in action.conditions() for f in _parts(c)
    )


def _parts(formula: Formula) -> Iterator[Formula]:
    """The formula and what it is made of, down to quantifiers."""
    yield formula
    if isinstance(formula, And | Or):
        for part in formula.parts:
            yield from _parts(part)
