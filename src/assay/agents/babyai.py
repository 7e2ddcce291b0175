"""BabyAI's own bot as the black box: its capabilities are instructions, carried out in the real simulator.

A capability is one of BabyAI's instructions (go to X, pick up X, put X next to Y, open D), given in the world
as it stands to the bot that ships with MiniGrid. The bot sees what a player sees, explores, opens doors on
its way, and acts until the simulator's own verifier is satisfied. Where it raises, gives up or goes round in
circles, the capability is refused and the world is put back.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from traceback import extract_tb
from typing import Any

from assay.agents.babyai_level import VAULT, make_level  # first: it says what to install
from assay.agents.babyai_vocabulary import CAPABILITIES, PREDICATES, TYPES, Scene, misplaced
from assay.agents.simulator import SimulatorAgent
from assay.core.symbols import Step
from assay.errors import InputError
from assay.perception.png import png

# isort: split
from minigrid.core.actions import Actions
from minigrid.envs.babyai.core.verifier import GoToInstr, ObjDesc, OpenInstr, PickupInstr, PutNextInstr
from minigrid.utils.baby_ai_bot import BabyAIBot

STEP_BOUND = 500
"""Moves after which an instruction counts as not carried out: ten times what one was seen to take."""
SEARCH_BOUND = 60
"""Path searches between two moves after which the bot goes round in circles: ten times the usual."""
TILE = 16
"""Pixels of a cell in a picture."""


class BabyAISimulator:
    """A level, and the bot that acts in it; one `step` is one instruction."""

    def __init__(self, level: str = VAULT) -> None:
        self.env = make_level(level)
        self.refusal = ""
        """Why the last instruction was refused."""

    def reset(self, seed: int) -> Scene:
        with redirect_stdout(StringIO()):  # it prints the tries it throws away
            self.env.reset(seed=seed)
        return self.scene()

    def step(self, action: Step) -> Scene | None:
        self.refusal = misplaced(self.scene(), action)
        if self.refusal:
            return None
        before = self.snapshot()
        self.refusal = self._carry_out(_instruction(action))
        if self.refusal:
            self.restore(before)
            return None
        return self.scene()

    def _carry_out(self, instruction: Any) -> str:
        """Lets the bot act; returns what went wrong, or nothing."""
        env = self.env
        env.instrs, env.step_count, env.max_steps = instruction, 0, STEP_BOUND
        instruction.reset_verifier(env)
        bot, action, ended = _BoundedBot(env), None, False
        while not ended:
            try:
                action = bot.replan(action)
            except Exception as error:  # whatever its planner trips over: it has no way of its own to say no
                return f"the bot raised {type(error).__name__} at: {extract_tb(error.__traceback__)[-1].line}"
            _, _, done, ended, _ = env.step(action)
            if done:
                return ""
            if action == env.actions.done:
                return "the bot believes it is done, the simulator does not"
        return f"not done after {STEP_BOUND} moves"

    def wander(self, rng: random.Random, moves: int) -> None:
        """Random moves of the player's own: turns, steps, picking up, dropping, doors; boxes stay shut."""
        env = self.env
        env.step_count, env.max_steps = 0, moves + 1
        for _ in range(moves):
            before = env.grid.get(*env.front_pos)
            at_door = before is not None and before.type == "door"
            env.step(rng.choice([*_MOVES, env.actions.toggle] if at_door else _MOVES))

    def snapshot(self) -> object:
        env = self.env
        cells = tuple(env.grid.grid)
        things = [c for c in (*cells, env.carrying) if c is not None and c.type != "wall"]
        return (
            cells,
            env.carrying,
            tuple(env.agent_pos),
            env.agent_dir,
            tuple((thing, dict(vars(thing))) for thing in things),
        )

    def restore(self, snapshot: Any) -> Scene:
        env = self.env
        cells, env.carrying, env.agent_pos, env.agent_dir, things = snapshot
        env.grid.grid = list(cells)
        for thing, attributes in things:
            vars(thing).update(attributes)
        return self.scene()

    def picture(self) -> bytes:
        return png(self.env.get_frame(highlight=False, tile_size=TILE))

    def close(self) -> None:
        self.env.close()

    def objects(self) -> dict[str, str]:
        """The things of the level and its rooms, by name, with their types."""
        found = {name: thing.type for name, (thing, _) in sorted(self._things().items())}
        rooms = range(1, self.env.num_rows * self.env.num_cols + 1)
        return found | {f"room-{number}": "room" for number in rooms}

    def scene(self) -> Scene:
        env, things = self.env, self._things()
        held = None if env.carrying is None else _name(env.carrying)
        floor = {n: pos for n, (thing, pos) in things.items() if thing.type != "door" and n != held}
        doors = {n: (thing, pos) for n, (thing, pos) in things.items() if thing.type == "door"}
        boxes = [pos for n, pos in floor.items() if things[n][0].type == "box"]
        sides = {n: [(x + i, y + j) for i, j in _NEIGHBOURS] for n, (_, (x, y)) in doors.items()}
        return Scene(
            bot=self._room(tuple(env.agent_pos)) or self._room(tuple(env.front_pos)),
            faced=next((n for n, (_, pos) in things.items() if pos == tuple(env.front_pos)), None),
            held=held,
            rooms={n: room for n, pos in floor.items() if (room := self._room(pos)) is not None},
            doors={
                n: tuple(r for pos in near if (r := self._room(pos)) is not None) for n, near in sides.items()
            },
            open=frozenset(n for n, (door, _) in doors.items() if door.is_open),
            locked=frozenset(n for n, (door, _) in doors.items() if door.is_locked),
            boxed=frozenset(
                n for n, (x, y) in floor.items() if any((x + i, y + j) in boxes for i, j in _NEIGHBOURS)
            ),
        )

    def _things(self) -> dict[str, tuple[Any, tuple[int, int]]]:
        env = self.env
        found: dict[str, tuple[Any, tuple[int, int]]] = {}
        cells = [(cell, (i % env.width, i // env.width)) for i, cell in enumerate(env.grid.grid)]
        for thing, pos in [*cells, (env.carrying, (-1, -1))]:
            if thing is None or thing.type == "wall":
                continue
            if (name := _name(thing)) in found:
                raise InputError(f"this level has two things called {name!r}; choose another seed or level")
            found[name] = thing, pos
        return found

    def _room(self, pos: tuple[int, int]) -> str | None:
        inner = self.env.room_size - 1
        (i, x), (j, y) = divmod(int(pos[0]), inner), divmod(int(pos[1]), inner)
        if not (x and y and 0 <= i < self.env.num_cols and 0 <= j < self.env.num_rows):
            return None
        return f"room-{j * self.env.num_cols + i + 1}"


_MOVES = [Actions.left, Actions.right, *[Actions.forward] * 4, Actions.pickup, Actions.drop]
_NEIGHBOURS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def open_babyai(spec: str) -> SimulatorAgent:
    """The bot in a level: `vault` or the name of a level that MiniGrid registers, and a seed."""
    level, _, seed = spec.partition(":")
    if seed and not seed.isdecimal():
        raise InputError(f"babyai:{spec}: the seed {seed!r} is not a number")
    simulator = BabyAISimulator(level)
    number = int(seed or 0)
    simulator.reset(number)
    return SimulatorAgent(
        simulator,
        predicates=PREDICATES,
        actions=CAPABILITIES,
        objects=simulator.objects(),
        seeds=(number,),
        types=TYPES,
        name=f"babyai-{level.lower()}",
    )


class _BoundedBot(BabyAIBot):  # type: ignore[misc]
    """The bot as it is, but one that goes round in circles without moving is stopped."""

    def replan(self, action_taken: Any = None) -> Any:
        self._searches = 0
        return super().replan(action_taken)

    def _breadth_first_search(self, *args: Any, **kwargs: Any) -> Any:
        self._searches += 1
        if self._searches > SEARCH_BOUND:
            raise RuntimeError("it goes round in circles")
        return super()._breadth_first_search(*args, **kwargs)


def _name(thing: Any) -> str:
    return f"{thing.color}-{thing.type}"


def _instruction(step: Step) -> Any:
    described = [ObjDesc(*reversed(name.split("-"))) for name in step.args[:2] if not name.startswith("room")]
    return _INSTRUCTIONS[step.action](*described)


_INSTRUCTIONS: dict[str, Callable[..., Any]] = {
    "go-to": lambda x: GoToInstr(x),
    "go-over-to": lambda x, d: GoToInstr(x),
    "pick-up": lambda x: PickupInstr(x),
    "fetch": lambda x, d: PickupInstr(x),
    "put-next": lambda x, y: PutNextInstr(x, y),
    "bring": lambda x, y: PutNextInstr(x, y),
    "open": lambda d: OpenInstr(d),
}
