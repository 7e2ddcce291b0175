"""The truth about a world, from the bare environment: every key pressed in every state within reach.

Nothing of the agent is used but the words: no questions, no snapshots of its own, no undoing. States are told
apart by everything that the words are about (`look`), not only by what they say: so state behind the words
shows.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay.agents.gym_file import presses
from assay.agents.gymnasium import Press, make, refusal
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Predicate, Step
from assay.core.universe import Universe
from assay.perception.abstraction import Abstraction
from assay.perception.predicates import StatePredicate
from assay.planning.applicable import Applicable

TRANSITIONS = 20_000
"""Presses after which a walk stops, and says so."""


class Transition(NamedTuple):
    """What the keys of one action do in one state: at most one step runs, and leads to the state after."""

    before: int
    action: str
    step: Step | None
    after: int


@dataclass(frozen=True, slots=True)
class _Place:
    env: Any
    seen: Any
    over: bool


class BareWorld:
    """Walks the environment that a vocabulary file names, in the universe of the agent's objects."""

    def __init__(self, words: Mapping[str, Any], universe: Universe) -> None:
        self._words, self._presses = words, presses(words)
        self._look, self._rule = words["look"], refusal(words.get("refused", "unchanged"))
        self._over = False
        ended = StatePredicate(Predicate("ended"), lambda seen: self._over)
        found = [value for value in words.values() if isinstance(value, StatePredicate)]
        self._universe = universe
        self._abstraction = Abstraction(universe, [*found, ended])
        self._static = 0
        self.states = 0
        self.whole = False
        """Whether everything within reach was seen."""

    def text(self, state: int) -> str:
        """What holds in a state and may change."""
        return ", ".join(self._universe.texts(state & ~self._static))

    def transitions(self, limit: int = TRANSITIONS) -> Iterator[Transition]:
        """Breadth first, every action in every state."""
        seeds = self._words.get("seeds", (0,))
        queue = deque(self._reset(seed) for seed in seeds)
        known = {(repr(p.seen), p.over) for p in queue}
        pressed = 0
        while queue:
            here = queue.popleft()
            self.states += 1
            for name, press in self._presses.items():
                if pressed == limit:
                    return
                pressed += 1
                there, transition = self._press(here, name, press)
                yield transition
                key = (repr(there.seen), there.over)
                if transition.step is not None and key not in known:
                    known.add(key)
                    queue.append(there)
        self.whole = True

    def _reset(self, seed: int) -> _Place:
        env = make(self._words["environment"], self._words.get("options", {}))
        observation, _ = env.reset(seed=seed)
        seen = self._look(env.unwrapped, observation)
        self._static = self._abstraction.static(seen)
        return _Place(env, seen, False)

    def _press(self, here: _Place, name: str, press: Press) -> tuple[_Place, Transition]:
        before = self._bits(here)
        if here.over:
            return here, Transition(before, name, None, before)
        env = copy.deepcopy(here.env)
        seen, over = here.seen, False
        for key in press.keys(()):
            was = seen
            observation, reward, over, _, info = env.step(key)
            seen = self._look(env.unwrapped, observation)
            if self._rule(was, seen, reward, info):
                return here, Transition(before, name, None, before)
        args = press.arguments(here.seen, seen) if press.arguments else ()
        there = _Place(env, seen, bool(over))
        step = None if args is None else Step(name, tuple(args))
        return there, Transition(before, name, step, self._bits(there))

    def _bits(self, place: _Place) -> int:
        self._over = place.over
        return self._abstraction.bits(place.seen, self._static)


@dataclass(frozen=True, slots=True)
class Agreement:
    """A learned model beside the bare environment."""

    states: int
    transitions: int
    whole: bool
    refused: int
    """Steps that run and that the model refuses."""
    promised: int
    """Steps that the model runs and that are refused."""
    elsewhere: int
    """Steps that lead elsewhere."""
    first: str
    """The first difference."""

    @property
    def right(self) -> bool:
        return not self.first

    @property
    def wrong(self) -> int:
        return self.refused + self.promised + self.elsewhere


def agreement(model: Model, world: BareWorld, universe: Universe, limit: int = TRANSITIONS) -> Agreement:
    """The model against every transition within reach: what runs, what does not, and where it leads."""
    execution = Execution(model, universe)
    applicable = Applicable(execution)
    claimed: dict[int, dict[str, set[Step]]] = {}
    refused = promised = elsewhere = count = 0
    first = ""
    for before, action, step, after in world.transitions(limit):
        count += 1
        if before not in claimed:
            by_action: dict[str, set[Step]] = {}
            for ours in applicable.steps(before):
                by_action.setdefault(ours.action, set()).add(ours)
            claimed[before] = by_action
        mine = claimed[before].get(action, set())
        faults = [f"{s} does not run" for s in sorted(mine - {step})]
        promised += len(faults)
        if step is not None and step not in mine:
            refused += 1
            faults.append(f"{step} runs")
        elif step is not None and execution.apply(before, step) != after:
            elsewhere += 1
            faults.append(f"{step} leads elsewhere")
        if faults and not first:
            first = f"{faults[0]} in {world.text(before)}"
    return Agreement(world.states, count, world.whole, refused, promised, elsewhere, first)
