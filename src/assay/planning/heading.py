"""Ways to actions that do not run yet, found as a forward planner finds them.

In a world where nothing that came about is lost again, a plan is easily made: level by level, what can be
done with all there is so far, until one of the actions can be. How many steps that takes is how far a state
is from the action; best-first search goes on where that is least, and tries the steps of such plans before
others. It gives up after so many states, so "none" says nothing about the world.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from heapq import heappop, heappush
from itertools import count

from assay.core.model import Model
from assay.core.symbols import Step
from assay.core.universe import Universe, indices
from assay.planning.relaxed import Ground, relaxed_reach

MOST = 20_000
"""Ground actions beyond which no way is looked for."""
WORK, NODES = 200_000, 200
"""Ground actions looked at, over all states of a search, and states at most, before it is given up."""


class Heading:
    def __init__(
        self, model: Model, universe: Universe, starts: Collection[int], twice: Collection[str] = ()
    ) -> None:
        free = model.action if model.vocabulary.constants else twice  # only then is a constant an argument
        reach = relaxed_reach(model, universe, starts, MOST, free=free)
        grounds = reach.grounds if reach else ()
        self._grounds = [
            g for g in grounds if g.step.action in twice or len(set(g.step.args)) == len(g.step.args)
        ]

    def plan(
        self, bits: int, actions: Collection[str], rng: random.Random, known: Collection[Step] = ()
    ) -> list[Step] | None:
        """Steps from the state on that end with one of the actions, but with none of the steps known; of
        equals, the generator's choice."""
        rng.shuffle(self._grounds)
        targets = {g.step for g in self._grounds if g.step.action in actions}.difference(known)
        order = count()
        frontier: list[tuple[int, bool, int, int, tuple[Step, ...]]] = [(0, False, next(order), bits, ())]
        seen = {bits}
        for _ in range(min(NODES, WORK // max(1, len(self._grounds)))):
            if not frontier:
                return None
            *_, bits, path = heappop(frontier)
            relaxed = self._relaxed(bits, targets)
            if relaxed is None:
                continue
            for ground in self._grounds:
                after = ground.after(bits)
                if after is not None and ground.step in targets:
                    return [*path, ground.step]
                if after is not None and after not in seen:
                    seen.add(after)
                    place = len(relaxed), ground.step not in relaxed, next(order)
                    heappush(frontier, (*place, after, (*path, ground.step)))
        return None

    def _relaxed(self, bits: int, targets: Collection[Step]) -> dict[Step, Ground] | None:
        """A plan to the nearest of the targets if nothing is ever lost; None if there is none even so."""
        makers: dict[tuple[int, bool], Ground] = {}
        true, false = bits, ~bits
        waiting = self._grounds
        while True:
            ready: list[Ground] = []
            rest: list[Ground] = []
            for ground in waiting:
                possible = not (ground.needed & ~true or ground.forbidden & ~false)
                (ready if possible else rest).append(ground)
            if target := next((g for g in ready if g.step in targets), None):
                return _backwards(target, bits, makers)
            more_true, more_false = true, false
            for ground in ready:
                for number in indices(ground.add & ~more_true):
                    makers[number, True] = ground
                for number in indices(ground.delete & ~more_false):
                    makers[number, False] = ground
                more_true |= ground.add
                more_false |= ground.delete
            if (more_true, more_false) == (true, false):
                return None
            true, false, waiting = more_true, more_false, rest


def _backwards(target: Ground, bits: int, makers: dict[tuple[int, bool], Ground]) -> dict[Step, Ground]:
    """The target, what makes it possible, and what makes that possible."""
    plan = {target.step: target}
    todo = [target]
    while todo:
        for fact in _missing(todo.pop(), bits):
            maker = makers[fact]
            if maker.step not in plan:
                plan[maker.step] = maker
                todo.append(maker)
    return plan


def _missing(ground: Ground, bits: int) -> Iterator[tuple[int, bool]]:
    yield from ((number, True) for number in indices(ground.needed & ~bits))
    yield from ((number, False) for number in indices(ground.forbidden & bits))
