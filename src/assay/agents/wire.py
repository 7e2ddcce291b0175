"""The protocol an agent in another process speaks: three messages, as pure functions on bytes.

    agent -> assay   hello    what it reveals of itself, once
    assay -> agent   query    a state and a plan, and any objects that are not the agent's own; or a state and
                              how many steps the agent may take as it likes
    agent -> assay   answer   how far the plan ran and the state after it, perhaps with what each step
                              changed, or the plan that the agent took and the states after its steps, or
                              `invalid`, or `error`

Each message is one JSON object. How it travels (a line on a pipe, the body of an HTTP message) is not
decided here; that a program printed it only tells what may be wrong with it. A member that is not part of a
message is refused, so that a misspelt one is noticed; the version is looked at first, so that a later version
is called that. What comes from an agent and cannot be used raises `AgentError`, what comes from a questioner
raises `InputError`; both quote what was wrong.
`docs/protocol.md` is the full description, for people who write the other side.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any, TypeVar

import msgspec

from assay.agents.malformed import misshapen, not_json, quote, shorten
from assay.core.limits import LONGEST_REASON, check_size, check_symbols
from assay.core.query import (
    Invalid,
    PlanQuery,
    PlanResponse,
    Profile,
    Response,
    Start,
    WalkQuery,
    WalkResponse,
    free_actions,
)
from assay.core.setting import OFFERED
from assay.core.symbols import ActionHeader, Atom, Object, Predicate, Step, check_spelling
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError, AssayError, InputError

VERSION = 1
MAX_BYTES = 64 * 2**20
"""The longest message either side need accept."""

HELLO_SECONDS = 60.0
"""How long an agent may take to start; questions have a limit of their own."""

Parameters = list[str] | dict[str, str]


class _Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    assay: int
    predicates: dict[str, Parameters]
    actions: dict[str, Parameters]
    name: str = "agent"
    types: dict[str, str] | list[str] = {}
    constants: dict[str, str] = {}
    objects: dict[str, str] = {}
    start: Start = Start.ANY
    new_objects: bool = False
    free_arguments: bool | list[str] = False
    stochastic: bool = False
    shows_refusals: bool = True
    walks: bool = False
    tells_states: bool = False
    states: list[list[str]] = []


class _Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    state: list[str]
    plan: list[str] | None = None
    walk: int | None = None
    objects: dict[str, str] = {}


class _Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one step made of the state before it."""

    added: list[str]
    removed: list[str]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer in the right form, not yet compared with its question."""

    steps: int | None = None
    state: list[str] | None = None
    changes: list[_Change] | None = None
    plan: list[str] | None = None
    states: list[list[str]] | None = None
    invalid: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class Hello:
    """What a remote agent says of itself."""

    profile: Profile
    states: tuple[tuple[Atom, ...], ...]
    stochastic: bool = False
    """Whether the same step may turn out differently."""
    shows_refusals: bool = True

    def offer(self, count: int, universe: Universe) -> tuple[State, ...]:
        return tuple(universe.state(atoms) for atoms in self.states[:count])


def encode_hello(
    profile: Profile,
    states: Iterable[State] = (),
    *,
    stochastic: bool = False,
    shows_refusals: bool = True,
) -> bytes:
    rest: dict[str, Any] = {"free_arguments": free} if (free := profile.free_declared) else {}
    if profile.walks:
        rest["walks"] = True
    if profile.tells_states:
        rest["tells_states"] = True
    if stochastic:
        rest |= {"stochastic": True, "shows_refusals": shows_refusals}
    return msgspec.json.encode(
        {
            "assay": VERSION,
            **profile.vocabulary.to_dict(),
            "objects": {o.name: o.type for o in profile.objects},
            "start": profile.start.value,
            "new_objects": profile.new_objects,
            **rest,
            "states": [s.texts() for s in states],
        }
    )


def decode_hello(data: bytes, *, printed: bool = False) -> Hello:
    """The hello, with every name in it checked; `AgentError` if it cannot be used."""
    loose = _decode(data, dict[str, Any], "the agent's hello", AgentError, printed)
    if "assay" not in loose:
        raise AgentError(f'the agent\'s hello has no member "assay": {quote(data)}')
    if loose["assay"] != VERSION:
        raise AgentError(
            f"the agent speaks version {quote(loose['assay'])} of the protocol; "
            f"this assay understands version {VERSION}"
        )
    hello = _decode(data, _Hello, "the agent's hello", AgentError)
    json.loads(data, object_pairs_hook=_each_once)
    try:
        parts = (hello.types, hello.constants, hello.predicates, hello.actions)
        check_symbols(sum(map(len, parts)), len(hello.objects))
        vocabulary = Vocabulary.of(
            predicates=hello.predicates,
            actions=hello.actions,
            types=hello.types,
            constants=hello.constants,
            name=hello.name,
        )
        owners: tuple[Predicate | ActionHeader, ...] = (*vocabulary.predicates, *vocabulary.actions)
        for owner in owners:
            for parameter in owner.parameters:
                check_spelling(parameter.name.removeprefix("?"), f"{owner.name!r}: parameter")
        objects = tuple(Object(name, type_name) for name, type_name in hello.objects.items())
        check_size(vocabulary, objects)
        free = free_actions(hello.free_arguments, vocabulary)
        universe = Universe(vocabulary, objects)
    except InputError as error:
        raise AgentError(f"the agent's hello: {shorten(str(error), 300)}") from error
    states = []
    for number, texts in enumerate(hello.states[:OFFERED], start=1):
        try:
            atoms = tuple(map(Atom.parse, texts))
            universe.state(atoms)
        except InputError as error:
            raise AgentError(f"the agent's hello, state {number}: {shorten(str(error), 300)}") from error
        states.append(atoms)
    abilities = (hello.new_objects, free, hello.walks, hello.tells_states)
    profile = Profile(vocabulary, objects, hello.start, *abilities)
    return Hello(profile, tuple(states), hello.stochastic, hello.shows_refusals)


def _each_once(members: list[tuple[str, Any]]) -> None:
    """Refuses a name that is there twice: readers would differ in which they take."""
    seen: set[str] = set()
    for name, _ in members:
        if name in seen:
            raise AgentError(f"the agent's hello has two members {quote(name)}")
        seen.add(name)


def encode_query(query: PlanQuery | WalkQuery) -> bytes:
    if isinstance(query, WalkQuery):
        return msgspec.json.encode({"state": query.state.texts(), "walk": query.steps})
    data: dict[str, Any] = {"state": query.state.texts(), "plan": [s.text for s in query.plan]}
    if brought := query.new_objects:
        data["objects"] = {o.name: o.type for o in brought}
    return msgspec.json.encode(data)


def decode_query(data: bytes, profile: Profile) -> PlanQuery | WalkQuery:
    """The question, in a universe of its own: two questions may give one name to different things."""
    query = _decode(data, _Query, "the question", InputError)
    if (query.plan is None) == (query.walk is None):
        raise InputError(f'the question has neither "plan" nor "walk", or both: {quote(data)}')
    if query.objects and not profile.new_objects:
        raise InputError(f"this agent takes no objects beyond its own: {quote(query.objects)}")
    universe = Universe(profile.vocabulary, profile.objects)
    for name, type_name in query.objects.items():
        universe.add(Object(name, type_name))
    state = universe.state(map(Atom.parse, query.state))
    if query.walk is not None:
        if not profile.walks or query.walk < 1:
            raise InputError(f"this agent cannot be asked for a walk of {query.walk} steps")
        return WalkQuery(state, query.walk)
    plan = tuple(map(Step.parse, query.plan or ()))
    for step in plan:
        universe.check_step(step)
    return PlanQuery.bringing(state, plan, query.objects)


def encode_response(response: Response | WalkResponse, query: PlanQuery | WalkQuery) -> bytes:
    """The answer to the question, both in one universe."""
    if isinstance(response, Invalid):
        return msgspec.json.encode({"invalid": response.reason})
    if isinstance(response, WalkResponse):
        states = [state.texts() for state in response.states]
        return msgspec.json.encode({"plan": [step.text for step in response.plan], "states": states})
    data: dict[str, Any] = {"steps": response.steps, "state": response.state.texts()}
    if response.states is not None:
        data["changes"] = [_change(*pair) for pair in pairwise((query.state, *response.states))]
    return msgspec.json.encode(data)


def _change(before: State, after: State) -> dict[str, list[str]]:
    texts = after.universe.texts
    return {"added": texts(after.bits & ~before.bits), "removed": texts(before.bits & ~after.bits)}


def encode_error(message: str) -> bytes:
    return msgspec.json.encode({"error": message})


def decode_answer(data: bytes, *, printed: bool = False) -> Answer:
    """The answer's form; a transport that sees this fail has lost step with the agent."""
    answer = _decode(data, Answer, "the agent's answer", AgentError, printed)
    kinds = (answer.invalid, answer.error, answer.steps, answer.plan)
    halves = ((answer.steps, answer.state), (answer.plan, answer.states))
    if (
        kinds.count(None) != len(kinds) - 1
        or any((a is None) != (b is None) for a, b in halves)
        or (answer.changes is not None and answer.steps is None)
    ):
        raise AgentError(
            'the agent\'s answer has neither "steps" and "state", nor "plan" and "states", nor "invalid", '
            f'nor "error" (or more than one of them): {quote(data)}'
        )
    return answer


def read_answer(answer: Answer, query: PlanQuery) -> Response:
    """What the answer says about its question; `AgentError` if it is an error or names unknown things."""
    if (declined := _declined(answer)) is not None:
        return declined
    if answer.steps is None or answer.state is None:
        raise AgentError('the agent\'s answer has "plan" and "states", but it was asked about a plan')
    try:
        state = query.state.universe.state(map(Atom.parse, answer.state))
        return PlanResponse(answer.steps, state, _between(answer, query))
    except InputError as error:
        raise AgentError(f"the agent's answer: {shorten(str(error), 300)}") from error


def _between(answer: Answer, query: PlanQuery) -> tuple[State, ...] | None:
    """The states after the steps that ran, if the answer says what each step changed."""
    if answer.changes is None:
        return None
    states = [query.state]
    for change in answer.changes:
        states.append(states[-1].change(map(Atom.parse, change.added), map(Atom.parse, change.removed)))
    return tuple(states[1:])


def _declined(answer: Answer) -> Invalid | None:
    """What the agent says instead of an answer, if it does."""
    if answer.error is not None:
        raise AgentError(f"the agent reports: {shorten(answer.error, LONGEST_REASON)}")
    return None if answer.invalid is None else Invalid(answer.invalid)


def read_walk(answer: Answer, query: WalkQuery) -> WalkResponse | Invalid:
    """What the answer says the agent did."""
    if (declined := _declined(answer)) is not None:
        return declined
    if answer.plan is None or answer.states is None:
        raise AgentError('the agent\'s answer has "steps" and "state", but it was asked for a walk')
    plan, states = [], []
    for number, (step, texts) in enumerate(zip_longest(answer.plan, answer.states), start=1):
        try:
            plan += [Step.parse(step)] if step is not None else []
            states += [query.state.universe.state(map(Atom.parse, texts))] if texts is not None else []
        except InputError as error:
            raise AgentError(f"step {number} of the walk: {shorten(str(error), 300)}") from error
    return WalkResponse(tuple(plan), tuple(states))


_Message = TypeVar("_Message")


def _decode(
    data: bytes, kind: type[_Message], what: str, fault: type[AssayError], printed: bool = False
) -> _Message:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        members = getattr(kind, "__struct_fields__", ())
        raise fault(f"{what} {misshapen(data, error, members)}") from error
    except msgspec.DecodeError as error:
        raise fault(f"{what} {not_json(data, error, printed)}") from error
    except UnicodeDecodeError as error:
        raise fault(f"{what} is not UTF-8 text: {quote(data)}") from error
    except RecursionError:
        raise fault(f"{what} is nested too deeply: {quote(data)}") from None
