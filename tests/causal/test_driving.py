"""The driving robot: whoever only watches takes colour for a cause, whoever asks does not."""

from __future__ import annotations

import runpy

import pytest

from assay.agents.model import ModelAgent
from assay.causal.soundness import compare
from assay.causal.variables import Fact
from assay.core.model import Model
from assay.core.symbols import Atom, Literal
from assay.pddl.reader import read_domain, read_problem
from assay.scoring.equivalence import differences
from assay.session import assess
from worlds import EXAMPLES

FOLDER = EXAMPLES / "driving"
BLUE = Literal(Atom("src_blue", ("?s",)))


def domain(name: str) -> Model:
    return read_domain((FOLDER / name).read_text(), name)


def test_assay_learns_the_robot_as_it_is() -> None:
    truth = domain("robot.pddl")
    problem = read_problem((FOLDER / "problem.pddl").read_text(), truth.vocabulary)
    result = assess(ModelAgent(truth, problem.objects, (problem.initial,)))
    assert result.complete
    assert BLUE not in result.model.action["drive"].needed
    assert compare(result.model, truth).same


def test_every_source_was_blue_in_what_the_bystander_saw() -> None:
    script = runpy.run_path(str(FOLDER / "watch.py"))
    drives = 0
    for trace in script["traces"](domain("robot.pddl")):
        for bits, step in zip(trace.states, trace.steps, strict=False):
            if step.action == "drive":
                drives += 1
                assert Atom("src_blue", (step.args[1],)) in trace.universe.atoms(bits)
    assert drives > 5


def test_the_bystander_takes_the_colour_for_a_cause() -> None:
    watched, truth = domain("watched.pddl"), domain("robot.pddl")
    assert differences(watched, truth) == ["drive runs in the second model only where (not (src_blue ?s))"]
    verdict = compare(watched, truth)
    assert (verdict.sound, verdict.complete) == (False, False)
    assert verdict.only_first is not None
    assert verdict.only_first.cause == (Fact(BLUE.atom, 0), True)
    assert verdict.only_first.effect == (Fact(Atom("at", ("?t", "?d")), 1), True)


def test_the_bystander_is_a_real_learner() -> None:
    """The file is what the learner makes of the traces today."""
    pytest.importorskip("offlam", reason="the observational learner is the extra 'bench'")
    script = runpy.run_path(str(FOLDER / "watch.py"))
    assert not differences(script["watch"](), domain("watched.pddl"))
