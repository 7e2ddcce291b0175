"""Agents opened from the text that names them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assay.agents.guard import Guard
from assay.agents.http import serve
from assay.agents.open import open_agent
from assay.agents.process import ProcessAgent
from assay.core.query import PlanQuery, PlanResponse, Profile
from assay.core.symbols import Atom, Step
from assay.core.universe import Universe
from assay.errors import AgentError, InputError

EXAMPLE = Path(__file__).parents[2] / "examples" / "protocol" / "lamps.py"


def test_program(question):
    with open_agent(f"exec:'{sys.executable}' '{EXAMPLE}'", timeout=10) as agent:
        assert isinstance(agent, Guard)
        assert agent.ask(question("", "connect, light desk, connect")).steps == 2


def test_address(lamps, question):
    with serve(lamps) as server, open_agent(server.url, timeout=None) as agent:
        assert Profile.of(agent) == Profile.of(lamps)
        assert agent.ask(question("", "connect")).steps == 1


def test_python_object(question, tmp_path, monkeypatch):
    (tmp_path / "a_mute_agent.py").write_text(
        "from assay.core.vocabulary import Vocabulary\n"
        "class Mute:\n"
        "    vocabulary = Vocabulary.of(predicates={}, actions={})\n"
        "    def ask(self, query): raise OSError('no line')\n"
    )
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    agent = open_agent("python:a_mute_agent:Mute", timeout=5)
    with pytest.raises(AgentError, match="question 1: the agent raised OSError: no line"):
        agent.ask(question())


@pytest.mark.parametrize(
    "spec", ["", "robot", "ftp://host", "PDDL:domain.pddl", "domain", "c:/agents/domain"]
)
def test_unknown_kinds_are_told_the_known_ones(spec):
    with pytest.raises(InputError) as caught:
        open_agent(spec, timeout=None)
    for example in (
        "pddl:domain.pddl,problem.pddl",
        "python:package.module:",
        "exec:python3 ",
        "http://",
        "https://",
    ):
        assert example in str(caught.value)


def test_bare_pddl_file_gets_a_hint():
    with pytest.raises(InputError, match=r"write pddl:worlds/domain\.pddl$"):
        open_agent("worlds/domain.pddl", timeout=None)


@pytest.mark.parametrize("spec", ["pddl:", "python:", "exec:", "http:", "https:"])
def test_prefix_alone(spec):
    with pytest.raises(InputError, match="names no agent; write for example"):
        open_agent(spec, timeout=None)


def test_pddl(tmp_path):
    (tmp_path / "domain.pddl").write_text(
        "(define (domain d) (:predicates (p) (q)) (:action go :parameters () :precondition (p) :effect (q)))"
    )
    (tmp_path / "problem.pddl").write_text("(define (problem x) (:domain d) (:init (p)) (:goal (q)))")
    for spec, offered in (("domain.pddl", 0), ("domain.pddl,{}/problem.pddl", 1)):
        with open_agent(f"pddl:{tmp_path}/{spec.format(tmp_path)}", timeout=10) as agent:
            universe = Universe(agent.vocabulary, agent.objects)
            assert (len(agent.states(9, universe)) > 0) == bool(offered)
            query = PlanQuery(universe.state([Atom("p")]), (Step("go"), Step("go")))
            both = universe.state([Atom("p"), Atom("q")])
            assert agent.ask(query) == PlanResponse(2, both, (both, both))
    with pytest.raises(InputError, match="cannot read"):
        open_agent("pddl:no-such-file.pddl", timeout=None)


def test_one_domain_and_at_most_one_problem():
    for spec in ("pddl:a.pddl,b.pddl,c.pddl", "pddl:,b.pddl", "pddl:a.pddl,"):
        with pytest.raises(InputError, match="at most one problem"):
            open_agent(spec, timeout=None)


def test_a_bad_time_limit_leaves_nothing_running(monkeypatch):
    opened = []

    class Watched(ProcessAgent):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            opened.append(self)

    monkeypatch.setattr("assay.agents.open.ProcessAgent", Watched)
    with pytest.raises(InputError, match="time limit"):
        open_agent(f"exec:'{sys.executable}' '{EXAMPLE}'", timeout=-1)
    assert [agent._process.returncode for agent in opened] == [0]
