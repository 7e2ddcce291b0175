"""A door that opens with its key or with any card, and gets whoever opens it muddy if the hall is wet."""

from __future__ import annotations

from assay.core.formula import TRUE, And, Formula, Or
from assay.core.model import ActionModel, Effect, Model
from assay.core.symbols import Atom, Literal
from assay.core.vocabulary import Vocabulary

from .asking import Claimed

VOCABULARY = Vocabulary.of(
    types=["door", "tool"],
    predicates={
        "shut": ["door"],
        "fits": ["tool", "door"],
        "card": ["tool"],
        "broken": ["tool"],
        "wet": [],
        "muddy": [],
    },
    actions={"open": {"d": "door", "k": "tool"}, "repair": {"k": "tool"}},
)


def lit(text: str) -> Literal:
    return Literal(Atom.parse(text.removeprefix("not ")), not text.startswith("not "))


def both(*parts: Formula | str) -> Formula:
    return And(tuple(lit(p) if isinstance(p, str) else p for p in parts))


def either(*parts: Formula | str) -> Formula:
    return Or(tuple(lit(p) if isinstance(p, str) else p for p in parts))


def action(
    vocabulary: Vocabulary, name: str, condition: Formula, *effects: tuple[str, Formula]
) -> ActionModel:
    return ActionModel.adl(vocabulary.action[name], condition, [Effect(lit(x), c) for x, c in effects])


NEEDS = both("shut ?d", "not broken ?k", either("fits ?k ?d", "card ?k"))
OPEN = action(VOCABULARY, "open", NEEDS, ("not shut ?d", TRUE), ("muddy", lit("wet")))
REPAIR = action(VOCABULARY, "repair", lit("broken ?k"), ("not broken ?k", TRUE))
DOORS = Model(VOCABULARY, (OPEN, REPAIR))
CLAIMS = {
    "open": Claimed([["shut ?d", "fits ?k ?d", "not broken ?k"], ["shut ?d", "card ?k", "not broken ?k"]]),
    "repair": Claimed([["broken ?k"]]),
}
