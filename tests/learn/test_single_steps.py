"""What a journal shows of single actions, whoever chose the questions."""

from __future__ import annotations

import pytest

from assay.agents.model import ModelAgent
from assay.bench.problems import load
from assay.core.model import Model
from assay.learn.interrogation import Interrogation
from assay.learn.remaining import remaining_models
from assay.learn.single_steps import examples_of
from assay.scoring.normal_form import normalised
from assaylab.strategies.aia import AIA
from strategy_asking import interrogate


@pytest.mark.parametrize("factory", [AIA, Interrogation])
@pytest.mark.parametrize("name", ["gripper", "logistics"])
def test_the_true_model_remains_whoever_asked(factory, name):
    model, problem = load(name, 1, 0)
    strategy, asked = interrogate(factory, ModelAgent(model, problem.objects, (problem.initial,)))
    answers = [(n, query, response) for n, (query, response) in enumerate(asked, start=1)]
    learned = Model(model.vocabulary, tuple(f.model for f in strategy.findings()))
    examples = examples_of(model.vocabulary, answers, learned)
    for action in normalised(model).actions:
        header = action.header.name
        remaining = remaining_models(model.vocabulary, header, examples[header], 100)
        assert (action.needed, action.plain_effects) in [(m.needed, m.plain_effects) for m in remaining]
        if factory is AIA:
            assert len(remaining) == 1
