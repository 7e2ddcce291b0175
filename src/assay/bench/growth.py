"""How the price of an interrogation grows with the vocabulary and with the number of actions.

Synthetic actions over two objects, each predicate one lifted atom of every action, with five random
positive preconditions, of which one is deleted, and one further atom added. Nothing is shared between
actions, so this is the strategy alone, without bridging and without search for a first example.

A question whose plan has L steps has L + 1 answers, so it tells at most log2(L + 1) bits: few questions
mean long plans. With K literals among n atoms per action, K + 1 questions and K log2 n steps cannot both be
had, and `max_plan` is where to stand between the two.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import log2

from assay.agents.model import ModelAgent
from assay.assessment import assess
from assay.bench.questions import Verdict, judge
from assay.core.model import ActionModel, Model
from assay.core.symbols import Literal
from assay.core.vocabulary import Vocabulary
from assay.scoring.normal_form import literal_count

ATOMS, ACTIONS = (10, 100, 1000), (1, 10, 100)
NEEDS = 5
SHORT = 16
"""The plan length of the other end of the trade."""

_SIGNATURES = (("a",), ("b",), ("a", "b"))


@dataclass(frozen=True)
class Row:
    atoms: int
    """Lifted atoms per action: n."""
    actions: int
    max_plan: int | None
    slots: int
    precondition_literals: int
    """K, the lower bound on questions."""
    questions: int
    questions_per_literal: float
    steps: int
    literals_log_atoms: float
    """K log2 n."""
    steps_per_literal_log_atoms: float
    seconds: float
    microseconds_per_slot: float
    verdict: Verdict


def synthetic(atoms: int, actions: int, seed: int = 0) -> Model:
    """Random actions with so many lifted atoms each."""
    rng = random.Random(f"{atoms} {actions} {seed}")
    vocabulary = Vocabulary.of(
        types=("a", "b"),
        predicates={f"p{n}": rng.choice(_SIGNATURES) for n in range(atoms)},
        actions={f"act{n}": {"x": "a", "y": "b"} for n in range(actions)},
        name="synthetic",
    )
    models = []
    for header in vocabulary.actions:
        *needs, added = map(Literal, rng.sample(vocabulary.lifted_atoms(header.name), NEEDS + 1))
        effects = frozenset({Literal(needs[0].atom, False), added})
        models.append(ActionModel.strips(header, frozenset(needs), effects))
    return Model(vocabulary, tuple(models))


def measure(atoms: int, actions: int, *, max_plan: int | None = None, seed: int = 0) -> Row:
    model = synthetic(atoms, actions, seed)
    result = assess(ModelAgent(model), seed=seed, max_plan=max_plan)
    verdict, _ = judge(result, model)
    slots, literals = 2 * atoms * actions, literal_count(model)
    bound = literals * log2(atoms)
    return Row(
        atoms,
        actions,
        max_plan,
        slots,
        literals,
        result.questions,
        result.questions / literals,
        result.costs.steps,
        bound,
        result.costs.steps / bound,
        result.costs.seconds,
        1e6 * result.costs.seconds / slots,
        verdict,
    )
