"""docs/simulators.md: what it shows is what happens."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from assay import assess, check_agent
from assay.agents.gymnasium import Press
from assay.agents.open import open_agent
from assay.proof.recount.folder import verify_folder

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/simulators.md").read_text()
EXAMPLE = ROOT / "examples/crane.py"


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_shows_the_example():
    assert blocks("python")[0] == EXAMPLE.read_text()
    assert len([line for line in EXAMPLE.read_text().splitlines() if line.strip()]) <= 40


def test_the_example_is_sound_and_gives_the_model_shown():
    crane = runpy.run_path(str(EXAMPLE))["crane"]
    assert check_agent(crane()) == []
    (shown,) = blocks("text")
    assert shown.strip() in assess(crane(), strategy="acting").to_pddl()


def test_the_careful_run_shown_tries_only_what_is_allowed():
    crane = runpy.run_path(str(EXAMPLE))["crane"]
    formulas = re.findall(r'--never "(.*)"', PAGE)
    results = [assess(crane(), never=formula) for formula in formulas]
    assert len(results) == 2
    assert all(result.complete for result in results)
    tried = {step.text for entry in results[0].entries for step in entry.query.plan}
    assert "grab red quay" not in tried
    assert "grab blue ship" in tried


def test_the_press_shown_names_who_took_part():
    (shown,) = [block for block in blocks("python") if "Press(" in block]
    press = eval("{" + shown + "}", {"Press": Press})["forward"]  # the page's own code

    class Seen:
        def __init__(self, at, way):
            self.at, self.way = at, way

    assert press.arguments(Seen("a", "east"), Seen("b", "east")) == ("a", "b", "east")
    assert list(press.parameters) == ["from", "to", "way"]


def test_the_table_lists_what_a_file_may_define():
    pytest.importorskip("gymnasium")
    from assay.agents import gym_file

    listed = re.findall(r"^    (\w+)(?:  |, )", gym_file.__doc__, re.MULTILINE)
    table = PAGE[PAGE.index("| the file defines") : PAGE.index("**Refusal.**")]
    assert listed == re.findall(r"^\| `(\w+)", table, re.MULTILINE)


@pytest.mark.parametrize("seed", [0, 2])
def test_the_lake_gives_the_model_shown(seed, tmp_path):
    pytest.importorskip("gymnasium")
    with open_agent("gym:FrozenLake-v1", timeout=None) as agent:
        result = assess(agent, seed=seed, out=tmp_path / "out")
    assert result.complete
    assert verify_folder(tmp_path / "out").holds
    (shown,) = blocks("pddl")
    assert shown in result.to_pddl()
