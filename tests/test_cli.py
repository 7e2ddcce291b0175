"""The command line: exit codes, --json, messages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from assay.agents.process import ProcessAgent
from assay.agents.wire import HELLO_SECONDS
from commands import DELIVERY, summary


def test_run_writes_the_folder_and_says_so(call, tmp_path):
    shown = " ".join(call("run", DELIVERY, "--out", "r", "--quiet").stdout.split())
    assert "Complete: all 3 actions at strength 2." in shown
    assert "(:action load" in shown
    assert "assay resume r --strength 3" in shown
    names = {p.name for p in (tmp_path / "r").iterdir()}
    assert {"journal.jsonl", "model.pddl", "certificate.json", "description.md", "summary.json"} <= names
    data = summary(tmp_path / "r")
    assert (data["complete"], data["strength"], data["aim"]) == (True, 2, 2)
    assert data["questions"] == len((tmp_path / "r/journal.jsonl").read_text().splitlines()) - 1
    assert {"steps", "asked_again", "seconds", "agent_seconds", "strategy", "seed"} <= data.keys()


def test_json_is_json_and_nothing_else(call):
    data = json.loads(call("run", DELIVERY, "--out", "r", "--json").stdout)
    assert data["complete"]
    assert data["folder"] == "r"
    verified = json.loads(call("verify", "r", "--json").stdout)
    assert (verified["holds"], verified["strength"]) == (True, 2)
    assert json.loads(call("resume", "r", "--json").stdout)["questions"] == data["questions"]
    assert json.loads(call("check", DELIVERY, "--json").stdout) == {"ok": True, "complaints": []}


def test_without_out_a_new_folder_is_chosen_each_time(call, tmp_path):
    call("run", DELIVERY, "--quiet")
    call("run", DELIVERY, "--quiet")
    assert {p.name for p in (tmp_path / "results").iterdir()} == {"delivery", "delivery-2"}


def test_the_same_seed_gives_the_same_journal(call, tmp_path):
    call("run", DELIVERY, "--out", "a", "--seed", "5", "--quiet")
    call("run", DELIVERY, "--out", "b", "--seed", "5", "--quiet")
    assert (tmp_path / "a/journal.jsonl").read_bytes() == (tmp_path / "b/journal.jsonl").read_bytes()


def test_a_budget_ends_with_a_partial_result_and_can_be_raised(call, tmp_path):
    call("run", DELIVERY, "--out", "r", "--budget", "3", "--quiet", code=3)
    partial = summary(tmp_path / "r")
    assert (partial["outcome"], partial["questions"], partial["strength"]) == ("budget", 3, None)
    told = call("resume", "r", "--json", code=3).stderr
    assert told == "assay: the budget of 3 questions is spent; to go on: assay resume r --budget 13\n"
    assert summary(tmp_path / "r")["questions"] == 3
    call("resume", "r", "--budget", "500", "--quiet")
    call("run", DELIVERY, "--out", "whole", "--quiet")
    for name in ("journal.jsonl", "model.pddl", "certificate.json"):
        assert (tmp_path / "r" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_run_goes_on_to_a_higher_strength(call, tmp_path):
    call("run", DELIVERY, "--strength", "0", "--out", "r", "--quiet")
    weak = summary(tmp_path / "r")
    call("verify", "r", "--strength", "2", code=3)
    call("resume", "r", "--strength", "2", "--audit", "5", "--quiet")
    strong = summary(tmp_path / "r")
    assert (weak["strength"], strong["strength"], strong["sampled"]) == (0, 2, 5)
    call("verify", "r", "--strength", "2")


def test_logs_are_evidence_before_the_first_question(call, tmp_path):
    call("run", DELIVERY, "--out", "first", "--quiet")
    call("run", DELIVERY, "--out", "r", "--traces", "first/journal.jsonl", "--quiet")
    first, data = summary(tmp_path / "first"), summary(tmp_path / "r")
    assert (data["complete"], data["traces"]) == (True, first["questions"])
    call("verify", "r", "--replay", DELIVERY)


def test_the_log_shown_in_the_documentation_is_one_of_the_demo(call, tmp_path):
    page = (Path(__file__).parents[1] / "docs" / "evidence.md").read_text()
    lines = re.findall(r"^    (\{.*\})$", page, re.MULTILINE)
    assert len(lines) == 2
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    call("run", DELIVERY, "--out", "r", "--traces", "log.jsonl", "--quiet")
    assert summary(tmp_path / "r")["traces"] == 3


def test_what_must_not_be_entered_leaves_things_open(call, tmp_path):
    fence = ("--start", "reset", "--never", "(exists (?p - package ?t - truck) (in ?p ?t))")
    call("run", DELIVERY, *fence, "--out", "r", "--quiet", code=3)
    lines = [json.loads(line) for line in (tmp_path / "r" / "journal.jsonl").read_text().splitlines()]
    assert lines[0]["never"] == fence[-1]
    added = [fact for line in lines[1:] for change in line.get("changes", [line]) for fact in change["added"]]
    assert not [fact for fact in added if fact.startswith("in ")]
    call("resume", "r", "--quiet", code=3)
    call("verify", "r")


def test_logs_that_do_not_fit(call, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('\n{"states": [["at nobody nowhere"]], "actions": []}\n')
    message = call("run", DELIVERY, "--out", "r", "--traces", "log.jsonl", code=2).stderr
    assert "log.jsonl, line 2: " in message
    assert "nobody" in message


@pytest.mark.parametrize("kind", ["moody", "fickle"])
def test_a_contradiction_is_a_finding(call, tmp_path, kind):
    call("run", f"python:flawed_agents:{kind}", "--out", "r", "--quiet", "--budget", "300", code=4)
    assert summary(tmp_path / "r")["outcome"] == "contradiction"
    assert "contradict" in (tmp_path / "r" / "description.md").read_text()
    told = call("verify", "r", code=None).stdout
    assert "description.md" not in told


def test_an_agent_that_raises_loses_nothing(call, tmp_path):
    result = call("run", "python:flawed_agents:broken", "--out", "my run", "--quiet", code=2)
    assert result.stderr == (
        "assay: question 4: the agent raised RuntimeError: out of steam\n"
        "assay: what was learned so far is kept; to go on: assay resume 'my run'\n"
    )
    (tmp_path / "my run").rename(tmp_path / "r")
    assert summary(tmp_path / "r")["questions"] == 3
    call("resume", "r", "--agent", "python:flawed_agents:good", "--quiet")
    assert summary(tmp_path / "r")["complete"]


def test_an_agent_that_hangs_is_given_up(call, tmp_path):
    result = call("run", "python:flawed_agents:sleepy", "--out", "r", "--timeout", "0.5", "--quiet", code=3)
    assert "question 3" in result.stderr
    assert summary(tmp_path / "r")["questions"] == 2


def test_an_agent_that_never_says_hello_is_a_broken_one(call, tmp_path, monkeypatch):
    monkeypatch.setitem(ProcessAgent.__init__.__kwdefaults__, "hello_timeout", 0.3)
    for command in (["run", "exec:sleep 30", "--out", "r"], ["check", "exec:sleep 30"]):
        assert "said no hello within 0.3 s" in call(*command, code=2).stderr
    assert not (tmp_path / "r").exists()


def test_an_agent_in_whose_answers_nothing_ever_changes_gets_a_model_without_effects(call, tmp_path):
    call("run", "python:flawed_agents:still", "--out", "still", "--quiet", "--max-plan", "1")
    assert ":effect (and)" in (tmp_path / "still/model.pddl").read_text()


def test_an_agent_that_calls_everything_invalid_shows_nothing(call, tmp_path):
    call("run", "python:flawed_agents:nowhere", "--out", "r", "--quiet", code=3)
    found = summary(tmp_path / "r")
    assert (found["outcome"], found["strength"]) == ("open", None)
    assert {a["status"] for a in found["actions"].values()} == {"never ran"}
    assert "description.md" not in call("verify", "r", code=None).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "pddl:nowhere.pddl"], "nowhere.pddl"),
        (["run", "nonsense"], "nonsense"),
        (["run", "python:no_such_module:agent"], "no_such_module"),
        (["run", DELIVERY, "--strategy", "guess"], "guess"),
        (["run", DELIVERY, "--start", "reset", "--strategy", "interrogate"], "any state"),
        (["run", DELIVERY, "--start", "sideways"], "sideways"),
        (["run", DELIVERY, "--never", "(at letter depot)"], "--start visited or --start reset"),
        (
            ["run", DELIVERY, "--never", "(at letter moon)", "--start", "reset"],
            "--never:1:12: unknown object",
        ),
        (["run", DELIVERY, "--never", "(at letter depot)", "--start", "reset"], "the initial state is among"),
        (["resume", "nowhere"], "nowhere"),
        (["verify", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_named(call, arguments, message):
    result = call(*arguments, code=2)
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_every_kind_of_agent_is_named(call):
    told = call("run", "nothing:else", code=2).stderr
    assert "names no kind of agent" in told
    for kind in ("pddl", "python", "exec", "http", "human", "babyai", "game"):
        assert f"\n    {kind}:" in told


def test_one_is_no_plural(call):
    told = call("run", DELIVERY, "--out", "r", "--budget", "1", "--quiet", code=3).stdout
    assert re.search(r"\b1 question\b(?!s)", " ".join(told.split()))
    assert "; Learned by assay from 1 question." in Path("r/model.pddl").read_text()


def test_a_folder_is_not_overwritten(call):
    call("run", DELIVERY, "--out", "r", "--quiet")
    assert "already holds a run" in call("run", DELIVERY, "--out", "r", "--quiet", code=2).stderr


def test_pddl_outside_the_language_is_refused_by_line(call, tmp_path):
    (tmp_path / "d.pddl").write_text(
        "(define (domain d)\n (:predicates (p ?x))\n (:action a :parameters (?x)\n"
        "  :effect (increase (p ?x) 1)))\n"
    )
    assert "d.pddl:4:" in call("run", "pddl:d.pddl", code=2).stderr


def test_help_teaches(call):
    text = call("run", "--help").stdout
    assert "pddl:DOMAIN.pddl" in text
    assert "--max-plan" in text
    assert f"its hello may take {HELLO_SECONDS:g}, whatever" in re.sub(r"[\s│]+", " ", text)
    assert call("--version").stdout.startswith("assay ")


def test_an_agent_without_actions_is_told_so(call, tmp_path):
    (tmp_path / "idle.pddl").write_text("(define (domain idle) (:predicates (p ?x)))")
    assert "names no actions" in call("run", "pddl:idle.pddl", "--out", "r", "--quiet", code=2).stderr
