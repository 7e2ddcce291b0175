"""Everything outside the language is refused by name, at the place where it stands."""

from __future__ import annotations

import re

import pytest

from assay.core.vocabulary import Vocabulary
from assay.errors import InputError, PddlError
from assay.pddl.reader import read_domain, read_problem, read_vocabulary

VOCABULARY = Vocabulary.of(
    types={"place": "object", "thing": "object"},
    constants={"home": "place"},
    predicates={"at": ["thing", "place"], "dark": []},
    actions={},
)

HEAD = """(define (domain d)
(:requirements :strips)
(:types car road - object)
(:constants k - car)
(:predicates (p ?x - car) (q ?x - car ?y - road) (n))
"""
"""Five lines; what follows starts on the sixth."""


@pytest.mark.parametrize(
    ("condition", "column", "message"),
    [
        ("(forall (?z - boat) (p ?z))", 15, "unknown type 'boat'"),
        ("(exists () (n))", 9, "'exists' without a variable"),
        ("(exists (?z - car))", 1, "'exists' takes two parts, not 1"),
        ("(exists (?z - road) (p ?z))", 24, "'?z' is of type 'road', predicate 'p' wants 'car'"),
        ("(and (exists (?z - car) (n)) (p ?z))", 33, "unknown variable '?z'"),
        ("(imply (n))", 1, "'imply' takes two parts, not 1"),
        ("(not " * 200 + "(n)" + ")" * 200, 496, "inside each other"),
        ("(probabilistic 0.5 (n))", 1, "chance stands in effects"),
        ("(preference nice (n))", 1, "'preference'"),
        ("(= (fuel) 3)", 1, "numbers are outside"),
        ("(not (= (fuel) 3))", 6, "numbers are outside"),
        ("(>= (fuel) 3)", 1, "'>=': numbers are outside"),
        ("(p 3)", 4, "'3': numbers are outside"),
        ("(r ?x)", 1, "unknown predicate 'r'"),
        ("(p)", 1, r"takes 1 argument\(s\), not 0"),
        ("(p ?x ?y)", 1, r"takes 1 argument\(s\), not 2"),
        ("(p ?z)", 4, r"unknown variable '\?z'"),
        ("(p j)", 4, "unknown object 'j'"),
        ("(p ?y)", 4, r"'\?y' is of type 'road', predicate 'p' wants 'car'"),
        ("(p ?either)", 4, r"'\?either' is of type 'road'"),
        ("(q k k)", 6, "'k' is of type 'car'"),
        ("(q (p ?x) ?y)", 4, "expected a name as argument"),
        ("(not (p ?x) (n))", 1, "'not' takes one formula, not 2"),
        ("(not (= ?x))", 6, "compares two arguments, not 1"),
        ("(not (= ?x ?z))", 12, r"unknown variable '\?z'"),
        ("n", 1, "expected a formula in parentheses"),
        ("((n))", 1, "expected a formula"),
        ("(when (p ?x) (n))", 1, "'when': conditional effects stand in effects"),
    ],
)
def test_preconditions(condition: str, column: int, message: str) -> None:
    header = "(:action a\n:parameters (?x - car ?y - road ?either - (either car road))"
    text = f"{HEAD}{header}\n:precondition (and\n{condition}\n)))"
    with pytest.raises(PddlError) as error:
        read_domain(text)
    assert re.search(message, str(error.value)) or message in str(error.value)
    assert (error.value.line, error.value.column) == (9, column)


@pytest.mark.parametrize(
    ("effect", "column", "message"),
    [
        ("(probabilistic 0.5 (n))", 1, "stochastic effects are not read here"),
        ("(oneof (n) (p ?x))", 1, "'oneof': outcomes without probabilities"),
        ("(increase (total-cost) 1)", 1, "'increase': numbers are outside"),
        ("(decrease (fuel) 1)", 1, "'decrease': numbers"),
        ("(assign (fuel) 1)", 1, "'assign': numbers"),
        ("(= ?x ?y)", 1, "'=' is no effect"),
        ("(not (= ?x ?y))", 6, "'=' is no effect"),
        ("(or (n) (p ?x))", 1, "'or' is no effect; it belongs into a condition"),
        ("(exists (?z - car) (p ?z))", 1, "'exists' is no effect"),
        ("(not (and (n)))", 6, "'and' under 'not': an effect makes atoms false"),
        ("(when (n))", 1, "'when' takes two parts, not 1"),
        ("(when n (n))", 7, "expected a formula in parentheses"),
        ("(when (n) (or (n)))", 11, "'or' is no effect"),
        ("(forall (?z - boat) (p ?z))", 15, "unknown type 'boat'"),
        ("(forall (?z - road) (p ?z))", 24, r"'\?z' is of type 'road'"),
        ("(r ?x)", 1, "unknown predicate 'r'"),
        ("(q ?x)", 1, r"takes 2 argument\(s\), not 1"),
        ("(not (q ?y ?x))", 9, r"'\?y' is of type 'road'"),
    ],
)
def test_effects(effect: str, column: int, message: str) -> None:
    text = f"{HEAD}(:action a\n:parameters (?x - car ?y - road)\n:effect (and\n{effect}\n)))"
    with pytest.raises(PddlError, match=message) as error:
        read_domain(text)
    assert (error.value.line, error.value.column) == (9, column)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("(:functions (total-cost) - number)", "':functions': numbers are outside"),
        ("(:derived (n) (p k))", "':derived': derived predicates"),
        ("(:durative-action a :duration (= ?duration 1))", "':durative-action': actions with a duration"),
        ("(:constraints (n))", "':constraints'"),
        ("(:init (n))", "unknown section ':init'"),
        ("(:types boat)", "section ':types' appears twice"),
        ("(:action)", "an action without a name"),
        ("(:action a) (:action A)", "action 'a' is declared twice"),
        ("(:action a :parameters (?x - boat))", "unknown type 'boat'"),
        ("(:action a :parameters (?x - car ?y ?X - road))", r"action 'a': variable '\?x' is declared twice"),
        ("(:action a :parameters (x))", r"expected a variable such as \?x, not 'x'"),
        ("(:action a :parameters (?1x))", "variable name '1x'"),
        ("(:action a :parameters (?x -))", "a dash without a type"),
        ("(:action a :parameters (- car))", "a type without a name"),
        ("(:action a :parameters (?x - (both car road)))", r"expected a type or \(either"),
        ("(:action a :parameters (?x - (either)))", r"expected a type or \(either"),
        ("(:action a :parameters ((?x)))", r"expected a name, not \(\?x\)"),
        ("(:action a :effect (n) :effect (n))", "':effect' appears twice"),
        ("(:action a :effect)", "nothing after ':effect'"),
        ("(:action a :duration 5)", "expected one of :parameters, :precondition, :effect"),
        ("(:action a (n))", "expected one of :parameters, :precondition, :effect"),
        ("(:action 1a)", "action name '1a'"),
        ("(:action and)", "action name 'and' is a word of PDDL"),
        ("(:action (a))", r"expected a name of the action, not \(a\)"),
        ("(n)", "unknown section 'n'"),
        ("n", "expected a section in parentheses"),
    ],
)
def test_sections(section: str, message: str) -> None:
    for reading in (read_domain, read_vocabulary):
        with pytest.raises(PddlError, match=message) as error:
            reading(f"{HEAD}{section})")
        assert error.value.line == 6


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(define (domain d)\n(:predicates\n(p ?x - block)))", 3, "unknown type 'block': it is not declared"),
        (
            "(define (domain d)\n(:predicates\n(p ?x ?x)))",
            3,
            r"predicate 'p': variable '\?x' is declared twice",
        ),
        ("(define (domain d)\n(:predicates (p)\n(P ?x)))", 3, "predicate 'p' is declared twice"),
        ("(define (domain d)\n(:predicates\n()))", 3, "a predicate without a name"),
        ("(define (domain d)\n(:predicates\n(and ?x)))", 3, "predicate name 'and' is a word of PDDL"),
        ("(define (domain d)\n(:constants a\nA))", 3, "constant 'a' is declared twice"),
        ("(define (domain d)\n(:types t)\n(:constants a -\n(either t object)))", 4, "an object has one type"),
        ("(define (domain d)\n(:constants\n2nd))", 3, "constant name '2nd'"),
        ("(define (domain d)\n(:types a - b\nb - a))", 2, "its own ancestor"),
        ("(define (domain d)\n(:types 3d))", 2, "type name '3d'"),
        ("(define (problem d))", 1, r"expected \(domain NAME\), found \(problem d\)"),
        ("(define (domain))", 1, "a domain has one name"),
        ("(define\n)", 1, r"expected '\(define"),
        ("(domain d)", 1, r"expected '\(define"),
        ("(define (domain d)\n(:action a)", 1, "never closed"),
    ],
)
def test_declarations(text: str, line: int, message: str) -> None:
    with pytest.raises(PddlError, match=message) as error:
        read_domain(text)
    assert error.value.line == line


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("(:init (= (total-cost) 0))", "'0': numbers are outside"),
        ("(:init (= home home))", "'=' in an initial state"),
        ("(:init (at 5 (dark)))", "'5': numbers are outside"),
        ("(:init (and (dark)))", "'and' in an initial state"),
        ("(:init (dark) (not (dark)))", "both to hold and not to hold"),
        ("(:init (at home home))", "'home' is of type 'place'"),
        ("(:init (at box home))", "unknown object 'box'"),
        ("(:init (at home))", r"takes 2 argument\(s\), not 1"),
        ("(:init (light))", "unknown predicate 'light'"),
        ("(:init (or (dark)))", "'or' in an initial state"),
        ("(:init dark)", "expected an atom in parentheses"),
        ("(:objects 1st - thing)", "object name '1st': start with a letter"),
        ("(:objects a b - thing a - thing)", "object 'a' is declared twice"),
        ("(:objects a - thing a - place)", "'a' is of type 'thing' and of type 'place'"),
        ("(:objects home - thing)", "'home' is of type 'place' and of type 'thing'"),
        ("(:objects a - ghost)", "unknown type 'ghost'"),
        ("(:goal (at nobody home))", "unknown object 'nobody'"),
        ("(:predicates (p))", "unknown section ':predicates' in a problem"),
        ("(:constraints (and))", "':constraints'"),
    ],
)
def test_problems(section: str, message: str) -> None:
    with pytest.raises(PddlError, match=message) as error:
        read_problem(f"(define (problem p)\n(:domain d)\n{section})", VOCABULARY, "p.pddl")
    assert (error.value.source, error.value.line) == ("p.pddl", 3)


def test_a_refusal_is_an_input_error_that_names_file_line_and_column() -> None:
    with pytest.raises(InputError) as error:
        read_domain("(define (domain d)\n  (:functions (f)))", "file.pddl")
    assert str(error.value) == "file.pddl:2:3: ':functions': numbers are outside the language"
