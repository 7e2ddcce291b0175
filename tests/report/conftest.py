"""Result folders of small domains, made once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from odd_agents import Broken, Moody, domain_text

from assay.agents.model import ModelAgent
from assay.old_assessment import assess
from assay.core.model import Model
from assay.core.query import Agent
from assay.errors import AgentError
from assay.pddl import read_domain

Make = Callable[..., Path]


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Assess an agent, or a domain given by its text, and return the result folder."""

    def make(subject: str | Model | Agent, **options: object) -> Path:
        if isinstance(subject, str):
            subject = read_domain(subject)
        if isinstance(subject, Model):
            subject = ModelAgent(subject)
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
        "blocksworld": make(blocks, spec="pddl:blocksworld.pddl"),
        "delivery": make(domain_text("delivery"), equality=True),
        "budget": make(domain_text("freecell"), budget=6),
        "contradiction": make(Moody(blocks)),
        "failed": make(Broken(blocks)),
        "nothing": make(blocks, budget=0),
    }
