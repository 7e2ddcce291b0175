from __future__ import annotations

import random
from itertools import product

import pytest

from assay.bench.problems import DOMAINS, EXTRA, load
from assay.core.confinement import distinct_arguments
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import Universe
from assay.pddl.reader import read_domain
from assay.planning.applicable import Applicable, applicable_steps


def by_trying_all(model: Model, universe: Universe, bits: int) -> set[Step]:
    execution, fits = Execution(model, universe), model.vocabulary.fits
    return {
        step
        for header in model.vocabulary.actions
        for args in product(
            *([o.name for o in universe.objects if fits(o.type, p.types)] for p in header.parameters)
        )
        if distinct_arguments(universe, step := Step(header.name, args))
        and execution.apply(bits, step) is not None
    }


@pytest.mark.parametrize("name", [n for n in (*DOMAINS, *EXTRA) if n not in ("freecell", "sokoban", "tpp")])
def test_the_join_finds_exactly_what_runs(name: str) -> None:
    """Left out: domains where trying all argument tuples takes too long."""
    model, problem = load(name, 1, 0)
    universe = Universe(model.vocabulary, problem.objects)
    applicable, rng = Applicable(Execution(model, universe)), random.Random(0)
    bits = universe.bits(sorted(problem.initial))
    for _ in range(3):
        found = list(applicable_steps(model, universe, bits))
        assert len(found) == len(set(found))
        assert set(found) == by_trying_all(model, universe, bits)
        for _ in range(4):
            drawn = applicable.draw(bits, rng)
            bits = drawn[1] if drawn is not None else bits


ODD = """(define (domain d) (:types a - object b - a) (:constants k - b)
  (:predicates (p ?x - a ?y - a) (q ?x) (n))
  (:action loop :parameters (?x - b) :precondition (p ?x ?x))
  (:action shared :parameters (?x - b) :precondition (and (q k) (p ?x k) (not (n))))
  (:action wide :parameters (?x - b ?y - a) :precondition (q ?x))
  (:action free :parameters (?x - b ?y - a) :precondition (not (= ?x k)))
  (:action bare :precondition (n)))"""


@pytest.mark.parametrize(
    "atoms",
    [
        ["p b1 b1", "p a1 a1", "p b2 k", "q k", "q a1"],
        ["p b1 b2", "p k k", "p b1 k", "q k", "n"],
        ["q b1", "q b2", "q a1", "n"],
        [],
    ],
)
def test_repeated_variables_constants_subtypes_and_unbound_parameters(atoms: list[str]) -> None:
    model = read_domain(ODD)
    universe = Universe(model.vocabulary, [Object("a1", "a"), Object("b1", "b"), Object("b2", "b")])
    bits = universe.bits(map(Atom.parse, atoms))
    assert set(applicable_steps(model, universe, bits)) == by_trying_all(model, universe, bits)


def test_constants_take_part_if_asked_for() -> None:
    model = read_domain(ODD)
    universe = Universe(model.vocabulary)
    assert [*Applicable(Execution(model, universe)).steps(0)] == []
    universe.add(Object("a1", "a"))
    universe.add(Object("b1", "b"))
    assert [*Applicable(Execution(model, universe), constants=True).steps(0)] == [
        Step("free", ("b1", "k")),
        Step("free", ("b1", "a1")),
    ]


def test_a_step_that_changes_nothing_is_not_drawn() -> None:
    model = read_domain("(define (domain d) (:predicates (p)) (:action a :effect (p)))")
    universe = Universe(model.vocabulary)
    applicable = Applicable(Execution(model, universe))
    drawn = applicable.draw(0, random.Random(0))
    assert drawn is not None
    assert drawn[0] == Step("a")
    assert applicable.draw(drawn[1], random.Random(0)) is None
