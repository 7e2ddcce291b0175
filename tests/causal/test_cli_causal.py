"""The commands: answers in words and in JSON, and a clear message for whatever cannot be answered."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from assay.agents.model import ModelAgent
from assay.cli import causal, compare
from assay.pddl.reader import read_problem
from assay.session import assess
from worlds import DELIVERY, DELIVERY_PROBLEM, delivery

app = typer.Typer()
causal.add_commands(app)
compare.add_commands(app)

PLAN = "(load letter red depot) (drive red depot market)"
STATE = str(DELIVERY_PROBLEM)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = delivery()
    problem = read_problem(DELIVERY_PROBLEM.read_text(), model.vocabulary)
    path = tmp_path_factory.mktemp("results") / "delivery"
    assess(ModelAgent(model, problem.objects, (problem.initial,)), out=path)
    return path


def run(*args: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(a) for a in args])
    assert result.exit_code == code, result.output
    return result.output


def test_a_result_folder_knows_its_objects_and_where_to_start(folder: Path) -> None:
    text = run("why", folder, "--plan", PLAN, "--fact", "(in letter red)")
    assert "- step 1 (load(letter, red, depot)) is taken" in text
    text = run("ask", folder, "can (at letter harbour) hold from this state")
    assert "Yes, in 4 steps at best." in text
    assert "That is so as far as strength 2 tells." in run("ask", folder, "can not (road depot market) hold")
    assert "could not run" in run("whatif", folder, "--plan", PLAN, "--do", "not (at red depot) at 1")
    assert "road(depot, harbour) is true" in run("why-not", folder, "--plan", "(drive red depot harbour)")
    assert "same causal relations" in run("causal-check", folder, DELIVERY)


def test_answers_of_a_folder_name_what_its_certificate_says(folder: Path, tmp_path: Path) -> None:
    certified = tmp_path / "certified"
    shutil.copytree(folder, certified)
    actions = {"load": {"status": "learned"}, "drive": {"status": "never ran"}}
    certificate = {"assay": 2, "strength": 2, "actions": actions}
    (certified / "certificate.json").write_text(json.dumps(certificate))
    question = "can not (road depot market) hold"
    text = run("ask", certified, question)
    assert "That is so as far as strength 2 tells." in text
    assert "It rests on drive, and it was never seen to run." in text
    data = json.loads(run("ask", certified, question, "--json"))
    assert (data["strength"], data["unsettled"]) == (2, {"drive": "it was never seen to run"})
    text = run("why-not", certified, "--plan", "(load letter red depot)", "--fact", "not (road depot market)")
    assert "no plan does it: every state within reach was looked at. That is so as far as strength 2" in text
    told = CliRunner().invoke(app, ["why-not", str(certified), "--plan", "(load letter red market)"])
    assert "is not complete, and is taken as it is. drive: it was never seen to run." in told.stderr


def test_names_may_be_written_in_any_case() -> None:
    text = run("why", DELIVERY, "--state", STATE, "--plan", PLAN.upper(), "--fact", "NOT (At Letter DEPOT)")
    assert "At the end at(letter, depot) is false." in text
    assert "can drive" not in run("graph", DELIVERY, "--action", "DRIVE")
    assert "Yes, in one step" in run("ask", DELIVERY, "Can (IN Letter RED) hold", "--state", STATE)
    new = run("ask", DELIVERY, "can (IN P T) hold", "--state", "(at p Here) (AT T hERE) (Truck t)")
    assert "1. load(p, T, Here)" in new


def test_facts_may_be_combined() -> None:
    either = "(at letter harbour) or ((in letter red) and not (at letter depot))"
    text = run("why", DELIVERY, "--state", STATE, "--plan", PLAN, "--fact", either)
    assert "- step 1 (load(letter, red, depot)) is taken" in text
    text = run("ask", DELIVERY, "can (in letter red) or (in letter blue) hold", "--state", STATE)
    assert "Yes, in one step" in text


def test_refused_steps_stop_the_plan_or_are_passed_over() -> None:
    plan = "(unload letter red depot) (drive red depot market)"
    common = ("why", DELIVERY, "--state", STATE, "--plan", plan, "--fact")
    text = run(*common, "(at red depot)")
    assert "Step 1 (unload(letter, red, depot)) could not run.\nStep 2 was not reached." in text
    text = run(*common, "(at red market)", "--refused", "skip")
    assert "Step 1 (unload(letter, red, depot)) could not run.\nAt the end at(red, market) is true." in text
    assert "was not reached" in run("why-not", DELIVERY, *common[2:], "(at red market)")


def test_dependence_is_asked_about() -> None:
    common = ("depends", DELIVERY, "--plan", PLAN, "--state", STATE, "--fact", "(in letter red) at 1")
    text = run(*common)
    assert "Whether in(letter, red) is true after step 1 depends directly on whether" in text
    assert "- at(letter, depot) is true at the start" in text
    assert run(*common, "--on", "(at letter depot) at 0").startswith("Yes: whether")
    no = run(*common, "--on", "(at blue market) at 0")
    assert no.startswith("No: it makes no difference")
    assert "That is so of this model." in no
    assert json.loads(run(*common, "--on", "step 2", "--json"))["indirect"] is False
    assert run("depends", DELIVERY, "--plan", PLAN, "--fact", "step 1", code=0)


def test_two_results_are_compared_with_the_answers_of_both(folder: Path, tmp_path: Path) -> None:
    assert "Nothing differs." in run("diff", folder, DELIVERY)
    text = DELIVERY.read_text().replace("(and (at ?p ?l) (at ?t ?l))", "(or (at ?p ?l) (at ?t ?l))")
    (tmp_path / "other.pddl").write_text(text)
    found = run("diff", folder, tmp_path / "other.pddl", code=1)
    assert "- only the second can do it where" in found
    assert "what the second cannot explain, in the first:" in found
    assert "could not run" in found
    data = json.loads(run("diff", folder, tmp_path / "other.pddl", "--json", code=1))
    assert data["differs"]
    (load,) = data["actions"]
    assert load["action"] == "load"
    assert load["unexplained"]["first"]
    assert not load["unexplained"]["second"]


def test_every_command_speaks_json(folder: Path, tmp_path: Path) -> None:
    common = ("--state", STATE, "--plan", PLAN, "--json")
    why = json.loads(run("why", DELIVERY, *common, "--fact", "(in letter red)"))
    assert {"kind": "decision", "step": "(load letter red depot)", "time": 0, "value": True} in [
        member for c in why["causes"] for member in c["cause"]
    ]
    assert why["more"] is False
    limited = json.loads(run("why", DELIVERY, *common, "--fact", "(in letter red)", "--limit", "2"))
    assert len(limited["causes"]) == 2
    assert limited["more"] is True
    whatif = json.loads(run("whatif", DELIVERY, *common, "--do", "not step 1"))
    assert whatif["steps"][0]["would_have"] == "left out"
    why_not = json.loads(run("why-not", DELIVERY, *common, "--action", "(unload letter red harbour)"))
    assert why_not["missing"] == [["(at red harbour)"]]
    assert why_not["plan_change"]["edits"][0]["new"] == "(drive red market harbour)"
    ask = json.loads(run("ask", DELIVERY, "can (in crate blue) hold", "--state", STATE, "--json"))
    assert ask["possible"] is True
    graph = json.loads(run("graph", DELIVERY, "--action", "load", "--json"))
    assert graph["svg"].startswith("<svg")
    check = json.loads(run("causal-check", DELIVERY, folder, "--json"))
    assert check["same"] is True
    depends = json.loads(run("depends", DELIVERY, *common, "--fact", "(in letter red) at 1"))
    assert {"kind": "decision", "step": "(load letter red depot)", "time": 0} in depends["depends_on"]


def test_graphs_are_written_or_printed(tmp_path: Path) -> None:
    out = tmp_path / "load.svg"
    assert run("graph", DELIVERY, "--action", "load", "--out", out) == f"{out} written\n"
    assert out.read_text() == run("graph", DELIVERY, "--action", "load")


def test_states_and_plans_may_be_files(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("; the start\n(at p here) (at t here)\n")
    (tmp_path / "plan").write_text("(load p t here)\n")
    text = run(
        "why", DELIVERY, "--state", tmp_path / "state", "--plan", tmp_path / "plan", "--fact", "(in p t)"
    )
    assert "At the end in(p, t) is true." in text


def test_models_that_differ_exit_with_1(tmp_path: Path) -> None:
    other = tmp_path / "other.pddl"
    other.write_text(DELIVERY.read_text().replace("(and (at ?p ?l) (at ?t ?l))", "(at ?p ?l)"))
    text = run("causal-check", DELIVERY, other, code=1)
    assert (
        "Only in the first: when at(P, L) is true, at(T, L) is true and in(P, T) is false, the fact" in text
    )


def test_a_bound_that_was_reached_exits_with_3() -> None:
    text = run("ask", DELIVERY, "can (in crate blue) hold", "--state", STATE, "--max-states", 1, code=3)
    assert "Not known" in text


WHY = ("--state", STATE, "--plan", PLAN, "--fact")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("why", DELIVERY, *WHY, "(flies letter)"), "unknown predicate 'flies'"),
        (("why", DELIVERY, *WHY, "(in letter)"), "takes 2 argument(s), not 1"),
        (("why", DELIVERY, *WHY, "in letter red"), "cannot be read"),
        (("why", DELIVERY, *WHY, "(at letter depot)"), "ask why not"),
        (("why", DELIVERY, *WHY, "(in letter red)", "--at", "7"), "times go from 0 to 2"),
        (("why", DELIVERY, *WHY, "(in letter red)", "--outcomes", "x"), "one number per step"),
        (("why", DELIVERY, *WHY, "(at <script> depot)"), "object name '<script>'"),
        (("why", DELIVERY, "--plan", PLAN, "--fact", "(in letter red)"), "say where to start"),
        (
            ("why", DELIVERY, "--state", "nowhere.txt", "--plan", PLAN, "--fact", "(a)"),
            "cannot read nowhere.txt",
        ),
        (("why", "../../nothing", *WHY, "(in letter red)"), "cannot read"),
        (("why", DELIVERY.parent, *WHY, "(in letter red)"), "there is no model in"),
        (("whatif", DELIVERY, *WHY[:-1], "--do", "not (in letter red) at 9"), "outside the plan"),
        (("whatif", DELIVERY, *WHY[:-1], "--do", "nonsense"), "cannot be read"),
        (("why-not", DELIVERY, *WHY, "(a)", "--action", "(b)"), "not both"),
        (("why-not", DELIVERY, *WHY[:-1], "--action", "(drive red)"), "takes 3 argument(s), not 1"),
        (("ask", DELIVERY, "what is the meaning of it", "--state", STATE), "is not a question"),
        (("graph", DELIVERY, "--action", "fly"), "does not describe action 'fly'"),
        (("graph", DELIVERY, "--action", "load", "--out", "/no/such/place.svg"), "cannot write"),
        (("causal-check", DELIVERY, DELIVERY_PROBLEM), "expected (domain NAME)"),
    ],
)
def test_what_cannot_be_answered_is_said_clearly(arguments: tuple[object, ...], message: str) -> None:
    assert message in run(*arguments, code=2)
    answer = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    assert answer.exit_code == 2
    assert message in json.loads(answer.stdout)["error"]
