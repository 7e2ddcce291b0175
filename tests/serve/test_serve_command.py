"""`assay serve` as a command: it says where it is, stops when told to, and explains what it cannot do."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import typer
from typer.testing import CliRunner

from assay.cli.serve import add_commands

PAGE = Path(__file__).parents[2] / "docs/serve.md"

ALONE = """\
import typer
from assay.cli.serve import add_commands
app = typer.Typer()
app.callback()(lambda: None)
add_commands(app)
app()
"""


def test_it_prints_its_address_and_serves(finished: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", ALONE, "serve", str(finished)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert re.sub(r":\d+/", ":8000/", line).replace(str(finished), "results") in PAGE.read_text()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found is not None, line
        with urllib.request.urlopen(found[0], timeout=10) as response:
            assert b"What the delivery agent can do" in response.read()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
        assert process.returncode == 0
        assert "Traceback" not in err
    finally:
        process.kill()
        process.wait()


def test_what_is_not_a_folder_is_said(tmp_path: Path) -> None:
    app = typer.Typer()
    app.callback()(lambda: None)
    add_commands(app)
    result = CliRunner().invoke(app, ["serve", str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert "there is no such folder" in result.output
