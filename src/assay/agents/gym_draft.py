"""Drafts a vocabulary file for an environment, by looking at it and pressing its keys at random.

What can be put into words without knowing what it means: *parts* of the state that take few values, found in
the observation (discrete components, signs of real numbers) and in the environment's own attributes. Each
part becomes a type whose objects are the values seen, and a predicate. Each key becomes an action whose
arguments are the values it depends on and those it changed; which changes it can bring about is written down
as a table, for the user to replace by what the table means. A key after which the same press goes two ways
from the same values changes something that the parts do not show; it is drafted, but commented out.

So the file runs as it is, in the part of the world that was seen, and says in comments what to do next.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from keyword import iskeyword
from numbers import Integral, Real
from typing import Any

from assay.agents.gymnasium import keys_of, make
from assay.errors import InputError

_WALK = 400
_EPISODE = 40
_VALUES = 16
"""More values than this in one part are too many to name."""
_PARTS = 3

_TAKEN = {
    *("environment", "options", "seeds", "look", "objects", "types", "predicates", "actions", "refused"),
    *("after_end", "state", "word", "predicate", "took_part"),
}
"""Names that a vocabulary file uses itself."""

Parts = dict[str, str]
"""The value of each part of a state, as a name."""


@dataclass(frozen=True, slots=True)
class Pressed:
    before: Parts
    key: int
    after: Parts
    ended: bool
    age: int
    """Presses since the reset."""


@dataclass(frozen=True, slots=True)
class Change:
    """One kind of thing that a key brings about: from the values it depends on to those it changes."""

    action: str
    key: int
    depends: tuple[str, ...]
    changed: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]

    @property
    def parameters(self) -> dict[str, str]:
        return {part: part for part in self.depends} | {f"new_{part}": part for part in self.changed}


@dataclass(frozen=True, slots=True)
class Draft:
    environment: str
    draws: bool
    parts: dict[str, str]
    """The chosen parts, and how each is read off the environment and the observation."""
    values: dict[str, list[str]]
    changes: list[Change]
    left_out: dict[str, str]
    """Keys without an action, and why."""
    others: list[str]
    """What else the environment shows."""


def draft(environment: str) -> Draft:
    env = make(environment, {})
    keys = _key_names(env)
    observed = {_identifier(name) for name, _, _ in _components("observation", "", env.reset(seed=0)[0])}
    chosen = _choose(_walk(env, list(keys)), observed)
    sound: list[int] = []
    left_out: dict[str, str] = {}
    for key, name in keys.items():
        if _consistent(_walk(env, [*sound, key]), chosen):
            sound.append(key)
        else:
            left_out[name] = "after it, the same press goes two ways from the same values"
    if not sound:
        sound, left_out = list(keys), {}
    walk = _walk(env, sound)
    changes: list[Change] = []
    for key in sound:
        found = list(_changes(walk, key, keys[key], chosen))
        changes += found
        if not found:
            left_out[keys[key]] = "it was never seen to change any of these values"
    sources = _sources(env, env.reset(seed=0)[0])
    draws = "rgb_array" in env.metadata.get("render_modes", ())
    env.close()
    values = {p: sorted({s[p] for seen in walk for s in (seen.before, seen.after)}) for p in chosen}
    others = [
        f"{code} ({type(value).__name__})" for name, (code, value) in sources.items() if name not in chosen
    ]
    parts = {part: sources[part][0] for part in chosen}
    return Draft(environment, draws, parts, values, changes, left_out, others)


def word(part: str, value: Any) -> str:
    """A value of a part as an object's name: ("agent_pos", (1, 2)) is agent-pos-1-2."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Enum):
        said = value.name
    elif value is None or isinstance(value, bool | str):
        said = str(value).lower()[:40]
    elif isinstance(value, Integral):
        said = str(int(value)).replace("-", "minus-")
    elif isinstance(value, Real):
        said = "negative" if value < 0 else "not-negative"
    elif isinstance(value, tuple | list) and len(value) <= 3 and all(isinstance(v, Integral) for v in value):
        said = "-".join(str(int(v)).replace("-", "minus-") for v in value)
    else:
        said = type(value).__name__.lower()
    name = re.sub(r"[^A-Za-z0-9]+", "-", said).strip("-") or "empty"
    return f"{part.replace('_', '-')}-{name}"


def _sources(env: Any, observation: Any) -> dict[str, tuple[str, Any]]:
    """Everything that may be part of a state: how to get at it, and what it is now."""
    found: dict[str, tuple[str, Any]] = {}
    for name, code, value in _components("observation", "observation", observation):
        found.setdefault(_identifier(name), (code, value))
    for name, value in sorted(vars(env.unwrapped).items()):
        if not name.startswith("_") and not callable(value):
            found.setdefault(_identifier(name), (f"env.{name}", value))
    return found


def _components(name: str, code: str, value: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _components(str(key), f"{code}[{key!r}]", inner)
    elif isinstance(value, tuple):
        for number, inner in enumerate(value):
            yield from _components(f"{name}_{number}", f"{code}[{number}]", inner)
    elif getattr(value, "ndim", 0) == 1 and value.size <= 12:
        for number, inner in enumerate(value.tolist()):
            yield f"{name}_{number}", f"{code}[{number}]", inner
    else:
        yield name, code, value


def _identifier(text: str) -> str:
    name = re.sub(r"\W+", "_", text).strip("_").lower()
    return name if name[:1].isalpha() and name not in _TAKEN and not iskeyword(name) else f"part_{name}"


def _key_names(env: Any) -> dict[int, str]:
    """The keys, with the environment's own names for them if it has an enumeration of them."""
    names = {key: f"press-{key}" for key in keys_of(env)}
    for value in vars(env.unwrapped).values():
        if isinstance(value, type) and issubclass(value, Enum):
            members = {m.value: m.name for m in value if isinstance(m.value, int)}
            if set(members) == set(names):
                return {key: _identifier(members[key]).replace("_", "-") for key in names}
    return names


def _walk(env: Any, keys: list[int]) -> list[Pressed]:
    rng = random.Random(0)
    seen: list[Pressed] = []
    here: Parts = {}
    age = _EPISODE
    for _ in range(_WALK):
        if age == _EPISODE:
            here, age = _read(env, env.reset(seed=0)[0]), 0
        key = rng.choice(keys)
        observation, _, over, _, _ = env.step(key)
        after = _read(env, observation)
        seen.append(Pressed(here, key, after, bool(over), age))
        here, age = after, _EPISODE if over else age + 1
    return seen


def _read(env: Any, observation: Any) -> Parts:
    return {name: word(name, value) for name, (_, value) in _sources(env, observation).items()}


def _choose(walk: list[Pressed], observed: set[str]) -> list[str]:
    """The parts that change but neither count presses nor follow from the key or from other parts."""
    values = {part: [seen.after.get(part, "") for seen in walk] for part in walk[0].before}
    ages, keys = [str(seen.age) for seen in walk], [str(seen.key) for seen in walk]
    fitting = [
        part
        for part, found in values.items()
        if 1 < len(set(found)) <= _VALUES and not _determine(ages, found) and not _determine(keys, found)
    ]
    # What is observed and what changes often first: a part that follows from those chosen says nothing new.
    often = {part: sum(seen.before.get(part) != seen.after.get(part) for seen in walk) for part in fitting}
    fitting.sort(key=lambda part: (part not in observed, -often[part]))
    chosen: list[str] = []
    for part in fitting:
        together = [" ".join(seen.after[p] for p in chosen) for seen in walk]
        if len(chosen) < _PARTS and not _determine(together, values[part]):
            chosen.append(part)
    if not chosen:
        raise InputError(
            f"nothing in its observations or attributes changes and takes at most {_VALUES} values; "
            "write a vocabulary file by hand"
        )
    return sorted(chosen)


def _determine(causes: Iterable[str], effects: Iterable[str]) -> bool:
    table: dict[str, str] = {}
    return all(table.setdefault(c, e) == e for c, e in zip(causes, effects, strict=True))


def _consistent(walk: list[Pressed], parts: Iterable[str]) -> bool:
    return _determine(
        (f"{seen.key} {_take(seen.before, parts)}" for seen in walk),
        (str(_after(seen, parts)) for seen in walk),
    )


def _take(state: Parts, parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(state.get(part, "") for part in parts)


def _after(seen: Pressed, parts: Iterable[str]) -> tuple[str, ...]:
    """An end of the episode counts as no change: the draft stays out of it."""
    return _take(seen.before if seen.ended else seen.after, parts)


def _changes(walk: list[Pressed], key: int, name: str, parts: list[str]) -> Iterator[Change]:
    presses = [seen for seen in walk if seen.key == key]
    kinds: dict[tuple[str, ...], list[Pressed]] = {}
    for seen in presses:
        changed = tuple(p for p in parts if _take(seen.before, (p,)) != _after(seen, (p,)))
        kinds.setdefault(changed, []).append(seen)
    kinds.pop((), None)
    depends = _depends(presses, parts, {part for changed in kinds for part in changed})
    for changed, examples in sorted(kinds.items()):
        action = name if len(kinds) == 1 else "-".join((name, *changed)).replace("_", "-")
        rows = {_take(seen.before, depends) + _take(seen.after, changed) for seen in examples}
        yield Change(action, key, depends, changed, tuple(sorted(rows)))


def _depends(presses: list[Pressed], parts: list[str], changed: set[str]) -> tuple[str, ...]:
    """The fewest parts that decide what happens, those that change included."""
    effects = [str(_after(seen, sorted(changed))) for seen in presses]
    for size in range(len(changed), len(parts)):
        for subset in combinations(parts, size):
            causes = [str(_take(seen.before, subset)) for seen in presses]
            if changed <= set(subset) and _determine(causes, effects):
                return subset
    return tuple(parts)
