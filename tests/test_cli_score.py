"""`assay score MODEL TRUTH`."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from typer.testing import CliRunner

from assay.agents.worlds import domain_text, training_problem, truth
from assay.bench.stochastic.subjects import subject
from assay.cli import app
from assay.pddl.writer import write_domain, write_problem


def run(*args: str):
    return CliRunner().invoke(app, ["score", *args])


@pytest.fixture
def learned(tmp_path):
    path = tmp_path / "learned.ppddl"
    path.write_text(domain_text("driving").replace("0.8", "0.75").replace("(spare-in ?loc) (not", "(not"))
    return path


def test_against_a_bundled_world(learned):
    found = run(str(learned), "sdma:driving", "--json")
    assert found.exit_code == 0
    data = json.loads(found.stdout)
    assert 0.02 < data["exact"] < 0.05
    assert data["capabilities"]["changetire"] == {"running": 0, "refused": pytest.approx(1 / 3)}
    assert data["capabilities"]["move-car"]["refused"] == 0
    assert data["full"] == pytest.approx((0.05 / 2 + 1 / 6) / 2)
    assert (data["sound"], data["complete"]) == (False, True)
    assert data["spurious"] == ["changetire can be executed where (not (spare-in ?loc))"]
    assert data["sampled_truth"] > 0.1


def test_against_the_robot_of_the_cafe(tmp_path):
    counted = subject("cafe").truth
    path = tmp_path / "model.ppddl"
    path.write_text(write_domain(counted))
    data = json.loads(run(str(path), "sdma:cafe", "--json").stdout)
    assert (data["full"], data["sound"], data["complete"]) == (0, True, True)


def test_in_words(learned):
    text = run(str(learned), "sdma:driving").stdout
    assert "the truth's own: 0.2" in text
    assert "sound: no\n  only the model: changetire can be executed where (not (spare-in ?loc))" in text
    assert "complete: yes" in text


def test_files_folders_and_problems(learned, tmp_path):
    hidden, situation = tmp_path / "truth.ppddl", training_problem("driving")
    hidden.write_text(write_domain(truth("driving")))
    problem = tmp_path / "p.ppddl"
    problem.write_text(write_problem("p", "driving", situation.objects, situation.initial))
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "model.ppddl").write_text(hidden.read_text())
    data = json.loads(run(str(folder), str(hidden), "--problem", str(problem), "--json").stdout)
    assert (data["exact"], data["full"], data["sound"], data["complete"]) == (0, 0, True, True)
    data = json.loads(run(str(learned), str(hidden), "--json").stdout)
    assert data["full"] > 0.05
    assert json.loads(run(str(learned), f"ppddl:{hidden}", "--json").stdout) == data
    given = run(str(learned), str(hidden), "--problem", str(problem), "--json").stdout
    assert run(str(learned), f"ppddl:{hidden},{problem}", "--json").stdout == given


def test_a_model_without_chance_against_what_was_assessed(tmp_path):
    domain = files("assay.bench") / "domains" / "delivery.pddl"
    found = run(str(domain), f"pddl:{domain},{domain.parent / 'delivery-problem.pddl'}", "--json")
    data = json.loads(found.stdout)
    assert (data["full"], data["sound"], data["complete"]) == (0, True, True)


DOORS = """(define (domain doors) (:types door key)
  (:predicates (shut ?d - door) (fits ?k - key ?d - door) (lost ?k - key) (wet) (muddy))
  (:action unlock :parameters (?d - door ?k - key)
    :precondition (and (shut ?d) (or (fits ?k ?d) (exists (?o - key) (and (fits ?o ?d) (not (lost ?o))))))
    :effect (and (not (shut ?d)) (when (wet) (muddy)))))"""


def test_all_of_adl(tmp_path):
    hidden, learned = tmp_path / "truth.pddl", tmp_path / "learned.pddl"
    hidden.write_text(DOORS)
    learned.write_text(DOORS)
    data = json.loads(run(str(learned), f"pddl:{hidden}", "--json").stdout)
    assert (data["exact"], data["full"], data["sound"], data["complete"]) == (0, 0, True, True)
    learned.write_text(DOORS.replace("(when (wet) (muddy))", "").replace("(not (lost ?o))", "(lost ?o)"))
    data = json.loads(run(str(learned), f"pddl:{hidden}", "--json").stdout)
    assert 0 < data["exact"] < data["full"] < 1
    assert len(data["spurious"]) == len(data["missing"]) == 2
    assert "unlock can lead to (muddy) (not (shut ?d)) where (not (muddy)) (wet)" in data["missing"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nowhere.ppddl", "sdma:driving"), "cannot read nowhere.ppddl"),
        (("{learned}", "pddl:nowhere.pddl"), "cannot read nowhere.pddl"),
        (("{learned}", "pddl:a,b,c"), "one domain and at most one problem"),
        (("{learned}", "sdma:moon"), "no stochastic agent 'moon'"),
        (("{learned}", "sdma:warehouse"), "a capability 'move-car' that the truth does not know"),
        (("{learned}", "sdma:driving", "--problem", "x"), "brings its own test problems"),
    ],
)
def test_what_cannot_be_compared(learned, args, message):
    found = run(*(a.format(learned=learned) for a in args))
    assert found.exit_code == 2
    assert message in found.stderr
