"""Formulas, effects and steps in words: always right, with one reading."""

from __future__ import annotations

import pytest

from assay.core.formula import FALSE, TRUE, Equality, Exists, Forall, Formula, conjoin, disjoin
from assay.core.model import Effect
from assay.core.symbols import Atom, Literal, Parameter, Step
from assay.core.vocabulary import Vocabulary
from assay.language.effects import effect_clauses
from assay.language.english import English
from assay.language.lists import listed

WORDS = Vocabulary.of(
    types=["tool", "door"],
    constants={"master": "tool"},
    predicates={"shut": ["door"], "fits": ["tool", "door"], "broken": ["tool"], "night": []},
    actions={"open": {"d": "door", "k": "tool"}, "wait": {}},
)
TOOL = (Parameter("?z", ("tool",)),)


def fact(text: str, positive: bool = True) -> Literal:
    return Literal(Atom.parse(text), positive)


BROKEN = fact("broken ?k")


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (fact("shut ?d"), "shut(D) is true"),
        (fact("night", False), "night is false"),
        (fact("broken master"), "broken(master) is true"),
        (
            conjoin([fact("shut ?d"), fact("fits ?k ?d"), fact("broken ?k", False)]),
            "shut(D) and fits(K, D) are true, and broken(K) is false",
        ),
        (disjoin([fact("night"), fact("shut ?d")]), "at least one of night and shut(D) is true"),
        (disjoin([fact("night"), fact("shut ?d", False)]), "either night is true or shut(D) is false"),
        (
            conjoin([fact("shut ?d"), disjoin([fact("night"), conjoin([BROKEN, fact("shut ?d")])])]),
            "shut(D) is true, and either night is true or (broken(K) and shut(D) are true)",
        ),
        (Equality("?k", "master", False), "K and master are different objects"),
        (
            Exists(TOOL, conjoin([Equality("?z", "?k", False), fact("fits ?z ?d")])),
            "there is a tool Z other than K such that fits(Z, D) is true",
        ),
        (Exists(TOOL, Equality("?z", "?k", False)), "there is a tool Z other than K"),
        (
            Forall(TOOL, disjoin([Equality("?z", "?k"), fact("broken ?z", False)])),
            "there is no tool Z other than K such that broken(Z) is true",
        ),
        (Forall(TOOL, fact("broken ?z")), "for every tool Z, broken(Z) is true"),
        (
            Forall(TOOL, disjoin([Equality("?z", "?k"), fact("broken ?z"), fact("fits ?z ?d", False)])),
            "for every tool Z other than K, either broken(Z) is true or fits(Z, D) is false",
        ),
        (TRUE, "anything is so"),
        (FALSE, "the impossible is so"),
    ],
)
def test_formulas(formula: Formula, said: str) -> None:
    assert English(WORDS, mark="").clause(formula) == said


def test_symbols_are_quoted_for_markdown() -> None:
    english = English(WORDS)
    assert english.step(Step("open", ("front", "key-1"))) == "`open(front, key-1)`"
    assert english.action(WORDS.action["wait"]) == "`wait`"
    assert english.things(WORDS.action["open"].parameters) == "a door D and a tool K"


def test_a_parameter_is_not_called_like_a_constant() -> None:
    words = Vocabulary.of(
        constants={"D": "object"}, predicates={"p": ["object"]}, actions={"a": {"d": "object"}}
    )
    assert English(words, mark="").atom(Atom.parse("p ?d")) == "p(?d)"
    assert English(words, mark="").atom(Atom.parse("p D")) == "p(D)"


def test_effects_are_told_by_their_conditions() -> None:
    effects = [
        Effect(fact("shut ?d", False)),
        Effect(fact("broken ?k"), fact("night")),
        Effect(fact("broken ?z"), conjoin([Equality("?z", "?k", False), fact("fits ?z ?d")]), TOOL),
        Effect(fact("broken ?z", False), Equality("?z", "?k", False), TOOL),
    ]
    assert effect_clauses(English(WORDS, mark=""), effects) == [
        "shut(D) becomes false",
        "if night is true: broken(K) becomes true",
        "for every tool Z other than K such that fits(Z, D) is true: broken(Z) becomes true",
        "for every tool Z other than K: broken(Z) becomes false",
    ]


def test_phrases_take_the_place_of_quotes() -> None:
    english = English(WORDS, {"shut": "door {0} is shut", "open": "open {0} with {1}"})
    assert english.clause(conjoin([fact("shut ?d"), fact("night")])) == "`night` is true and door D is shut"
    assert english.clause(fact("shut ?d", False)) == "it is not so that door D is shut"
    assert english.step(Step("open", ("front", "key"))) == "open front with key"
    assert effect_clauses(english, [Effect(fact("shut ?d", False))]) == [
        "it is no longer so that door D is shut"
    ]


def test_lists() -> None:
    assert [listed(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"], ["a and b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
        "a and b, and c",
    ]
