"""A vocabulary file: a Python file that says in which words an environment is to be described.

Predicates are functions, so the file is Python; what it may define (`assay init` drafts one):

    environment   an id that Gymnasium knows ("module:Id-v0" imports the module first), or a function
    options       what the environment is made with
    seeds         the seeds to start from; (0,) if left out
    look          a function of the environment and the observation: the low-level state that everything
                  else here gets to see; it must not change later. The observation, if left out
    objects       a mapping from names to types, or a function of the first state that gives one
    types         a mapping from types to the types above them; the objects' types, if left out
    predicates    all functions in the file that are marked with @predicate, if left out
    actions       a mapping from names to a `Press`, or to plain keys
    refused       "unchanged" (if left out), "negative reward", "info NAME", or a function
    after_end     "refuse" (if left out) or "continue"
    save, restore two functions, for an environment that is slow to copy: `save(env)` is all that changes in
                  it, `restore(env, saved)` puts it back; copies are tried if they are left out
"""

from __future__ import annotations

import runpy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.agents.gymnasium import (
    CopyingGymSimulator,
    GymSimulator,
    Press,
    SavingGymSimulator,
    can_be_copied,
    keys_of,
    make,
    refusal,
)
from assay.agents.simulator import SimulatorAgent
from assay.errors import AgentError, AssayError, InputError
from assay.perception.predicates import StatePredicate


def open_gym(path: Path) -> SimulatorAgent:
    """The agent that a vocabulary file describes."""
    words = read_words(path)
    try:
        return gym_agent(words, path.stem.replace("_", "-"))
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def gym_agent(words: Mapping[str, Any], name: str = "agent") -> SimulatorAgent:
    for needed in ("environment", "actions", "objects"):
        if needed not in words:
            raise InputError(f"it does not define {needed!r}")
    actions = presses(words)
    after_end = words.get("after_end", "refuse")
    if after_end not in ("refuse", "continue"):
        raise InputError(f"after_end = {after_end!r}: write 'refuse' or 'continue'")
    predicates = words.get("predicates")
    if predicates is None:
        predicates = [value for value in words.values() if isinstance(value, StatePredicate)]
    env = make(words["environment"], words.get("options", {}))
    keys = keys_of(env)
    for action, press in actions.items():
        strange = [] if callable(press.key) else [key for key in press.keys(()) if key not in keys]
        if strange:
            raise InputError(
                f"action {action!r}: the environment has keys {keys[0]} to {keys[-1]}, not {strange[0]}"
            )
    simulator = _simulator(words, env, actions, after_end == "continue")
    if after_end == "refuse" and all(p.name != "ended" for p in predicates):
        predicates = [*predicates, simulator.ended]
    return SimulatorAgent(
        simulator,
        predicates=predicates,
        actions={action: press.parameters for action, press in actions.items()},
        objects=words["objects"],
        seeds=words.get("seeds", (0,)),
        types=words.get("types"),
        name=name,
    )


def _simulator(
    words: Mapping[str, Any], env: Any, actions: Mapping[str, Press], goes_on: bool
) -> GymSimulator:
    options: dict[str, Any] = {"look": words["look"]} if "look" in words else {}
    options |= {"refused": refusal(words.get("refused", "unchanged")), "goes_on": goes_on}
    if ("save" in words) != ("restore" in words):
        raise InputError("it defines one of 'save' and 'restore'; define both")
    if "save" in words:
        return SavingGymSimulator(env, actions, save=words["save"], restore=words["restore"], **options)
    kind = CopyingGymSimulator if can_be_copied(env, keys_of(env)) else GymSimulator
    return kind(env, actions, **options)


def read_words(path: Path) -> dict[str, Any]:
    """What the file defines."""
    if not path.is_file():
        raise InputError(f"there is no vocabulary file {path}; draft one with 'assay init ENVIRONMENT'")
    try:
        return runpy.run_path(str(path))
    except AssayError:
        raise
    except (Exception, SystemExit) as error:
        raise AgentError(f"{path} raised {type(error).__name__}: {error}") from error


def presses(words: Mapping[str, Any]) -> dict[str, Press]:
    return {action: _press(action, found) for action, found in words["actions"].items()}


def _press(action: str, found: object) -> Press:
    if isinstance(found, Press):
        if found.parameters and found.arguments is None and not callable(found.key):
            raise InputError(f"action {action!r}: it has parameters, so say in `arguments` who took part")
        return found
    if isinstance(found, int) or (isinstance(found, Sequence) and all(isinstance(k, int) for k in found)):
        return Press(found)
    raise InputError(f"action {action!r}: write a key, several keys or a Press, not {found!r}")
