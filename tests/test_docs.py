"""What the documentation shows is what happens."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from assay import assess
from assay.agents.pddl import open_pddl

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL)


def test_the_readme_embeds_the_example_agent():
    (shown,) = blocks(README, "python")
    assert shown == (ROOT / "examples/lamps.py").read_text()


def test_the_example_agent_is_short_and_works(capsys):
    source = (ROOT / "examples/lamps.py").read_text()
    body = source[source.index("class Lamps") : source.index("if __name__")].rstrip().splitlines()
    assert len(body) <= 20
    runpy.run_path(str(ROOT / "examples/lamps.py"), run_name="__main__")
    assert "Complete: all 2 actions at strength 2." in capsys.readouterr().out


def test_the_readme_shows_what_is_learned_of_the_door():
    result = assess(open_pddl(ROOT / "examples/door/door.pddl", None))
    (shown,) = blocks(README, "pddl")
    assert shown.strip() in result.to_pddl()


def test_the_readmes_commands_exist():
    known = subprocess.run(
        [sys.executable, "-m", "assay", "--help"], capture_output=True, text=True, check=True
    ).stdout
    commands = set(re.findall(r"^\$ assay ([a-z-]+)", README, re.MULTILINE))
    assert commands >= {"run", "verify", "resume", "check", "bench"}
    assert all(re.search(rf"\b{command}\b", known) for command in commands)


def test_the_readmes_commands_can_be_pasted():
    """What they name is in the repository, or was made by a command before."""
    (commands,) = (block for block in blocks(README, "console") if "assay run pddl:" in block)
    made = set(re.findall(r"--out (\S+)", commands))
    for path in re.findall(r"(?:pddl:|gym:|python3 |,)([\w./-]+\.(?:pddl|py))", commands):
        assert (ROOT / path).is_file(), path
    for module in re.findall(r"python:([\w.]+):", commands):
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file(), module
    for folder in re.findall(r"assay (?:watch|verify|resume) (\S+)", commands):
        assert folder in made, folder


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target
