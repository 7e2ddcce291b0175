"""Formulas that a user types: read in any case, and made conditions on the states of a universe.

Names may be written in any case if only one name can be meant. Quantifiers range over the objects there are.
"""

from __future__ import annotations

from math import prod

from assay.core.condition import Condition
from assay.core.formula import And, Exists, Forall, Formula, Or, ground
from assay.core.symbols import OBJECT
from assay.core.universe import Universe
from assay.pddl.formulas import DEEPEST, Scope, read_formula
from assay.pddl.sexpr import Group, Node, Word, error_at, parse

MOST = 100_000
"""Leaves that the quantifiers may multiply a formula to."""


def read_condition(text: str, universe: Universe, source: str = "formula") -> Condition:
    """The condition over the universe's objects; `PddlError` says what cannot be read, and where."""
    formula, whole = _read(text, universe, source)
    if _size(formula, universe) > MOST:
        raise error_at(whole, f"the quantifiers make more than {MOST:,} formulas of this")
    return ground(formula, universe, {})


def parse_formula(text: str, universe: Universe, source: str = "formula") -> Formula:
    """The formula over the universe's objects."""
    return _read(text, universe, source)[0]


def _read(text: str, universe: Universe, source: str) -> tuple[Formula, Group]:
    whole = parse(text, source, expected="(FORMULA)", keep_case=True)
    if not whole.items:
        raise error_at(whole, "expected a formula, not ()")
    vocabulary = universe.vocabulary
    things = {o.name: (o.type,) for o in universe.objects}
    spelling = _Spelling([*vocabulary.predicate, OBJECT, *(t.name for t in vocabulary.types), *things])
    return read_formula(spelling.spell(whole), Scope.of(vocabulary, things)), whole


def _size(formula: Formula, universe: Universe) -> int:
    """How many leaves it has when its quantifiers are written out."""
    if isinstance(formula, And | Or):
        return sum(_size(part, universe) for part in formula.parts)
    if not isinstance(formula, Exists | Forall):
        return 1
    fits = universe.vocabulary.fits
    fitting = (sum(fits(o.type, v.types) for o in universe.objects) for v in formula.variables)
    return prod(fitting) * _size(formula.body, universe)


class _Spelling:
    """Words as the vocabulary and the objects spell them."""

    def __init__(self, names: list[str]) -> None:
        self._names = set(names)
        self._folded: dict[str, set[str]] = {}
        for name in names:
            self._folded.setdefault(name.lower(), set()).add(name)

    def spell(self, node: Node, depth: int = 0) -> Node:
        if isinstance(node, Group):
            if depth == DEEPEST:
                raise error_at(node, f"more than {DEEPEST} formulas inside each other")
            return Group(tuple(self.spell(item, depth + 1) for item in node.items), node.place)
        if node.text in self._names:
            return node
        meant = sorted(self._folded.get(node.text.lower(), {node.text.lower()}))
        if len(meant) > 1:
            raise error_at(node, f"{node.text!r} may be {' or '.join(meant)}")
        return Word(meant[0], node.place)
