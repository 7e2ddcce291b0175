"""Random ADL models so small that definitions can be taken literally."""

from __future__ import annotations

import random

from assay.core.formula import Equality, Exists, Forall, Formula, conjoin, disjoin, negate
from assay.core.model import ActionModel, Case, Effect, Model, Outcome
from assay.core.symbols import ActionHeader, Atom, Literal, Object, Parameter, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary

OBJECTS = (Object("o1", "thing"), Object("o2", "thing"))


def random_model(rng: random.Random, predicates: dict[str, list[str]], *, chance: bool = False) -> Model:
    """Two actions, one with a parameter, with conditions of every kind; at most two cases and outcomes."""
    vocabulary = Vocabulary.of(types=["thing"], predicates=predicates, actions={"a": [], "b": ["thing"]})
    return Model(vocabulary, tuple(_action(rng, vocabulary, h, chance) for h in vocabulary.actions))


def _action(rng: random.Random, vocabulary: Vocabulary, header: ActionHeader, chance: bool) -> ActionModel:
    terms = [p.name for p in header.parameters]

    def outcome(probability: float) -> Outcome:
        effects = [_effect(rng, vocabulary, terms) for _ in range(rng.randint(1, 3))]
        return Outcome(frozenset(effects), probability)

    def case(condition: Formula) -> Case:
        several = chance and rng.random() < 0.5
        return Case((outcome(0.5), outcome(0.5)) if several else (outcome(1.0),), condition)

    split = random_formula(rng, vocabulary, terms, 1) if chance and rng.random() < 0.5 else conjoin([])
    cases = (case(split),) if split == conjoin([]) else (case(split), case(negate(split)))
    return ActionModel(header, random_formula(rng, vocabulary, terms, 2), cases)


def _effect(rng: random.Random, vocabulary: Vocabulary, terms: list[str]) -> Effect:
    variables = (Parameter("?w", ("thing",)),) if rng.random() < 0.3 else ()
    inner = [*terms, *(v.name for v in variables)]
    condition = random_formula(rng, vocabulary, inner, 1) if rng.random() < 0.6 else conjoin([])
    return Effect(_literal(rng, vocabulary, inner), condition, variables)


def random_formula(
    rng: random.Random, vocabulary: Vocabulary, terms: list[str], depth: int, *, quantifiers: bool = True
) -> Formula:
    kind = rng.choice(["leaf", "leaf", "and", "or", "or", "quantified"]) if depth else "leaf"
    if kind in ("and", "or"):
        parts = [
            random_formula(rng, vocabulary, terms, depth - 1, quantifiers=quantifiers)
            for _ in range(rng.randint(1, 3))
        ]
        return conjoin(parts) if kind == "and" else disjoin(parts)
    if kind == "quantified" and quantifiers:
        variable = Parameter(f"?z{depth}", ("thing",))
        body = random_formula(rng, vocabulary, [*terms, variable.name], depth - 1)
        return rng.choice([Exists, Forall])((variable,), body)
    if len(terms) > 1 and rng.random() < 0.3:
        return Equality(*rng.sample(terms, 2), rng.random() < 0.5)
    return _literal(rng, vocabulary, terms)


def _literal(rng: random.Random, vocabulary: Vocabulary, terms: list[str]) -> Literal:
    usable = [p for p in vocabulary.predicates if terms or not p.arity]
    predicate = rng.choice(usable)
    return Literal(
        Atom(predicate.name, tuple(rng.choice(terms) for _ in predicate.parameters)), rng.random() < 0.6
    )


def steps(universe: Universe) -> list[Step]:
    return [Step("a"), *(Step("b", (o.name,)) for o in universe.objects)]
