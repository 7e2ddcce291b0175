"""Logs of an agent as journal entries: both forms, what is passed over, and what is refused by line."""

from __future__ import annotations

import json

import pytest

from assay.core.query import PlanQuery, PlanResponse
from assay.core.setting import Setting
from assay.core.symbols import Object, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError, JournalError
from assay.store.journal import Entry, Journal, entry_from_dict, read
from assay.store.traces import read_traces

VOCABULARY = Vocabulary.of(
    types=["room"],
    predicates={"at": {"r": "room"}, "lit": {}},
    actions={"go": {"from": "room", "to": "room"}, "light": {}},
)
ROOMS = (Object("a", "room"), Object("b", "room"))

RUN = {
    "states": [["at a"], ["(at a)", "(lit)"], ["lit", "at b"]],
    "actions": ["(light)", "go a b"],
    "refused": "(go a b)",
}
QUESTION = {
    "state": ["at a", "lit"],
    "plan": ["go a b", "go a b"],
    "steps": 1,
    "added": ["at b"],
    "removed": ["at a"],
}


@pytest.fixture
def universe():
    return Universe(VOCABULARY, ROOMS)


@pytest.fixture
def write(tmp_path):
    def write(*lines):
        path = tmp_path / "log.jsonl"
        path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines) + "\n")
        return path

    return write


def entries(path, universe):
    fresh = Universe(VOCABULARY, ROOMS)
    return [entry_from_dict(d, fresh, n) for n, d in enumerate(read_traces(path, universe), start=1)]


def test_each_step_of_a_run_is_an_entry(universe, write):
    first, second, third = entries(write(RUN), universe)
    assert [e.query.plan for e in (first, second, third)] == [
        (Step("light", ()),),
        (Step("go", ("a", "b")),),
        (Step("go", ("a", "b")),),
    ]
    assert first.query.state.texts() == ["at a"]
    assert (second.response.steps, second.response.state.texts()) == (1, ["at b", "lit"])
    assert (third.response.steps, third.response.state) == (0, third.query.state)
    assert all(e.logged for e in (first, second, third))


def test_a_question_is_one_entry(universe, write):
    (entry,) = entries(write(QUESTION), universe)
    assert len(entry.query.plan) == 2
    assert entry.response.steps == 1
    assert entry.response.state.texts() == ["at b", "lit"]


def test_reading_leaves_the_universe_as_it_is(universe, write):
    read_traces(write(RUN, QUESTION), universe)
    assert not universe._atoms


def test_an_earlier_journal_can_be_given_as_it_is(universe, write, tmp_path):
    class Anything:
        vocabulary, objects, new_objects = VOCABULARY, ROOMS, True

        def ask(self, query, /):
            raise AssertionError

    setting = Setting.of(Anything())
    journal = Journal.create(tmp_path / "journal.jsonl", setting)
    setting.universe.add(Object("new-room-0", "room"))
    query = PlanQuery(setting.universe.state([]), (Step("go", ("a", "new-room-0")),))
    journal.append(Entry(1, query, PlanResponse(0, query.state)))
    journal.append(Entry(2, query, PlanResponse(0, query.state)))
    journal.close()
    found = read_traces(tmp_path / "journal.jsonl", universe)
    assert [d["objects"] for d in found] == [{"new-room-0": "room"}] * 2


def test_impossible_questions_and_empty_lines_are_passed_over(universe, write):
    assert read_traces(write({"state": [], "plan": [], "invalid": "no"}, "", "  "), universe) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: "),
        ("[]", "line 2: not a JSON object"),
        ("{nonsense", "line 2: not JSON: {nonsense"),
        ({"plan": []}, "neither a run"),
        (RUN | {"seen": 1}, "unknown 'seen'"),
        (RUN | {"states": RUN["states"][:2]}, "2 states and 2 actions"),
        (RUN | {"states": "at a"}, '"states" is no list'),
        (RUN | {"states": [["at a"], [3], []]}, "3 is no atom"),
        (RUN | {"actions": ["light", 3]}, "3 is no action"),
        (RUN | {"refused": "fly a b"}, "unknown action 'fly'"),
        (RUN | {"states": [["at a"], ["at c"], []]}, "unknown object 'c'"),
        (RUN | {"states": [["at a"], ["near a"], []]}, "unknown predicate 'near'"),
        (QUESTION | {"steps": 3}, '"steps" is 3'),
        (QUESTION | {"steps": True}, '"steps" is True'),
        (QUESTION | {"objects": {"c": "cellar"}}, "unknown type 'cellar'"),
        (QUESTION | {"objects": ["c"]}, "mapping"),
        ({"state": [], "steps": 0}, '"plan" is no list'),
    ],
)
def test_what_does_not_fit_is_named_with_file_and_line(universe, write, line, message):
    path = write(RUN, line)
    with pytest.raises(InputError) as caught:
        read_traces(path, universe)
    assert f"{path}, line 2: " in str(caught.value)
    assert message in str(caught.value)


def test_a_file_that_is_not_there(universe, tmp_path):
    with pytest.raises(InputError, match="cannot read traces"):
        read_traces(tmp_path / "nowhere", universe)


def test_a_file_that_is_no_text(universe, tmp_path):
    (tmp_path / "log").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not a text file"):
        read_traces(tmp_path / "log", universe)


@pytest.mark.parametrize("traces", [0, 2])
def test_a_journal_knows_which_of_its_entries_come_from_logs(tmp_path, traces):
    """One entry is marked; the first line says none, or two."""

    class Anything:
        vocabulary, objects = VOCABULARY, ROOMS

        def ask(self, query, /):
            raise AssertionError

    from dataclasses import replace

    setting = replace(Setting.of(Anything()), traces=traces)
    journal = Journal.create(tmp_path / "j", setting)
    query = PlanQuery(setting.universe.state([]), ())
    journal.append(Entry(1, query, PlanResponse(0, query.state), logged=True))
    journal.append(Entry(2, query, PlanResponse(0, query.state)))
    journal.close()
    with pytest.raises(JournalError, match="come from logs"):
        read(tmp_path / "j")
