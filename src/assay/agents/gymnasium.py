"""Gymnasium environments as simulators: presses of numbered keys become actions with arguments.

An environment knows only which key was pressed; an action has a name and arguments. Two rules connect them:

- A press is *refused* when the user's rule says so: the state is `unchanged`, the reward is negative, a
  flag in `info` is set, or a function of theirs decides.
- An action with parameters *runs* when what happened is what its arguments say. `Press.arguments` names the
  things that took part in what happened, from the states before and after; a call with other arguments, or
  one for which it returns None, is refused. It describes an outcome and so cannot hold a precondition: when
  the outcome comes about is left for the learner to find out.

Whatever is refused is taken back, by restoring and pressing again what was pressed before, so that the
promise of a `Simulator` holds: a refused step changes nothing.

After `terminated` an environment must not be stepped: the state refuses everything (the atom `ended` says
so), unless the user's file says `after_end = "continue"`. `truncated` is a training schedule, not part of
the world, and ignored; the time limit that registered environments come with is left out.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.core.symbols import Predicate, Step
from assay.errors import AgentError, InputError
from assay.extras import install
from assay.perception.png import png
from assay.perception.predicates import StatePredicate

Key = int | Sequence[int]
Rule = Callable[[Any, Any, float, dict[str, Any]], bool]
"""Whether a press was refused: from the states before and after, the reward and `info`."""
Save = Callable[[Any], Any]
"""What of the environment brings it back to its present state."""
Restore = Callable[[Any, Any], None]
"""Puts the environment back to what was saved."""


@dataclass(frozen=True, slots=True)
class Press:
    """What an action does: a key, or several one after the other, or a function of the arguments."""

    key: Key | Callable[..., Key]
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Names and types."""
    arguments: Callable[[Any, Any], tuple[str, ...] | None] | None = None
    """The things that took part in what happened, from the states before and after."""

    def keys(self, args: tuple[str, ...]) -> tuple[int, ...]:
        key = self.key(*args) if callable(self.key) else self.key
        return tuple(key) if isinstance(key, Sequence) else (key,)


def make(environment: str | Callable[..., Any], options: Mapping[str, Any]) -> Any:
    """The environment, without a time limit of its own."""
    if callable(environment):
        return environment(**options)
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would print a greeting to stdout
    try:
        import gymnasium
    except ImportError:
        raise InputError(f"Gymnasium is not installed; {install('gym')}") from None
    try:
        return gymnasium.make(environment, max_episode_steps=-1, disable_env_checker=True, **options)
    except (gymnasium.error.Error, ModuleNotFoundError, TypeError) as error:
        raise InputError(f"environment {environment!r}: {error}{_advice(environment, error)}") from error


def _advice(environment: str, error: Exception) -> str:
    """Packages register their environments when they are imported, and their names say so."""
    if ":" in environment or type(error).__name__ not in ("NameNotFound", "NamespaceNotFound"):
        return ""
    package = "minigrid" if environment.lower().startswith(("minigrid", "babyai")) else "PACKAGE"
    return f" If it comes with a package of its own, name that too: {package}:{environment}"


def keys_of(env: Any) -> range:
    """The numbers of the environment's keys."""
    space = env.action_space
    if type(space).__name__ != "Discrete":
        raise InputError(f"the environment's actions are not discrete, but {space}")
    return range(int(space.start), int(space.start + space.n))


def refusal(rule: object) -> Rule:
    """The rule that a vocabulary file writes as text, or its own function."""
    if callable(rule):
        return rule
    if rule == "unchanged":
        return lambda before, after, reward, info: same(before, after)
    if rule == "negative reward":
        return lambda before, after, reward, info: float(reward) < 0
    if isinstance(rule, str) and rule.startswith("info "):
        flag = rule.removeprefix("info ").strip()
        return lambda before, after, reward, info: bool(info.get(flag))
    raise InputError(
        f"refused = {rule!r}: write 'unchanged', 'negative reward', 'info NAME' or a function "
        "of the states before and after, the reward and the info"
    )


class GymSimulator:
    """Resets and presses; undoes by resetting and pressing again."""

    def __init__(
        self,
        env: Any,
        presses: Mapping[str, Press],
        *,
        refused: Rule,
        look: Callable[[Any, Any], Any] = lambda env, observation: copy.deepcopy(observation),
        goes_on: bool = False,
    ) -> None:
        self._env, self._presses, self._rule, self._look = env, presses, refused, look
        self._goes_on = goes_on
        self._base: Any = 0
        """What was last reset to or restored."""
        self._pressed: list[int] = []
        """Keys pressed since."""
        self._seen: Any = None
        self.over = False

    @property
    def ended(self) -> StatePredicate:
        """The predicate that says that the episode is over."""
        return StatePredicate(Predicate("ended"), lambda state: self.over)

    def reset(self, seed: int, /) -> Any:
        observation, _ = self._env.reset(seed=seed)
        self._base, self._pressed, self.over = seed, [], False
        self._seen = self._look(self._env.unwrapped, observation)
        return self._seen

    def step(self, action: Step, /) -> Any:
        press, mark, before = self._presses[action.action], self._mark(), self._seen
        if all(self._press(key) for key in press.keys(action.args)):
            found = action.args if press.arguments is None else press.arguments(before, self._seen)
            if found is not None and tuple(found) == action.args:
                return self._seen
        self._take_back(mark)
        return None

    def picture(self) -> bytes:
        frame = self._copy().render()
        if frame is None or not hasattr(frame, "shape"):
            raise AgentError('the environment draws nothing; write options = {"render_mode": "rgb_array"}')
        return png(frame)

    def close(self) -> None:
        self._env.close()

    def _press(self, key: int) -> bool:
        if self.over and not self._goes_on:
            return False
        before = self._seen
        observation, reward, over, _, info = self._env.step(key)
        self._pressed.append(key)
        self._seen, self.over = self._look(self._env.unwrapped, observation), bool(over)
        return not self._rule(before, self._seen, reward, info)

    def _mark(self) -> Any:
        """The present state, to come back to."""
        return len(self._pressed)

    def _take_back(self, mark: Any) -> None:
        if len(self._pressed) > mark:
            keys = self._pressed[:mark]
            self._return()
            for key in keys:
                self._press(key)

    def _return(self) -> None:
        self.reset(self._base)

    def _copy(self) -> Any:
        return self._env


@dataclass(frozen=True, slots=True)
class _Copy:
    env: Any
    seen: Any
    over: bool


class CopyingGymSimulator(GymSimulator):
    """The same for environments that can be copied: a snapshot is a deep copy.

    A copy takes the environment's generator of random numbers along, which would make the same chance happen
    every time: so each time another one is put in, and chance shows as answers that contradict each other.
    """

    _restored = 0

    def snapshot(self) -> _Copy:
        if isinstance(self._base, _Copy) and not self._pressed:
            return self._base
        return _Copy(self._copy(), self._seen, self.over)

    def restore(self, snapshot: _Copy, /) -> Any:
        if snapshot is self._base and not self._pressed:
            return self._seen
        self._base, self._pressed = snapshot, []
        self._env, self._seen, self.over = copy.deepcopy(snapshot.env), snapshot.seen, snapshot.over
        self._restored += 1
        if (chance := getattr(self._env.unwrapped, "_np_random", None)) is not None:
            self._env.unwrapped.np_random = type(chance)(type(chance.bit_generator)(self._restored))
        return self._seen

    def _return(self) -> None:
        if isinstance(self._base, _Copy):
            self.restore(self._base)
        else:
            self.reset(self._base)

    def _copy(self) -> Any:
        return copy.deepcopy(self._env)


class SavingGymSimulator(GymSimulator):
    """The same where the vocabulary file says what is to be saved: faster than copies, and smaller."""

    def __init__(
        self, env: Any, presses: Mapping[str, Press], *, save: Save, restore: Restore, **options: Any
    ) -> None:
        super().__init__(env, presses, **options)
        self._save, self._restore = save, restore

    def snapshot(self) -> _Copy:
        return _Copy(self._save(self._env.unwrapped), self._seen, self.over)

    def restore(self, snapshot: _Copy, /) -> Any:
        self._base, self._pressed = snapshot, []
        self._restore(self._env.unwrapped, snapshot.env)
        self._seen, self.over = snapshot.seen, snapshot.over
        return self._seen

    def _mark(self) -> _Copy:
        return self.snapshot()

    def _take_back(self, mark: Any) -> None:
        self.restore(mark)


def can_be_copied(env: Any, keys: Sequence[int], seed: int = 0) -> bool:
    """Whether a copy goes the way of the original, and leaves it alone; tried for two steps of each key."""
    env.reset(seed=seed)
    try:
        for key in (*keys, *keys):
            twin = copy.deepcopy(env)
            after = twin.step(key)
            if not same(after[:3], env.step(key)[:3]):
                return False
            if after[2]:
                env.reset(seed=seed)
    except Exception:  # whatever keeps it from being copied
        return False
    return True


def same(one: Any, other: Any) -> bool:
    """Equality that looks into arrays and containers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if getattr(one, "shape", ()) != getattr(other, "shape", ()):
        return False
    equal = one == other
    return bool(equal.all()) if hasattr(equal, "all") else bool(equal)
