"""The cafe server robot: continuous poses in a physics engine, capabilities refined into motions.

The agent is a task-and-motion one: its state is the poses of the robot and of every can, a capability becomes
a sequence of motions when it is called, and predicates are functions of poses. Nothing in here knows a
precondition or a probability; how often a grasp succeeds is measured, not written down.

Chance is drawn for each execution anew, from the seed and the number of executions since `reseed`. Neither
`reset` nor `restore` rewinds it: asked twice from the same state, the robot may fare differently, and the
same questions after the same `reseed` get the same answers.
"""

from __future__ import annotations

import random
import re

from assay.agents.cafe_physics import Physics
from assay.agents.cafe_robot import Robot
from assay.agents.cafe_room import CAN_CENTRE, FOLDED, OPEN, SLOTS, TOP, Room, describe
from assay.agents.cafe_scene import Scene
from assay.agents.cafe_vocabulary import SETTINGS, Setting
from assay.agents.simulator import SimulatorAgent
from assay.core.symbols import Step
from assay.errors import InputError

_WIDTH, _HEIGHT = 640, 480
_JITTER = 0.005
"""Standard deviation of where cans stand at first, in metres."""


class CafeSimulator:
    def __init__(self, setting: Setting, room: Room, seed: int = 0) -> None:
        self._setting, self._room = setting, room
        self._physics = Physics(describe(room))
        self._robot = Robot(self._physics, room, setting.handling)
        self.refusal = ""
        """Why the last capability was refused."""
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """From now on, chance is drawn from this seed."""
        self._seed, self._executions = seed, 0

    def reset(self, seed: int) -> Scene:
        """The robot where it begins, and the cans somewhere on the first place; the seed says where."""
        rng = random.Random(f"cafe {seed}")
        first = self._room.place(self._room.places[0])
        cans = {}
        for can, number in zip(self._room.cans, rng.sample(range(len(SLOTS)), len(SLOTS)), strict=False):
            x, y = first.slot(number)
            cans[can] = (rng.gauss(x, _JITTER), rng.gauss(y, _JITTER), TOP + CAN_CENTRE)
        base = dict(zip(("x", "y", "turn"), self._setting.begin(self._room), strict=True))
        self._physics.place({**base, **FOLDED, "left": OPEN, "right": OPEN}, cans)
        self._robot.rest()
        return self._robot.look()

    def step(self, action: Step) -> Scene | None:
        rng = random.Random(f"{self._seed} {self._executions}")
        self.refusal = self._setting.do(self._robot, action, rng)
        if self.refusal:
            return None
        self._executions += 1
        return self._robot.look()

    def snapshot(self) -> bytes:
        return self._physics.snapshot()

    def restore(self, snapshot: bytes) -> Scene:
        self._physics.restore(snapshot)
        return self._robot.look()

    def picture(self) -> bytes:
        return self._physics.picture(_WIDTH, _HEIGHT)


def open_cafe(spec: str, seed: int = 0) -> SimulatorAgent:
    """The robot from `server` or `pick-item`, or, with tables and cans, `server:5x3`."""
    found = re.fullmatch(r"([a-z-]+)(?::(\d+)x(\d+))?", spec)
    if found is None or found[1] not in SETTINGS:
        known = " or ".join(sorted(SETTINGS))
        raise InputError(f"there is no cafe {spec!r}; write {known}, or with tables and cans server:5x3")
    setting, room = SETTINGS[found[1]], Room.of(int(found[2] or 2), int(found[3] or 2))
    return SimulatorAgent(
        CafeSimulator(setting, room, seed),
        predicates=setting.predicates,
        actions=setting.capabilities,
        objects=setting.objects(room),
        name=f"cafe-{found[1]}",
        stochastic=True,
        chance=seed,
    )
