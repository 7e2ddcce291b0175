"""Logs of an agent, read as evidence: what it did before anybody asked.

A file of JSON lines, each in one of two forms. A *run* is what was seen while the agent acted: the state
before each action and after the last. An action that was refused after them may be added.

    {"states": [["at letter depot", "at red depot"], ["in letter red", "at red depot"]],
     "actions": ["load letter red depot"], "refused": "load letter red depot"}

A *question* is written as in the journal: how many steps of a plan ran, and what had changed then.

    {"state": ["at letter depot", "at red depot"], "plan": ["load letter red depot"], "steps": 1,
     "added": ["in letter red"], "removed": ["at letter depot"]}

or, instead of `added` and `removed`, `changes`: a list of such pairs, one for each step that ran.
So the journal of an earlier run can be given as it is: its first line, and questions that were called
impossible, are passed over, and `objects` may name things that are not the agent's own. Atoms and steps may
be written in parentheses; what is not in a state is false. Every step of a run becomes an entry of its own:
all that happened is seen. Nothing is guessed: a line that does not fit, or mentions what neither the
vocabulary nor the agent has, is an `InputError` that names file and line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from assay.core.quantity import count
from assay.core.query import PlanQuery, PlanResponse
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.core.visible import visible
from assay.errors import InputError
from assay.store.journal import Entry, entry_to_dict
from assay.store.plain import read_plain

_RUN = {"states", "actions", "refused"}
_QUESTION = {"objects", "state", "plan", "steps", "added", "removed", "changes", "n", "hash", "source"}
_WALK = {"state", "plan", "walk", "changes", "n", "hash"}


def read_traces(path: Path, universe: Universe) -> list[dict[str, Any]]:
    """The journal entries that a log amounts to, numbered from 1.

    They are written as text, and the universe is left as it is: whoever reads them for the first time and
    whoever reads them back from the journal then see the same.
    """
    try:
        lines = read_plain(path).decode().split("\n")
    except OSError as error:
        raise InputError(f"cannot read traces {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"traces {path}: not a text file") from error
    reader = _Reader(universe)
    entries: list[dict[str, Any]] = []
    for place, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            for query, response in reader.read(msgspec.json.decode(line)):
                entries.append(entry_to_dict(Entry(len(entries) + 1, query, response, logged=True)))
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(f"{path}, line {place}: not JSON: {visible(line[:60])}") from error
        except InputError as error:
            raise InputError(f"{path}, line {place}: {error}") from error
    return entries


class _Reader:
    def __init__(self, universe: Universe) -> None:
        own = [o for o in universe.objects if o.name in universe.own]
        self._universe = Universe(universe.vocabulary, own)

    def read(self, data: object) -> Iterator[tuple[PlanQuery, PlanResponse]]:
        if not isinstance(data, dict):
            raise InputError("not a JSON object")
        if "assay" in data or "invalid" in data:
            return
        if "walk" in data:
            yield from self._walk(_only(data, _WALK))
        elif "states" in data:
            yield from self._run(_only(data, _RUN))
        elif "state" in data:
            yield self._question(_only(data, _QUESTION))
        else:
            raise InputError('neither a run ("states", "actions") nor a question ("state", "plan", "steps")')

    def _run(self, data: Mapping[str, Any]) -> Iterator[tuple[PlanQuery, PlanResponse]]:
        states = [self._state(_texts(s, "each state")) for s in _list(data["states"], "states")]
        plan = self._plan(data, "actions")
        if len(states) != len(plan) + 1:
            raise InputError(
                f"{count(len(states), 'state')} and {count(len(plan), 'action')}: "
                "a run has one state more than actions"
            )
        for before, step, after in zip(states, plan, states[1:], strict=False):
            yield PlanQuery(before, (step,)), PlanResponse(1, after)
        if "refused" in data:
            yield PlanQuery(states[-1], (self._step(data["refused"]),)), PlanResponse(0, states[-1])

    def _walk(self, data: Mapping[str, Any]) -> Iterator[tuple[PlanQuery, PlanResponse]]:
        here, plan = self._state(_texts(data.get("state"), "state")), self._plan(data, "plan")
        states = self._states(here, _list(data.get("changes"), "changes"), len(plan))
        for before, step, after in zip((here, *states), plan, states, strict=False):
            yield PlanQuery(before, (step,)), PlanResponse(1, after)

    def _question(self, data: Mapping[str, Any]) -> tuple[PlanQuery, PlanResponse]:
        if not isinstance(objects := data.get("objects", {}), dict):
            raise InputError('"objects" is no mapping from names to types')
        for name, type_name in objects.items():
            if not isinstance(type_name, str):
                raise InputError(f"the type of {visible(name, 60)!r} is no text")
            self._universe.add(Object(name, type_name))
        state, plan = self._state(_texts(data.get("state"), "state")), self._plan(data, "plan")
        steps = data.get("steps")
        if type(steps) is not int or not 0 <= steps <= len(plan):
            raise InputError(f'"steps" is {steps!r}, of a plan of {len(plan)}')
        query = PlanQuery.bringing(state, plan, objects)
        if "changes" not in data:
            return query, PlanResponse(steps, self._changed(state, data))
        states = self._states(state, _list(data["changes"], "changes"), steps)
        return query, PlanResponse(steps, states[-1] if states else state, states)

    def _states(self, here: State, changes: Sequence[Any], steps: int) -> tuple[State, ...]:
        """The state after each step."""
        if len(changes) != steps:
            raise InputError(f"{count(steps, 'step')} and {count(len(changes), 'change')}")
        states = [here]
        for change in changes:
            states.append(self._changed(states[-1], change))
        return tuple(states[1:])

    def _changed(self, state: State, change: Mapping[str, Any]) -> State:
        added, removed = (self._state(_texts(change.get(name, []), name)) for name in ("added", "removed"))
        return state.change(added, removed)

    def _plan(self, data: Mapping[str, Any], name: str) -> tuple[Step, ...]:
        return tuple(self._step(text) for text in _list(data.get(name), name))

    def _step(self, text: object) -> Step:
        if not isinstance(text, str):
            raise InputError(f"{text!r} is no action")
        step = Step.parse(text)
        self._universe.check_step(step)
        return step

    def _state(self, texts: Sequence[str]) -> State:
        return self._universe.state(map(Atom.parse, texts))


def _only(data: Mapping[str, Any], names: set[str]) -> Mapping[str, Any]:
    if strange := sorted(data.keys() - names):
        raise InputError(f"unknown {strange[0]!r}; there are {', '.join(sorted(names))}")
    return data


def _list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f'"{name}" is no list')
    return value


def _texts(value: object, name: str) -> list[str]:
    for text in (texts := _list(value, name)):
        if not isinstance(text, str):
            raise InputError(f"{text!r} is no atom")
    return texts
