"""What an action's name says about its effects."""

from __future__ import annotations

import pytest

from assay.core.symbols import Atom
from assay.core.vocabulary import Vocabulary
from assay.strategies.wording import Wording

VOCABULARY = Vocabulary.of(
    types=["suit"],
    predicates={
        name: ["suit"]
        for name in (
            "folded",
            "door-open",
            "loose",
            "in",
            "iced",
            "charged",
            "drill-hot",
            "suit-worn",
            "clear",
        )
    },
    actions={
        name: {"x": "suit"}
        for name in (
            *("fold", "open-door", "close-door", "loosen", "take-out", "de-ice", "recharge", "cool-drill"),
            *("don-suit", "doff-suit", "clean", "w17"),
        )
    },
)


@pytest.mark.parametrize(
    ("action", "predicate", "made"),
    [
        ("fold", "folded", True),
        ("open-door", "door-open", True),
        ("close-door", "door-open", False),
        ("loosen", "loose", True),
        ("take-out", "in", False),
        ("de-ice", "iced", False),
        ("recharge", "charged", True),
    ],
)
def test_a_name_speaks_of_making_something_so_or_undoing_it(action, predicate, made):
    wording = Wording(VOCABULARY, action)
    effect = Atom(predicate, ("?x",))
    assert wording.fits(frozenset({(effect, made)})) > 1
    assert wording.fits(frozenset({(effect, not made)})) < 1


def test_what_is_named_beside_what_is_done_may_be_made_so_or_not():
    wording, hot = Wording(VOCABULARY, "cool-drill"), Atom("drill-hot", ("?x",))
    assert wording.fits(frozenset({(hot, True)})) == wording.fits(frozenset({(hot, False)})) > 1


@pytest.mark.parametrize(
    ("action", "predicate"),
    [
        pytest.param("don-suit", "suit-worn", id="what several actions are done to"),
        pytest.param("clean", "in", id="words that have nothing in common"),
        pytest.param("w17", "folded", id="names without a meaning"),
    ],
)
def test_other_names_say_nothing(action, predicate):
    for sign in (True, False):
        assert Wording(VOCABULARY, action).fits(frozenset({(Atom(predicate, ("?x",)), sign)})) == 1
