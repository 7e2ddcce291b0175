"""The journal: one line for the setting, then one line per question, chained by hash.

Each line is a JSON object whose last member `hash` is the SHA-256 of the previous line's hash followed by
the line without that member. A line is written and flushed before the next question is asked, and holds
no times, so the same seed gives the same bytes. The answer's state is written as what changed since the
question's; on a walk, and if the agent tells the states between, as what every step changed. Objects are all
those that the question brings, whether a fact or a step mentions them or not. Plan and policy questions are
entries of two kinds, numbered together (`simulations` has the form of the latter).
What was taken from logs of the agent comes first and is marked: `"source": "log"`.

A process killed while writing leaves at most a torn last line; `read` drops it, `Journal.resume` cuts it
off. Anything else that does not check out raises `JournalError`: a journal is evidence, never repaired.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from assay.core.limits import LONGEST_REASON
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, WalkQuery, WalkResponse
from assay.core.setting import Setting
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.core.visible import visible
from assay.errors import InputError, JournalError
from assay.store.chain import Chain, Lines, nothing_learned, read_lines
from assay.store.plain import read_plain
from assay.store.simulations import Simulation, simulation_from_dict, simulation_to_dict

LOG, AGAIN, AUDIT = "log", "again", "audit"
"""Where an entry comes from, if no strategy asked for it: a log; a question put again; a sampled situation."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A question and its answer, numbered from 1.

    What the agent did when it was left to itself is written as the plan it took, with all states on the way.
    """

    number: int
    query: PlanQuery
    response: Response
    logged: bool = False
    """Whether it was taken from a log of the agent, and never asked."""
    walk: int = 0
    """If the agent was left to itself: the most steps it was to take."""
    states: tuple[State, ...] | None = None
    """On a walk, the state after each step."""
    source: str = ""
    """AGAIN or AUDIT for a question that no strategy asked."""

    @classmethod
    def of_walk(cls, number: int, query: WalkQuery, response: WalkResponse | Invalid) -> Entry:
        if isinstance(response, Invalid):
            return cls(number, PlanQuery(query.state, ()), response, walk=query.steps, states=())
        plan, states = response.plan, response.states
        answer = PlanResponse(len(plan), states[-1] if states else query.state)
        return cls(number, PlanQuery(query.state, plan), answer, walk=query.steps, states=states)

    @property
    def asked(self) -> PlanQuery | WalkQuery:
        """The question as it was put."""
        return WalkQuery(self.query.state, self.walk) if self.walk else self.query


@dataclass(frozen=True, slots=True)
class Record:
    """A journal read back."""

    setting: Setting
    entries: tuple[Entry, ...]
    """The plan questions."""
    simulations: tuple[Simulation, ...]
    """The policy questions."""
    hash: str
    torn: bool
    """Whether an unfinished last line was left out."""
    lines: tuple[Mapping[str, Any], ...]
    """What entries and simulations were read from, and before them the setting."""


class Journal:
    """Appends entries to a journal file."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    @classmethod
    def create(cls, path: Path, setting: Setting) -> Journal:
        chain = Chain.create(path)
        chain.append(setting.to_dict())
        return cls(chain)

    @classmethod
    def resume(cls, path: Path, apart: bool = False) -> tuple[Journal, Record]:
        chain, lines = Chain.resume(path)
        try:
            return cls(chain), _record(path.name, lines, apart)
        except JournalError:
            chain.close()
            raise

    @property
    def hash(self) -> str:
        return self._chain.hash

    def append(self, entry: Entry | Simulation) -> None:
        data = simulation_to_dict(entry) if isinstance(entry, Simulation) else entry_to_dict(entry)
        self._chain.append(data)

    def is_at(self, path: Path) -> bool:
        """Whether this is the file of that name."""
        return self._chain.is_at(path)

    def content(self) -> bytes:
        return self._chain.content()

    def close(self) -> None:
        self._chain.close()


def read(path: Path, apart: bool = False) -> Record:
    """The journal, checked: every hash, every atom, every object.

    Entries are read into the setting's universe; `apart`, those that bring objects into a universe of their
    own, which holds these and the agent's and no others.
    """
    return _record(path.name, read_lines(path), apart)


def _record(name: str, lines: Lines, apart: bool) -> Record:
    if not lines.data:
        raise JournalError(f"{name}: no complete first line")
    setting: Setting | None = None
    entries: list[Entry] = []
    simulations: list[Simulation] = []
    for place, data in enumerate(lines.data, start=1):
        try:
            if setting is None:
                setting = Setting.from_dict(data)
                check_form(data, setting.to_dict())
            elif "policy" in data:
                simulations.append(simulation_from_dict(data, setting.universe, place - 1))
                check_form(data, simulation_to_dict(simulations[-1]))
            else:
                own = apart and "objects" in data
                universe = _fresh(setting) if own else setting.universe
                entries.append(entry_from_dict(data, universe, place - 1))
                check_form(data, entry_to_dict(entries[-1]))
                if entries[-1].logged != (place - 1 <= setting.traces):
                    raise InputError(f"the first {setting.traces} entries come from logs, and no others")
        except (InputError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise JournalError(f"{name}, line {place}: {error}") from error
    assert setting is not None
    return Record(setting, tuple(entries), tuple(simulations), lines.hash, lines.torn, lines.data)


def _fresh(setting: Setting) -> Universe:
    return Universe(setting.profile.vocabulary, setting.profile.objects)


def check_form(data: Mapping[str, Any], written: Mapping[str, Any]) -> None:
    """`InputError` if a line has other members than assay writes for what was read from it."""
    found, expected = set(_members(data, "")), set(_members(written, ""))
    if strange := sorted(found ^ expected):
        is_there = "is no member of such a line" if strange[0] in found else "is missing"
        raise InputError(f"{visible(strange[0], 60)!r} {is_there}")


def _members(data: object, place: str) -> Iterator[str]:
    """The names of all members, wherever they are."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield (inner := f"{place}{name}")
            yield from _members(value, f"{inner}.")
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _members(item, place)


def read_setting(path: Path) -> Setting:
    """The setting alone, without checking what follows it."""
    try:
        line, end, _ = read_plain(path).partition(b"\n")
    except OSError as error:
        raise JournalError(f"cannot read journal {path}: {error.strerror}") from error
    if not end:
        raise nothing_learned(path)
    try:
        return Setting.from_dict(msgspec.json.decode(line))
    except (InputError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise JournalError(f"{path.name}, line 1: {error}") from error


def entry_to_dict(entry: Entry) -> dict[str, Any]:
    query, response = entry.query, entry.response
    data: dict[str, Any] = {"n": entry.number}
    if entry.logged or entry.source:
        data["source"] = entry.source or LOG
    if made_up := query.new_objects:
        data["objects"] = {o.name: o.type for o in made_up}
    data["state"] = query.state.texts()
    data["plan"] = [s.text for s in query.plan]
    if entry.walk:
        data["walk"] = entry.walk
    if isinstance(response, Invalid):
        return data | {"invalid": response.reason}
    if entry.walk:
        return data | {"changes": _changes(query.state, entry.states or ())}
    data["steps"] = response.steps
    if response.states is not None:
        return data | {"changes": _changes(query.state, response.states)}
    return data | _changed(query.state, response.state)


def _changes(before: State, states: Iterable[State]) -> list[dict[str, list[str]]]:
    """What each step changed."""
    return [_changed(*pair) for pair in pairwise((before, *states))]


def _changed(before: State, after: State) -> dict[str, list[str]]:
    universe = before.universe
    return {
        "added": universe.texts(after.bits & ~before.bits),
        "removed": universe.texts(before.bits & ~after.bits),
    }


def entry_from_dict(data: Mapping[str, Any], universe: Universe, number: int, apart: bool = False) -> Entry:
    """The entry; `apart` reads one that brings objects into a universe of its own."""
    entry = _entry(data, universe, number, apart)
    source = data.get("source")
    return dataclasses.replace(entry, source=source) if source in (AGAIN, AUDIT) else entry


def _entry(data: Mapping[str, Any], universe: Universe, number: int, apart: bool) -> Entry:
    if data["n"] != number:
        raise InputError(f"entry {data['n']!r} stands where entry {number} belongs")
    if (source := data.get("source")) not in (None, LOG, AGAIN, AUDIT):
        raise InputError(f"unknown source {source!r}")
    logged = source == LOG
    brought = data.get("objects", {})
    if brought and apart:
        universe = universe.apart()
    for name, type_name in brought.items():
        universe.add(Object(name, type_name))
    state = universe.state(map(Atom.parse, data["state"]))
    plan = tuple(map(Step.parse, data["plan"]))
    for step in plan:
        universe.check_step(step)
    query, walk = PlanQuery.bringing(state, plan, brought), data.get("walk", 0)
    if type(walk) is not int or walk < 0 or len(plan) > walk > 0:
        raise InputError(f"{len(plan)} steps of a walk of {walk!r}")
    if "invalid" in data:
        if not isinstance(data["invalid"], str):
            raise InputError(f"the reason {data['invalid']!r} is no text")
        return Entry(
            number,
            query,
            Invalid(visible(data["invalid"], LONGEST_REASON)),
            logged,
            walk,
            () if walk else None,
        )
    if walk:
        states = _states(state, data.get("changes"), len(plan))
        answer = PlanResponse(len(plan), states[-1] if states else state)
        return Entry(number, query, answer, logged, walk, states)
    if type(data.get("steps")) is not int or not 0 <= data["steps"] <= len(plan):
        raise InputError(f"{data.get('steps')!r} steps of a plan of {len(plan)}")
    if "changes" in data:
        states = _states(state, data["changes"], data["steps"])
        answer = PlanResponse(data["steps"], states[-1] if states else state, states)
        return Entry(number, query, answer, logged)
    return Entry(number, query, PlanResponse(data["steps"], _after(state, data)), logged)


def _states(before: State, changes: object, steps: int) -> tuple[State, ...]:
    """The state after each step."""
    if not isinstance(changes, list) or len(changes) != steps:
        raise InputError(f"there are {steps} steps, and not as many changes")
    states = [before]
    for change in changes:
        states.append(_after(states[-1], change))
    return tuple(states[1:])


def _after(state: State, change: Mapping[str, Any]) -> State:
    return state.change(map(Atom.parse, change["added"]), map(Atom.parse, change["removed"]))
