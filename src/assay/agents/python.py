"""An agent that is a Python object, named as `package.module:factory`.

The current directory is put on the import path and stays there: the agent may import more later. What is
named may be an agent, or a class or function that makes one when called without arguments; an agent of either
kind, that answers questions about plans or that presses keys (`core.reach`).
"""

from __future__ import annotations

import importlib
import os
import sys
from functools import reduce
from typing import cast

from assay.agents.guard import check_profile
from assay.agents.malformed import shorten
from assay.core.query import Agent
from assay.core.reach import LowLevelAgent, is_low_level
from assay.errors import AgentError, InputError


def open_python(spec: str) -> Agent | LowLevelAgent:
    module_name, colon, attribute = spec.partition(":")
    if not (colon and attribute and all(part.isidentifier() for part in module_name.split("."))):
        raise InputError(f"{spec!r}: write a module and what it holds, for example 'package.module:factory'")
    if (here := os.getcwd()) not in sys.path:
        sys.path.insert(0, here)
    module = _import(module_name)
    try:
        found: object = reduce(getattr, attribute.split("."), module)
    except AttributeError as error:
        raise InputError(f"module {module_name!r} has no {attribute!r}") from error
    if isinstance(found, type) or (callable(found) and not _looks_like_agent(found)):
        try:
            found = found()
        except (Exception, SystemExit) as error:
            raise AgentError(
                f"calling {spec!r} raised {type(error).__name__}: {shorten(str(error), 500)}"
            ) from error
    if is_low_level(found):
        return cast(LowLevelAgent, found)
    try:
        check_profile(found)
    except AgentError as error:
        raise InputError(f"{spec!r} gives an object of type {type(found).__name__}: {error}") from error
    return cast(Agent, found)


def _import(name: str) -> object:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            raise InputError(
                f"there is no module {error.name!r} in the current directory or on the Python path"
            ) from error
        raise InputError(f"module {name!r} needs module {error.name!r}, which is not installed") from error
    except (Exception, SystemExit) as error:
        raise AgentError(
            f"importing {name!r} raised {type(error).__name__}: {shorten(str(error), 500)}"
        ) from error


def _looks_like_agent(found: object) -> bool:
    return is_low_level(found) or (hasattr(found, "vocabulary") and hasattr(found, "ask"))
