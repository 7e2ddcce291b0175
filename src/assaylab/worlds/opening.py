"""Opens a well-known environment by its id: the agent kinds `gym` and `minigrid`.

An address is the id and options: `FrozenLake-v1,map_name=8x8`. `seed=N` is the seed of the reset; all other
options are handed to the environment.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from assay.agents.gym_file import gym_agent, open_gym
from assay.agents.kinds import AgentKind
from assay.agents.simulator import SimulatorAgent
from assay.core.query import Agent
from assay.errors import InputError

TOY_WORLDS = {"CliffWalking-v1": "cliff_walking", "FrozenLake-v1": "frozen_lake", "Taxi-v4": "taxi"}
"""Environments of Gymnasium, and the module that has the words."""
MOVES, HANDS = ("left", "right", "forward"), ("pick-up", "drop", "toggle")
MINIGRID = {
    "DistShift": MOVES,
    "DoorKey": (*MOVES, *HANDS),
    "Empty": MOVES,
    "KeyCorridor": (*MOVES, *HANDS),
    "LavaGap": MOVES,
    "Unlock": (*MOVES, *HANDS),
}
"""Families of MiniGrid levels that the words of `minigrid` are enough for, with the actions of use there."""


def world_words(world: str) -> dict[str, Any]:
    """The vocabulary file of `KIND:ADDRESS`, with the environment, its options and its seed put in."""
    kind, _, address = world.partition(":")
    name, *texts = address.split(",")
    options = dict(_option(text) for text in texts)
    seed = options.pop("seed", 0)
    words = _words(kind, name)
    return {
        **words,
        "environment": _environment(kind, name),
        "options": {"render_mode": "rgb_array", **words.get("options", {}), **options},
        "seeds": (seed,),
    }


def _environment(kind: str, name: str) -> str:
    return name if kind == "gym" else f"{kind}:{name}"


def _words(kind: str, name: str) -> dict[str, Any]:
    if kind == "gym" and name in TOY_WORLDS:
        return vars(import_module(f"assaylab.worlds.words.{TOY_WORLDS[name]}"))
    if kind == "minigrid" and (family := _family(name)):
        words = vars(import_module("assaylab.worlds.words.minigrid"))
        return words | {"actions": {a: words["actions"][a] for a in MINIGRID[family]}}
    known = sorted(TOY_WORLDS) if kind == "gym" else [f"MiniGrid-{family}..." for family in MINIGRID]
    environment = _environment(kind, name)
    raise InputError(
        f"{kind}:{name}: there are words for {', '.join(known)}; for another environment write a vocabulary "
        f"file (assay init {environment} drafts one) and open it with gym:FILE.py"
    )


def _family(name: str) -> str:
    """`DoorKey` for `MiniGrid-DoorKey-5x5-v0`; nothing for a family without words, as `UnlockPickup`."""
    level = name.removeprefix("MiniGrid-").partition("-")[0].rstrip("RS0123456789")
    return level if level in MINIGRID else ""


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InputError(f"{text!r} is no option of a world; write NAME=VALUE")
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    try:
        return name, int(value)
    except ValueError:
        return name, value


def open_world(world: str) -> SimulatorAgent:
    name = world.partition(":")[2].partition(",")[0]
    return gym_agent(world_words(world), name.lower())


def _open_gym(rest: str, timeout: float | None, seed: int) -> Agent:
    path = Path(rest)
    return open_gym(path) if path.suffix == ".py" or path.is_file() else open_world(f"gym:{rest}")


def _open_minigrid(rest: str, timeout: float | None, seed: int) -> Agent:
    return open_world(f"minigrid:{rest}")


GYM = AgentKind("gym:FrozenLake-v1, or gym:vocabulary.py, drafted by assay init", _open_gym)
MINIGRID_KIND = AgentKind("minigrid:MiniGrid-DoorKey-5x5-v0 or minigrid:LEVEL,seed=3", _open_minigrid)
