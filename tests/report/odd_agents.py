"""Agents that do not behave, and the text of the domains they do not behave in."""

from __future__ import annotations

from importlib.resources import files

from assay.agents.model import ModelAgent
from assay.core.execution import Execution
from assay.core.query import PlanQuery, PlanResponse


def domain_text(name: str) -> str:
    return (files("assay.bench") / "domains" / f"{name}.pddl").read_text()


class Moody(ModelAgent):
    """After five questions it loses heart after the first step."""

    count = 0

    def ask(self, query: PlanQuery, /) -> PlanResponse:
        self.count += 1
        plan = query.plan if self.count <= 5 else query.plan[:1]
        return PlanResponse(*Execution(self._model, query.state.universe).run(query.state, plan))


class Broken(ModelAgent):
    def ask(self, query: PlanQuery, /) -> PlanResponse:
        self.count = getattr(self, "count", 0) + 1
        if self.count > 4:
            raise RuntimeError("<script>alert('out of order')</script>")
        return super().ask(query)
