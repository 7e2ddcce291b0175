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
    shown = call("run", DELIVERY, "--out", "r", "--quiet").stdout
    assert "The model is complete. 7 questions" in shown.replace("\n", " ")
    assert "(:action load" in shown
    names = {p.name for p in (tmp_path / "r").iterdir()}
    assert {"journal.jsonl", "model.pddl", "certificate.json", "description.md", "summary.json"} <= names
    data = summary(tmp_path / "r")
    assert data["complete"]
    assert data["questions"] == data["search"] + data["test"] == 7
    assert data["slots"] == {"total": 28, "settled": 25, "indistinguishable": 3, "open": 0}
    assert data["equivalent_models"] == 8
    assert {"steps", "cached", "seconds", "agent_seconds", "strategy", "seed"} <= data.keys()


def test_json_is_json_and_nothing_else(call):
    data = json.loads(call("run", DELIVERY, "--out", "r", "--json").stdout)
    assert data["complete"]
    assert data["folder"] == "r"
    assert json.loads(call("verify", "r", "--json").stdout)["proved"]
    assert json.loads(call("resume", "r", "--json").stdout)["questions"] == 7
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
    assert (partial["outcome"], partial["questions"]) == ("budget", 3)
    assert partial["slots"]["open"] > 0
    assert "What is not settled" in (tmp_path / "r/description.md").read_text()
    told = call("resume", "r", "--json", code=3).stderr
    assert told == "assay: the budget of 3 questions is spent; to go on: assay resume r --budget 13\n"
    assert summary(tmp_path / "r")["questions"] == 3
    call("resume", "r", "--budget", "13", "--quiet")
    call("run", DELIVERY, "--out", "whole", "--quiet")
    for name in ("journal.jsonl", "model.pddl", "certificate.json"):
        assert (tmp_path / "r" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


WANTING = """
(define (domain dance) (:types dancer)
 (:predicates (ready ?d - dancer) (done ?d - dancer))
 (:action solo :parameters (?d - dancer) :precondition (ready ?d) :effect (done ?d))
 (:action waltz :parameters (?a ?b - dancer) :precondition (ready ?a) :effect (done ?b)))
"""


@pytest.mark.parametrize(("mode", "code"), [(["--start", "reset"], 0), (["--own-objects"], 3)])
def test_actions_without_enough_objects_are_named_however_it_ends(call, tmp_path, mode, code):
    Path("dance.pddl").write_text(WANTING)
    Path("alone.pddl").write_text(
        "(define (problem p) (:domain dance) (:objects ann - dancer) (:init (ready ann)) (:goal (done ann)))"
    )
    Path("dancers.py").write_text(
        "from assay.agents.open import open_any\n"
        "def alone():\n"
        "    agent = open_any('pddl:dance.pddl,alone.pddl', timeout=None, seed=0)\n"
        "    agent.free_arguments = False\n"
        "    return agent\n"
    )
    told = call("run", "python:dancers:alone", *mode, "--out", "r", "--quiet", code=code).stdout
    assert "Not asked about, for want of objects: waltz." in told
    assert summary(tmp_path / "r")["lacking"] == ["waltz"]
    call("verify", "r", code=code)
    text = (tmp_path / "r/summary.json").read_text().replace('"waltz"', '"solo"')
    (tmp_path / "r/summary.json").write_text(text)
    assert 'lacking ["solo"]' in call("verify", "r", code=3).stdout


def test_logs_are_evidence_before_the_first_question(call, tmp_path):
    call("run", DELIVERY, "--out", "first", "--quiet")
    call("run", DELIVERY, "--out", "r", "--traces", "first/journal.jsonl", "--quiet")
    data = summary(tmp_path / "r")
    assert (data["complete"], data["questions"], data["traces"]) == (True, 0, 7)
    assert call("verify", "r", "--replay", DELIVERY).exit_code == 0


def test_the_log_shown_in_the_documentation_is_one_of_the_demo(call, tmp_path):
    page = (Path(__file__).parents[1] / "docs" / "evidence.md").read_text()
    lines = re.findall(r"^    (\{.*\})$", page, re.MULTILINE)
    assert len(lines) == 2
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    shown = call("run", DELIVERY, "--out", "r", "--traces", "log.jsonl", "--quiet").stdout.replace("\n", " ")
    assert summary(tmp_path / "r")["traces"] == 3
    assert "after 3 entries from logs" in shown
    assert "were needed" not in shown  # of logs no bound is known


def test_what_must_not_be_entered_leaves_things_open(call, tmp_path):
    fence = ("--start", "reset", "--never", "(exists (?p - package ?t - truck) (in ?p ?t))")
    shown = call("run", DELIVERY, *fence, "--out", "r", "--quiet", code=3).stdout.replace("\n", " ")
    assert "no allowed question was found that would settle what is open" in shown
    assert "because of --never" in shown
    assert {"load", "unload"} <= summary(tmp_path / "r")["forbidden"].keys()
    journal = json.loads((tmp_path / "r" / "journal.jsonl").read_text().splitlines()[0])
    assert journal["never"] == fence[-1]
    call("resume", "r", "--quiet", code=3)
    call("verify", "r", code=3)


def test_logs_that_do_not_fit(call, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('\n{"states": [["at nobody nowhere"]], "actions": []}\n')
    message = call("run", DELIVERY, "--out", "r", "--traces", "log.jsonl", code=2).stderr
    assert "log.jsonl, line 2: " in message
    assert "nobody" in message
    call("run", DELIVERY, "--out", "first", "--quiet")
    lines = [json.loads(line) for line in (tmp_path / "first" / "journal.jsonl").read_text().splitlines()]
    ran = next(line for line in lines[1:] if line["steps"])
    log.write_text(json.dumps(ran) + "\n" + json.dumps(ran | {"steps": 0, "changes": []}) + "\n")
    shown = call("run", DELIVERY, "--out", "r", "--traces", "log.jsonl", "--quiet", code=4).stdout
    assert "(from a log)" in shown.replace("\n", " ")
    assert summary(tmp_path / "r")["outcome"] == "contradiction"


@pytest.mark.parametrize("kind", ["moody", "fickle"])
def test_a_contradiction_is_a_finding(call, tmp_path, kind):
    result = call("run", f"python:flawed_agents:{kind}", "--out", "r", "--quiet", code=4)
    text = result.stdout.replace("\n", " ")
    assert "contradict every model" in text
    assert "question" in text
    assert summary(tmp_path / "r")["outcome"] == "contradiction"
    description = (tmp_path / "r" / "description.md").read_text()
    assert "The answers contradict each other" in description
    assert "is settled." not in description.replace("below is settled.", "")
    verdict = call("verify", "r", code=3).stdout
    assert "Not proved" in verdict
    assert "description.md" not in verdict


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


def test_an_agent_in_whose_answers_nothing_ever_changes_is_pointed_out(call):
    said = "In no answer had anything changed, whatever ran."
    told = call("run", "python:flawed_agents:still", "--out", "still", "--quiet", "--max-plan", "1").stdout
    assert said in " ".join(told.split())
    assert said not in call("run", "python:flawed_agents:good", "--out", "r", "--quiet").stdout


def test_an_agent_that_calls_everything_invalid_is_said_to(call, tmp_path):
    told = call("run", "python:flawed_agents:nowhere", "--out", "r", "--quiet", code=3).stdout
    told = " ".join(told.split())
    assert 'Every question was answered "invalid" (reason given: no such hall).' in told
    assert "never asked to" not in told
    questions = summary(tmp_path / "r")["questions"]
    assert summary(tmp_path / "r")["rejected"] == questions > 0
    said = 'questions about it were answered "invalid" (reason given: no such hall).'
    assert said in (tmp_path / "r" / "description.md").read_text()
    assert said.replace('"', "&quot;") in (tmp_path / "r" / "report.html").read_text()
    assert "description.md" not in call("verify", "r", code=3).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "pddl:nowhere.pddl"], "nowhere.pddl"),
        (["run", "nonsense"], "nonsense"),
        (["run", "python:no_such_module:agent"], "no_such_module"),
        (["run", DELIVERY, "--strategy", "guess"], "guess"),
        (["run", DELIVERY, "--start", "reset", "--strategy", "chain"], "any state"),
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
    told = call("run", DELIVERY, "--out", "r", "--budget", "1", "--quiet", code=3).stdout.replace("\n", " ")
    assert re.search(
        r" 1 question \((1 to find first examples, 0 tests|0 to find first examples, 1 test)\) ", told
    )
    assert "; Learned by assay in 1 question.\n" in Path("r/model.pddl").read_text()


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
