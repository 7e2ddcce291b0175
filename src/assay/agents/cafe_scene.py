"""What is where in the cafe, as poses, and what these mean: docked, standing on, held, within reach.

The robot's controller decides by these functions what it can do, and the predicates of both vocabularies are
evaluated by them; neither knows of the other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from assay.agents.cafe_physics import Pose
from assay.agents.cafe_room import CAN_CENTRE, HALF_DEPTH, HALF_WIDTH, TOP, Room

GRASP = 0.02
"""Height of the fingertips above the middle of a can that they hold."""
_NEAR, _TURNED, _SLID = 0.05, 0.1, 0.02
_SHORTEST, _LONGEST, _WIDEST = 0.30, 0.97, 0.95
_CLEARANCE = 0.42
"""Of the robot and what it holds, from the middle of its base."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment: the poses of the robot's base, of its hand and of every can, and the state of its battery."""

    room: Room
    robot: Pose
    hand: Pose
    cans: Mapping[str, Pose]
    powered: bool


def docked(scene: Scene, place: str) -> bool:
    x, y, yaw = scene.room.place(place).dock
    robot = scene.robot
    return math.hypot(robot.x - x, robot.y - y) < _NEAR and abs(turn(robot.yaw, yaw)) < _TURNED


def stands_on(scene: Scene, can: str, place: str) -> bool:
    at, top = scene.cans[can], scene.room.place(place)
    return (
        abs(at.x - top.x) < HALF_WIDTH
        and abs(at.y - top.y) < HALF_DEPTH
        and abs(at.z - TOP - CAN_CENTRE) < _SLID
    )


def held(scene: Scene, can: str) -> bool:
    """Whether the can is between the fingers, where a firm grasp has it."""
    at, hand = scene.cans[can], scene.hand
    return math.hypot(at.x - hand.x, at.y - hand.y) < _SLID and abs(hand.z - at.z - GRASP) < _SLID


def polar(scene: Scene, x: float, y: float) -> tuple[float, float]:
    """How far the shoulder must turn and the arm extend to have the hand over a point."""
    robot = scene.robot
    angle = turn(robot.yaw, math.atan2(y - robot.y, x - robot.x))
    return angle, math.hypot(x - robot.x, y - robot.y)


def reachable(scene: Scene, x: float, y: float) -> bool:
    angle, length = polar(scene, x, y)
    return abs(angle) < _WIDEST and _SHORTEST < length < _LONGEST


def passable(scene: Scene, x: float, y: float) -> bool:
    """Whether the way straight to a point keeps clear of all furniture."""
    robot, tops = scene.robot, [scene.room.place(name) for name in scene.room.places]
    pieces = max(1, math.ceil(math.hypot(x - robot.x, y - robot.y) / 0.05))
    for piece in range(pieces + 1):
        px = robot.x + (x - robot.x) * piece / pieces
        py = robot.y + (y - robot.y) * piece / pieces
        for top in tops:
            beside = max(abs(px - top.x) - HALF_WIDTH, 0.0), max(abs(py - top.y) - HALF_DEPTH, 0.0)
            if math.hypot(*beside) < _CLEARANCE:
                return False
    return True


def turn(begin: float, end: float) -> float:
    """The shorter way round from one direction to another."""
    return (end - begin + math.pi) % (2 * math.pi) - math.pi
