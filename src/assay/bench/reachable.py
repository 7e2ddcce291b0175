"""A learned model beside the hidden one, in states within reach: what runs, and where it leads.

States are looked at breadth first up to a share of the limit, the rest on random walks: the first states of a
large space are all alike. Figures are counted over steps: a step *runs* if the hidden model runs it.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Step
from assay.core.universe import State
from assay.planning.applicable import Applicable

STATES = 1500
"""States looked at, at most."""
BREADTH = 0.5
"""The share of them that is looked at breadth first, if there are more."""
WALK = 60
"""Steps of a random walk, which then begins anew."""
WASTED = 20
"""Walks without a new state after which no more are tried."""


@dataclass(frozen=True, slots=True)
class Agreement:
    states: int
    whole: bool
    """Whether these are all states within reach."""
    ran: int
    """Steps that run."""
    right: int
    """Steps that run by both."""
    promised: int
    """Steps that run by the learned model alone."""
    elsewhere: int
    """Steps that run by both and lead to different states."""
    first: str
    """The first difference, in words; nothing if there is none."""

    @property
    def applicability_precision(self) -> float:
        return self.right / (self.right + self.promised) if self.right + self.promised else 1.0

    @property
    def applicability_recall(self) -> float:
        return self.right / self.ran if self.ran else 1.0

    @property
    def effects(self) -> float:
        """The share of the steps that run by both and lead to the same state."""
        return 1 - self.elsewhere / self.right if self.right else 1.0


def agreement_on_reachable(
    model: Model, truth: Model, start: State, *, limit: int = STATES, seed: int = 0
) -> Agreement:
    walk = _Walk(truth, start, limit, random.Random(f"reachable {seed}"))
    learned = Execution(model, start.universe)
    applicable = Applicable(learned)
    ran = right = promised = elsewhere = 0
    first = ""
    for bits, runs in walk:
        claimed = set(applicable.steps(bits))
        astray = [s for s in sorted(claimed & runs.keys()) if learned.apply(bits, s) != runs[s]]
        ran += len(runs)
        right += len(claimed & runs.keys())
        promised += len(claimed - runs.keys())
        elsewhere += len(astray)
        if not first:
            faults = [f"{s} runs" for s in sorted(runs.keys() - claimed)]
            faults += [f"{s} does not run" for s in sorted(claimed - runs.keys())]
            faults += [f"{s} leads elsewhere" for s in astray]
            first = faults[0] if faults else ""
    return Agreement(walk.states, walk.whole, ran, right, promised, elsewhere, first)


class _Walk:
    """States within reach, each once, with the steps that run there and where they lead."""

    def __init__(self, truth: Model, start: State, limit: int, rng: random.Random) -> None:
        self._execution = Execution(truth, start.universe)
        self._applicable = Applicable(self._execution)
        self._start, self._limit, self._rng = start.bits, limit, rng
        self._known: dict[int, dict[Step, int]] = {}
        self.whole = False

    @property
    def states(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[tuple[int, dict[Step, int]]]:
        queue, seen = deque([self._start]), {self._start}
        while queue:
            if len(self._known) >= self._limit * BREADTH:
                yield from self._walks()
                return
            bits = queue.popleft()
            runs = self._look(bits)
            yield bits, runs
            fresh = [after for after in runs.values() if after not in seen]
            seen.update(fresh)
            queue.extend(dict.fromkeys(fresh))
        self.whole = True

    def _walks(self) -> Iterator[tuple[int, dict[Step, int]]]:
        wasted = 0
        while len(self._known) < self._limit and wasted < WASTED:
            bits, before = self._start, len(self._known)
            for _ in range(WALK):
                new = bits not in self._known
                runs = self._look(bits)
                if new:
                    yield bits, runs
                if not runs or len(self._known) >= self._limit:
                    break
                bits = self._rng.choice(list(runs.values()))
            wasted = wasted + 1 if len(self._known) == before else 0

    def _look(self, bits: int) -> dict[Step, int]:
        if bits not in self._known:
            found = {step: self._execution.apply(bits, step) for step in self._applicable.steps(bits)}
            self._known[bits] = {step: after for step, after in found.items() if after is not None}
        return self._known[bits]
