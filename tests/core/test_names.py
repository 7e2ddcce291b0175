"""Names: what cannot be written as PDDL is refused where it is declared."""

from __future__ import annotations

import pytest

from assay.core.symbols import RESERVED, Object
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

NOTHING = {"predicates": {}, "actions": {}}


@pytest.mark.parametrize("word", sorted(RESERVED))
@pytest.mark.parametrize("kind", ["types", "constants", "predicates", "actions"])
def test_words_of_pddl_are_no_names(kind, word):
    with pytest.raises(InputError, match=f"{kind[:-1]} name '{word.title()}' is a word of PDDL"):
        Vocabulary.of(**NOTHING | {kind: {word.title(): "object" if kind in ("types", "constants") else []}})


def test_words_of_pddl_are_no_objects():
    with pytest.raises(InputError, match="object name 'or' is a word of PDDL"):
        Universe(Vocabulary(), [Object("or")])


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"predicates": {"on": [], "On": []}}, r"predicate 'On' is declared twice \(also as 'on'\)"),
        ({"types": ["Object"]}, r"type 'Object' is declared twice \(also as 'object'\)"),
        ({"actions": {"go": {"to": "object", "To": "object"}}}, r"names must differ, got \?to \?To"),
    ],
)
def test_names_that_differ_only_in_upper_and_lower_case(declared, message):
    with pytest.raises(InputError, match=message):
        Vocabulary.of(**NOTHING | declared)


def test_objects_that_differ_only_in_upper_and_lower_case():
    universe = Universe(Vocabulary(constants=(Object("Big"),)), [Object("Big"), Object("New-object-1")])
    with pytest.raises(InputError, match=r"object 'big' is declared twice \(also as 'Big'\)"):
        universe.add(Object("big"))
    assert universe.made_up("object", 1) == "new-new-object-1"
    assert [o.name for o in universe.objects] == ["Big", "New-object-1", "new-new-object-1"]
