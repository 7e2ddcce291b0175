"""Any agent as a program that speaks the protocol: `python -m assay.agents.speak SPEC SEED`.

What can run away is run like this: a process can be ended, a thread cannot. Whatever the agent prints goes to
standard error, because standard output is for the protocol only.
"""

from __future__ import annotations

import os
import sys

from assay.agents import wire
from assay.agents.guard import Guard
from assay.agents.open import open_agent
from assay.core.query import Profile, WalkQuery
from assay.core.setting import OFFERED
from assay.core.universe import Universe
from assay.core.visible import visible
from assay.errors import AssayError


def command(spec: str, seed: int) -> list[str]:
    """The program that speaks for the agent."""
    return [sys.executable, "-m", "assay.agents.speak", spec, str(seed)]


def speak(spec: str, seed: int) -> None:
    with os.fdopen(os.dup(1), "wb", buffering=0) as out, open_agent(spec, timeout=None, seed=seed) as agent:
        os.dup2(2, 1)
        profile = Profile.of(agent)
        offered = agent.states(OFFERED, Universe(profile.vocabulary, profile.objects))
        flags = {"stochastic": agent.stochastic, "shows_refusals": agent.shows_refusals}
        _say(out.fileno(), wire.encode_hello(profile, offered, **flags))
        for line in sys.stdin.buffer:
            _say(out.fileno(), _answer(agent, profile, line))


def _answer(agent: Guard, profile: Profile, line: bytes) -> bytes:
    try:
        query = wire.decode_query(line, profile)
        response = agent.walk(query) if isinstance(query, WalkQuery) else agent.ask(query)
        return wire.encode_response(response, query)
    except AssayError as error:
        return wire.encode_error(str(error))


def _say(number: int, message: bytes) -> None:
    rest = memoryview(message + b"\n")
    while rest:
        rest = rest[os.write(number, rest) :]


def main() -> int:
    try:
        speak(sys.argv[1], int(sys.argv[2]))
    except AssayError as error:
        sys.stderr.write(f"{visible(str(error))}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
