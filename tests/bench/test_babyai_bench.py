"""What docs/babyai.md says about BabyAI's bot is what is learned, and comes true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("minigrid")

from assay.bench.babyai import Mistake, replay
from assay.bench.babyai_table import notes, replay_table
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal
from assay.pddl import read_domain

PAGE = (Path(__file__).parents[2] / "docs/babyai.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def model() -> Model:
    (text,) = blocks("pddl")
    return read_domain(text, "docs/babyai.md")


def test_the_page_comes_true_in_random_situations(model):
    found = replay(model, situations=40, seed=7)
    total = found.total
    assert total.situations == 40 == total.carried_out + total.refused + total.misplaced
    assert total.refused >= 10
    assert total.right >= 39
    assert sum(found.refusals.values()) == total.refused
    assert replay_table(found, {"questions": 1, "steps": 1}).row_count == len(found.rows) + 1


def test_a_wrong_model_is_found_out(model):
    """Without its preconditions and with an effect too many, nothing comes out as predicted."""
    emptied = Literal(Atom("hand-empty"))
    wrong = Model(
        model.vocabulary,
        tuple(ActionModel.strips(a.header, frozenset(), a.plain_effects | {emptied}) for a in model.actions),
    )
    found = replay(wrong, situations=12, seed=1)
    kinds = {w.mistake for w in found.wrong}
    assert found.total.right < 8
    assert Mistake.REFUSED in kinds
    assert any(f" x {Mistake.REFUSED}: " in note for note in notes(found))
