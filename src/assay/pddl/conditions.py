"""Formulas that states can be checked against: and, or, not, imply, exists, forall, =, and atoms.

Wider than what models may be made of (`language`), because nothing is learned or written in it. Quantifiers
range over the objects there are, so what comes out is a condition on ground atoms. Names may be written in
any case if only one name can be meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from assay.core.condition import Condition, joined
from assay.core.symbols import Parameter
from assay.core.universe import Universe
from assay.pddl.declarations import read_parameters
from assay.pddl.formulas import Scope, read_atom, read_term
from assay.pddl.language import as_group
from assay.pddl.sexpr import Group, Node, Word, error_at, parse

DEEPEST = 100
"""Formulas inside each other."""
MOST = 100_000
"""Formulas that the quantifiers may multiply one to."""


def read_condition(text: str, universe: Universe, source: str = "formula") -> Condition:
    """The condition over the universe's objects; `PddlError` says what cannot be read, and where."""
    whole = parse(text, source, expected="(FORMULA)", keep_case=True)
    vocabulary = universe.vocabulary
    things = {o.name: (o.type,) for o in universe.objects}
    spelling = _Spelling([*vocabulary.predicate, *(t.name for t in vocabulary.types), *things])
    return _Reader(universe).read(spelling.spell(whole), _Context(Scope.of(vocabulary, things)))


@dataclass(frozen=True)
class _Context:
    """Where a formula stands: what its variables are, and whether negations are even in number there."""

    scope: Scope
    values: tuple[tuple[str, str], ...] = ()
    positive: bool = True


class _Reader:
    def __init__(self, universe: Universe) -> None:
        self._universe, self._left = universe, MOST
        self._types = {t.name for t in universe.vocabulary.types} | {"object"}
        self._connectives: dict[str, Callable[[Group, _Context], Condition]] = {
            "and": lambda group, at: self._all_of(group, at, True),
            "or": lambda group, at: self._all_of(group, at, False),
            "not": self._negation,
            "imply": self._implication,
            "forall": lambda group, at: self._quantified(group, at, True),
            "exists": lambda group, at: self._quantified(group, at, False),
            "=": self._comparison,
        }

    def read(self, node: Node, at: _Context) -> Condition:
        group = as_group(node, "a formula")
        if group.head not in self._universe.vocabulary.predicate and group.head in self._connectives:
            return self._connectives[group.head](group, at)
        if not group.items:
            raise error_at(group, "expected a formula, not ()")
        atom = read_atom(group, at.scope).substitute(dict(at.values))
        self._count(group)
        bit = 1 << self._universe.index(atom)
        return Condition(True, bit, 0) if at.positive else Condition(True, 0, bit)

    def _count(self, group: Group) -> None:
        self._left -= 1
        if self._left < 0:
            raise error_at(group, f"the quantifiers make more than {MOST:,} formulas of this")

    def _all_of(self, group: Group, at: _Context, every: bool) -> Condition:
        return joined(every == at.positive, [self.read(node, at) for node in group.items[1:]])

    def _negation(self, group: Group, at: _Context) -> Condition:
        (inner,) = _operands(group, 1)
        return self.read(inner, replace(at, positive=not at.positive))

    def _implication(self, group: Group, at: _Context) -> Condition:
        premise, conclusion = _operands(group, 2)
        parts = [self.read(premise, replace(at, positive=not at.positive)), self.read(conclusion, at)]
        return joined(not at.positive, parts)

    def _comparison(self, group: Group, at: _Context) -> Condition:
        values = dict(at.values)
        first, second = (read_term(node, at.scope) for node in _operands(group, 2))
        self._count(group)
        return Condition((values.get(first, first) == values.get(second, second)) == at.positive)

    def _quantified(self, group: Group, at: _Context, every: bool) -> Condition:
        declared, body = _operands(group, 2)
        variables = read_parameters(as_group(declared, "variables").items, self._types, f"{group.head!r}")
        if not variables:
            raise error_at(declared, f"{group.head!r} without a variable")
        scope = replace(at.scope, terms={**at.scope.terms, **{v.name: v.types for v in variables}})
        names = [v.name for v in variables]
        found = []
        for objects in product(*(list(self._objects(v)) for v in variables)):
            self._count(group)
            values = tuple((dict(at.values) | dict(zip(names, objects, strict=True))).items())
            found.append(self.read(body, replace(at, scope=scope, values=values)))
        return joined(every == at.positive, found)

    def _objects(self, variable: Parameter) -> Iterator[str]:
        fits = self._universe.vocabulary.fits
        return (o.name for o in self._universe.objects if fits(o.type, variable.types))


def _operands(group: Group, count: int) -> tuple[Node, ...]:
    if len(group.items) != count + 1:
        wanted = "one formula" if count == 1 else "two parts"
        raise error_at(group, f"{group.head!r} takes {wanted}, not {len(group.items) - 1}")
    return group.items[1:]


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
