"""What docs/babyai.md says about BabyAI's bot is what is learned, and comes true."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("minigrid")

from assay.report.describe import describe

from assay import assess
from assay.agents.babyai import open_babyai
from assay.bench.babyai import Mistake, learn, replay
from assay.bench.babyai_table import notes, replay_table
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal
from assay.knowledge.dossier import Part, Status
from assay.pddl import read_domain

PAGE = (Path(__file__).parents[2] / "docs/babyai.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def model() -> Model:
    (text,) = blocks("pddl")
    return read_domain(text, "docs/babyai.md")


def test_the_page_describes_the_model_it_shows(model):
    for paragraph in describe(model, [], []).split("\n\n")[2:]:
        assert paragraph.replace("## ", "### ") in PAGE


def test_a_short_interrogation_settles_nothing_that_the_page_denies(model):
    result = assess(open_babyai("vault:0"), strategy="acting", budget=40)
    checked: Counter[Part] = Counter()
    for claim in result.evidence:
        if claim.status is not Status.SETTLED or claim.action in result.never_ran:
            continue
        action = model.action[claim.action]
        literals = action.needed if claim.part is Part.PRECONDITION else action.plain_effects
        says = {"+": Literal(claim.atom), "-": Literal(claim.atom, False)}
        if claim.mode == "absent":
            assert literals.isdisjoint(says.values()), claim
        else:
            assert says[claim.mode] in literals, claim
            checked[claim.part] += 1
    assert min(checked[part] for part in Part) >= 3
    assert checked.total() >= 12


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


def test_keys_are_more_than_the_vocabulary_can_say():
    result = learn("UnlockPickup")
    shown = blocks("text")[0].strip().splitlines()
    told = result.explain_contradiction()
    assert all(line.strip() in told for line in shown)
