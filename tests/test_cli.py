"""The command line: exit codes, --json, messages."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.agents.process import ProcessAgent
from assay.agents.wire import HELLO_SECONDS
from assay.cli import app

DOMAINS = files("assay.bench") / "domains"
DELIVERY = f"pddl:{DOMAINS / 'delivery.pddl'},{DOMAINS / 'delivery-problem.pddl'}"

FLAWED = '''
import random
from assay.agents.model import ModelAgent
from assay.bench.problems import load

model, problem = load("gripper", 1, 0)

class Moody(ModelAgent):
    """Refuses at random."""
    rng = random.Random(3)
    def ask(self, query, /):
        done = 0
        while done < len(query.plan) and self.rng.random() > 0.1:
            done += 1
        return super().ask(type(query)(query.state, query.plan[:done]))

class Fickle(ModelAgent):
    """Leaves everything lying where it was in every other question."""
    asked = 0
    def ask(self, query, /):
        self.asked += 1
        answer = super().ask(query)
        lying = [a for a in query.state if a.predicate == "at"] if self.asked % 2 else []
        return type(answer)(answer.steps, answer.state.change(add=lying))

class Broken(ModelAgent):
    asked = 0
    def ask(self, query, /):
        self.asked += 1
        if self.asked == 4:
            raise RuntimeError("out of steam")
        return super().ask(query)

class Sleepy(ModelAgent):
    asked = 0
    def ask(self, query, /):
        import time
        self.asked += 1
        if self.asked == 3:
            time.sleep(5)
        return super().ask(query)

class Nowhere(ModelAgent):
    def ask(self, query, /):
        from assay import Invalid
        return Invalid("no such hall")

class Still(ModelAgent):
    """Reports the state it was given."""
    def ask(self, query, /):
        answer = super().ask(query)
        return type(answer)(answer.steps, query.state)

def agent(kind):
    return lambda: kind(model, problem.objects, (problem.initial,))

moody, fickle, broken, sleepy, nowhere, still, good = map(
    agent, (Moody, Fickle, Broken, Sleepy, Nowhere, Still, ModelAgent)
)
'''


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "flawed_agents.py").write_text(FLAWED)
    runner = CliRunner()

    def call(*arguments, code=0):
        result = runner.invoke(app, list(arguments))
        assert result.exit_code == code, (result.output, result.exception)
        return result

    return call


def summary(folder):
    return json.loads((folder / "summary.json").read_text())


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


def test_verify_names_what_a_partial_run_does_not_prove(call):
    call("run", DELIVERY, "--out", "r", "--budget", "3", "--quiet", code=3)
    assert "Not proved" in call("verify", "r", code=3).stdout


def test_verify_says_which_file_is_wrong(call, tmp_path):
    call("run", DELIVERY, "--out", "r", "--quiet")
    for name in ("summary.json", "description.md"):
        content = (tmp_path / "r" / name).read_bytes()
        (tmp_path / "r" / name).unlink()
        told = " ".join(call("verify", "r", code=3).stdout.split())
        assert told == (
            "Not in order: the journal proves the model, but other files do not fit it. "
            f"- {name} is missing: 'assay resume r' writes it again. "
            "- This is the only model, up to equivalence, that gives these answers."
        )
        call("resume", "r", "--quiet")
        if name == "description.md":
            assert (tmp_path / "r" / name).read_bytes() == content
        call("verify", "r")
    model = tmp_path / "r" / "model.pddl"
    model.write_text(model.read_text().replace("(at ?t ?l)", "", 1))
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert told.startswith("Not proved. - model.pddl is not the file that the certificate is about.")
    assert "certificate.json says that load: precondition (at ?t ?l) is +; model.pddl says absent." in told
    assert "The model does not give the answer to question 4." in told
    assert "cited questions" not in told
    assert "called indistinguishable" not in told


@pytest.mark.parametrize("name", ["summary.json", "certificate.json"])
def test_a_file_that_is_not_there_is_not_held_against_others(call, tmp_path, name):
    call("run", DELIVERY, "--start", "reset", "--out", "r", "--quiet")
    (tmp_path / "r" / name).unlink()
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert name in told
    assert "description.md" not in told
    assert "alternatives" not in told


@pytest.mark.parametrize(
    ("agent", "names"),
    [
        (["sdma:driving", "--precision", "0.15"], ["summary.json", "description.md"]),
        (["game:zelda:3x4:search"], ["description.md"]),
    ],
)
def test_verify_misses_files_of_other_kinds_of_runs(call, tmp_path, agent, names):
    call("run", *agent, "--out", "r", "--quiet")
    call("verify", "r")
    for name in names:
        (tmp_path / "r" / name).unlink()
    told = " ".join(call("verify", "r", code=3).stdout.split())
    for name in names:
        assert f"{name} is missing: 'assay resume r' writes it again." in told


def test_verify_replays_against_the_agent(call):
    call("run", DELIVERY, "--out", "r", "--quiet")
    assert "the same answers" in call("verify", "r", "--replay", DELIVERY).stdout.replace("\n", " ")


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
    log.write_text(json.dumps(ran) + "\n" + json.dumps(ran | {"steps": 0, "added": [], "removed": []}) + "\n")
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


def test_an_edited_journal_is_no_evidence(call, tmp_path):
    call("run", DELIVERY, "--out", "r", "--quiet")
    journal = tmp_path / "r" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"steps":', b'"steps": ', 1))
    assert "the journal was edited" in call("verify", "r", code=2).stderr


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


def test_verify_of_a_run_that_was_cut_off_tells_how_to_go_on(call):
    call("run", DELIVERY, "--out", "r", "--budget", "2", "--quiet", code=3)
    earlier = {name: (Path("r") / name).read_bytes() for name in ("model.pddl", "certificate.json")}
    for name in earlier:
        (Path("r") / name).unlink()
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert "There is no model yet: the run was cut off. 'assay resume r' goes on with it." in told
    call("resume", "r", "--budget", "4", "--quiet", code=3)
    for name, content in earlier.items():
        (Path("r") / name).write_bytes(content)
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert "a journal of 2 questions; this one has 4. If the run was cut off, 'assay resume r'" in told


def test_verify_of_a_journal_without_its_end_is_short_and_tells_how_to_go_on(call):
    barman = f"pddl:{DOMAINS / 'barman.pddl'}"
    call("run", barman, "--out", "r", "--quiet")
    journal = Path("r/journal.jsonl")
    whole = journal.read_bytes()
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:-8]))
    findings = json.loads(call("verify", "r", "--json", code=3).stdout)["findings"]
    verdict, *told = call("verify", "r", code=3).stdout.split("\n- ")
    assert verdict == "Not proved."
    assert " ".join(told[0].split()) == findings[0]
    assert findings[0].endswith("'assay resume r' goes on with it.")
    assert len(told) == 13
    assert told[-1] == f"and {len(findings) - 12} more; with --json all are listed.\n"
    call("resume", "r", "--quiet")
    assert journal.read_bytes() == whole
    call("verify", "r")


def test_a_folder_is_not_overwritten(call):
    call("run", DELIVERY, "--out", "r", "--quiet")
    assert "already holds a run" in call("run", DELIVERY, "--out", "r", "--quiet", code=2).stderr


def test_pddl_outside_the_language_is_refused_by_line(call, tmp_path):
    (tmp_path / "d.pddl").write_text(
        "(define (domain d)\n (:predicates (p ?x))\n (:action a :parameters (?x)\n"
        "  :effect (when (p ?x) (not (p ?x)))))\n"
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
