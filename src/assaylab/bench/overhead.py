"""What assay adds to a simulator: time per step of the bare environment, and through the agent.

A plan of steps that all run is found by pressing keys at random and naming what happened. The same presses
are then timed in the bare environment and as one question to the agent, once with every state new (each gets
a snapshot) and then with all of them known. Best of several, because machines have other things to do.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.agents.gym_file import gym_agent, presses
from assay.agents.gymnasium import make, refusal
from assay.core.query import PlanQuery, PlanResponse
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.errors import InputError
from assaylab.worlds.opening import world_words

REPEATS = 5


@dataclass(frozen=True, slots=True)
class Overhead:
    """Microseconds per step."""

    world: str
    steps: int
    atoms: int
    """Ground atoms that are looked at after each step."""
    bare: float
    known: float
    """Through the agent, all states known."""
    new: float
    """Through the agent, each new state with its snapshot."""
    refusal: float
    """One question whose only step is refused."""

    @property
    def overhead(self) -> float:
        return self.known - self.bare


def measure(world: str, steps: int, seed: int = 0) -> Overhead:
    words = world_words(world)
    plan, keys = _effective(words, steps, random.Random(seed))
    env = make(words["environment"], words.get("options", {}))
    agent = gym_agent(words)
    universe = Universe(agent.vocabulary, agent.objects)
    first = agent.states(1, universe)[0]

    def press() -> None:
        env.reset(seed=words.get("seeds", (0,))[0])
        for key in keys:
            env.step(key)

    def ask(asked: tuple[Step, ...]) -> int:
        answer = agent.ask(PlanQuery(first, asked))
        return answer.steps if isinstance(answer, PlanResponse) else -1

    began = time.perf_counter()
    if ask(plan) != len(plan):
        raise InputError(f"{world}: pressed again, the same keys went another way")
    new = time.perf_counter() - began
    refused = next(step for step in plan if ask((step,)) == 0)
    return Overhead(
        world,
        len(plan),
        agent.atoms,
        _best(press) / len(plan) * 1e6,
        _best(lambda: ask(plan)) / len(plan) * 1e6,
        new / len(plan) * 1e6,
        _best(lambda: ask((refused,))) * 1e6,
    )


def _best(call: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def _effective(
    words: Mapping[str, Any], count: int, rng: random.Random
) -> tuple[tuple[Step, ...], list[int]]:
    """Steps that run one after the other from the first seed, and the keys that they press."""
    env, look = make(words["environment"], words.get("options", {})), words["look"]
    rule = refusal(words.get("refused", "unchanged"))
    actions = [
        (name, press.key, press) for name, press in presses(words).items() if isinstance(press.key, int)
    ]
    plan: list[Step] = []
    keys: list[int] = []
    before: Any = None
    for _ in range(50 * count):
        if before is None:
            observation, _ = env.reset(seed=words.get("seeds", (0,))[0])
            plan, keys, before = [], [], look(env.unwrapped, observation)
        key = rng.choice(sorted({key for _, key, _ in actions}))
        observation, reward, over, _, info = env.step(key)
        after = look(env.unwrapped, observation)
        if not rule(before, after, reward, info):
            named = [
                (name, p.arguments(before, after) if p.arguments else ())
                for name, k, p in actions
                if k == key
            ]
            found = [Step(name, args) for name, args in named if args is not None]
            if not found or over:
                before = None
                continue
            plan.append(found[0])
            keys.append(key)
        before = after
        if len(plan) == count:
            return tuple(plan), keys
    raise InputError(f"no {count} steps that run were found by pressing keys at random")
