"""What docs/report.md shows is what happens, but for the numbers that depend on which question came first."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.agents.human import HumanAgent
from assay.cli import app
from assay.core.query import PlanQuery
from assay.core.symbols import Atom, Step
from assay.core.universe import Universe
from assay.language.questions import Speech
from assay.pddl import read_domain

from .conftest import domain_text

PAGE = (Path(__file__).parents[2] / "docs/report.md").read_text()
DELIVERY = domain_text("delivery")


def shown(command: str) -> str:
    """What the page shows below a command, without trailing blanks."""
    found = re.search(rf"```console\n\$ {re.escape(command)}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return "\n".join(line.rstrip() for line in found.group(1).rstrip().splitlines())


def without_numbers(text: str) -> list[str]:
    return [re.sub(r"\d+", "#", line.rstrip()) for line in text.strip().splitlines()]


def test_the_difference(make: Callable[..., Path]) -> None:
    text = DELIVERY.replace("(and (at ?t ?from) (road ?from ?to))", "(at ?t ?from)")
    first, second = make(DELIVERY), make(text)
    told = CliRunner().invoke(app, ["diff", str(first), str(second)]).stdout
    told = told.replace(str(first), "results/delivery-1").replace(str(second), "results/delivery-2")
    assert without_numbers(told) == without_numbers(shown("assay diff results/delivery-1 results/delivery-2"))


def test_the_conversation() -> None:
    """The lines of the page, put to a person who is asked the page's question."""

    class Typed:
        lines, seen = ["y", "1 3", ""], ""

        def say(self, text: str) -> None:
            self.seen += f"{text.strip(chr(10))}\n"

        def ask(self, prompt: str) -> str:
            self.seen += f"{prompt}{self.lines[0]}\n"
            return self.lines.pop(0)

    model, typed = read_domain(DELIVERY), Typed()
    universe = Universe(model.vocabulary)
    truck = universe.made_up("truck", 1)
    here, there = (universe.made_up("location", n) for n in (1, 2))
    state = universe.state([Atom("at", (truck, here)), Atom("road", (here, there))])
    agent = HumanAgent(model.vocabulary, typed, Speech(model.vocabulary))
    agent.ask(PlanQuery(state, (Step("drive", (truck, here, there)),)))
    shown_lines = shown("assay run human:delivery.pddl --max-plan 1").splitlines()
    assert [line.rstrip() for line in typed.seen.splitlines()] == shown_lines


def test_the_python_on_the_page(make: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    folder = make(DELIVERY)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code.replace("results/demo", str(folder)), {})
    assert capsys.readouterr().out.startswith("overview In short\n")
