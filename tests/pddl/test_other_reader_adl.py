"""Another parser's tree of an ADL text, evaluated naively, says what our model does.

The other side reads only: what its tree means is spelled out here, definition by definition.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from plado import pddl
from plado.parser import LookaheadStreamer, parse_domain, tokenize
from random_models import WORLD, adl_models
from test_adl_models import DOMAIN

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.pddl.reader import read_ppddl
from assay.pddl.writer import write_domain

Binding = dict[str, str]
Facts = frozenset[Atom]


class Theirs:
    """The other parser's tree in a world."""

    def __init__(self, text: str, vocabulary: Vocabulary, objects: tuple[Object, ...]) -> None:
        self.actions = {a.name: a for a in parse_domain(LookaheadStreamer(tokenize(text))).actions}
        self._fits, self._objects = vocabulary.fits, (*vocabulary.constants, *objects)

    def after(self, step: Step, facts: Facts) -> Facts | None:
        action = self.actions[step.action]
        binding = {p.name: a for p, a in zip(action.parameters, step.args, strict=True)}
        if not self.holds(action.precondition, binding, facts):
            return None
        changes = list(self._changes(action.effect, binding, facts))
        return facts - {a for a, positive in changes if not positive} | {a for a, p in changes if p}

    def holds(self, formula: Any, binding: Binding, facts: Facts) -> bool:
        match formula:
            case pddl.Truth() | pddl.Falsity():
                return isinstance(formula, pddl.Truth)
            case pddl.Atom():
                atom = self._atom(formula, binding)
                return atom.args[0] == atom.args[1] if atom.predicate == "=" else atom in facts
            case pddl.Negation():
                return not self.holds(formula.sub_formula, binding, facts)
            case pddl.Conjunction():
                return all(self.holds(p, binding, facts) for p in formula.sub_formulas)
            case pddl.Disjunction():
                return any(self.holds(p, binding, facts) for p in formula.sub_formulas)
            case pddl.Exists():
                return any(self.holds(formula.sub_formula, b, facts) for b in self._bound(formula, binding))
            case pddl.Forall():
                return all(self.holds(formula.sub_formula, b, facts) for b in self._bound(formula, binding))
        raise TypeError(formula)

    def _changes(self, effect: Any, binding: Binding, facts: Facts) -> Iterator[tuple[Atom, bool]]:
        match effect:
            case pddl.AtomEffect():
                yield self._atom(effect, binding), True
            case pddl.NegativeEffect():
                yield self._atom(effect.atom, binding), False
            case pddl.ConjunctiveEffect():
                for part in effect.effects:
                    yield from self._changes(part, binding, facts)
            case pddl.ConditionalEffect():
                if self.holds(effect.condition, binding, facts):
                    yield from self._changes(effect.effect, binding, facts)
            case pddl.UniversalEffect():
                for bound in self._bound(effect, binding):
                    yield from self._changes(effect.effect, bound, facts)
            case _:
                raise TypeError(effect)

    def _bound(self, quantified: Any, binding: Binding) -> Iterator[Binding]:
        fitting = (
            [o.name for o in self._objects if self._fits(o.type, (p.type_name,))]
            for p in quantified.parameters
        )
        for names in product(*fitting):
            yield binding | dict(zip((p.name for p in quantified.parameters), names, strict=True))

    @staticmethod
    def _atom(written: Any, binding: Binding) -> Atom:
        return Atom(written.name, tuple(binding.get(str(a), str(a)) for a in written.arguments))


def check(model: Model, text: str, objects: tuple[Object, ...], seed: int = 0) -> None:
    """Every step from random states, here and there."""
    universe, rng = Universe(model.vocabulary, objects), random.Random(seed)
    theirs, mine = Theirs(text, model.vocabulary, objects), Execution(model, universe)
    fits, everything = model.vocabulary.fits, universe.objects
    steps = [
        Step(a.name, tuple(args))
        for a in model.vocabulary.actions
        for args in product(*([o.name for o in everything if fits(o.type, p.types)] for p in a.parameters))
    ]
    for step in steps:
        universe.positions(step)
    for _ in range(8):
        facts = frozenset(universe.atom(n) for n in range(universe.size) if rng.random() < 0.5)
        for step in steps:
            expected = theirs.after(step, facts)
            found = mine.apply(universe.bits(sorted(facts)), step)
            assert (None if found is None else {*State(universe, found)}) == expected, step


@given(adl_models())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_another_parser_reads_the_same(model: Model) -> None:
    things = (Object("b1", "box"), Object("o", "ball"), Object("sea", "place"))
    assert model.vocabulary == WORLD
    check(model, write_domain(model), things)


CLASSICS = {
    "briefcase": """(define (domain briefcase) (:requirements :adl) (:types location portable)
      (:predicates (at ?x - portable ?l - location) (in ?x - portable) (is-at ?l - location))
      (:action move :parameters (?m ?l - location) :precondition (is-at ?m)
        :effect (and (is-at ?l) (not (is-at ?m))
          (forall (?x - portable) (when (in ?x) (and (at ?x ?l) (not (at ?x ?m)))))))
      (:action take-out :parameters (?x - portable) :precondition (in ?x) :effect (not (in ?x)))
      (:action put-in :parameters (?x - portable ?l - location)
        :precondition (and (not (in ?x)) (at ?x ?l) (is-at ?l)) :effect (in ?x)))""",
    "elevator": """(define (domain elevator) (:types passenger floor)
      (:predicates (origin ?p - passenger ?f - floor) (goal ?p - passenger ?f - floor)
        (boarded ?p - passenger) (served ?p - passenger) (vip ?p - passenger) (lift-at ?f - floor))
      (:action stop :parameters (?f - floor)
        :precondition (and (lift-at ?f) (imply (exists (?p - passenger) (and (vip ?p) (not (served ?p))))
            (exists (?p - passenger) (and (vip ?p) (or (origin ?p ?f) (goal ?p ?f))))))
        :effect (and (forall (?p - passenger) (when (and (boarded ?p) (goal ?p ?f))
                       (and (not (boarded ?p)) (served ?p))))
                     (forall (?p - passenger) (when (and (origin ?p ?f) (not (served ?p))) (boarded ?p)))))
      (:action up :parameters (?f1 ?f2 - floor) :precondition (and (lift-at ?f1) (not (= ?f1 ?f2)))
        :effect (and (lift-at ?f2) (not (lift-at ?f1)))))""",
}


@pytest.mark.parametrize("name", CLASSICS)
def test_known_domains(name: str) -> None:
    text = CLASSICS[name]
    model = read_ppddl(text)
    kinds = [t.name for t in model.vocabulary.types]
    objects = tuple(Object(f"{kind}{n}", kind) for kind in kinds for n in range(2))
    for version in (text, write_domain(model)):
        check(model, version, objects)


def test_a_domain_without_its_draw() -> None:
    text = DOMAIN[: DOMAIN.index("  (:action drop")] + ")\n"
    check(read_ppddl(text), text, (Object("b1", "box"), Object("b2", "box"), Object("r", "room")))
