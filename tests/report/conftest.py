"""Runs of small agents whose reports are read."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from assay.agents.model import ModelAgent
from assay.core.query import Agent, Invalid, PlanQuery, PlanResponse, Response
from assay.errors import AgentError
from assay.pddl import read_domain
from assay.session import assess

DOMAINS = Path(__file__).parents[2] / "src/assay/bench/domains"

Make = Callable[..., Path]


def domain_text(name: str) -> str:
    return (DOMAINS / f"{name}.pddl").read_text()


class Moody(ModelAgent):
    """Refuses to stack in every other question."""

    asked = 0

    def ask(self, query: PlanQuery, /) -> Response:
        self.asked += 1
        plan = query.plan
        if self.asked % 2:
            names = [s.action for s in plan]
            plan = plan[: names.index("stack")] if "stack" in names else plan
        return super().ask(PlanQuery.bringing(query.state, plan, [o.name for o in query.new_objects]))


class Broken(ModelAgent):
    """Dies with a message that would do harm if it were shown as it is."""

    asked = 0

    def ask(self, query: PlanQuery, /) -> Response:
        self.asked += 1
        if self.asked == 4:
            raise RuntimeError("<script>alert(1)</script> `# out of \x1b[31msteam` [x](http://example.org)")
        return super().ask(query)


class Nowhere(ModelAgent):
    def ask(self, query: PlanQuery, /) -> Response:
        return Invalid("no such <b>hall</b>")


class Still(ModelAgent):
    """Reports the state it was given."""

    def ask(self, query: PlanQuery, /) -> Response:
        answer = super().ask(query)
        return PlanResponse(answer.steps, query.state) if isinstance(answer, PlanResponse) else answer


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Assess an agent, or a domain given by its text, and return the result folder."""

    def make(subject: str | Agent, **options: object) -> Path:
        if isinstance(subject, str):
            subject = ModelAgent(read_domain(subject))
        folder = tmp_path_factory.mktemp("result") / "out"
        with suppress(AgentError):
            assess(subject, out=folder, **options)  # type: ignore[arg-type]
        return folder

    return make


@pytest.fixture(scope="session")
def folders(make: Make) -> dict[str, Path]:
    """One result for each way a run can end."""
    blocks = read_domain(domain_text("blocksworld"))
    return {
        "complete": make(domain_text("delivery"), spec="pddl:delivery.pddl"),
        "budget": make(domain_text("freecell"), budget=6),
        "contradiction": make(Moody(blocks)),
        "failed": make(Broken(blocks)),
        "nowhere": make(Nowhere(blocks)),
        "still": make(Still(blocks)),
        "nothing": make(domain_text("blocksworld"), budget=0),
    }
