"""Conjunctions of literals: preconditions, effects, initial states, goals.

Every atom is checked against the vocabulary at the place where it is written: its predicate, its number
of arguments, and that everything its arguments can stand for is of the type the predicate asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.core.symbols import ActionHeader, Atom, Literal
from assay.core.vocabulary import Vocabulary
from assay.pddl.language import as_group, is_number, refuse_formula, refuse_number
from assay.pddl.sexpr import Group, Node, Word, error_at


@dataclass(frozen=True)
class Scope:
    """The terms that may be arguments here, with their types."""

    vocabulary: Vocabulary
    terms: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, vocabulary: Vocabulary, terms: Mapping[str, tuple[str, ...]]) -> Scope:
        return cls(vocabulary, {c.name: (c.type,) for c in vocabulary.constants} | dict(terms))


def read_precondition(
    node: Node, scope: Scope, header: ActionHeader
) -> tuple[frozenset[Literal], frozenset[tuple[str, str]]]:
    """The literals, and the pairs of arguments that must differ."""
    literals, distinct = set(), set()
    for group, positive in _literals(node):
        if group.head == "=" and not positive:
            distinct.add(_pair(group, scope, header))
        else:
            literals.add(Literal(read_atom(group, scope), positive))
    return frozenset(literals), frozenset(distinct)


def read_effect(node: Node, scope: Scope) -> frozenset[Literal]:
    return frozenset(Literal(read_atom(group, scope), positive) for group, positive in _literals(node))


def is_conjunction(node: Node, vocabulary: Vocabulary) -> bool:
    """Whether the formula is built from literals with `and` alone."""
    todo = [node]
    while todo:
        current = todo.pop()
        if not isinstance(current, Group):
            return False
        if not current.items:
            continue
        if current.head == "and":
            todo += current.items[1:]
        elif current.head == "not" and len(current.items) == 2:
            inner = current.items[1]
            if not isinstance(inner, Group) or inner.head not in vocabulary.predicate:
                return False
        elif current.head not in vocabulary.predicate:
            return False
    return True


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
                wanted = " or ".join(map(repr, place.types))
                raise error_at(
                    node, f"{term!r} is of type {type_name!r}, predicate {predicate.name!r} wants {wanted}"
                )
    return Atom(predicate.name, tuple(terms))


def read_term(node: Node, scope: Scope) -> str:
    if is_number(node):
        raise refuse_number(node)
    if isinstance(node, Group):
        raise error_at(node, f"expected a name as argument, not {node}")
    if node.text not in scope.terms:
        kind = "variable" if node.text.startswith("?") else "object"
        raise error_at(node, f"unknown {kind} {node.text!r}")
    return node.text


def _literals(node: Node) -> Iterator[tuple[Group, bool]]:
    """The atoms of a conjunction with their signs, in the order written."""
    todo = [node]
    while todo:
        group = as_group(todo.pop(), "a formula")
        if not group.items:
            continue
        if group.head == "and":
            todo += reversed(group.items[1:])
        elif group.head == "not":
            if len(group.items) != 2:
                raise error_at(group, f"'not' takes one formula, not {len(group.items) - 1}")
            inner = as_group(group.items[1], "a formula")
            if inner.head in ("and", "not"):
                raise error_at(inner, f"{inner.head!r} under 'not': only atoms are negated in the language")
            yield inner, False
        else:
            yield group, True


def _pair(group: Group, scope: Scope, header: ActionHeader) -> tuple[str, str]:
    """Two different arguments, parameters first and in the header's order."""
    if any(not isinstance(item, Word) or is_number(item) for item in group.items):
        raise refuse_formula(group)
    if len(group.items) != 3:
        raise error_at(group, f"'=' compares two arguments, not {len(group.items) - 1}")
    order = {p.name: number for number, p in enumerate(header.parameters)}
    first, second = sorted(
        (read_term(item, scope) for item in group.items[1:]), key=lambda term: order.get(term, len(order))
    )
    if first not in order:
        raise error_at(group, f"'=' between {first!r} and {second!r}: one of them must be a variable")
    return first, second
