"""The page that describes the protocol tells the truth: its agents are the files, its session happens."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from assay.agents.guard import Guard
from assay.agents.process import ProcessAgent
from assay.core.query import PlanQuery
from assay.core.symbols import RESERVED, Atom, Object, Step
from assay.core.universe import Universe
from assay.testing import check_agent

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
AGENTS = {
    "python": ([sys.executable], ROOT / "examples" / "protocol" / "lamps.py"),
    "perl": (["perl"], ROOT / "examples" / "protocol" / "lamps.pl"),
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("language", AGENTS)
def test_the_page_shows_the_files(language):
    assert AGENTS[language][1].read_text(encoding="utf-8") in blocks(language)


@pytest.mark.parametrize(("language", "most"), [("python", 30), ("perl", 40)])
def test_the_agents_are_short_and_need_nothing_of_ours(language, most):
    text = AGENTS[language][1].read_text(encoding="utf-8")
    assert len(text.splitlines()) <= most
    assert not re.search(r"(import|from|use) assay", text)


@pytest.mark.parametrize("language", AGENTS)
def test_the_session_happens(language):
    (session,) = blocks("text")
    lines = session.splitlines()
    assert all(line[:2] in ("# ", "< ", "> ", "") for line in lines)
    command, path = AGENTS[language]
    sent = "".join(line[2:] + "\n" for line in lines if line.startswith(">"))
    result = subprocess.run(
        [*command, path], input=sent, capture_output=True, text=True, timeout=20, check=True
    )
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert said == [json.loads(line[2:]) for line in lines if line.startswith("<")]
    assert result.stderr == ""


KENNEL = ROOT / "examples" / "protocol" / "kennel.py"


@pytest.mark.parametrize(("command", "path"), [*AGENTS.values(), ([sys.executable], KENNEL)])
def test_the_agents_keep_the_rules(command, path):
    with ProcessAgent([*command, str(path)], timeout=10) as agent:
        assert check_agent(agent) == []


def test_an_agent_that_tells_the_states_between():
    text = KENNEL.read_text(encoding="utf-8")
    assert text in blocks("python")
    assert len(text.splitlines()) <= 30
    with ProcessAgent([sys.executable, str(KENNEL)], timeout=10) as agent, Guard(agent) as guard:
        universe = Universe(agent.vocabulary, agent.objects)
        for name in ("spot", "bystander"):
            universe.add(Object(name, "dog"))
        steps = tuple(map(Step.parse, ("ring", "walk spot", "walk rex")))
        asleep = universe.state([Atom("asleep", ("spot",))])
        answer = guard.ask(PlanQuery(asleep, steps, frozenset({"bystander"})))
    assert (answer.steps, answer.states[-1]) == (2, answer.state)
    assert answer.states[0].texts() == ["asleep spot", "barking bystander", "barking rex"]
    assert answer.states[1].texts() == ["barking bystander", "barking rex", "out spot"]


def test_the_page_names_all_words_that_are_no_names():
    sentence = re.search(r"nothing but parameters can be\s+called (.*?), in upper", PAGE, re.DOTALL)[1]
    assert set(re.findall(r"`(\w+)`", sentence)) == RESERVED


def test_links_within_the_page_lead_somewhere():
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-") for h in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", PAGE)) <= anchors
