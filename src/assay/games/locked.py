"""Games with a key and a locked door: how they look in the user's words.

Their states go on, after the player's cell and facing, with whether the key is in hand and whether the door
is open. The facts of an arrangement of things are read once for all places of the player.
"""

from __future__ import annotations

from assay.games.game import PLAYER, Game, S
from assay.games.grid import Grid


class Locked(Game[S]):
    def __init__(self, grid: Grid, key: int, door: int) -> None:
        super().__init__(grid)
        self.key, self.door = key, door
        self._player = self.words.at[PLAYER.name]
        self._things: dict[tuple[object, ...], int] = {}

    def _name_facts(self) -> None:
        self._has_key, self._is_door = self.words.bit("has_key"), self.words.per_cell("is_door")

    def facts(self, state: S) -> int:
        here: int = state[0]
        arrangement = state[2:]
        things = self._things.get(arrangement)
        if things is None:
            things = self._things[arrangement] = self._arrangement(state)
        return things & ~self.words.clear[here] | self._player[here]

    def _arrangement(self, state: S) -> int:
        """The facts but for the player's place; here those about the grid, the key and the door."""
        has_key, door_open = state[2], state[3]
        clear, facts = self.words.clear, self._blank
        if has_key:
            facts |= self._has_key
        else:
            facts = facts & ~clear[self.key] | self.words.at["key1"][self.key]
        return facts if door_open else facts & ~clear[self.door] | self._is_door[self.door]
