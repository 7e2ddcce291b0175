"""How to speak about BabyAI's worlds: what is said of a moment, and what the bot is asked to do.

An instruction also says where it takes place: `?r` or `?from` is the room that the bot is in, `?to` another
room behind door `?d`, and things are in the room they are said to be in. One that is wrong about this is
refused without asking the bot. With the rooms named, what the bot changes in passing (the door it opens, the
room it ends in) is among the things that the instruction mentions; that is why going to something in this
room and going over to something in another are two capabilities, though BabyAI has one instruction for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assay.core.symbols import Parameter, Predicate, Step
from assay.perception.predicates import StatePredicate

TYPES = {
    "item": "object",
    "toy": "item",
    "ball": "toy",
    "key": "toy",
    "box": "item",
    "door": "object",
    "room": "object",
}
"""Boxes are furniture here: things are put next to them, and they are not carried about."""

CAPABILITIES: dict[str, dict[str, str]] = {
    "go-to": {"x": "item", "r": "room"},
    "go-over-to": {"x": "item", "d": "door", "from": "room", "to": "room"},
    "pick-up": {"x": "toy", "r": "room"},
    "fetch": {"x": "toy", "d": "door", "from": "room", "to": "room"},
    "put-next": {"x": "toy", "y": "box", "r": "room"},
    "bring": {"x": "toy", "y": "box", "d": "door", "from": "room", "to": "room"},
    "open": {"d": "door", "r": "room"},
}


@dataclass(frozen=True, slots=True)
class Scene:
    """What can be said about a moment, in names."""

    bot: str | None
    """The room the bot is in; in a doorway, the one it looks into, and none if it looks at the wall."""
    faced: str | None
    """What is in front of it: an item or a door."""
    held: str | None
    rooms: Mapping[str, str]
    """Where each item on the floor is."""
    doors: Mapping[str, tuple[str, ...]]
    """The rooms on both sides of each door."""
    open: frozenset[str]
    locked: frozenset[str]
    boxed: frozenset[str]
    """Items with a box next to them."""


def _colour(thing: str) -> str:
    return thing.partition("-")[0]


def _said(name: str, holds: Callable[..., bool], static: bool = False, **parameters: str) -> StatePredicate:
    typed = tuple(Parameter(f"?{parameter}", (kind,)) for parameter, kind in parameters.items())
    return StatePredicate(Predicate(name, typed), holds, static)


PREDICATES = (
    _said("robot-at", lambda scene, r: scene.bot == r, r="room"),
    _said("in", lambda scene, x, r: scene.rooms.get(x) == r, x="item", r="room"),
    _said("next-to-box", lambda scene, x: x in scene.boxed, x="toy"),
    _said("carrying", lambda scene, x: scene.held == x, x="toy"),
    _said("hand-empty", lambda scene: scene.held is None),
    _said("facing-item", lambda scene: scene.faced in scene.rooms),
    _said("facing-door", lambda scene: scene.faced in scene.doors),
    _said("open", lambda scene, d: d in scene.open, d="door"),
    _said("locked", lambda scene, d: d in scene.locked, d="door"),
    _said("same-colour", lambda scene, x, d: _colour(x) == _colour(d), static=True, x="item", d="door"),
    _said("door-of", lambda scene, d, r: r in scene.doors[d], static=True, d="door", r="room"),
)


def misplaced(scene: Scene, step: Step) -> str:
    """What the instruction says about places that is not so; of a thing in the hand it can say anything."""
    binding = dict(zip(CAPABILITIES[step.action], step.args, strict=True))
    here = binding.get("from") or binding["r"]
    if scene.bot != here:
        return f"the bot is not in {here}"
    there = binding.get("to", here)
    at = {"x": here if step.action == "bring" else there, "y": there}
    for role, room in at.items():
        thing = binding.get(role)
        if thing is not None and thing != scene.held and scene.rooms.get(thing) != room:
            return f"{thing} is not in {room}"
    for room in (here, there):
        if (door := binding.get("d")) is not None and room not in scene.doors[door]:
            return f"{door} does not lead to {room}"
    return ""
