"""The cafe's robot: capabilities refined into motions at run time, or refused for a reason it can see.

Each method looks at the poses first. If the capability cannot begin (nothing to grasp there, out of reach,
something in the hand, no way, no power), it says why and nothing has moved. Otherwise the motions run, and
what comes of them is up to the physics.

What goes wrong with a grasp is contact. The robot aims at a can with an error, and its fingertips are more
or less slippery; both are drawn anew for each grasp (`Handling`). Aimed too far off, a finger comes down on
the can instead of beside it, the lift stalls, and the battery's protection cuts the power. Too slippery, and
the can stays behind when the hand goes up: the robot sees it after three centimetres, opens its hand and
withdraws. A can that passes this test is gripped harder and not lost on the way.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from assay.agents.cafe_physics import Physics
from assay.agents.cafe_room import CAN_CENTRE, FOLDED, LIFT_FORCE, SLOTS, TOP, Room
from assay.agents.cafe_scene import GRASP, Scene, docked, held, passable, polar, reachable, stands_on, turn

_TOUCH, _FIRM, _LET_GO = 8.0, 50.0, -6.0
"""Forces of the fingers, in newtons."""
_OVERLOAD = 0.8 * LIFT_FORCE
_ABOVE = GRASP + 0.07
"""Height of the fingertips above the middle of a can that they are about to come down beside."""
_TRIAL = 0.03
"""How far a can is lifted to see whether it comes along."""
_PLACING = 0.003
"""Standard deviation of where a can is put down, in metres."""
_APART = 0.12
"""Between the middles of two cans that a hand fits between."""


@dataclass(frozen=True, slots=True)
class Handling:
    """How well the robot handles cans: of each grasp, the error of its aim and the friction of the tips."""

    aim: float
    """Standard deviation, in metres, across the fingers."""
    friction: float
    spread: float
    """Mean and standard deviation."""

    def draw(self, rng: random.Random) -> tuple[float, float]:
        return rng.gauss(0.0, self.aim), max(0.01, rng.gauss(self.friction, self.spread))


class Robot:
    def __init__(self, physics: Physics, room: Room, handling: Handling) -> None:
        self._physics, self._room, self._handling = physics, room, handling

    def look(self) -> Scene:
        poses = self._physics.poses(("robot", "hand", *self._room.cans))
        robot, hand = poses.pop("robot"), poses.pop("hand")
        return Scene(self._room, robot, hand, poses, self._physics.powered)

    def rest(self) -> None:
        """Opens its hand and lets everything come to rest."""
        self._physics.squeeze(_LET_GO)
        self._physics.wait(0.4)

    def move(self, source: str, destination: str) -> str:
        scene = self.look()
        x, y, yaw = self._room.place(destination).dock
        if not scene.powered:
            return _NO_POWER
        if not docked(scene, source):
            return f"the robot is not docked at {source}"
        if not passable(scene, x, y):
            return f"there is no way from {source} to {destination}"
        robot, physics = scene.robot, self._physics
        length = math.hypot(x - robot.x, y - robot.y)
        bearing = physics.set_point("turn") + turn(physics.set_point("turn"), yaw)
        physics.follow(0.6 + 0.8 * length, x=x, y=y, turn=bearing)
        physics.wait(0.1)
        return ""

    def appear(self, place: str) -> str:
        """Is set down at a dock, from the open floor, without driving there."""
        scene = self.look()
        if not scene.powered:
            return _NO_POWER
        for name in self._room.places:
            if docked(scene, name):
                return f"the dock at {name} holds the robot"
        for can in self._room.cans:
            if held(scene, can):
                return f"{can} would be left behind"
        self._physics.shift(dict(zip(("x", "y", "turn"), self._room.place(place).dock, strict=True)))
        return ""

    def pick(self, can: str, place: str, rng: random.Random) -> str:
        scene = self.look()
        if not scene.powered:
            return _NO_POWER
        for other in self._room.cans:
            if held(scene, other):
                return f"the hand is not empty, it has {other}"
        if not stands_on(scene, can, place):
            return f"{can} does not stand on {place}"
        at = scene.cans[can]
        if not reachable(scene, at.x, at.y):
            return f"{can} is out of reach"
        angle, length = polar(scene, at.x, at.y)
        error, friction = self._handling.draw(rng)
        physics = self._physics
        physics.friction = friction
        physics.squeeze(_LET_GO)
        physics.follow(0.5, shoulder=angle + error / length, arm=length)
        physics.follow(0.3, lift=at.z + _ABOVE)
        stalled = not physics.follow(0.35, until=self._overloaded, lift=at.z + GRASP)
        if stalled:
            physics.follow(0.1, lift=at.z + _ABOVE)
        else:
            physics.squeeze(_TOUCH)
            physics.wait(0.25)
            physics.follow(0.2, lift=at.z + GRASP + _TRIAL)
            physics.wait(0.1)
        firm = not stalled and self.look().cans[can].z - at.z > 0.7 * _TRIAL
        physics.squeeze(_FIRM if firm else _LET_GO)
        physics.wait(0.1)
        self._fold()
        physics.powered = not stalled
        return ""

    def put(self, can: str, place: str, rng: random.Random) -> str:
        scene = self.look()
        if not scene.powered:
            return _NO_POWER
        if not held(scene, can):
            return f"the hand does not have {can}"
        slots = [self._room.place(place).slot(number) for number in range(len(SLOTS))]
        near = [slot for slot in slots if reachable(scene, *slot)]
        if not near:
            return f"{place} is out of reach"
        free = [slot for slot in near if _free(scene, slot)]
        if not free:
            return f"there is no room on {place}"
        x, y = rng.choice(free)
        angle, length = polar(scene, rng.gauss(x, _PLACING), rng.gauss(y, _PLACING))
        physics, hanging = self._physics, scene.hand.z - scene.cans[can].z
        physics.follow(0.5, shoulder=angle, arm=length)
        physics.follow(0.4, lift=TOP + CAN_CENTRE + hanging)
        physics.wait(0.1)
        physics.squeeze(_LET_GO)
        physics.wait(0.15)
        self._fold()
        return ""

    def _overloaded(self) -> bool:
        return abs(self._physics.load("lift")) > _OVERLOAD

    def _fold(self) -> None:
        physics = self._physics
        physics.follow(0.4, lift=FOLDED["lift"])
        physics.follow(0.7, shoulder=FOLDED["shoulder"], arm=FOLDED["arm"])
        physics.wait(0.1)


_NO_POWER = "the battery gives no power"


def _free(scene: Scene, slot: tuple[float, float]) -> bool:
    return all(math.hypot(at.x - slot[0], at.y - slot[1]) > _APART for at in scene.cans.values())
