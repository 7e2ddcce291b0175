"""The protocol's messages: what goes out comes back, and what cannot be used is named."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.agents import wire
from assay.agents.model import ModelAgent
from assay.core.query import Invalid, PlanResponse, Profile, Start
from assay.core.symbols import Object
from assay.core.universe import Universe
from assay.errors import AgentError, InputError

HELLO = {"assay": 1, "predicates": {"p": [], "on": ["lamp"]}, "actions": {"go": ["lamp"]}, "types": ["lamp"]}


def hello(**changes):
    return json.dumps(HELLO | changes).encode()


def test_hello_returns(lamps: ModelAgent, universe: Universe):
    profile = Profile.of(lamps)
    states = tuple(lamps.states(5, universe))
    read = wire.decode_hello(wire.encode_hello(profile, states))
    assert read.profile == profile
    assert read.profile.vocabulary.name == profile.vocabulary.name
    assert read.offer(60, universe) == states
    assert read.offer(2, universe) == states[:2]


def test_shortest_hello_and_its_defaults():
    read = wire.decode_hello(b'{"assay": 1, "predicates": {}, "actions": {}}')
    profile = read.profile
    assert (profile.objects, profile.start, profile.new_objects, read.states) == ((), Start.ANY, False, ())


@pytest.mark.parametrize("count", [0, 3, 4])
def test_whether_arguments_are_free_is_declared(lamps: ModelAgent, count: int):
    names = sorted(lamps.vocabulary.action)
    assert len(names) == 4
    profile = replace(Profile.of(lamps), free_arguments=frozenset(names[:count]))
    data = wire.encode_hello(profile)
    assert wire.decode_hello(data).profile == profile
    said = json.loads(data)
    assert ("free_arguments" in said) == (count > 0)  # an older reader knows no such member
    assert count < 4 or said["free_arguments"] is True  # nor names


def test_arguments_of_an_action_that_there_is_not(lamps: ModelAgent):
    data = wire.encode_hello(Profile.of(lamps)).replace(b'"free_arguments":true', b'"free_arguments":["fly"]')
    with pytest.raises(AgentError, match="free_arguments: there is no action 'fly'"):
        wire.decode_hello(data)


LIBRARY = re.compile(r"Expected|got `|\$\.|malformed|byte \d|field")
"""Words of the library that reads JSON, which mean nothing to whoever writes an agent."""


def test_parameters_as_list_or_mapping():
    read = wire.decode_hello(
        hello(actions={"go": {"who": "lamp"}}, predicates={"near": ["lamp|object", "lamp"]})
    )
    assert [p.name for p in read.profile.vocabulary.action["go"].parameters] == ["?who"]
    assert read.profile.vocabulary.predicate["near"].parameters[0].types == ("lamp", "object")


def test_parameters_may_be_called_by_words_of_pddl():
    read = wire.decode_hello(hello(actions={"go": {"not": "lamp"}}))
    assert read.profile.vocabulary.action["go"].parameters[0].name == "?not"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ["the agent's hello is empty"]),
        (b"hello there", ["not JSON", "hello there"]),
        (b"[1]", ["the agent's hello is a list, not a JSON object: [1]"]),
        (b'{"assay": 1', ["JSON that breaks off", '{"assay": 1']),
        (b"\xff\xfe", ["\\xff\\xfe"]),
        (b'{"assay": 1, "name": "\xff"}', ["not UTF-8"]),
        (b"[" * 200_000, ["hello"]),
        (b'{"predicates": {}, "actions": {}}', ['no member "assay"']),
        (hello(assay=2, more=1), ["version 2", "understands version 1"]),
        (b'{"assay": ' + b"1" * 5000 + b"}", ["hello holds a number that is too large: {"]),
        (hello(states=[]).replace(b"[]}", b"[" * 10**5), ["hello is nested too deeply: {"]),
        (hello(assay="1"), ['version "1"']),
        (hello(assay=True), ['"assay" is true, not a whole number']),
        (b'{"assay": 1, "actions": {}}', ['hello has no member "predicates": {"assay"']),
        (hello(predicates=["p"]), ['"predicates" is ["p"], not a JSON object']),
        (hello(predicates={"p": 3}), ['"predicates" holds {"p":3}, not a JSON object or a list']),
        (hello(predicates={"p": ["lorry"]}), ["unknown type 'lorry'"]),
        (hello(predicates={"p q": []}), ["predicate name 'p q'"]),
        (hello(predicates={"And": []}), ["predicate name 'And' is a word of PDDL"]),
        (hello(actions={"when": []}), ["action name 'when' is a word of PDDL"]),
        (hello(types=["lamp", "either"]), ["type name 'either' is a word of PDDL"]),
        (hello(constants={"not": "lamp"}), ["constant name 'not' is a word of PDDL"]),
        (hello(objects={"or": "lamp"}), ["object name 'or' is a word of PDDL"]),
        (hello(actions={"go": {"a lamp": "lamp"}}), ["'go': parameter name 'a lamp'"]),
        (hello(types={"a": "b", "b": "a", "lamp": "a"}), ["its own ancestor"]),
        (hello(objects={"x": "lorry"}), ["'x'", "'lorry'"]),
        (hello(objects={"d": "lamp", "D": "lamp"}), ["object 'D' is declared twice (also as 'd')"]),
        (hello(constants={"Big": "lamp"}, objects={"big": "lamp"}), ["object 'big'", "(also as 'Big')"]),
        (hello(objects=["x"]), ['"objects" is ["x"], not a JSON object']),
        (hello(start="sometimes"), ['"start" is "sometimes", not "any" or "visited" or "reset": ']),
        (hello(new_objects="yes"), ['"new_objects" is "yes", not true or false']),
        (hello(new_object=True), ['a member "new_object"; there are "assay", "predicates",']),
        (hello(states=[["p"], ["on x"]]), ["state 2", "(on x)", "unknown object 'x'"]),
        (hello(states=[["((p"]]), ["state 1", "((p"]),
        (hello(states=["p"]), ['"states" holds "p", not a list']),
    ],
)
def test_hello_that_cannot_be_used(data, words):
    with pytest.raises(AgentError) as caught:
        wire.decode_hello(data)
    for word in words:
        assert word in str(caught.value)
    assert len(str(caught.value)) < 360
    assert not LIBRARY.search(str(caught.value))


def test_query_returns(lamps, question, universe):
    query = question("power, on hall", "douse hall, light desk")
    sent = wire.encode_query(query)
    assert json.loads(sent) == {"state": ["on hall", "power"], "plan": ["douse hall", "light desk"]}
    assert wire.decode_query(sent, Profile.of(lamps)) == query


def test_query_names_the_objects_it_brings(lamps, question, universe):
    universe.add(Object("porch", "lamp"))
    universe.add(Object("cellar", "lamp"))
    query = question("on porch", "douse porch")
    sent = wire.encode_query(query)
    assert json.loads(sent)["objects"] == {"porch": "lamp"}
    read = wire.decode_query(sent, Profile.of(lamps))
    assert read == query
    assert read.new_objects == (Object("porch", "lamp"),)


def test_one_name_may_be_different_things_in_two_questions(lamps):
    profile = Profile.of(lamps)
    for type_name in ("lamp", "object"):
        data = json.dumps({"state": [], "plan": [], "objects": {"x": type_name}}).encode()
        assert wire.decode_query(data, profile).state.universe.object("x").type == type_name


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"?", "not JSON"),
        (b"{}", 'the question has no member "state": {}'),
        (b'{"state": "p", "plan": []}', "state"),
        (b'{"state": [1], "plan": []}', "state"),
        (b'{"state": ["fire"], "plan": []}', "unknown predicate 'fire'"),
        (b'{"state": [""], "plan": []}', "atom ''"),
        (b'{"state": [], "plan": ["light"]}', "takes 1 argument(s), not 0"),
        (b'{"state": [], "plan": ["light moon"]}', "unknown object 'moon'"),
        (b'{"state": [], "plan": ["jump"]}', "unknown action 'jump'"),
        (b'{"state": [], "plan": [], "objects": {"a b": "lamp"}}', "object name 'a b'"),
        (b'{"state": [], "plan": [], "objects": {"desk": "object"}}', "'desk'"),
        (b'{"state": [], "plan": [], "objects": {"x": "lorry"}}', "'lorry'"),
        (
            b'{"state": [], "plan": [], "plans": []}',
            'the question has a member "plans"; there are "state", "plan", "walk", "objects"',
        ),
    ],
)
def test_query_that_cannot_be_used(lamps, data, word):
    with pytest.raises(InputError, match=r".") as caught:
        wire.decode_query(data, Profile.of(lamps))
    assert word in str(caught.value)


def test_query_with_objects_for_an_agent_that_takes_none(lamps):
    profile = Profile(lamps.vocabulary, lamps.objects, Start.ANY, False)
    with pytest.raises(InputError, match="beyond its own"):
        wire.decode_query(b'{"state": [], "plan": [], "objects": {"x": "lamp"}}', profile)


def test_answer_returns(question, universe):
    query = question("power", "light desk, connect")
    for response in (PlanResponse(1, question("power, on desk").state), Invalid("no such room"), Invalid()):
        assert wire.read_answer(wire.decode_answer(wire.encode_response(response, query)), query) == response


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"ok", ["not JSON", "ok"]),
        (b"null", ["is null, not a JSON object: null"]),
        (b"{}", ["neither", "{}"]),
        (b'{"steps": 1}', ["neither"]),
        (b'{"state": []}', ["neither"]),
        (b'{"steps": 1, "state": [], "invalid": "no"}', ["more than one"]),
        (b'{"invalid": "no", "error": "yes"}', ["more than one"]),
        (b'{"steps": "1", "state": []}', ['"steps" is "1", not a whole number: {"steps": "1", "state": []}']),
        (b'{"steps": true, "state": []}', ['"steps" is true, not a whole number']),
        (b'{"steps": 0.5, "state": []}', ['"steps" is 0.5, not a whole number']),
        (b'{"steps": 0, "state": ["fire"]}', ["unknown predicate 'fire'"]),
        (b'{"steps": 0, "state": ["on moon"]}', ["(on moon)", "unknown object 'moon'"]),
        (b'{"steps": 0, "state": ["on"]}', ["takes 1 argument(s)"]),
        (b'{"steps": 0, "state": {"on desk": true}}', ['"state" is {"on desk":true}, not a list']),
        (b'{"steps": 0, "state": ["power", 3]}', ['"state" holds 3, not a text: {"steps": 0,']),
        (b'{"steps": 1' + b" " * 99 + b"1}", ["not JSON, from 1} on: ", '{"steps": 1 1}']),
        (b'{"steps": ' + b"[" * 10**5, ['cannot be used: "steps" is a list, not a whole number: {']),
        (b'{"steps": 0, "state": ' + b"[" * 10**5, ['cannot be used: "state" holds a list, not a text: {']),
        (b'{"steps": ' + b"9" * 5000 + b"}", ['cannot be used: "steps" is a number that is too large: {']),
        (b'{"steps": 0, "state": [' + b"9" * 5000 + b"]}", ['"state" holds a number that is too large: {']),
        (
            b'{"step": 0, "state": []}',
            ['has a member "step"; there are "steps", "state", "changes", "plan", "states", "invalid", '],
        ),
        (b'{"error": "out of coffee"}', ["the agent reports: out of coffee"]),
        (b'{"steps": "' + b"9" * 10**6 + b'", "state": []}', ["steps", "999..."]),
    ],
)
def test_answer_that_cannot_be_used(question, data, words):
    with pytest.raises(AgentError) as caught:
        wire.read_answer(wire.decode_answer(data), question("", "connect"))
    for word in words:
        assert word in str(caught.value)
    assert len(str(caught.value)) < 360
    assert not LIBRARY.search(str(caught.value))


@given(
    st.binary(max_size=60)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["steps", "state", "invalid", "error", "assay", "predicates", "actions", "types"]
                )
                | st.text(max_size=3),
                inner,
                max_size=4,
            )
        ),
    ).map(lambda value: json.dumps(value).encode())
)
def test_no_bytes_break_the_reader(data):
    for read in (wire.decode_hello, wire.decode_answer):
        with suppress(AgentError):
            read(data)
