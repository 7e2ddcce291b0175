"""What docs/report.md shows is what happens, but for the numbers that depend on which question came first."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from odd_agents import domain_text
from typer.testing import CliRunner

from assay.agents.human import HumanAgent
from assay.session import assess
from assay.cli import app
from assay.errors import AgentError
from assay.pddl import read_domain
from assay.report.words import Speaker

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
    class Typed:
        lines, seen = ["y", "1", ""], ""

        def say(self, text: str) -> None:
            self.seen += f"{text}\n"

        def ask(self, prompt: str) -> str:
            if not self.lines:
                raise EOFError
            self.seen += f"{prompt}{self.lines[0]}\n"
            return self.lines.pop(0)

    model, typed = read_domain(DELIVERY), Typed()
    with pytest.raises(AgentError):
        assess(HumanAgent(model.vocabulary, typed, Speaker(model.vocabulary)), max_plan=1)
    expected = without_numbers(shown("assay run human:delivery.pddl --max-plan 1"))
    assert without_numbers(typed.seen)[: len(expected)] == expected
