"""Opens an agent from the text that names it: a prefix says of what kind it is, the rest which.

Some kinds are built in; others come from packages, by entry point (see `assay.agents.kinds`).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

from assay.agents.guard import Guard
from assay.agents.http import HttpAgent
from assay.agents.kinds import AgentKind, Opener, kind_of, kinds
from assay.agents.process import ProcessAgent
from assay.agents.python import open_python
from assay.agents.retry import RETRIES
from assay.core.query import Agent
from assay.core.reach import LowLevelAgent, is_low_level
from assay.errors import InputError

RETRIES_VARIABLE, MEMORY_VARIABLE = "ASSAY_RETRIES", "ASSAY_AGENT_MEMORY"

EXAMPLES = {
    "pddl": "pddl:domain.pddl or pddl:domain.pddl,problem.pddl",
    "ppddl": "ppddl:domain.ppddl or ppddl:domain.ppddl,problem.ppddl",
    "sdma": "sdma:driving, or warehouse, responder, elevator, cafe, cafe:pick-item",
    "python": "python:package.module:factory",
    "pddlgym": "pddlgym:doors or pddlgym:sokoban_test:2",
    "image": "image:sokoban or image:doors,problem=1,pixels=20,brightness=0.3,errors=0.02",
    "babyai": "babyai:vault or babyai:LEVEL:SEED",
    "game": "game:zelda:5x6:search, or pasta, escape, snowman with policy-hand, policy-learned",
    "exec": "exec:python3 agent.py",
    "human": "human:vocabulary.pddl or human:vocabulary.pddl,problem.pddl, who is asked at the terminal",
    "http": "http://127.0.0.1:8000",
    "https": "https://example.org/agent",
}
"""How each kind that is built in is written."""


def open_agent(spec: str, *, timeout: float | None, seed: int = 0) -> Guard:
    """The agent, guarded; close it when done, or use it in a `with` block."""
    agent = open_any(spec, timeout=timeout, seed=seed)
    if not isinstance(agent, Guard):
        raise InputError(
            f"{spec} presses keys and answers no questions about plans; 'assay run' describes it"
        )
    return agent


def open_any(spec: str, *, timeout: float | None, seed: int = 0) -> Guard | LowLevelAgent:
    """An agent of either kind; one that answers questions about plans is guarded."""
    prefix, colon, rest = spec.partition(":")
    kind = _kind(prefix) if colon else None
    if kind is None:
        raise InputError(_unknown(spec))
    if not rest:
        raise InputError(f"{spec!r} names no agent; write for example {kind.example}")
    agent = kind.open(rest, timeout, seed)
    if is_low_level(agent):
        return cast(LowLevelAgent, agent)
    try:
        return Guard(cast(Agent, agent), timeout)
    except BaseException:
        close = getattr(agent, "close", None)
        if callable(close):
            close()
        raise


def _open_pddl(rest: str, timeout: float | None, seed: int) -> Agent:
    from assay.agents.pddl import open_pddl

    return open_pddl(*domain_and_problem("pddl", rest), seed)


def _open_ppddl(rest: str, timeout: float | None, seed: int) -> Agent:
    from assay.agents.stochastic import open_ppddl

    return open_ppddl(*domain_and_problem("ppddl", rest), seed)


def _open_sdma(rest: str, timeout: float | None, seed: int) -> Agent:
    if (name := rest.partition(":"))[0] == "cafe":
        from assay.agents.cafe import open_cafe

        return open_cafe(name[2] or "server", seed)
    from assay.agents.stochastic import open_world

    try:
        return open_world(rest, seed)
    except InputError as error:
        raise InputError(f"{error}, cafe, cafe:pick-item") from None


def retries() -> int:
    """How often a question whose answer was lost is asked again; an option of the command line."""
    return _number(RETRIES_VARIABLE) if os.environ.get(RETRIES_VARIABLE) else RETRIES


def memory() -> int | None:
    """Megabytes that a program may take; an option of the command line, too."""
    return _number(MEMORY_VARIABLE) or None


def _number(variable: str) -> int:
    text = os.environ.get(variable, "")
    return int(text) if text.isascii() and text.isdigit() else 0


def domain_and_problem(prefix: str, rest: str) -> tuple[Path, Path | None]:
    """The files that `pddl:` and the like name."""
    domain, *problems = rest.split(",")
    if len(problems) > 1 or not all((domain, *problems)):
        raise InputError(f"{prefix}:{rest}: give one domain and at most one problem")
    return Path(domain), Path(problems[0]) if problems else None


def _open_pddlgym(rest: str, timeout: float | None, seed: int) -> Agent:
    from assay.agents.pddlgym import open_pddlgym

    return open_pddlgym(rest, seed)


def _open_image(rest: str, timeout: float | None, seed: int) -> Agent:
    from assay.agents.image import open_image

    return open_image(rest, seed)


def _open_babyai(rest: str, timeout: float | None, seed: int) -> Agent:
    from assay.agents.babyai import open_babyai

    return open_babyai(rest)


def _open_game(rest: str, timeout: float | None, seed: int) -> LowLevelAgent:
    from assay.games.opening import open_game

    return open_game(rest, seed)


_OPENERS: dict[str, Opener] = {
    "pddl": _open_pddl,
    "ppddl": _open_ppddl,
    "sdma": _open_sdma,
    "python": lambda rest, timeout, seed: open_python(rest),
    "pddlgym": _open_pddlgym,
    "image": _open_image,
    "babyai": _open_babyai,
    "game": _open_game,
    "exec": lambda rest, timeout, seed: ProcessAgent(
        rest, timeout=timeout, memory=memory(), retries=retries()
    ),
    "http": lambda rest, timeout, seed: HttpAgent(f"http:{rest}", timeout=timeout, retries=retries()),
    "https": lambda rest, timeout, seed: HttpAgent(f"https:{rest}", timeout=timeout, retries=retries()),
}


def _kind(prefix: str) -> AgentKind | None:
    if prefix in _OPENERS:
        return AgentKind(EXAMPLES[prefix], _OPENERS[prefix])
    return kind_of(prefix)


def _unknown(spec: str) -> str:
    if spec.endswith(".pddl") and ":" not in spec:
        return f"{spec!r} does not say what it is; write pddl:{spec}"
    if spec.startswith("human:"):
        return f"{spec!r}: people are asked at the terminal, by the command 'assay run' alone"
    examples = (*EXAMPLES.values(), *(kind.example for kind in kinds().values()))
    written = "".join(f"\n    {example}" for example in examples)
    return f"{spec!r} names no kind of agent; write one of{written}"
