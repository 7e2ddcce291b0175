"""The limit: an oracle that is told preconditions and outcome sets, and only counts how often what happens.

It spends nothing on capabilities of which the structure says all, those with one outcome. The others share
the samples equally: each weighs the same in the full distance, and with probabilities between 0.1 and 0.3
any better division would gain less than two per cent. It looks where every outcome shows, so that each sample
is one draw of an outcome. What it gives back are relative frequencies.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from assay.core.model import ActionModel, Model


def oracle(truth: Model, samples: int, rng: random.Random) -> Model:
    """The truth with probabilities counted on so many samples."""
    chancy = [a for a in truth.actions if len(a.outcomes) > 1]
    shares = {
        a.header.name: samples * (n + 1) // len(chancy) - samples * n // len(chancy)
        for n, a in enumerate(chancy)
    }
    return Model(
        truth.vocabulary, tuple(_counted(a, shares.get(a.header.name, 0), rng) for a in truth.actions)
    )


def _counted(action: ActionModel, samples: int, rng: random.Random) -> ActionModel:
    if not samples:
        return action
    weights = [outcome.probability for outcome in action.outcomes]
    seen = Counter(rng.choices(range(len(weights)), weights, k=samples))
    outcomes = [replace(o, probability=seen[n] / samples) for n, o in enumerate(action.outcomes)]
    return ActionModel.chance(action.header, action.needed, outcomes, action.distinct)
