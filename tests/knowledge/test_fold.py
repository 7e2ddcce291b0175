"""Knowledge is a fold of the journal: how atoms happen to be numbered does not show in it."""

from __future__ import annotations

import random

import pytest

from assay.old_assessment import assess
from assay.bench.confined import ConfinedAgent
from assay.bench.problems import load
from assay.core.setting import Setting
from assay.knowledge.knowledge import Knowledge
from assay.store.journal import entry_from_dict, entry_to_dict


@pytest.mark.parametrize(("domain", "seed"), [("blocksworld", 2), ("miconic", 1), ("satellite", 1)])
def test_the_same_answers_are_the_same_evidence(domain: str, seed: int) -> None:
    result = assess(ConfinedAgent(*load(domain, 2, seed)), seed=seed, budget=100)
    universe = result.knowledge.universe
    steps = {step for entry in result.entries for step in entry.query.plan}
    atoms = sorted({universe.atom(n) for step in steps for n in universe.positions(step)})
    folds = []
    for numbering in (atoms, atoms[::-1], random.Random(seed).sample(atoms, len(atoms))):
        setting = Setting.from_dict(result.knowledge.setting.to_dict() | {"offered": []})
        for atom in numbering:
            setting.universe.index(atom)
        knowledge = Knowledge(setting)
        for entry in result.entries:
            again = entry_from_dict(entry_to_dict(entry), setting.universe, entry.number)
            knowledge.learn(again.query, again.response)
        folds.append([claim.evidence for claim in knowledge.claims()])
    assert folds[0] == folds[1] == folds[2]
