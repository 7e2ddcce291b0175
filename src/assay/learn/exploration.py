"""What is within reach of the learned models, and the cheapest way there.

Moves are the steps that the hypotheses say run. The states looked at are bounded; the bound grows only when
nothing is missing among those looked at. Ways prefer moves that the cautious reading agrees with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from assay.learn.observed import ObservedAction
from assay.learn.precaution import Precaution

FIRST_STATES, GROWTH, MOST_STATES = 40, 4, 10_240
"""States looked at: few at first, then four times as many, up to a bound."""
MOST_LOOKS = 100_000
"""Situations that are looked at, over all states: more take seconds after each surprise."""


class Move(NamedTuple):
    action: int
    number: int
    pid: int
    after: int
    sure: bool


class Walk(NamedTuple):
    """Moves from a state; the state they should lead to."""

    start: int
    moves: tuple[Move, ...]
    end: int


Goal = Callable[[int], bool]
"""Whether a state is where a walk should lead."""


class Exploration:
    def __init__(self, actions: Sequence[ObservedAction], precaution: Precaution) -> None:
        self.actions, self.precaution = actions, precaution
        self._exhausted = False
        """Whether no more situations are looked at."""
        self.bound = FIRST_STATES
        self.order: list[int] = []
        """The states within reach, nearest first."""
        self.complete = False
        """Whether these are all that the models reach."""
        self._moves: list[dict[int, list[Move]]] = [{} for _ in actions]
        self._versions = [-1] * len(actions)
        self._stamp: tuple[object, ...] = ()

    def sync(self) -> bool:
        """Drops what earlier hypotheses foretold; whether there was any."""
        changed = False
        for number, action in enumerate(self.actions):
            if self._versions[number] != action.version:
                self._versions[number] = action.version
                self._moves[number].clear()
                changed = True
        return changed

    def moves(self, state: int) -> list[Move]:
        found: list[Move] = []
        for number in range(len(self.actions)):
            its = self._moves[number].get(state)
            if its is None:
                its = self._moves[number][state] = self._foretold(number, state)
            found += its
        return found

    def _foretold(self, number: int, state: int) -> list[Move]:
        action = self.actions[number]
        if not action.sound:
            return []
        found = []
        for pid, steps in action.ground.points(state).items():
            if action.runs(pid):
                sure = action.sure(pid)
                for step in steps:
                    if self.precaution.allows(action, state, step, pid):
                        after = action.after(state, step, pid)
                        found.append(Move(number, step, pid, after, sure))
        return found

    def reach(self, sources: Iterable[int], visited: Iterable[int]) -> bool:
        """Looks around anew if anything changed; whether it did."""
        starts = list(dict.fromkeys(sources))
        stamp = (*self._versions, self.bound, len(starts))
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        seen, self.order, self.complete = set(starts), starts, True
        looks, self._exhausted = 0, False
        for state in self.order:
            looks += sum(len(action.ground.points(state)) for action in self.actions)
            if looks > MOST_LOOKS and len(seen) > FIRST_STATES:
                self._exhausted, self.complete = True, False
                break
            for move in self.moves(state):
                if move.after not in seen:
                    if len(seen) >= self.bound:
                        self.complete = False
                        break
                    seen.add(move.after)
                    self.order.append(move.after)
        self.order += [state for state in visited if state not in seen]
        return True

    def grow(self, most: int = MOST_STATES) -> bool:
        if self.complete or self._exhausted or self.bound >= most:
            return False
        self.bound = min(most, GROWTH * self.bound)
        return True

    def nearest(self, starts: Iterable[int], goal: Goal, sure: bool, length: int) -> Walk | None:
        """A shortest walk to a state with the goal."""
        came: dict[int, tuple[int, Move] | None] = dict.fromkeys(starts)
        layer = list(came)
        for _ in range(length + 1):
            following: list[int] = []
            for state in layer:
                if goal(state):
                    return _walk(came, state)
                if len(came) > 2 * self.bound:
                    continue
                for move in self.moves(state):
                    if move.after not in came and (move.sure or not sure):
                        came[move.after] = state, move
                        following.append(move.after)
            layer = following
        return None


def _walk(came: dict[int, tuple[int, Move] | None], end: int) -> Walk:
    moves: list[Move] = []
    state = end
    while (step := came[state]) is not None:
        state, move = step
        moves.append(move)
    return Walk(state, tuple(reversed(moves)), end)
