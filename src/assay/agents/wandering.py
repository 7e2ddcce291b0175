"""A walk by which an agent shows what it can do: situations in the order in which they came about.

It often does what was done least so far, and after a while heads for what was hardly ever done. Where there
are too few objects for an action's parameters, it gives some of them twice. Before it jumps elsewhere, a
situation is shown twice, so that nobody takes the jump for the doing of an action.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from assay.core.execution import Execution
from assay.core.setting import cramped
from assay.core.symbols import Step
from assay.core.universe import State
from assay.planning.applicable import Applicable
from assay.planning.heading import Heading

RESTART, RARE = 30, 0.7
"""The walk goes back after so many steps: to an initial state, or more often to where the rarest action so
far was last done, or led."""
LEAST = 0.8
"""Share of steps in which what was done least often so far is done."""
SETTLED_IN, SELDOM = 60, 3
"""After so many steps it heads for actions that were done in fewer ways than that."""
TRIES = 20
"""Walks without jumps of which the best is taken."""


def wander(execution: Execution, starts: Sequence[State], rng: random.Random) -> Iterator[State]:
    """The starts, and a walk without end from the last of them."""
    if not starts:
        return
    for start in starts[:-1]:
        yield from (start, start)
    yield starts[-1]
    universe = execution.universe
    walk = _Walk(execution, [start.bits for start in starts], rng)
    for number in count(1):
        if walk.go_on(number) is None:
            yield State(universe, walk.bits)
            walk.jump()
        yield State(universe, walk.bits)


def stroll(execution: Execution, start: State, length: int, rng: random.Random) -> list[tuple[Step, State]]:
    """A walk from one state that never jumps: each step with the state after it.

    Of several tries it is the one that shows most actions, in most ways: some lead where nothing can be done.
    What one try does not come to the next one heads for at once, before anything stands in the way.
    """
    best: list[tuple[Step, State]] = []
    missed: set[str] = set()
    for _ in range(TRIES):
        walk = _Walk(execution, [start.bits], rng, jumps=False)
        if missed:
            walk.head_for(missed)
        taken: list[tuple[Step, State]] = []
        while len(taken) < length and (step := walk.go_on(len(taken) + 1)) is not None:
            taken.append((step, State(execution.universe, walk.bits)))
        best = max(best, taken, key=_variety)
        missed = execution.model.action.keys() - {step.action for step, _ in taken}
        if len(taken) == length and not missed:
            break
    return best


def _variety(taken: Sequence[tuple[Step, State]]) -> tuple[int, int]:
    return len({step.action for step, _ in taken}), len({step for step, _ in taken})


class _Walk:
    def __init__(
        self, execution: Execution, starts: list[int], rng: random.Random, *, jumps: bool = True
    ) -> None:
        self.bits, self._jumps = starts[-1], jumps
        self._execution, self._starts, self._rng = execution, starts, rng
        self._cramped = _cramped(execution)
        self._applicable = Applicable(execution, constants=True, twice=self._cramped)
        self._freely = Applicable(execution, constants=True, twice=execution.model.action)
        self._seen = set(starts)
        self._done: Counter[str] = Counter()
        self._steps: set[Step] = set()
        self._places: dict[str, tuple[int, int]] = {}
        """Where each action was last done, and where that led."""
        self._heading: Heading | None = None
        self._plan: list[Step] = []
        self._hopeless: set[str] = set()
        """Actions to which no way was found."""

    def go_on(self, number: int) -> Step | None:
        """One step, unless it is time to jump."""
        if number > SETTLED_IN and not self._plan and (seldom := self._seldom_done()):
            self.head_for(seldom)
            if not self._plan and self._jumps and self.bits not in self._starts:
                return None
        drawn = self._draw(number)
        if drawn is None:
            return None
        step, after = drawn
        self._done[step.action] += 1
        self._steps.add(step)
        self._places[step.action] = self.bits, after
        self.bits = after
        self._seen.add(after)
        return step

    def jump(self) -> None:
        if self._places and self._rng.random() < RARE and not self._seldom_done():
            rarest = min(self._places, key=lambda action: (self._done[action], action))
            self.bits = self._rng.choice(self._places[rarest])
        else:
            self.bits = self._rng.choice(self._starts)

    def _draw(self, number: int) -> tuple[Step, int] | None:
        if self._plan:
            step = self._plan.pop(0)
            after = self._execution.apply(self.bits, step)
            return None if after is None else (step, after)
        if self._jumps and number % RESTART == 0:
            return None
        # only ever what was done least would go round in circles
        least = self._done if self._rng.random() < LEAST else None
        applicable = self._applicable if self._jumps or self._rng.random() < LEAST else self._freely
        return applicable.draw(self.bits, self._rng, least, self._seen)

    def _seldom_done(self) -> set[str]:
        """The actions done in fewest ways, if these are few."""
        ways = Counter(step.action for step in self._steps)
        hopeful = self._execution.model.action.keys() - self._hopeless
        fewest = min((ways[a] for a in hopeful), default=SELDOM)
        return {a for a in hopeful if ways[a] == fewest} if fewest < SELDOM else set()

    def head_for(self, actions: set[str]) -> None:
        """Go on with steps to one of the actions, if a way is found; if none is from a start, they are
        hopeless."""
        if not all(action.is_strips for action in self._execution.model.actions):
            self._hopeless |= actions  # nothing heads for what more than a conjunction asks for
            return
        if self._heading is None:
            model, universe = self._execution.model, self._execution.universe
            self._heading = Heading(model, universe, self._starts, self._cramped)
        plan = self._heading.plan(self.bits, actions, self._rng, self._steps)
        if plan is None and self.bits in self._starts:
            self._hopeless |= actions
        self._plan = plan or []


def _cramped(execution: Execution) -> set[str]:
    """Actions that cannot be done with different objects for all parameters."""
    objects, fits = execution.universe.objects, execution.universe.vocabulary.fits
    return {
        header.name
        for header in execution.universe.vocabulary.actions
        if cramped([[o.name for o in objects if fits(o.type, p.types)] for p in header.parameters])
    }
