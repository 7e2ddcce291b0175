"""Two ways to speak about the cafe's robot, both evaluated on poses.

`server`: the robot, its gripper, locations and cans are objects, and there are four capabilities, as in the
experiments of QACE (section 6). `pick-item`: that paper's running example (section 2, figure 2), with
locations and items, a battery, and three capabilities, of which `pick-item` has three outcomes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assay.agents.cafe_robot import Handling, Robot
from assay.agents.cafe_room import ENTRANCE, Room
from assay.agents.cafe_scene import Scene, docked, held, stands_on
from assay.core.symbols import Parameter, Predicate, Step
from assay.perception.predicates import StatePredicate


@dataclass(frozen=True, slots=True)
class Setting:
    """A vocabulary, a robot of a certain skill, and where it begins."""

    predicates: tuple[StatePredicate, ...]
    capabilities: Mapping[str, Mapping[str, str]]
    objects: Callable[[Room], dict[str, str]]
    do: Callable[[Robot, Step, random.Random], str]
    """Carries a capability out; returns why not, or nothing."""
    handling: Handling
    begin: Callable[[Room], tuple[float, float, float]]


def _said(name: str, holds: Callable[..., bool], **parameters: str) -> StatePredicate:
    typed = tuple(Parameter(f"?{parameter}", (kind,)) for parameter, kind in parameters.items())
    return StatePredicate(Predicate(name, typed), holds)


def _nowhere(scene: Scene) -> bool:
    return not any(docked(scene, place) for place in scene.room.places)


def _empty(scene: Scene) -> bool:
    return not any(held(scene, can) for can in scene.cans)


def _serve(robot: Robot, step: Step, rng: random.Random) -> str:
    match step.action, *step.args:
        case "move", source, destination, _:
            return robot.move(source, destination)
        case "grasp", _, place, can, _:
            return robot.pick(can, place, rng)
        case "put", _, place, can, _:
            return robot.put(can, place, rng)
        case _, place, _:
            return robot.appear(place)
    raise AssertionError(step)


def _fetch(robot: Robot, step: Step, rng: random.Random) -> str:
    one, other = step.args
    match step.action:
        case "move":
            return robot.move(one, other)
        case "pick-item":
            return robot.pick(other, one, rng)
        case _:
            return robot.put(other, one, rng)


_GRASPING = {"gripper": "gripper", "location": "location", "can": "can", "robot": "robot"}

SETTINGS: dict[str, Setting] = {
    "server": Setting(
        predicates=(
            _said(
                "robot-at", lambda scene, _, place: docked(scene, place), robot="robot", location="location"
            ),
            _said("nowhere", lambda scene, _: _nowhere(scene), robot="robot"),
            _said("empty", lambda scene, _: _empty(scene), gripper="gripper"),
            _said("holding", lambda scene, _, can: held(scene, can), gripper="gripper", can="can"),
            _said("at", stands_on, can="can", location="location"),
        ),
        capabilities={
            "move": {"from": "location", "to": "location", "robot": "robot"},
            "grasp": _GRASPING,
            "put": _GRASPING,
            "teleport": {"location": "location", "robot": "robot"},
        },
        objects=lambda room: {
            "robot": "robot",
            "gripper": "gripper",
            **dict.fromkeys(room.places, "location"),
            **dict.fromkeys(room.cans, "can"),
        },
        do=_serve,
        handling=Handling(aim=0.004, friction=0.34, spread=0.12),
        begin=lambda room: ENTRANCE,
    ),
    "pick-item": Setting(
        predicates=(
            _said("robot-at", docked, location="location"),
            _said("empty-arm", _empty),
            _said("has-charge", lambda scene: scene.powered),
            _said(
                "at", lambda scene, place, can: stands_on(scene, can, place), location="location", item="item"
            ),
            _said("holding", held, item="item"),
        ),
        capabilities={
            "pick-item": {"location": "location", "item": "item"},
            "place-item": {"location": "location", "item": "item"},
            "move": {"source": "location", "destination": "location"},
        },
        objects=lambda room: {
            **dict.fromkeys(room.places, "location"),
            **dict.fromkeys(room.cans, "item"),
        },
        do=_fetch,
        handling=Handling(aim=0.0171, friction=0.39, spread=0.12),
        begin=lambda room: room.place(room.places[0]).dock,
    ),
}
