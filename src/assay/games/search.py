"""Optimal search over low-level states, and what "no" rests on.

A* with the game's own bound, which never overestimates: the first way found is a shortest one. States whose
bound is `FAR` are left out, because the target is shown to be out of reach from them. So when nothing is left
to look at, the target cannot be reached, and that is certain, however large the space: usually the very
first bound says so (an item in a corner, a thing that is spent), else all that could still lead there was
searched. If the limit of states comes first, the search gives up, and says that it did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.core.reach import Answer, Cannot, GaveUp, Reached
from assay.games.game import Condition, Game, S
from assay.games.grid import FAR

LIMIT = 400_000
"""States looked at before a search gives up."""


def reach_state(game: Game[S], start: S, target: S, limit: int = LIMIT) -> Answer:
    """A shortest way to this very state, facing included."""
    return shortest(game, start, target.__eq__, game.bound(game.alike(target)), limit)


def reach_condition(game: Game[S], start: S, target: Condition, limit: int = LIMIT) -> Answer:
    """A shortest way to a state where the condition is met."""
    return shortest(game, start, meets(game, target), game.bound(target), limit)


def meets(game: Game[S], target: Condition) -> Callable[[S], bool]:
    facts, (mask, value) = game.facts, target
    return lambda state: facts(state) & mask == value


def shortest(
    game: Game[S], start: S, there: Callable[[S], bool], bound: Callable[[S], int], limit: int
) -> Answer:
    """A shortest way to a state that is there, by a bound that never overestimates."""
    if there(start):
        return Reached((), (start,))
    least = bound(start)
    if least >= FAR:
        return Cannot("the target lacks something that no key brings back, or asks for a place out of reach")
    came: dict[S, tuple[S, str] | None] = {start: None}
    spent = {start: 0}
    # states by their estimate; the last one added first, which among equals is the deepest
    open_: dict[int, list[S]] = {least: [start]}
    done: set[S] = set()
    successors = game.successors
    while open_:
        estimate = min(open_)
        bucket = open_[estimate]
        state = bucket.pop()
        if not bucket:
            del open_[estimate]
        if state in done:
            continue
        if there(state):
            return _way(came, state)
        done.add(state)
        if len(done) > limit:
            return GaveUp(f"{limit:,} states searched without an answer")
        cost = spent[state] + 1
        for key, after in successors(state):
            known = spent.get(after)
            if known is not None and known <= cost:
                continue
            further = bound(after)
            if further >= FAR:
                continue
            spent[after] = cost
            came[after] = (state, key)
            done.discard(after)
            open_.setdefault(cost + further, []).append(after)
    return Cannot(f"all {len(done):,} states from which it might be reached were searched")


def _way(came: dict[S, tuple[S, str] | None], state: S) -> Reached:
    keys: list[str] = []
    states: list[Any] = [state]
    while (step := came[state]) is not None:
        state, key = step
        keys.append(key)
        states.append(state)
    return Reached(tuple(reversed(keys)), tuple(reversed(states)))


def reachable(game: Game[S], start: S, limit: int = LIMIT) -> set[S] | None:
    """Every state that can be reached, or None if there are more than the limit."""
    seen = {start}
    todo = [start]
    while todo:
        for _, after in game.successors(todo.pop()):
            if after not in seen:
                seen.add(after)
                todo.append(after)
        if len(seen) > limit:
            return None
    return seen
