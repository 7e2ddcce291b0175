"""Policy questions and their traces as journal lines.

States are written as what changed: those of the policy against the question's state, those of a trace against
the state before. Equal traces are written once, in order of first appearance, and `order` says which trace
each run gave, so four hundred runs with two outcomes are two traces and four hundred small numbers. Steps are
not repeated, because the policy names them; why a run ended is, so that a reader can check it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.core.limits import LONGEST_REASON
from assay.core.policy import End, PolicyQuery, PolicyResponse, Trace, check_trace
from assay.core.quantity import count
from assay.core.query import Invalid
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import State, Universe
from assay.core.visible import visible
from assay.errors import InputError

_SIGNS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Simulation:
    """A policy question and its answer, numbered from 1 together with all other questions."""

    number: int
    query: PolicyQuery
    response: PolicyResponse | Invalid


def simulation_to_dict(entry: Simulation) -> dict[str, Any]:
    query, response = entry.query, entry.response
    data: dict[str, Any] = {"n": entry.number}
    if made_up := query.new_objects:
        data["objects"] = {o.name: o.type for o in made_up}
    data["state"] = query.state.texts()
    data["policy"] = [_change(query.state, state) | {"do": step.text} for state, step in query.policy]
    data["goal"] = [
        {word: sorted(a.text for a, sign in part if sign is wanted) for word, wanted in _SIGNS.items()}
        for part in query.goal
    ]
    data |= {"horizon": query.horizon, "runs": query.runs}
    if isinstance(response, Invalid):
        return data | {"invalid": response.reason}
    numbers: dict[Trace, int] = {}
    order = [numbers.setdefault(trace, len(numbers)) for trace in response.traces]
    return data | {"traces": [_trace_to_dict(t) for t in numbers], "order": order}


def simulation_from_dict(data: Mapping[str, Any], universe: Universe, number: int) -> Simulation:
    if data["n"] != number:
        raise InputError(f"entry {data['n']!r} stands where entry {number} belongs")
    for name, type_name in data.get("objects", {}).items():
        universe.add(Object(name, type_name))
    state = universe.state(map(Atom.parse, data["state"]))
    policy = tuple((_changed(state, rule), Step.parse(rule["do"])) for rule in data["policy"])
    for _, step in policy:
        universe.check_step(step)
    goal = tuple(
        frozenset(Literal(Atom.parse(text), sign) for word, sign in _SIGNS.items() for text in part[word])
        for part in data["goal"]
    )
    query = PolicyQuery(state, policy, goal, data["horizon"], data["runs"])
    if "invalid" in data:
        return Simulation(number, query, Invalid(visible(str(data["invalid"]), LONGEST_REASON)))
    traces = [_trace_from_dict(trace, query) for trace in data["traces"]]
    if len(data["order"]) != query.runs or not set(data["order"]) <= set(range(len(traces))):
        raise InputError(
            f"the order of traces does not fit {count(query.runs, 'run')} and {count(len(traces), 'trace')}"
        )
    return Simulation(number, query, PolicyResponse(tuple(traces[n] for n in data["order"])))


def _trace_to_dict(trace: Trace) -> dict[str, Any]:
    changes = [_change(a, b) for a, b in zip(trace.states, trace.states[1:], strict=False)]
    return {"changes": changes, "end": trace.end.value}


def _trace_from_dict(data: Mapping[str, Any], query: PolicyQuery) -> Trace:
    states = [query.state]
    for change in data["changes"]:
        states.append(_changed(states[-1], change))
    trace = Trace(tuple(states), End(data["end"]))
    check_trace(query, trace)
    return trace


def _change(before: State, after: State) -> dict[str, list[str]]:
    universe = before.universe
    return {
        "added": universe.texts(after.bits & ~before.bits),
        "removed": universe.texts(before.bits & ~after.bits),
    }


def _changed(before: State, change: Mapping[str, Any]) -> State:
    return before.change(map(Atom.parse, change["added"]), map(Atom.parse, change["removed"]))
