"""A name stays in its folder, and a run writes only where nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.store.place import LONGEST_NAME, folder_name

MINE = {name: f"the user's {name}" for name in ("run.json", "model.pddl", "report.html", "summary.json")}


@pytest.mark.parametrize(
    "name", [".", "..", "../..", "...", "/etc", "-x", "~", "", "a/../b", "x" * 300, "é\u202e\n"]
)
def test_a_name_is_one_visible_path_component(name):
    made = folder_name(name)
    assert made == Path(made).name
    assert made[0] not in ".-~"
    assert made.isascii()
    assert 0 < len(made) <= LONGEST_NAME


@pytest.mark.parametrize("name", ["..", ".", "x" * 300])
def test_a_hello_cannot_lead_out_of_the_results(call, lamps, tmp_path, name):
    for file, text in MINE.items():
        (tmp_path / file).write_text(text)
    call("run", lamps(name=name), "--quiet")
    call("run", lamps(name=name), "--quiet")
    assert {file: (tmp_path / file).read_text() for file in MINE} == MINE
    made = sorted(path.name for path in (tmp_path / "results").iterdir())
    assert len(made) == 2
    assert all(len(name) <= LONGEST_NAME and (tmp_path / "results" / name).is_dir() for name in made)


def test_a_folder_that_holds_something_else_is_left_alone(call, lamps, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "run.json").write_text("mine")
    said = call("run", lamps(), "--out", "mine", "--quiet", code=2).output
    assert "not empty" in said
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["run.json"]
    assert (tmp_path / "mine" / "run.json").read_text() == "mine"


def test_a_link_is_not_followed_to_a_new_place(call, lamps, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "agent").symlink_to(tmp_path / "elsewhere")
    call("run", lamps(), "--quiet")
    assert not (tmp_path / "elsewhere").exists()
