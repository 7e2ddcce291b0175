"""What five agents come to, byte by byte: model, certificate and description.

A change of the learner or of a sentence shows here. If it is meant, write the files again and read the
difference: `ASSAY_GOLDEN=write pytest tests/golden`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.agents.model import ModelAgent
from assay.core.query import Agent
from assay.pddl import read_domain, read_problem
from assay.session import assess
from assay.store.folder import CERTIFICATE, DESCRIPTION, MODEL
from assay.testing.hidden import hidden_agent

HERE = Path(__file__).parent
DOMAINS = HERE.parents[1] / "src/assay/bench/domains"


def delivery() -> Agent:
    model = read_domain((DOMAINS / "delivery.pddl").read_text())
    problem = read_problem((DOMAINS / "delivery-problem.pddl").read_text(), model.vocabulary)
    return ModelAgent(model, problem.objects, (problem.initial,))


AGENTS: dict[str, Callable[[], Agent]] = {
    "plain": delivery,
    "disjunctions": lambda: hidden_agent("two ors", 3),
    "needs-another": lambda: hidden_agent("needs other with two facts", 1),
    "changes-others": lambda: hidden_agent("changes others when", 2, tells=True),
    "lies-late": lambda: hidden_agent("late lies", 1),
}


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_the_files_are_as_they_were(name: str, tmp_path: Path) -> None:
    assess(AGENTS[name](), out=tmp_path / "run", spec=name)
    kept = HERE / name
    for file in (MODEL, CERTIFICATE, DESCRIPTION):
        found = (tmp_path / "run" / file).read_bytes()
        if os.environ.get("ASSAY_GOLDEN") == "write":
            kept.mkdir(exist_ok=True)
            (kept / file).write_bytes(found)
        assert found == (kept / file).read_bytes(), f"{name}/{file}: see the head of this test"
