"""Another implementation of PDDL reads the same from our files, as they are and as we write them."""

from __future__ import annotations

from typing import Any

import pytest
from plado import pddl
from plado.parser import LookaheadStreamer, parse_domain, parse_problem, sanity_checks, tokenize

from assay.bench.problems import DOMAINS, EXTRA, domain_text, problem
from assay.core.symbols import Atom, Literal
from assay.pddl.reader import read_domain, read_problem
from assay.pddl.writer import write_domain


def literals(formula: Any, positive: bool = True) -> list[Literal]:
    if isinstance(formula, pddl.Conjunction):
        return [x for part in formula.sub_formulas for x in literals(part, positive)]
    if isinstance(formula, pddl.ConjunctiveEffect):
        return [x for part in formula.effects for x in literals(part, positive)]
    if isinstance(formula, pddl.Negation):
        return literals(formula.sub_formula, not positive)
    if isinstance(formula, pddl.NegativeEffect):
        return literals(formula.atom, not positive)
    if isinstance(formula, pddl.Truth):
        return []
    return [Literal(Atom(formula.name, tuple(str(a) for a in formula.arguments)), positive)]


@pytest.mark.parametrize("name", [*DOMAINS, *EXTRA])
def test_both_read_the_same(name: str) -> None:
    text = domain_text(name)
    mine = read_domain(text)
    situation = problem(name, 3, 0)
    for version in (text, write_domain(mine)):
        theirs = parse_domain(LookaheadStreamer(tokenize(version)))
        their_problem = parse_problem(LookaheadStreamer(tokenize(situation)))
        assert sanity_checks.type_hierarchy(theirs)
        assert sanity_checks.predicate_references(theirs, their_problem)
        assert sanity_checks.check_domain_variable_constant_references(theirs)
        assert sanity_checks.check_problem_variable_object_references(theirs, their_problem)
        assert {p.name: len(p.parameters) for p in theirs.predicates} == {
            p.name: p.arity for p in mine.vocabulary.predicates
        }
        assert [a.name for a in theirs.actions] == [a.header.name for a in mine.actions]
        for action, other in zip(mine.actions, theirs.actions, strict=True):
            assert [(p.name, (p.type_name,)) for p in other.parameters] == [
                (p.name, p.types) for p in action.header.parameters
            ]
            conditions = literals(other.precondition)
            assert {x for x in conditions if x.atom.predicate != "="} == action.needed
            assert {x.atom.args for x in conditions if x.atom.predicate == "="} == action.distinct
            assert set(literals(other.effect)) == action.plain_effects
        read = read_problem(situation, mine.vocabulary)
        assert len(their_problem.objects) == len(read.objects)
        assert len(their_problem.initial) == len(read.initial)
