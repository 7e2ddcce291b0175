"""A random walk in a model with chance: which steps run, drawn fairly, and where they happen to lead.

First an action is drawn, then how to do it, so that actions with few ways to be done happen too; often it is
the action done least so far. Arguments are all different. After a while, or where nothing runs any more, the
walk begins anew.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import NamedTuple

from assay.core.execution import Execution
from assay.core.symbols import Step
from assay.planning.applicable import CHOICES, Facts, joined

RESTART = 20
"""Steps from one beginning."""
LEAST = 0.5
"""Share of steps in which the action done least so far is tried first."""


class Move(NamedTuple):
    state: int
    step: Step
    after: int


def walk(execution: Execution, starts: Sequence[int], rng: random.Random) -> Iterator[Move]:
    """Moves without end, or none if nothing runs in any of the starts."""
    done: Counter[str] = Counter()
    fruitless = 0
    for bits in cycle(starts):
        if fruitless == len(starts):
            return
        fruitless += 1
        for _ in range(RESTART):
            step = draw_step(execution, bits, rng, done if rng.random() < LEAST else None)
            if step is None:
                break
            after = execution.draw(bits, step, rng)
            assert after is not None
            yield Move(bits, step, after)
            done[step.action] += 1
            bits, fruitless = after, 0


def draw_step(
    execution: Execution, bits: int, rng: random.Random, done: Counter[str] | None = None
) -> Step | None:
    """A step that runs there, or None if there is none."""
    facts = Facts(execution.universe, bits, rng)
    actions = sorted(execution.model.action)
    rng.shuffle(actions)
    if done is not None:
        actions.sort(key=lambda action: done[action])
    for action in actions:
        if choices := list(islice(steps_of(execution, action, facts), CHOICES)):
            return rng.choice(choices)
    return None


def steps_of(execution: Execution, action: str, facts: Facts) -> Iterator[Step]:
    """The steps of an action that run, in the order of the facts."""
    for args in joined(execution.model.action[action], facts, frozenset()):
        step = Step(action, args)
        if execution.branches(facts.bits, step) is not None:
            yield step
