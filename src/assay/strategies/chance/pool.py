"""The pool of states that queries may start from or lead to (QACE section 4.3), and every step there.

First come states that the agent offers, then those it was seen in, in the order of their first sight.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import NamedTuple

from assay.core.query import Start
from assay.core.symbols import Step
from assay.knowledge.experience import Experience

OFFERED, MOST = 60, 400
"""States of the pool that the agent offers, and states of the pool."""
STEPS = 300
"""Groundings of one capability."""


class Entry(NamedTuple):
    """A step in a state, with the values of its capability's lifted atoms there."""

    bits: int
    step: Step
    values: int


class Pool:
    def __init__(self, experience: Experience) -> None:
        self._experience = experience
        setting = experience.setting
        self._anywhere = setting.profile.start is Start.ANY
        self._resets = {state.bits for state in setting.offered}
        self._only_resets = setting.profile.start is Start.RESET
        self.steps = {
            header.name: tuple(islice(_steps(experience, header.name), STEPS))
            for header in experience.vocabulary.actions
        }
        self._entries: dict[str, list[Entry]] = {name: [] for name in self.steps}
        self._states: dict[str, int] = dict.fromkeys(self.steps, 0)
        """How many states of the pool the entries of a capability cover."""

    def states(self) -> list[int]:
        offered = [state.bits for state in self._experience.setting.offered[:OFFERED]]
        seen = (bits for bits, entry in self._experience.visited.items() if entry)
        return list(islice(dict.fromkeys((*offered, *seen)), MOST))

    def entries(self, action: str) -> list[Entry]:
        """Every step of the capability in every state of the pool."""
        states, found = self.states(), self._entries[action]
        for bits in states[self._states[action] :]:
            found += [Entry(bits, s, self._experience.valuation(bits, s)) for s in self.steps[action]]
        self._states[action] = len(states)
        return found

    def can_start(self, bits: int) -> bool:
        """Whether a question may start there, as far as the agent declares."""
        if self._only_resets:
            return bits in self._resets
        return self._anywhere or bits in self._experience.visited

    def rejected(self, bits: int) -> bool:
        """Whether the agent said that there is no such state."""
        return any(query.state.bits == bits for query in self._experience.rejected)

    def starts(self) -> list[int]:
        """States of the pool that a question may start in."""
        return [bits for bits in self.states() if self.can_start(bits)]


def _steps(experience: Experience, action: str) -> Iterator[Step]:
    for args in product(*experience.setting.fitting(experience.vocabulary.action[action])):
        if len(set(args)) == len(args):
            yield Step(action, args)
