"""Questions put to a person, in full: what there is, what is true, and what is to be done."""

from __future__ import annotations

from itertools import groupby

from assay.core.query import PlanQuery
from assay.core.symbols import Literal, Object
from assay.core.vocabulary import Vocabulary
from assay.language.english import English, noun
from assay.language.lists import listed


class Speech:
    """What an agent that is a person gets to read, without quotes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._english = English(vocabulary, mark="")
        self.step = self._english.step

    def question(self, query: PlanQuery) -> str:
        facts = [self._english.atom(a) for a in sorted(query.state, key=lambda a: a.text)]
        true = (
            f"Suppose that this is true and nothing else: {listed(facts)}." if facts else "Nothing is true."
        )
        steps = ", then ".join(self._english.step(s) for s in query.plan)
        asked = f"What happens if you do {steps}?" if steps else "What is true if you do nothing?"
        return " ".join([*_objects(query.objects), true, asked])

    def change(self, literal: Literal) -> str:
        """The literal as something that has just come about."""
        fact = self._english.atom(literal.atom)
        return f"{fact} is now true" if literal.positive else f"{fact} is no longer true"


def _objects(objects: tuple[Object, ...]) -> list[str]:
    """The objects by type."""
    ordered = sorted(objects, key=lambda o: (o.type, o.name))
    kinds = [
        f"{noun((kind,))} {listed(o.name for o in group)}"
        for kind, group in groupby(ordered, key=lambda o: o.type)
    ]
    return [f"There is {'; '.join(kinds)}."] if kinds else []
