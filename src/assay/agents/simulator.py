"""A simulator as an agent: low-level states, seen through predicates, and simulator calls as actions.

A `Simulator` is `reset` and `step`; if it also has `snapshot` and `restore`, questions may start in every
abstract state it has passed through (start `visited`), else only in those that a reset gives (`reset`). The
first snapshot of an abstract state is kept and every later question from there starts in it, so that a
vocabulary too coarse to tell two low-level states apart shows up as a contradiction between a run that was
passing through and one that started there.

The simulator makes promises: the same seed resets to the same state, a snapshot restores what was there, a
refused step changes nothing, static predicates do not change. Where one is seen to be broken, `AgentError`
says which, and by what; `check_agent` looks for the rest. That the same step turns out the same, nobody
vouches for: an assessment asks some questions twice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, cast

from assay.core.policy import PolicyQuery, Trace, follow
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, Start
from assay.core.symbols import ActionHeader, Object, Parameter, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError, InputError
from assay.perception.abstraction import Abstraction
from assay.perception.predicates import StatePredicate

S_co = TypeVar("S_co", covariant=True)
Headers = Mapping[str, Iterable[str] | Mapping[str, str]] | Iterable[ActionHeader]
"""Actions, as `Vocabulary.of` takes them or ready made."""
Objects = Mapping[str, str]
"""The things in a world: names, and their types."""


class Simulator(Protocol[S_co]):
    """A world that can be reset and acted in; `S_co` is its low-level state, of any kind.

    It may also have `snapshot() -> object` and `restore(snapshot) -> S`, `picture() -> bytes` (a PNG of the
    present state), `reseed(int)` (what it draws at random, it draws from this from now on) and `close()`.
    """

    def reset(self, seed: int, /) -> S_co: ...

    def step(self, action: Step, /) -> S_co | None:
        """The state afterwards; None if the action is refused, and then nothing has changed."""


class _Rewindable(Simulator[S_co], Protocol):
    def snapshot(self) -> object: ...

    def restore(self, snapshot: Any, /) -> S_co: ...


class SimulatorAgent:
    """An agent whose states are a simulator's, seen through predicates.

    `actions` maps names to parameters, as `Vocabulary.of` takes them, or lists headers. `objects` maps names
    to types, or is a function of the first state that returns such a mapping. `types` is as in
    `Vocabulary.of`; by default, the objects' types. Each of the `seeds` gives an initial state. A simulator
    is `stochastic` if the same step may turn out differently; if it can be reseeded, it draws each run of a
    policy from `chance` and the numbers of question and run.
    """

    def __init__(
        self,
        simulator: Simulator[Any],
        *,
        predicates: Iterable[StatePredicate],
        actions: Headers,
        objects: Objects | Callable[[Any], Objects],
        seeds: Iterable[int] = (0,),
        types: Mapping[str, str] | Iterable[str] | None = None,
        name: str = "agent",
        stochastic: bool = False,
        chance: int = 0,
    ) -> None:
        predicates, seeds = tuple(predicates), tuple(seeds)
        for perceived in predicates:
            if not isinstance(perceived, StatePredicate):
                raise InputError(f"{perceived!r} is not a predicate; write @predicate above the function")
        if not seeds:
            raise InputError("a simulator needs at least one seed to start from")
        self._simulator, self._chance, self.stochastic = simulator, chance, stochastic
        self.may_vary = self.tells_states = True
        rewinds = all(callable(getattr(simulator, method, None)) for method in ("snapshot", "restore"))
        self._rewindable = cast(_Rewindable[Any], simulator) if rewinds else None
        self.start = Start.VISITED if rewinds else Start.RESET
        things = _listed(objects, _call(simulator.reset, seeds[0]))
        self.vocabulary = _vocabulary(predicates, actions, things, types, name)
        self.objects = tuple(Object(thing, kind) for thing, kind in things.items())
        self._universe = Universe(self.vocabulary, self.objects)
        self._abstraction = Abstraction(self._universe, predicates)
        self._initial: dict[int, int] = {}
        """The seed that leads to each initial state."""
        self._snapshots: dict[int, object] = {}
        self._ways: dict[int, tuple[int, tuple[Step, ...]]] = {}
        """Without snapshots: the seed and the steps that first led to each state."""
        for seed in seeds:
            low = _call(simulator.reset, seed)
            if (found := _listed(objects, low)) != things:
                change = _difference(map(" - ".join, things.items()), map(" - ".join, found.items()))
                raise InputError(f"seed {seed} gives other objects than seed {seeds[0]}: {change}")
            bits = self._abstraction.bits(low, self._abstraction.static(low))
            self._initial.setdefault(bits, seed)
            self._keep(bits, bits, ())

    @property
    def atoms(self) -> int:
        """How many ground atoms are looked at after each step."""
        return self._abstraction.size

    def ask(self, query: PlanQuery, /) -> Response:
        for step in query.plan:
            self._universe.check_step(step)
        run = self._begin(query.state)
        if isinstance(run, Invalid):
            return run
        universe, states = query.state.universe, list[State]()
        for step in query.plan:
            if not self._execute(run, step):
                break
            states.append(self._outside(run.bits, universe))
        self._check_static(run)
        return PlanResponse(len(states), self._outside(run.bits, universe), tuple(states))

    def rollout(self, query: PolicyQuery, number: int, run: int, /) -> Trace | Invalid:
        universe = query.state.universe
        for _, step in query.policy:
            self._universe.check_step(step)
        begun = self._begin(query.state)
        if isinstance(begun, Invalid):
            return begun
        if callable(reseed := getattr(self._simulator, "reseed", None)):
            _call(reseed, random.Random(f"{self._chance} {number} {run}").getrandbits(32))

        def after(state: State, step: Step) -> State | None:
            return self._outside(begun.bits, universe) if self._execute(begun, step) else None

        trace = follow(query, after)
        self._check_static(begun)
        return trace

    def _execute(self, run: _Run, step: Step) -> bool:
        """Whether the step ran; the run then is where it led."""
        after = _call(self._simulator.step, step)
        if after is None:
            self._check_refusal(run.bits, run.low, step)
            return False
        run.done.append(step)
        run.low, run.bits = after, self._abstraction.bits(after, run.static)
        self._keep(run.bits, run.began, run.done)
        return True

    def _check_static(self, run: _Run) -> None:
        if drift := self._abstraction.drift(run.low, run.static):
            change = self._change(run.static, run.static ^ drift)
            raise AgentError(f"a predicate that is declared static has changed: {change}")

    def states(self, count: int, universe: Universe) -> list[State]:
        """The states that the seeds give, each once."""
        return [self._outside(bits, universe) for bits in list(self._initial)[:count]]

    def picture(self, state: State) -> bytes | None:
        """The state as the simulator shows it; None if it shows none or has never been there."""
        draw = getattr(self._simulator, "picture", None)
        if draw is None or (isinstance(self._begin(state), Invalid) and not self._walk_to(state)):
            return None
        shown: bytes = _call(draw)
        return shown

    def close(self) -> None:
        close = getattr(self._simulator, "close", None)
        if callable(close):
            close()

    def _begin(self, state: State) -> _Run | Invalid:
        """Puts the simulator into the state."""
        try:
            bits = self._universe.bits(state)
        except InputError as error:
            return Invalid(str(error))
        if self._rewindable is not None:
            if bits not in self._snapshots:
                return Invalid("the simulator has never been there")
            low = _call(self._rewindable.restore, self._snapshots[bits])
            said = "restore leads to another state than the one its snapshot was taken in"
        else:
            if bits not in self._initial:
                return Invalid("the simulator can only be reset, and no reset leads there")
            low = _call(self._simulator.reset, self._initial[bits])
            said = f"reset({self._initial[bits]}) leads to another state than before"
        found = self._abstraction.bits(low, bits & self._abstraction.static_mask)
        if found != bits:
            raise AgentError(f"{said}: {self._change(bits, found)}")
        return _Run(bits, bits & self._abstraction.static_mask, bits, low)

    def _check_refusal(self, bits: int, low: Any, step: Step) -> None:
        """A refusal returns no state: a snapshot shows the present one; else the last one may be alive."""
        if self._rewindable is not None:
            low = _call(self._rewindable.restore, _call(self._rewindable.snapshot))
        found = self._abstraction.bits(low, bits & self._abstraction.static_mask)
        if found != bits:
            raise AgentError(
                f"step {step} was refused and yet changed the state: {self._change(bits, found)}"
            )

    def _keep(self, bits: int, began: int, done: Sequence[Step]) -> None:
        """Remembers how to get back to the state that the steps led to."""
        if self._rewindable is None:
            if bits not in self._ways:
                self._ways[bits] = self._initial[began], tuple(done)
        elif bits not in self._snapshots:
            self._snapshots[bits] = _call(self._rewindable.snapshot)

    def _walk_to(self, state: State) -> bool:
        """Goes the way that led to the state before, if it still does."""
        try:
            seed, plan = self._ways[bits := self._universe.bits(state)]
        except (InputError, KeyError):
            return False
        low = _call(self._simulator.reset, seed)
        for step in plan:
            if (low := _call(self._simulator.step, step)) is None:
                return False
        return self._abstraction.bits(low, bits & self._abstraction.static_mask) == bits

    def _outside(self, bits: int, universe: Universe) -> State:
        return universe.state(self._universe.atoms(bits))

    def _change(self, before: int, after: int) -> str:
        return _difference(self._universe.texts(before), self._universe.texts(after))


@dataclass
class _Run:
    """Where the simulator is in the course of a question."""

    began: int
    static: int
    bits: int
    low: Any
    """What the simulator says its present state is."""
    done: list[Step] = field(default_factory=list)


def _vocabulary(
    predicates: tuple[StatePredicate, ...],
    actions: Headers,
    objects: Objects,
    types: Mapping[str, str] | Iterable[str] | None,
    name: str,
) -> Vocabulary:
    headers = actions if isinstance(actions, Mapping) else {a.name: _typed(a.parameters) for a in actions}
    return Vocabulary.of(
        predicates={p.name: _typed(p.symbol.parameters) for p in predicates},
        actions=headers,
        types=sorted(set(objects.values())) if types is None else types,
        name=name,
    )


def _typed(parameters: tuple[Parameter, ...]) -> dict[str, str]:
    return {p.name: "|".join(p.types) for p in parameters}


def _listed(objects: Objects | Callable[[Any], Objects], state: Any) -> dict[str, str]:
    found = _call(objects, state) if callable(objects) else objects
    if not isinstance(found, Mapping):
        raise InputError(f"objects are given as a mapping from names to types, not as {found!r}")
    return dict(found)


def _difference(before: Iterable[str], after: Iterable[str]) -> str:
    old, new = set(before), set(after)
    sides = (("now there is", new - old), ("no longer there is", old - new))
    return "; ".join(
        f"{word} " + ", ".join(f"({t})" for t in sorted(texts)) for word, texts in sides if texts
    )


def _call(function: Callable[..., Any], *args: Any) -> Any:
    """Calls what the user wrote; what it raises becomes an `AgentError` that names the call."""
    try:
        return function(*args)
    except AgentError:
        raise
    except Exception as error:
        shown = ", ".join(str(a) for a in args if isinstance(a, int | Step))
        name = getattr(function, "__name__", type(function).__name__)
        said = f"{name}({shown}) raised {type(error).__name__}: {error}"
        raise AgentError(f"the simulator: {said}") from error
