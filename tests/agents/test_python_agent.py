"""Agents named as a Python object."""

from __future__ import annotations

import re
import sys

import pytest

from assay.agents.python import open_python
from assay.errors import AgentError, InputError

SOURCE = """
from assay.core.query import Invalid
from assay.core.vocabulary import Vocabulary

class Agent:
    vocabulary = Vocabulary.of(predicates={"p": []}, actions={"go": []})
    def ask(self, query):
        return Invalid("closed")

class Box:
    inner = Agent()

class CallableAgent(Agent):
    def __call__(self):
        raise RuntimeError("nobody should call an agent")

def make():
    return Agent()

def fail():
    raise ValueError("no licence")

def leave():
    raise SystemExit(2)

def demand(argument):
    return Agent()

def make_unwritable():
    Vocabulary.of(predicates={"and": []}, actions={})

def make_number():
    return 7

def make_mute():
    agent = Agent()
    agent.ask = None
    return agent

agent, called, number = Agent(), CallableAgent(), 7
"""


@pytest.fixture
def module(tmp_path, monkeypatch) -> str:
    """A module in the current directory, under a name no other test uses."""
    name = re.sub(r"\W", "_", tmp_path.name)
    (tmp_path / f"{name}.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return name


@pytest.mark.parametrize("attribute", ["agent", "Agent", "make", "called", "CallableAgent", "Box.inner"])
def test_agents_classes_and_functions(module, attribute):
    assert open_python(f"{module}:{attribute}").ask(None).reason == "closed"


@pytest.mark.parametrize(
    ("attribute", "kind", "words"),
    [
        ("missing", InputError, "has no 'missing'"),
        ("Box.missing", InputError, "has no 'Box.missing'"),
        ("number", InputError, "an object of type int: the agent has no `vocabulary`"),
        ("make_number", InputError, "an object of type int: the agent has no `vocabulary`"),
        ("make_mute", InputError, "no method `ask`"),
        ("fail", AgentError, "raised ValueError: no licence"),
        ("leave", AgentError, "raised SystemExit: 2"),
        ("make_unwritable", AgentError, "predicate name 'and' is a word of PDDL"),
        ("demand", AgentError, "raised TypeError"),
    ],
)
def test_what_is_no_agent(module, attribute, kind, words):
    with pytest.raises(kind) as caught:
        open_python(f"{module}:{attribute}")
    assert words in str(caught.value)


@pytest.mark.parametrize("spec", ["", "module", ":agent", "module:", "..x:agent", "my-module:agent", "a b:c"])
def test_what_is_no_name(spec):
    with pytest.raises(InputError, match=r"package\.module:factory"):
        open_python(spec)


def test_modules_that_do_not_import(module, tmp_path):
    with pytest.raises(InputError, match="there is no module 'no_such_module'"):
        open_python("no_such_module:agent")
    with pytest.raises(InputError, match=f"there is no module '{module}.inner'"):
        open_python(f"{module}.inner:agent")
    (tmp_path / "needs_more.py").write_text("import no_such_library\n")
    with pytest.raises(InputError, match="'needs_more' needs module 'no_such_library'"):
        open_python("needs_more:agent")
    (tmp_path / "breaks.py").write_text("1 / 0\n")
    with pytest.raises(AgentError, match="importing 'breaks' raised ZeroDivisionError"):
        open_python("breaks:agent")
    (tmp_path / "bad_syntax.py").write_text("def\n")
    with pytest.raises(AgentError, match="importing 'bad_syntax' raised SyntaxError"):
        open_python("bad_syntax:agent")
