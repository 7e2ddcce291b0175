"""Do our simulator and PDDLGym's own agree? Random walks, step by step, environment by environment.

Half of the steps are drawn from those that run here, the other half at random (most are refused). After
each, both simulators must have refused, or be in the same state. A call of PDDLGym that merely names an
action leaves open which operator runs and on what: there, its state must be one that some step with this
call leads to.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from multiprocessing.connection import Connection

from assay.agents.pddlgym import Environment, Original, read_environment
from assay.core.execution import Execution
from assay.core.symbols import Atom, Step
from assay.core.universe import State, Universe
from assay.errors import InputError
from assay.planning.applicable import Applicable

TRIES = 300_000
"""Ways to fill in what a call leaves open, at most."""


@dataclass(frozen=True)
class Agreement:
    environment: str
    steps: int = 0
    refused: int = 0
    """Steps that both refused."""
    seconds: float = 0.0
    """Nearly all of it in PDDLGym."""
    disagreement: str = ""
    refusal: str = ""
    """Why the environment is outside our language, or does not run in PDDLGym itself."""

    @property
    def agrees(self) -> bool:
        return bool(self.steps) and not self.disagreement and not self.refusal


def compare(name: str, steps: int, seed: int = 0, seconds: float = 60.0) -> Agreement:
    """A random walk of so many steps in both simulators, cut off when PDDLGym has taken too long.

    PDDLGym runs in a process of its own: one of its steps may take hours.
    """
    try:
        read_environment(name)
    except InputError as error:
        return Agreement(name, refusal=str(error))
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, name, steps, seed), daemon=True)
    process.start()
    sender.close()
    found = Agreement(name, refusal=f"PDDLGym itself has not taken one step in {seconds:g} s")
    deadline = time.monotonic() + seconds
    with contextlib.suppress(EOFError):
        while receiver.poll(max(0.0, deadline - time.monotonic())):
            found = receiver.recv()
    process.kill()
    process.join()
    return found


def _send(sender: Connection, name: str, steps: int, seed: int) -> None:
    for agreement in walk(name, steps, seed):
        sender.send(agreement)
    sender.close()


def walk(name: str, steps: int, seed: int = 0) -> Iterator[Agreement]:
    """What is known after each step of a random walk in both simulators, up to the first disagreement."""
    environment = read_environment(name)
    began = time.perf_counter()
    original = Original(environment)
    try:
        theirs: frozenset[Atom] | None = original.reset()
    except Exception as error:
        yield Agreement(name, refusal=f"PDDLGym itself raises {type(error).__name__}: {error}")
        return
    ours = _Walk(environment, random.Random(seed))
    if theirs != ours.atoms:
        yield Agreement(
            name, disagreement=f"initial states differ in {_difference(theirs or (), ours.atoms)}"
        )
        return
    refused = 0
    for number, step in enumerate(islice(ours, steps), start=1):
        binding = environment.model.vocabulary.action[step.action].bind(step.args)
        call = environment.calls[step.action].substitute(binding)
        try:
            theirs = original.step(call)
        except Exception as error:
            said = f"PDDLGym itself raises {type(error).__name__} at step {number}: {error}"
            yield Agreement(name, number - 1, refused, time.perf_counter() - began, refusal=said)
            return
        refused += theirs is None
        fault = ours.follow(step, call, theirs)
        yield Agreement(name, number, refused, time.perf_counter() - began, fault)
        if fault:
            return


class _Walk:
    """Our side: proposes steps, and goes where PDDLGym went, if it may go there."""

    def __init__(self, environment: Environment, rng: random.Random) -> None:
        self._calls, self._rng = environment.calls, rng
        self._universe = Universe(environment.model.vocabulary, environment.objects)
        self._execution = Execution(environment.model, self._universe)
        self._applicable = Applicable(self._execution, constants=True)
        self._bits = self._universe.bits(sorted(environment.initial))

    @property
    def atoms(self) -> frozenset[Atom]:
        return frozenset(State(self._universe, self._bits))

    def __iter__(self) -> Iterator[Step]:
        while True:
            drawn = self._applicable.draw(self._bits, self._rng) if self._rng.random() < 0.5 else None
            step = drawn[0] if drawn is not None else self._random()
            if step is not None:
                yield step

    def follow(self, step: Step, call: Atom, theirs: frozenset[Atom] | None) -> str:
        """What is wrong with where PDDLGym went; nothing if it may go there."""
        here, ours = self._bits, self._execution.apply(self._bits, step)
        if theirs is None:
            return "" if ours is None else f"{step} runs here, PDDLGym refuses {call}"
        there = self._universe.bits(sorted(theirs))
        self._bits = there
        if ours == there:
            return ""
        if any(self._execution.apply(here, other) == there for other in self._ways(call)):
            return ""
        if ours is None:
            return f"PDDLGym runs {call}, which no step here does"
        expected = State(self._universe, ours)
        return f"after {step} the states differ in {_difference(theirs, expected)}"

    def _random(self) -> Step | None:
        header = self._rng.choice(self._universe.vocabulary.actions)
        args: list[str] = []
        for parameter in header.parameters:
            fitting = [n for n in self._fitting(parameter.types) if n not in args]
            if not fitting:
                return None
            args.append(self._rng.choice(fitting))
        return Step(header.name, tuple(args))

    def _ways(self, call: Atom) -> Iterator[Step]:
        """The steps that the call may mean; one object may fill two places, as it may in PDDLGym."""
        for header in self._universe.vocabulary.actions:
            named = self._calls[header.name]
            if named.predicate == call.predicate:
                known = dict(zip(named.args, call.args, strict=True))
                choices = [
                    [known[p.name]] if p.name in known else self._fitting(p.types) for p in header.parameters
                ]
                for args in islice(product(*choices), TRIES):
                    yield Step(header.name, args)

    def _fitting(self, types: tuple[str, ...]) -> list[str]:
        fits = self._universe.vocabulary.fits
        return [o.name for o in self._universe.objects if fits(o.type, types)]


def _difference(first: Iterable[Atom], second: Iterable[Atom]) -> str:
    return ", ".join(sorted(map(str, set(first) ^ set(second))))
