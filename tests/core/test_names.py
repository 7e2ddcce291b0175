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
