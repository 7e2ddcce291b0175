"""Levels of BabyAI: one of our own, and all that MiniGrid registers."""

from __future__ import annotations

from typing import Any

from assay.errors import InputError
from assay.extras import install

try:
    import gymnasium
    import minigrid
    from minigrid.core.constants import COLOR_NAMES
    from minigrid.core.world_object import Ball, Box, Key
    from minigrid.envs.babyai.core.roomgrid_level import RoomGridLevel
    from minigrid.envs.babyai.core.verifier import GoToInstr, ObjDesc
except ImportError as error:
    raise InputError(f"BabyAI comes with MiniGrid: {install('gym')} ({error})") from error

VAULT = "vault"
_KINDS = {"ball": Ball, "box": Box, "key": Key}


class Vault(RoomGridLevel):  # type: ignore[misc]
    """Four rooms, two by two: where the bot starts, the next room, the one behind it, and a vault.

    Closed doors lead from each to the next; the door to the vault is locked, and no key fits. Every room has
    a box and a ball, the first one also a key, all well apart. The seed decides about colours and places.
    """

    def __init__(self) -> None:
        super().__init__(num_rows=2, num_cols=2, room_size=8)

    def gen_mission(self) -> None:
        right, down = 0, 1
        bright = [color for color in COLOR_NAMES if color != "grey"]  # grey is the colour of the walls
        first, second, vault, key = self._rand_subset(bright, 4)
        self.add_door(0, 0, right, first, locked=False)
        self.add_door(1, 0, down, second, locked=False)
        self.add_door(0, 0, down, vault, locked=True)
        self.place_agent(0, 0)
        self._furnish(0, "key", key)
        for kind in ("ball", "box"):
            for room, color in enumerate(self._rand_subset(COLOR_NAMES, 4)):
                self._furnish(room, kind, color)
        self.instrs = GoToInstr(ObjDesc("box"))

    def _furnish(self, room: int, kind: str, color: str) -> None:
        place = self.get_room(room % 2, room // 2)
        self.place_obj(_KINDS[kind](color), place.top, place.size, reject_fn=_crowded, max_tries=1000)


def _crowded(level: Any, pos: tuple[int, int]) -> bool:
    """Whether a thing here would be next to another or to the bot, or near a door."""
    x, y = pos
    grid, margin = level.grid, 2
    near = [
        (grid.get(i, j), abs(i - x) + abs(j - y))
        for i in range(max(x - margin, 0), min(x + margin + 1, grid.width))
        for j in range(max(y - margin, 0), min(y + margin + 1, grid.height))
    ]
    bot = abs(x - level.agent_pos[0]) + abs(y - level.agent_pos[1])
    return bool(bot < margin) or any(
        cell is not None and (cell.type == "door" or (cell.type != "wall" and distance <= margin))
        for cell, distance in near
    )


def make_level(name: str) -> Any:
    """The level of that name; MiniGrid's own go with or without `BabyAI-` and the version."""
    if name == VAULT:
        return Vault()
    registered = f"BabyAI-{name.removeprefix('BabyAI-').removesuffix('-v0')}-v0"
    if registered not in gymnasium.registry:
        known = sum(spec.startswith("BabyAI-") for spec in gymnasium.registry)
        raise InputError(
            f"there is no BabyAI level {name!r}; write {VAULT!r} or one of the {known} levels "
            f"of MiniGrid {minigrid.__version__}, for example 'UnlockPickup'"
        )
    return gymnasium.make(registered).unwrapped
