"""What the server says: pages, live data, and the answers of "Try it"."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from assay.agents.stochastic import open_world
from assay.chance_assessment import assess_chance
from assay.discovery.folder import begin, write_study
from assay.discovery.study import study
from assay.games.opening import open_game

from .conftest import Client, started

START = ["at letter depot", "at red depot", "road depot market", "road market depot"]
PLAN = ["load letter red depot", "drive red depot market"]


def sentences(answer: dict) -> str:
    return "\n".join(block.get("text") or "\n".join(block["items"]) for block in answer["blocks"])


def test_the_index_lists_every_result_folder(client: Client) -> None:
    status, page = client.get("/")
    assert status == 200
    assert '<a href="/run/first/">first</a>' in page
    assert '<a href="/run/second/">second</a>' in page
    assert "notes" not in page
    assert '<td data-label="Strength" class="number">2</td>' in page
    assert "Complete" in page
    assert client.get("/rows")[1] in page


def test_an_empty_folder_says_how_to_fill_it(tmp_path: Path) -> None:
    for client in started(tmp_path):
        assert "no result folder here yet" in client.get("/")[1]


def test_a_single_folder_is_shown_at_once(single: Client) -> None:
    status, headers, _ = single.request("GET", "/")
    assert (status, headers["Location"]) == (302, "/run/run/")
    status, page = single.get("/run/run/")
    assert status == 200
    assert "What the delivery agent can do" in page
    assert "All results" not in page


def test_the_page_holds_the_report(client: Client) -> None:
    page = client.get("/run/first/")[1]
    assert "What the delivery agent can do" in page
    assert "<code>load(P, T, L)</code>" in page
    assert client.get("/run/first/report")[1] in page


def test_files_come_as_downloads(client: Client, shelf: Path) -> None:
    status, headers, body = client.request("GET", "/run/first/files/model.pddl")
    assert status == 200
    assert body == (shelf / "first" / "model.pddl").read_bytes()
    assert headers["Content-Disposition"] == 'attachment; filename="model.pddl"'
    assert headers["Content-Type"].startswith("text/plain")


def test_head_has_no_body(client: Client) -> None:
    status, headers, body = client.request("HEAD", "/")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 100


def test_a_growing_journal_is_followed(shelf: Path) -> None:
    whole = (shelf / "first" / "journal.jsonl").read_bytes().splitlines(keepends=True)
    going = shelf / "going"
    going.mkdir()
    shutil.copy(shelf / "first" / "run.json", going)
    journal = going / "journal.jsonl"
    for client in started(shelf):
        journal.write_bytes(whole[0][:100])
        status, body = client.get("/run/going/live")
        assert status == 400
        assert "no complete first line yet" in json.loads(body)["error"]
        assert "just begun" in client.get("/run/going/")[1]

        journal.write_bytes(whole[0])
        live = client.json("/run/going/live")
        assert (live["questions"], live["finished"], live["last"]) == (0, False, None)
        assert "The report is written when the run ends" in client.get("/run/going/")[1]
        assert client.get("/run/going/world")[0] == 400

        for number in range(1, len(whole)):
            with journal.open("ab") as stream:
                stream.write(whole[number] + whole[-1][: 40 * (number % 2)])  # every other time torn
            live = client.json("/run/going/live")
            assert live["questions"] == live["last"]["number"] == number
            assert live["last"]["answer"]
            assert live["outcome"] == "Going on"
            journal.write_bytes(b"".join(whole[: number + 1]))
        assert all(action["ran"] and action["refused"] for action in live["actions"])
        assert not live["finished"]
        assert 'data-going="1"' in client.get("/rows")[1]
        shutil.copy(shelf / "first" / "summary.json", going)
        assert client.json("/run/going/live")["finished"]
        assert 'data-going="0"' in client.get("/rows")[1]


def test_a_torn_last_line_waits_until_it_is_whole(shelf: Path) -> None:
    journal = shelf / "first" / "journal.jsonl"
    whole = journal.read_bytes()
    entries = len(whole.splitlines()) - 1
    for client in started(shelf):
        journal.write_bytes(whole[:-50])
        assert client.json("/run/first/live")["questions"] == entries - 1
        assert "cannot be shown" not in client.get("/run/first/")[1]
        journal.write_bytes(whole)
        assert client.json("/run/first/live")["questions"] == entries


def test_an_edited_journal_is_not_believed(client: Client, shelf: Path) -> None:
    journal = shelf / "first" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"steps":1', b'"steps":0', 1))
    status, body = client.get("/run/first/live")
    assert status == 400
    assert "the journal was edited" in json.loads(body)["error"]
    status, page = client.get("/")
    assert status == 200
    assert "Cannot be read" in page
    assert "the journal was edited" in client.get("/run/first/")[1]


def test_a_run_that_fell_silent_is_told_apart(client: Client, shelf: Path) -> None:
    import os

    (shelf / "first" / "summary.json").unlink()
    os.utime(shelf / "first" / "journal.jsonl", (0, 0))
    assert client.json("/run/first/live")["outcome"].startswith("No answer for")


def test_the_world_has_objects_actions_and_situations(client: Client) -> None:
    world = client.json("/run/first/world")
    assert {"name": "red", "noun": "truck"} in world["objects"]
    load = next(a for a in world["actions"] if a["name"] == "load")
    assert load["known"]
    assert load["parameters"][0] == {"name": "p", "noun": "package", "objects": ["letter", "crate"]}
    assert len({tuple(o["atoms"]) for o in world["offered"]}) == len(world["offered"]) > 1


def test_a_plan_is_followed_to_where_it_stops(client: Client) -> None:
    status, scene = client.post(
        "/run/first/scene", {"state": START, "plan": [*PLAN, "drive red depot market"]}
    )
    assert status == 200
    assert scene["ran"] == 2
    assert [s["refused"] for s in scene["plan"]] == [False, False, True]
    facts = {f["atom"]: f for f in scene["facts"]}
    assert facts["at red market"]["holds"]
    assert facts["at red market"]["changed"]
    assert facts["at letter market"]["words"] == "`at(letter, market)` is false"
    assert "unload letter red market" in [s["text"] for s in scene["possible"]]


def test_facts_about_chosen_objects(client: Client) -> None:
    _, scene = client.post("/run/first/scene", {"state": START, "about": ["letter", "red"]})
    assert [f["atom"] for f in scene["facts"]] == ["in letter red"]


def test_why(client: Client) -> None:
    _, answer = client.post("/run/first/why", {"state": START, "plan": PLAN, "fact": "in letter red"})
    assert "Step 1 (`load(letter, red, depot)`)" in sentences(answer)
    assert "`at(letter, depot)` is true at the start" in sentences(answer)


def test_why_not_a_fact(client: Client) -> None:
    _, answer = client.post("/run/first/why-not", {"state": START, "plan": PLAN, "fact": "at letter market"})
    assert "do `unload(letter, red, market)`" in sentences(answer)
    assert [s["text"] for s in answer["plan"]] == [*PLAN, "unload letter red market"]


def test_why_not_a_step(client: Client) -> None:
    _, answer = client.post("/run/first/why-not", {"state": START, "plan": ["unload letter red depot"]})
    assert "it needs that `in(letter, red)` is true" in sentences(answer)


def test_what_if(client: Client) -> None:
    question = {"state": START, "plan": PLAN, "fact": "at red depot", "time": 0, "value": False}
    _, answer = client.post("/run/first/what-if", question)
    assert "Suppose that `at(red, depot)` is false at the start" in sentences(answer)
    assert {
        "when": "Step 1",
        "happened": "`load(letter, red, depot)`: ran",
        "would_have": "`load(letter, red, depot)`: could not run",
    } in answer["rows"]


def test_what_if_nothing_would_change(client: Client) -> None:
    question = {"state": START, "plan": PLAN, "fact": "at red depot", "time": 0, "value": True}
    _, answer = client.post("/run/first/what-if", question)
    assert "Nothing would have been different." in sentences(answer)


def test_ask(client: Client) -> None:
    _, answer = client.post(
        "/run/first/ask", {"state": START, "goal": ["at letter market", "-at red market"]}
    )
    assert answer["plan"][0]["text"] == "load letter red depot"
    _, answer = client.post("/run/first/ask", {"state": START, "goal": ["at crate market"]})
    assert answer["plan"] == []
    assert sentences(answer)


@pytest.mark.parametrize(
    ("verb", "question", "message"),
    [
        ("scene", {"state": ["flies red"]}, "unknown predicate 'flies'"),
        ("scene", {"state": ["at red"]}, "takes 2 argument(s)"),
        ("scene", {"state": ["at nobody depot"]}, "unknown object 'nobody'"),
        ("scene", {"state": ["at depot depot"]}, "is of type 'location'"),
        ("scene", {"state": START, "plan": ["load letter"]}, "takes 3 argument(s)"),
        ("scene", {"state": START, "plan": ["dance"]}, "unknown action 'dance'"),
        ("scene", {"state": START, "plan": ["(("]}, "write a name and its arguments"),
        (
            "scene",
            {"state": START, "plan": ["drive red depot depot"]},
            "different things in different places",
        ),
        ("scene", {"state": START, "time": 7}, "there is no moment 7"),
        ("scene", {"state": START, "about": ["<b>"]}, "unknown object '<b>'"),
        ("scene", {"state": START, "plan": PLAN * 99}, "at most 100 steps"),
        ("scene", {"state": "at red depot"}, "Expected `array`"),
        ("scene", {"plan": []}, "missing required field `state`"),
        ("scene", {"state": [], "surprise": 1}, "unknown field `surprise`"),
        ("scene", ["at red depot"], "Expected `object`"),
        ("why", {"state": START, "plan": PLAN, "fact": "at letter market"}, "does not hold"),
        ("why", {"state": START, "plan": PLAN, "fact": ""}, "write a name and its arguments"),
        ("why-not", {"state": START, "plan": PLAN, "fact": "in letter red"}, "ask why"),
        (
            "what-if",
            {"state": START, "plan": PLAN, "fact": "at red depot", "time": -1},
            "there is no moment -1",
        ),
        ("ask", {"state": START}, "at least one fact"),
        ("ask", {"state": START, "goal": ["-"]}, "write a name and its arguments"),
    ],
)
def test_bad_questions_get_a_sentence(client: Client, verb: str, question: object, message: str) -> None:
    status, answer = client.post(f"/run/first/{verb}", question)
    assert status == 400
    assert message in answer["error"]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"null", b"[" * 100_000, b'{"state":[1]}'])
def test_what_is_not_a_question_gets_a_sentence(client: Client, body: bytes) -> None:
    status, answer = client.post("/run/first/scene", body, **{"Content-Type": "application/json"})
    assert status == 400
    assert answer["error"].startswith("The request was not understood")


def test_runs_with_chance_and_of_key_presses_are_shown_by_their_reports(shelf: Path) -> None:
    assess_chance(open_world("driving", 0), samples=40, out=shelf / "chance", spec="sdma:driving")
    out, agent = shelf / "keys", open_game("escape:3x3:search", 0)
    begin(out, {"agent": "game:escape:3x3:search"})
    write_study(study(agent, out=out), agent, out)
    for client in started(shelf):
        index = client.get("/")[1]
        assert "sdma:driving" in index
        assert "game:escape:3x3:search" in index
        assert "cannot be read" not in index.lower()
        assert "All outcomes, counted" in client.get("/run/chance/")[1]
        keys = client.get("/run/keys/")[1]
        assert "push_block_into_hole(" in keys
        assert 'data-page="report"' in keys
        assert "reaches.jsonl" in keys
        assert client.get("/run/keys/files/capabilities.json")[0] == 200
        assert client.get("/run/chance/live")[0] == 404


def test_a_run_with_chance_that_goes_on_says_so(shelf: Path) -> None:
    assess_chance(open_world("driving", 0), samples=40, out=shelf / "chance", spec="sdma:driving")
    for name in ("summary.json", "model.ppddl"):
        (shelf / "chance" / name).unlink()
    for client in started(shelf):
        assert "Not ended yet" in client.get("/")[1]
        assert "has not ended yet" in client.get("/run/chance/")[1]
