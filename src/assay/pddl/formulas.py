"""Conditions: from text to formulas in negation normal form.

Every atom is checked against the vocabulary at the place where it is written: its predicate, its number
of arguments, and that everything its arguments can stand for is of the type the predicate asks for.

Conjunctions and disjunctions come out in one order, whatever order they were written in: literals (positive
ones first), equalities, then everything else as it stands. A variable that hides another one of the same name
is given a name of its own, so that formulas can be put into each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any

from assay.core.formula import And, Equality, Exists, Forall, Formula, Or, conjoin, disjoin
from assay.core.symbols import OBJECT, Atom, Literal, Parameter
from assay.core.vocabulary import Vocabulary
from assay.pddl.declarations import read_parameters
from assay.pddl.language import as_group, is_number, operands, refuse_formula, refuse_number
from assay.pddl.sexpr import Group, Node, error_at

DEEPEST = 100
"""Formulas inside each other; `and` inside `and`, or `or` inside `or`, may be any deep."""


@dataclass(frozen=True)
class Scope:
    """The terms that may be arguments here, with their types; the innermost variables come first."""

    vocabulary: Vocabulary
    terms: Mapping[str, tuple[str, ...]]
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Variables that are written like another one further out, and what they are called instead."""

    @classmethod
    def of(cls, vocabulary: Vocabulary, terms: Mapping[str, tuple[str, ...]]) -> Scope:
        return cls(vocabulary, {**terms, **{c.name: (c.type,) for c in vocabulary.constants}})

    def read_variables(self, node: Node, owner: str) -> tuple[Scope, tuple[Parameter, ...]]:
        """The variables declared here, and the scope in which they stand."""
        declared = read_parameters(as_group(node, "variables").items, self.types, owner)
        if not declared:
            raise error_at(node, f"{owner} without a variable")
        renamed = {v.name: self._fresh(v.name) for v in declared}
        variables = tuple(Parameter(renamed[v.name], v.types) for v in declared)
        terms = {**{v.name: v.types for v in variables}, **self.terms}
        return replace(self, terms=terms, renamed={**self.renamed, **renamed}), variables

    @property
    def types(self) -> Set[str]:
        return {OBJECT} | {t.name for t in self.vocabulary.types}

    def _fresh(self, name: str) -> str:
        fresh, number = name, 2
        while fresh in self.terms:
            fresh, number = f"{name}-{number}", number + 1
        return fresh


def read_formula(node: Node, scope: Scope, positive: bool = True, depth: int = 0) -> Formula:
    """The formula, or its negation; an empty pair of parentheses is always true."""
    group = as_group(node, "a formula")
    if depth == DEEPEST:
        raise error_at(group, f"more than {DEEPEST} formulas inside each other")

    def read(inner: Node, sign: bool = positive, scope: Scope = scope) -> Formula:
        return read_formula(inner, scope, sign, depth + 1)

    match group.head:
        case "and" | "or":
            parts = [read(item) for item in _flat(group)]
            return joined((group.head == "and") == positive, parts)
        case "not":
            (inner,) = operands(group, 1)
            return read(inner, not positive)
        case "imply":
            premise, conclusion = operands(group, 2)
            return joined(not positive, [read(premise, not positive), read(conclusion)])
        case "exists" | "forall":
            declared, body = operands(group, 2)
            inside, variables = scope.read_variables(declared, f"{group.head!r}")
            kind = Exists if (group.head == "exists") == positive else Forall
            return kind(variables, read(body, scope=inside))
        case "=":
            return _comparison(group, scope, positive)
    if not group.items:
        return joined(positive, [])
    return Literal(read_atom(group, scope), positive)


def joined(every: bool, parts: Iterable[Formula]) -> Formula:
    """All, or any, of the parts, flat and in the order that is always used."""
    kind = And if every else Or
    flat = [f for part in parts for f in (part.parts if isinstance(part, kind) else (part,))]
    flat.sort(key=_rank)
    return conjoin(flat) if every else disjoin(flat)


def _rank(formula: Formula) -> tuple[Any, ...]:
    match formula:
        case Literal(atom, positive):
            return (0, not positive, atom)
        case Equality(left, right, positive):
            return (1, left, right, positive)
    return (2,)


def _flat(group: Group) -> Iterator[Node]:
    """The parts of a conjunction or disjunction, with those of its parts that are the same thing."""
    todo = list(reversed(group.items[1:]))
    while todo:
        node = todo.pop()
        if isinstance(node, Group) and node.head == group.head:
            todo += reversed(node.items[1:])
        else:
            yield node


def _comparison(group: Group, scope: Scope, positive: bool) -> Equality:
    """Variables stand before objects, and in the order of the scope."""
    if any(isinstance(item, Group) or is_number(item) for item in group.items):
        raise error_at(group, "'=': numbers are outside the language")
    if len(group.items) != 3:
        raise error_at(group, f"'=' compares two arguments, not {len(group.items) - 1}")
    order = list(scope.terms)
    left, right = sorted((read_term(item, scope) for item in group.items[1:]), key=order.index)
    return Equality(left, right, positive)


def read_atom(group: Group, scope: Scope) -> Atom:
    predicate = scope.vocabulary.predicate.get(group.head)
    if predicate is None:
        raise refuse_formula(group)
    terms = [read_term(node, scope) for node in group.items[1:]]
    if len(terms) != predicate.arity:
        raise error_at(
            group, f"predicate {predicate.name!r} takes {predicate.arity} argument(s), not {len(terms)}"
        )
    for node, term, place in zip(group.items[1:], terms, predicate.parameters, strict=True):
        for type_name in scope.terms[term]:
            if not scope.vocabulary.fits(type_name, place.types):
                found = f"{str(node)!r} is of type {type_name!r}"
                wanted = " or ".join(map(repr, place.types))
                raise error_at(node, f"{found}, predicate {predicate.name!r} wants {wanted}")
    return Atom(predicate.name, tuple(terms))


def read_term(node: Node, scope: Scope) -> str:
    if is_number(node):
        raise refuse_number(node)
    if isinstance(node, Group):
        raise error_at(node, f"expected a name as argument, not {node}")
    term = scope.renamed.get(node.text, node.text)
    if term not in scope.terms:
        kind = "variable" if term.startswith("?") else "object"
        raise error_at(node, f"unknown {kind} {node.text!r}")
    return term
