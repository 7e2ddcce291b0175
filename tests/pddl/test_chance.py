"""PPDDL: what probabilistic effects mean, how they are written, and what another reader makes of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from plado import pddl
from plado.parser import LookaheadStreamer, parse_domain, tokenize
from random_models import models

from assay.agents.worlds import WORLDS, domain_text
from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import ActionHeader, Atom, Literal
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError, PddlError
from assay.pddl.reader import read_domain, read_ppddl
from assay.pddl.writer import write_domain

HEAD = "(define (domain d)\n(:predicates (p) (q) (r) (probably))\n(:action a\n:effect "


def outcomes(effect: str) -> dict[str, float]:
    (action,) = read_ppddl(f"{HEAD}{effect}))").actions
    return {" ".join(sorted(map(str, o.literals))): o.probability for o in action.outcomes}


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("(p)", {"(p)": 1}),
        ("()", {"": 1}),
        ("(probabilistic 0.7 (p) 2/10 (not (q)) .1 (and))", {"(p)": 0.7, "(not (q))": 0.2, "": 0.1}),
        ("(probabilistic 7/10 (p))", {"(p)": 0.7, "": 0.3}),
        ("(and (q) (probabilistic 0.8 (p)))", {"(p) (q)": 0.8, "(q)": 0.2}),
        ("(and (probabilistic 0.8 (p)) (and (q) (r)))", {"(p) (q) (r)": 0.8, "(q) (r)": 0.2}),
        (
            "(and (probabilistic 1/2 (p)) (probabilistic 1/5 (q)))",
            {"(p) (q)": 0.1, "(p)": 0.4, "(q)": 0.1, "": 0.4},
        ),
        ("(and (probabilistic 0.5 (p)) (probabilistic 0.5 (p)))", {"(p)": 0.75, "": 0.25}),
        ("(probabilistic 0.5 (probabilistic 0.5 (p) 0.5 (q)))", {"(p)": 0.25, "(q)": 0.25, "": 0.5}),
        ("(probabilistic 0.5 (and (p) (probabilistic 0.5 (q))))", {"(p) (q)": 0.25, "(p)": 0.25, "": 0.5}),
        ("(probabilistic 1 (p) 0 (q))", {"(p)": 1}),
        ("(probabilistic 0.3 (p) 0.7 (p))", {"(p)": 1}),
        ("(probabilistic)", {"": 1}),
        (
            "(probabilistic 0.333333 (p) 0.333333 (q) 0.333333 (r))",
            {"(p)": 1 / 3, "(q)": 1 / 3, "(r)": 1 / 3},
        ),
    ],
)
def test_meaning(effect: str, expected: dict[str, float]) -> None:
    found = outcomes(effect)
    assert found == pytest.approx(expected, abs=1e-12)
    assert list(found) == list(expected)


@pytest.mark.parametrize(
    ("effect", "column", "message"),
    [
        ("(probabilistic 0.7 (p) 0.4 (q))", 9, "add up to 1.1, more than one"),
        ("(probabilistic 0.7)", 24, "pairs of a probability and an effect"),
        ("(probabilistic (p) 0.7)", 24, r"expected a probability such as 0.7 or 7/10, not \(p\)"),
        ("(probabilistic x (p))", 24, "expected a probability"),
        ("(probabilistic -0.5 (p))", 24, "expected a probability"),
        ("(probabilistic 1.5 (p))", 24, "more than one"),
        ("(probabilistic 1/0 (p))", 24, "divides by zero"),
        ("(probabilistic 0.5 p)", 28, "expected an effect in parentheses"),
        ("(probabilistic 0 (s))", 26, "unknown predicate 's'"),
        ("(probabilistic 0.5 (or (p) (q)))", 28, "'or' is no effect"),
        ("(not (probabilistic 0.5 (p)))", 14, "'probabilistic' under 'not'"),
        ("(forall (?x) (probabilistic 0.5 (p)))", 22, "a draw for each object"),
        ("(oneof (p) (q))", 9, "'oneof'"),
    ],
)
def test_refusals(effect: str, column: int, message: str) -> None:
    with pytest.raises(PddlError, match=message) as error:
        outcomes(effect)
    assert (error.value.line, error.value.column) == (4, column)


def test_nesting_is_never_too_deep_and_products_have_a_bound() -> None:
    deep = 3000
    assert outcomes("(and " * deep + "(probabilistic 1 " * deep + "(p)" + "))" * deep) == {"(p)": 1}
    names = [f"(p{n})" for n in range(13)]
    blocks = " ".join(f"(probabilistic 0.5 {name})" for name in names)
    text = f"(define (domain d) (:predicates {' '.join(names)}) (:action a :effect (and {blocks})))"
    with pytest.raises(PddlError, match="more than 4096 outcomes"):
        read_ppddl(text)


def test_where_one_outcome_is_wanted_chance_is_refused() -> None:
    with pytest.raises(PddlError, match="'probabilistic': stochastic effects are not read here"):
        read_domain(f"{HEAD}(probabilistic 0.5 (p))))")
    (action,) = read_ppddl(f"{HEAD}(probabilistic 0.5 (p))))").actions
    with pytest.raises(InputError, match="action 'a' has several outcomes; one is wanted here"):
        _ = action.effects


PICK_ITEM = """\
(define (domain cafe)
  (:requirements :strips :probabilistic-effects)
  (:predicates
    (empty-arm)
    (has-charge)
    (robot-at ?location)
    (at ?location ?item)
    (holding ?item))

  (:action pick-item
    :parameters (?location ?item)
    :precondition (and
      (at ?location ?item)
      (empty-arm)
      (has-charge)
      (robot-at ?location))
    :effect (and
      (probabilistic
        0.7 (and (holding ?item) (not (at ?location ?item)) (not (empty-arm)))
        0.2 (and (not (has-charge)))
        0.1 (and)))
  )
)
"""


def test_layout() -> None:
    """Fig. 2 of QACE."""
    assert write_domain(read_ppddl(PICK_ITEM)) == PICK_ITEM


def test_what_all_outcomes_share_is_written_once() -> None:
    text = write_domain(read_ppddl(f"{HEAD}(and (probabilistic 0.8 (and (p) (q)) 0.2 (q)) (r))))"))
    lines = [line.strip() for line in text.splitlines()]
    start = lines.index(":effect (and")
    assert lines[start + 1 : start + 6] == ["(q)", "(r)", "(probabilistic", "0.8 (and (p))", "0.2 (and)))"]


@pytest.mark.parametrize(
    ("given", "message"),
    [((0.5, 0.4), "add up to 0.9"), ((0.7, 0.7), "add up to 1.4"), ((1.5, -0.5), "no probability")],
)
def test_probabilities_that_are_none_are_not_written(given: tuple[float, float], message: str) -> None:
    first, second = given
    outcomes = (Outcome.plain([Literal(Atom("p"))], first), Outcome.plain([], second))
    action = ActionModel.chance(ActionHeader("a"), [], outcomes)
    with pytest.raises(InputError, match=message):
        write_domain(Model(Vocabulary.of(predicates={"p": []}, actions={"a": []}), (action,)))


def test_the_same_outcome_twice_is_written_once() -> None:
    literal = [Literal(Atom("p"))]
    parts = [
        Outcome.plain(effects, p)
        for effects, p in ((literal, 0.25), ([], 0.5), (literal, 0.25), (literal, 0))
    ]
    action = ActionModel.chance(ActionHeader("a"), [], parts)
    written = write_domain(Model(Vocabulary.of(predicates={"p": []}, actions={"a": []}), (action,)))
    (again,) = read_ppddl(written).actions
    assert again.outcomes == (Outcome.plain(literal, 0.5), Outcome.plain([], 0.5))


def close(model: Model, other: Model) -> bool:
    """The same model, up to the last digit of its probabilities."""
    return model.vocabulary == other.vocabulary and all(
        (a.header, a.precondition) == (b.header, b.precondition)
        and [o.effects for o in a.outcomes] == [o.effects for o in b.outcomes]
        and all(
            abs(o.probability - x.probability) < 1e-14 for o, x in zip(a.outcomes, b.outcomes, strict=True)
        )
        for a, b in zip(model.actions, other.actions, strict=True)
    )


@given(models(stochastic=True))
@settings(max_examples=100, deadline=None)
def test_reading_what_was_written_gives_the_model_back(model: Model) -> None:
    text = write_domain(model)
    again = read_ppddl(text)
    assert close(again, model)
    assert write_domain(again) == text
    for action in text.split("(:action")[1:]:
        if "(probabilistic" in action:
            words = (line.split()[0] for line in action.split("(probabilistic")[1].splitlines()[1:-2])
            assert sum(Fraction(word) for word in words if word[0] in "01") == 1


def others(effect: Any) -> dict[frozenset[Literal], Fraction]:
    """The outcomes of an effect as the other parser's tree says them; it leaves the product to us."""
    if isinstance(effect, pddl.ConjunctiveEffect):
        found: dict[frozenset[Literal], Fraction] = {frozenset(): Fraction(1)}
        for part in effect.effects:
            pairs = product(found.items(), others(part).items())
            found = {}
            for (left, x), (right, y) in pairs:
                found[left | right] = found.get(left | right, Fraction(0)) + x * y
        return found
    if isinstance(effect, pddl.ProbabilisticEffect):
        found, rest = {}, Fraction(1)
        for outcome in effect.outcomes:
            share = Fraction(outcome.probability.value_str)
            rest -= share
            for effects, inner in others(outcome.effect).items():
                found[effects] = found.get(effects, Fraction(0)) + share * inner
        if rest:
            found[frozenset()] = found.get(frozenset(), Fraction(0)) + rest
        return found
    positive = not isinstance(effect, pddl.NegativeEffect)
    atom = effect if positive else effect.atom
    return {
        frozenset({Literal(Atom(atom.name, tuple(str(a) for a in atom.arguments)), positive)}): Fraction(1)
    }


@pytest.mark.parametrize(
    "effect",
    [
        "(probabilistic 0.7 (p) 0.2 (not (q)) 0.1 (and))",
        "(and (probabilistic 1/2 (p)) (probabilistic 1/5 (q)) (not (r)))",
        "(probabilistic 0.5 (probabilistic 0.25 (p) 0.5 (and (q) (not (p)))))",
    ],
)
def test_another_parser_reads_the_same(effect: str) -> None:
    text = f"{HEAD}{effect}))"
    for version in (text.replace(":effect", ":parameters () :effect"), write_domain(read_ppddl(text))):
        (action,) = parse_domain(LookaheadStreamer(tokenize(version))).actions
        theirs = {effects: float(p) for effects, p in others(action.effect).items()}
        (mine,) = read_ppddl(text).actions
        assert {o.literals: o.probability for o in mine.outcomes} == pytest.approx(theirs)


@pytest.mark.parametrize("text", [PICK_ITEM, *map(domain_text, WORLDS)], ids=["fig2", *WORLDS])
def test_another_parser_reads_whole_domains_the_same(text: str) -> None:
    model = read_ppddl(text)
    for version in (text, write_domain(model)):
        theirs = parse_domain(LookaheadStreamer(tokenize(version))).actions
        for mine, other in zip(model.actions, theirs, strict=True):
            assert {o.literals: Fraction(str(o.probability)) for o in mine.outcomes} == others(other.effect)
