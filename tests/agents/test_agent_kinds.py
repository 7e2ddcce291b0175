"""Kinds of agents that packages bring, by entry point."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from assay import InputError
from assay.agents import kinds
from assay.agents.kinds import AgentKind
from assay.agents.open import open_agent
from lamp_agents import Lamps

LAMPS = AgentKind("lamps:NUMBER", lambda rest, timeout, seed: Lamps())
NO_KIND = "lamps"


@pytest.fixture
def registered(monkeypatch):
    def register(value: str) -> None:
        point = EntryPoint("lamps", value, "assay.agents")
        monkeypatch.setattr(kinds, "entry_points", lambda group: [point])

    return register


def test_a_package_brings_a_kind(registered):
    registered(f"{__name__}:LAMPS")
    with open_agent("lamps:3", timeout=None) as agent:
        assert agent.vocabulary == Lamps.vocabulary
    with pytest.raises(InputError, match="names no agent; write for example lamps:NUMBER"):
        open_agent("lamps:", timeout=None)
    with pytest.raises(InputError, match=r"names no kind of agent(.|\n)*lamps:NUMBER"):
        open_agent("candles:3", timeout=None)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("nowhere:LAMPS", "cannot be loaded"),
        (f"{__name__}:MISSING", "cannot be loaded"),
        (f"{__name__}:NO_KIND", "is no AgentKind"),
    ],
)
def test_a_kind_that_cannot_be_had_is_named(registered, value, reason):
    registered(value)
    with pytest.raises(InputError, match=f"agent kind 'lamps'.*{reason}"):
        open_agent("lamps:3", timeout=None)
