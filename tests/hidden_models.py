"""Random STRIPS models to hide behind an agent."""

from __future__ import annotations

import random

from assay.core.model import ActionModel, Model
from assay.core.symbols import Literal, Object
from assay.core.vocabulary import Vocabulary


def random_model(
    seed: int, *, nullary: int = 2, constants: int = 0, negative: float = 0.3, distinct: float = 0.0
) -> Model:
    """A small model with signed literals, shared atoms, and actions that consume their own preconditions."""
    rng = random.Random(seed)
    types = ["t", "u"][: rng.randint(1, 2)]
    predicates = {f"n{i}": [] for i in range(rng.randint(0, nullary))}
    for i in range(rng.randint(1, 3)):
        predicates[f"p{i}"] = [rng.choice(types) for _ in range(rng.randint(1, 2))]
    actions = {
        f"a{i}": [rng.choice(types) for _ in range(rng.randint(0, 2))] for i in range(rng.randint(1, 4))
    }
    things = {f"c{i}": rng.choice(types) for i in range(rng.randint(0, constants))}
    vocabulary = Vocabulary.of(types=types, predicates=predicates, actions=actions, constants=things)
    return Model(vocabulary, tuple(_random_action(rng, vocabulary, a, negative, distinct) for a in actions))


def _random_action(
    rng: random.Random, vocabulary: Vocabulary, action: str, negative: float, distinct: float
) -> ActionModel:
    atoms = vocabulary.lifted_atoms(action)
    needs = frozenset(
        Literal(a, rng.random() >= negative) for a in rng.sample(atoms, rng.randint(0, min(4, len(atoms))))
    )
    effects = frozenset(
        Literal(a, rng.random() < 0.5) for a in rng.sample(atoms, rng.randint(0, min(3, len(atoms))))
    )
    effects |= {
        Literal(a, not sign) for a, sign in sorted(needs) if rng.random() < 0.4 and (a, sign) not in effects
    }
    pairs = frozenset(p for p in vocabulary.mergeable(action) if rng.random() < distinct)
    return ActionModel.strips(vocabulary.action[action], needs, effects, pairs)


def objects_of(model: Model, count: int) -> tuple[Object, ...]:
    return tuple(Object(f"{t.name}-{i}", t.name) for t in model.vocabulary.types for i in range(count))
