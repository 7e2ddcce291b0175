"""A person as the agent: a scripted one that answers from a hidden model is learned like any other."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.agents.guard import Guard
from assay.agents.human import HumanAgent, open_human
from assay.cli.report import Terminal, open_person
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError, InputError
from assay.language.questions import Speech
from assay.pddl import read_domain
from assay.scoring.equivalence import differences
from assay.session import assess

from .conftest import domain_text


class Person(Speech):
    """Hears the question and types what the hidden model says; takes an answer back now and then."""

    def __init__(self, vocabulary: Vocabulary, model: Model) -> None:
        super().__init__(vocabulary)
        self.model, self.heard, self.slips = model, [], 0
        self.shown: list[str] = []

    def question(self, query: PlanQuery) -> str:
        self.query = query
        self.heard.append(text := super().question(query))
        return text

    def say(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, prompt: str) -> str:
        query = self.query
        done, state = Execution(self.model, query.state.universe).run(query.state, query.plan)
        if prompt.startswith("Which"):
            changed = set(query.state) ^ set(state)
            words = {self.change(Literal(a, a not in query.state)) for a in changed}
            start = max(i for i, text in enumerate(self.shown) if text.startswith("What is different"))
            options = [text.split(None, 1) for text in self.shown[start + 1 :]]
            return " ".join(n for n, text in options if text in words) or "nothing"
        if prompt.startswith("So"):
            self.slips += 1
            return "u" if self.slips % 5 == 0 else ""
        place = int(prompt.split()[1]) - 1 if prompt.startswith("Step") else 0
        return "y" if place < done else "n"


@pytest.mark.parametrize(
    ("domain", "longest"),
    [
        ("blocksworld", 1),
        ("blocksworld", 2),
        ("delivery", 3),
    ],
)
def test_a_scripted_person_is_learned(domain: str, longest: int) -> None:
    model = read_domain(domain_text(domain))
    person = Person(model.vocabulary, model)
    agent = HumanAgent(model.vocabulary, person, person)
    result = assess(agent, max_plan=longest, timeout=0.01)  # no time limit holds for a person
    assert result.complete
    assert differences(result.model, model) == []
    assert all(len(e.query.plan) <= longest for e in result.entries)
    assert all(text.endswith("?") and "Suppose" in text for text in person.heard)


class Script:
    """Types these lines."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.shown = list(lines), [""]

    def say(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


Ask = Callable[..., tuple[object, Script]]


@pytest.fixture
def ask() -> Ask:
    """Puts one question about two blocks, one to pick up, to a person who types these lines."""
    model = read_domain(domain_text("blocksworld"))

    def ask(*lines: str, steps: int = 1) -> tuple[object, Script]:
        script = Script(*lines)
        agent = HumanAgent(model.vocabulary, script, Speech(model.vocabulary))
        universe = Universe(model.vocabulary)
        a = universe.made_up("object", 1)
        atoms = [Atom("handempty"), Atom("clear", (a,)), Atom("ontable", (a,))]
        plan = (Step("pick-up", (a,)), Step("put-down", (a,)))[:steps]
        answer = agent.ask(PlanQuery(universe.state(atoms), plan))
        assert not script.lines
        return answer, script

    return ask


def texts(answer: object) -> tuple[int, list[str]]:
    assert isinstance(answer, PlanResponse)
    return answer.steps, answer.state.texts()


def test_what_changed_is_chosen_from_a_list(ask: Ask) -> None:
    answer, script = ask("y", "1, 2 3 4", "")
    assert [line.strip() for line in script.shown if line.startswith("  ")] == [
        "1  clear(new-object-1) is no longer true",
        "2  handempty is no longer true",
        "3  ontable(new-object-1) is no longer true",
        "4  holding(new-object-1) is now true",
        "5  on(new-object-1, new-object-1) is now true",
    ]
    assert texts(answer) == (1, ["holding new-object-1"])


def test_nothing_changes_where_nothing_was_done(ask: Ask) -> None:
    answer, script = ask("n", "")
    assert texts(answer) == (0, ["clear new-object-1", "handempty", "ontable new-object-1"])
    assert not any("What is different" in line for line in script.shown)
    assert texts(ask("y", "0", "")[0])[1] == ["clear new-object-1", "handempty", "ontable new-object-1"]


def test_undo(ask: Ask) -> None:
    assert texts(ask("n", "u", "y", "0", "u", "1", "")[0]) == (1, ["handempty", "ontable new-object-1"])
    assert texts(ask("y", "u", "n", "")[0])[0] == 0
    answer, script = ask("u", "y", "y", "u", "n", "0", "", steps=2)
    assert texts(answer)[0] == 1
    assert "There is nothing to undo in this question." in script.shown


def test_mistyped_answers_are_asked_again(ask: Ask) -> None:
    answer, script = ask("maybe", "?", "y", "", "7", "0 1", "one", "1", "what", "")
    assert texts(answer) == (1, ["handempty", "ontable new-object-1"])
    assert sum("Suppose" in line for line in script.shown) == 2


def test_a_situation_that_cannot_be(ask: Ask) -> None:
    assert isinstance(ask("i")[0], Invalid)


def test_leaving(ask: Ask) -> None:
    with pytest.raises(AgentError, match="the person stopped"):
        ask("q")
    with pytest.raises(AgentError, match="nobody is there"):
        ask()


def test_what_it_declares(tmp_path: Path) -> None:
    vocabulary = tmp_path / "words.pddl"
    vocabulary.write_text(
        "(define (domain lamps) (:types lamp) (:predicates (on ?l - lamp))"
        " (:action light :parameters (?l - lamp)))"
    )
    problem = tmp_path / "hall.pddl"
    problem.write_text("(define (problem hall) (:domain lamps) (:objects hall - lamp) (:init (on hall)))")
    agent = open_human(vocabulary, problem, Script(), Speech)
    assert (agent.start, agent.new_objects, agent.max_plan) == (Start.ANY, True, 2)
    assert [o.name for o in agent.objects] == ["hall"]
    universe = Universe(agent.vocabulary, agent.objects)
    assert [s.texts() for s in agent.states(5, universe)] == [["on hall"]]
    assert isinstance(open_person(f"human:{vocabulary},{problem}"), Guard)
    for wrong in ("human:", "human:a,b,c", f"human:{tmp_path}/nowhere.pddl"):
        with pytest.raises(InputError):
            open_person(wrong)


def test_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    terminal = Terminal()
    terminal.say("Suppose.")
    assert terminal.ask("Can you? ") == "y\n"
    with pytest.raises(EOFError):
        terminal.ask("And now? ")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "Suppose.\nCan you? And now? "
