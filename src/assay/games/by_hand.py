"""Policies written by hand, one for each game, with habits that make them do less than the rules allow.

- Zelda: it does not fight without the key in hand.
- Cook-Me-Pasta: it moves nothing before it has the key, and pushes the straight way only.
- Escape: it pushes a block into a hole, and never over free floor, for fear of corners.
- Snowman: it takes a piece only when it is that piece's turn, and puts it nowhere but on the goal.

Each does what the target asks for in a fixed order, then walks to its place in the target and turns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from assay.games.escape import Escape, EscapeState
from assay.games.game import Game
from assay.games.grid import NOWHERE
from assay.games.pasta import DISH, MERGED, Pasta, PastaState
from assay.games.policy import KEY_OF, PolicyPlayer, approach, settle, walk
from assay.games.snowman import EMPTY, Snowman, SnowmanState
from assay.games.zelda import Zelda, ZeldaState


class HandWritten(PolicyPlayer):
    kind: ClassVar = "policy-hand"

    def choose(self, game: Game[Any], state: Any, target: Any) -> str | None:
        return _POLICIES[game.name](game, state, target)


def zelda(game: Zelda, state: ZeldaState, target: ZeldaState) -> str | None:
    living = {cell for n, cell in enumerate(game.monsters) if state.monsters >> n & 1}
    free = {*game.grid.floor} - living - {game.door}
    if target.has_key and not state.has_key:
        if state.player != game.key:
            return walk(game, state, free, {game.key})
        faces = game.grid.step[state.facing][state.player]
        return KEY_OF[(state.facing + 1) % 4] if faces in living else "E"
    prey = [cell for n, cell in enumerate(game.monsters) if (state.monsters & ~target.monsters) >> n & 1]
    if prey:
        if not state.has_key:
            return None
        return _use_on(game, state, free, prey[0], target.player)
    if target.escaped and not state.escaped:
        return _use_on(game, state, free, game.door, target.player)
    return settle(game, state, free, target)


def pasta(game: Pasta, state: PastaState, target: PastaState) -> str | None:
    shut = set() if state.open else {game.door}
    free = {*game.grid.floor} - shut - set(state.items)
    if not state.has_key:
        if target.has_key:
            return walk(game, state, free, {game.key})
        if state.items != target.items:
            return None
        free.discard(game.key)  # it would be picked up
    if target.open and not state.open:
        key = approach(game, state, free, game.door, target.player)
        return KEY_OF[state.facing] if key == "" else key
    for item, (cell, wanted) in enumerate(zip(state.items, target.items, strict=True)):
        if cell in (NOWHERE, wanted):
            continue
        if wanted == NOWHERE:
            partner = next(b for a, b in MERGED if a == item)
            if item == DISH or state.items[partner] == NOWHERE:
                continue
            wanted = state.items[partner]
        return _push(game, state, free, cell, wanted)
    return settle(game, state, free, target)


def escape(game: Escape, state: EscapeState, target: EscapeState) -> str | None:
    blocked = state.blocks | state.holes | (0 if target.player == game.goal else 1 << game.goal)
    free = {cell for cell in game.grid.floor if not blocked >> cell & 1}
    if fill := state.holes & ~target.holes:
        for direction, step in enumerate(game.grid.step):
            for cell in game.grid.floor:
                block = step[cell]
                if block == NOWHERE or not state.blocks >> block & 1 or step[block] == NOWHERE:
                    continue
                if not fill >> step[block] & 1 or target.blocks >> block & 1:
                    continue
                if state.player == cell:
                    return KEY_OF[direction]
                if (key := walk(game, state, free, {cell})) is not None:
                    return key
        return None
    return settle(game, state, free, target) if state.blocks == target.blocks else None


def snowman(game: Snowman, state: SnowmanState, target: SnowmanState) -> str | None:
    key = set() if state.has_key else {game.key}
    shut = set() if state.open else {game.door}
    free = {*game.grid.floor} - key - shut - set(state.pieces)
    if target.has_key and not state.has_key:
        return _use_on(game, state, free, game.key, target.player)
    if target.open and not state.open:
        return _use_on(game, state, free, game.door, target.player)
    turn = state.placed
    if turn < target.placed or (state.hand == EMPTY and target.hand == turn):
        if state.hand == EMPTY:
            return _use_on(game, state, free, state.pieces[turn], target.player)
        return _use_on(game, state, free, game.goal, target.player) if state.hand == turn else None
    if (state.hand, state.pieces) != (target.hand, target.pieces):
        return None
    return settle(game, state, free, target)


def _use_on(game: Game[Any], state: Any, free: set[int], thing: int, best: int) -> str | None:
    key = approach(game, state, free, thing, best)
    return "E" if key == "" else key


def _push(game: Pasta, state: PastaState, free: set[int], item: int, goal: int) -> str | None:
    """The next key to push an item one cell nearer to a goal, from the first side that will do."""
    far = game.grid.pushes_to(goal)
    for direction, step in enumerate(game.grid.step):
        to, behind = step[item], game.grid.step[(direction + 2) % 4][item]
        if (
            NOWHERE in (to, behind)
            or far[to] >= far[item]
            or (to != goal and to not in free - {state.player})
        ):
            continue
        if state.player == behind:
            return KEY_OF[direction]
        if (key := walk(game, state, free, {behind})) is not None:
            return key
    return None


_POLICIES: dict[str, Callable[[Any, Any, Any], str | None]] = {
    "zelda": zelda,
    "pasta": pasta,
    "escape": escape,
    "snowman": snowman,
}
