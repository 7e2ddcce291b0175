"""The page on causality tells the truth: every command it shows is run, and says what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "causality.md").read_text(encoding="utf-8")


def sessions() -> list[tuple[str, str]]:
    """Each command on the page, and what is shown under it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.replace("\\\n", " ").partition("\n")
            found.append((command, output.rstrip("\n")))
    return found


def test_every_command_says_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("examples", "src"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    commands = sessions()
    assert len(commands) >= 8
    for command, shown in commands:
        program, *arguments = shlex.split(command)
        assert program == "assay"
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code in (0, 1), f"{command}\n{result.output}"
        said = "\n".join(line.rstrip() for line in result.stdout.rstrip("\n").splitlines())
        pattern = ".*".join(re.escape(part) for part in shown.split("...\n"))
        assert re.fullmatch(pattern, said, re.DOTALL), f"{command}\n{said}"


def test_every_command_of_this_layer_is_on_the_page() -> None:
    shown = {command.split()[1] for command, _ in sessions()}
    assert {"graph", "whatif", "why", "why-not", "causal-check", "depends", "ask"} <= shown


def test_the_python_on_the_page_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(code, "causality.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"#> (.*)", code)
