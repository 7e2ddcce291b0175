"""Whether what is left open makes no difference where the agent can be led."""

from __future__ import annotations

import pytest

from assay.agents.stochastic import open_world
from assay.chance_assessment import assess_chance
from assay.proof import chance_reach
from assay.proof.chance import verify_chance
from assay.proof.chance_reach import undecided
from assay.store.folder import JOURNAL
from assay.store.journal import read


@pytest.fixture(scope="module")
def led(tmp_path_factory):
    """A run that could only be reset, and ended with needs that no state within reach shows."""
    folder = tmp_path_factory.mktemp("led") / "run"
    result = assess_chance(
        open_world("driving", 0), start="reset", samples=300, out=folder, spec="sdma:driving"
    )
    assert result.complete
    assert result.summary()["preconditions"]["indistinguishable"]
    return folder, result


def test_every_state_within_reach_is_looked_at(led):
    folder, _ = led
    verdict = verify_chance(folder)
    assert verdict.proved
    assert verdict.states > 10
    assert any(f"lead to ({verdict.states})" in sentence for sentence in verdict.sentences())


def test_a_need_that_shows_is_missed(led):
    """Without a refusal in the journal, the capability might run where the model says that it does not."""
    folder, result = led
    setting = read(folder / JOURNAL).setting
    always = {a.header.name: [frozenset(x.atom for x in a.needed)] for a in result.model.actions}
    doubtful, _ = undecided(setting, result.model, always, {})
    assert doubtful == {"move-car", "changetire"}


def test_too_many_states_prove_nothing(led, monkeypatch):
    folder, _ = led
    monkeypatch.setattr(chance_reach.undecided, "__defaults__", (3,))
    verdict = verify_chance(folder)
    assert not verdict.proved
    assert verdict.open


def test_a_capability_that_never_ran_is_refused_everywhere_or_in_doubt(led):
    folder, result = led
    setting = read(folder / JOURNAL).setting
    name = result.model.actions[0].header.name
    atoms = setting.profile.vocabulary.lifted_atoms(name)
    assert name in undecided(setting, result.model, {}, {name: [frozenset(atoms)]})[0]
