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
    shown, _ = blocks("text")
    assert shown.strip() in assess(crane(), strategy="acting").to_pddl()


def test_the_careful_run_shown_says_what_it_left_open():
    crane = runpy.run_path(str(EXAMPLE))["crane"]
    formulas = re.findall(r'--never "(.*)"', PAGE)
    results = [assess(crane(), never=formula) for formula in formulas]
    assert len(results) == 2
    _, shown = blocks("text")
    assert shown.strip() in results[0].describe()
    assert results[0].summary()["forbidden"].keys() == {"grab", "lower"}
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

    listed = re.findall(r"^    (\w+)  ", gym_file.__doc__, re.MULTILINE)
    table = PAGE[PAGE.index("| the file defines") : PAGE.index("**Refusal.**")]
    assert listed == re.findall(r"^\| `(\w+)", table, re.MULTILINE)


@pytest.mark.parametrize("seed", [0, 2])
def test_the_minigrid_run_gives_the_model_shown(seed, tmp_path):
    pytest.importorskip("minigrid")
    with open_agent(f"gym:{ROOT / 'examples/minigrid/door_key.py'}", timeout=None) as agent:
        result = assess(agent, seed=seed, out=tmp_path / "out")
    assert result.complete
    assert verify_folder(tmp_path / "out").proved
    (shown,) = blocks("pddl")
    actions = re.findall(r"  \(:action .*?\n  \)\n", shown, re.DOTALL)
    assert len(actions) == 3
    assert all(action in result.to_pddl() for action in actions)
    if seed == 0:
        again = result.asked_again
        assert f"It takes {result.questions} questions, {again} of them asked before and asked again" in PAGE
        assert f"the others {result.summary()['search']} are refusals" in PAGE
        assert result.summary()["proof"] == "mutual exclusion of pairs of facts"
        close = result.summary()["alternatives"]["close"]["instead"]["(door_on ?door ?there)"]
        assert close == [["(not (bare ?there))"], ["(not (blocked ?there))"], ["(not (goal ?there))"]]
