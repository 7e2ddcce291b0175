"""How the price of an interrogation grows: with the vocabulary, the number of actions, and the formula.

Synthetic actions over two objects: each predicate is one lifted atom of every action. An action needs five
literals. With one term they are a conjunction; with more, some of them stand in one or two conditions "this
or that", so that the precondition has up to four terms as a disjunctive normal form. One needed fact is
deleted and another one added, where a third is so if there is more than one term. Nothing is shared between
actions.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from assay.agents.model import ModelAgent
from assay.bench.bounds import fewest_refusals
from assay.bench.claims import interrogate
from assay.bench.judging import Verdict, judge, worst
from assay.core.formula import conjoin, disjoin
from assay.core.model import ActionModel, Effect, Model
from assay.core.symbols import ActionHeader, Atom, Literal
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

ATOMS, ACTIONS, TERMS = (10, 100, 1000), (1, 10, 100), (1, 2, 3, 4)
NEEDS = 5
ALTERNATIVES = {1: (), 2: (2,), 3: (3,), 4: (2, 2)}
"""By number of terms, how many literals stand in each condition "this or that"."""
MOST_PER_ACTION = 1000
"""Questions after which a run is stopped."""

_SIGNATURES = (("a",), ("b",), ("a", "b"))


@dataclass(frozen=True)
class Case:
    atoms: int
    """Lifted atoms per action."""
    actions: int
    terms: int
    strength: int
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.atoms} atoms x {self.actions} actions, {self.terms} terms, strength {self.strength}"


@dataclass(frozen=True)
class Row:
    case: Case
    literals: int
    """In all preconditions as they are written."""
    bound: int | None
    """Refusals that any strategy needs; known for conjunctions."""
    questions: int
    seconds: float
    verdict: Verdict
    error: str

    @property
    def questions_per_literal(self) -> float:
        return self.questions / self.literals

    @property
    def milliseconds_per_question(self) -> float:
        return 1000 * self.seconds / max(1, self.questions)


def known_terms(numbers: Sequence[int]) -> list[int]:
    if unknown := [n for n in numbers if n not in ALTERNATIVES]:
        raise InputError(f"a precondition has {', '.join(map(str, TERMS))} terms, not {unknown[0]}")
    return list(numbers)


def synthetic(atoms: int, actions: int, terms: int = 1, seed: int = 0) -> Model:
    """Random actions with so many lifted atoms each."""
    rng = random.Random(f"{atoms} {actions} {terms} {seed}")
    vocabulary = Vocabulary.of(
        types=("a", "b"),
        predicates={f"p{n}": rng.choice(_SIGNATURES) for n in range(atoms)},
        actions={f"act{n}": {"x": "a", "y": "b"} for n in range(actions)},
        name="synthetic",
    )
    return Model(
        vocabulary,
        tuple(_action(h, vocabulary.lifted_atoms(h.name), terms, rng) for h in vocabulary.actions),
    )


def _action(header: ActionHeader, atoms: Sequence[Atom], terms: int, rng: random.Random) -> ActionModel:
    *needs, added, third = map(Literal, rng.sample(atoms, NEEDS + 2))
    left, conditions = needs[1:], []
    for size in ALTERNATIVES[terms]:
        conditions.append(disjoin(left[:size]))
        left = left[size:]
    effects = [Effect(Literal(needs[0].atom, False)), Effect(added, third) if terms > 1 else Effect(added)]
    return ActionModel.adl(header, conjoin([needs[0], *left, *conditions]), effects)


def measure(case: Case) -> Row:
    model = synthetic(case.atoms, case.actions, case.terms, case.seed)
    budget = MOST_PER_ACTION * case.actions
    learned = interrogate(ModelAgent(model), strength=case.strength, seed=case.seed, budget=budget)
    return Row(
        case,
        NEEDS * case.actions,
        fewest_refusals(model, case.strength) if case.terms == 1 else None,
        learned.questions,
        learned.seconds,
        worst(judge(learned, model, strength=case.strength, seed=case.seed)),
        learned.error,
    )
