"""Your own low-level simulator as an agent that presses keys: states of any kind, seen through predicates.

A simulator is a function from a state and a key to a state. What the agent can do in it is up to `reach`;
without one it searches, breadth first, and says `Cannot` only when everything it can get to was searched.
The low-level states may hold more than the predicates tell.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from assay.core.reach import Answer, Cannot, GaveUp, Low, Reached
from assay.core.symbols import OBJECT, Object
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.perception.abstraction import Abstraction
from assay.perception.predicates import StatePredicate

LIMIT = 200_000
"""States after which the built-in search gives up."""


class KeyAgent:
    """`objects` maps names to types, `types` a type to its parent (as in `Vocabulary.of`).

    Static predicates must be the same in all start states.
    """

    def __init__(
        self,
        *,
        starts: Sequence[Low],
        keys: Iterable[str],
        press: Callable[[Any, str], Any],
        predicates: Iterable[StatePredicate],
        objects: Mapping[str, str],
        types: Mapping[str, str] | None = None,
        reach: Callable[[Any, Any], Answer] | None = None,
        name: str = "agent",
    ) -> None:
        predicates = tuple(predicates)
        self._starts, self._reach = tuple(starts), reach
        self.keys, self.press, self.name = tuple(keys), press, name
        if not self._starts or not self.keys:
            raise InputError("an agent that presses keys needs at least one start state and one key")
        self.static = frozenset(p.name for p in predicates if p.static)
        self.derived = frozenset(p.name for p in predicates if p.derived)
        vocabulary = Vocabulary.of(
            types=types
            if types is not None
            else dict.fromkeys(sorted({*objects.values()} - {OBJECT}), OBJECT),
            predicates={p.name: {q.name: "|".join(q.types) for q in p.symbol.parameters} for p in predicates},
            actions={},
            name=name,
        )
        self.universe = Universe(vocabulary, tuple(Object(n, t) for n, t in objects.items()))
        self._abstraction = Abstraction(self.universe, predicates)
        self._fixed = self._abstraction.static(self._starts[0])
        for start in self._starts[1:]:
            if self._abstraction.static(start) != self._fixed:
                raise InputError("a predicate that is declared static differs between two start states")

    def abstract(self, low: Low, /) -> State:
        return State(self.universe, self._abstraction.bits(low, self._fixed))

    def starts(self, count: int, /) -> Sequence[Low]:
        return self._starts[:count]

    def reach(self, low: Low, target: Low, /) -> Answer:
        return self._reach(low, target) if self._reach is not None else self._search(low, target)

    def _search(self, low: Low, target: Low) -> Answer:
        came: dict[Low, tuple[Low, str] | None] = {low: None}
        todo = deque([low])
        while todo and target not in came:
            here = todo.popleft()
            for key in self.keys:
                there = self.press(here, key)
                if there not in came:
                    came[there] = here, key
                    todo.append(there)
            if len(came) > LIMIT:
                return GaveUp(f"{LIMIT:,} states searched")
        if target not in came:
            return Cannot(f"all {len(came):,} states that can be reached were searched")
        keys, states = [], [target]
        while (step := came[states[-1]]) is not None:
            states.append(step[0])
            keys.append(step[1])
        return Reached(tuple(reversed(keys)), tuple(reversed(states)))
