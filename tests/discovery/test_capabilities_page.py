"""What docs/capabilities.md shows is what happens."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/capabilities.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_zelda_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = [line.removeprefix("$ assay ") for line in blocks("console")[0].splitlines()]
    assert len(commands) == 2
    for command in commands:
        result = CliRunner().invoke(app, [*command.split(), "--quiet"])
        assert result.exit_code == 0, result.output
    assert blocks("pddl")[0] in (tmp_path / "results/search/model.pddl").read_text()
    sentence, difference, verdict = blocks("text")
    assert sentence in (tmp_path / "results/search/description.md").read_text()
    (compare,) = re.findall(r"`assay (diff [^`]*)`", PAGE)
    result = CliRunner().invoke(app, compare.split())
    assert difference in result.output
    (check,) = re.findall(r"`assay (verify [^`]*)`", PAGE)
    result = CliRunner().invoke(app, check.split())
    assert (result.exit_code, result.output) == (0, verdict)


def test_the_vacuum(capsys: pytest.CaptureFixture[str]) -> None:
    assert blocks("python")[0] == (ROOT / "examples/vacuum.py").read_text()
    runpy.run_path(str(ROOT / "examples/vacuum.py"), run_name="__main__")
    command, *shown = blocks("console")[1].splitlines()
    assert command == "$ python examples/vacuum.py"
    assert capsys.readouterr().out.splitlines() == shown
