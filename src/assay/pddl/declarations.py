"""Typed lists: where types, parameters, constants and objects are declared.

A list is runs of names, each run followed by a dash and the type it has; names without a type are of type
`object`. Several types are written `(either a b)`; a type may also be listed again with another parent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from assay.core.symbols import OBJECT, Object, Parameter, Type
from assay.pddl.language import read_name, read_variable
from assay.pddl.sexpr import Group, Node, Word, error_at

Declaration = tuple[Word, tuple[Word, ...]]
"""A name and the types written after it; no types mean `object`."""


def read_types(items: Sequence[Node]) -> tuple[Type, ...]:
    """The types in order of declaration; a parent that is nowhere declared is a type of its own."""
    parents: dict[str, dict[str, None]] = {}
    mentioned: dict[str, None] = {}
    for word, types in _typed(items):
        name = read_name(word, "type")
        above = [read_name(t, "type") for t in types] or [OBJECT]
        parents.setdefault(name, {}).update(dict.fromkeys(above))
        mentioned |= dict.fromkeys(above)
    for name in mentioned:
        parents.setdefault(name, {OBJECT: None})
    parents.pop(OBJECT, None)
    return tuple(Type(name, tuple(above)) for name, above in parents.items())


def read_parameters(items: Sequence[Node], known: Set[str], owner: str) -> tuple[Parameter, ...]:
    found: dict[str, Parameter] = {}
    for word, types in _typed(items):
        name = read_variable(word, owner)
        if name in found:
            raise error_at(word, f"{owner}: variable {name!r} is declared twice")
        found[name] = Parameter(name, _known(types, known))
    return tuple(found.values())


def read_objects(items: Sequence[Node], known: Set[str], kind: str) -> Iterator[tuple[Word, Object]]:
    for word, types in _typed(items):
        name = read_name(word, kind)
        if len(types) > 1:
            raise error_at(types[0], f"{kind} {name!r}: an object has one type, not one of several")
        (type_name,) = _known(types, known)
        yield word, Object(name, type_name)


def _known(types: tuple[Word, ...], known: Set[str]) -> tuple[str, ...]:
    for word in types:
        if word.text not in known:
            raise error_at(word, f"unknown type {word.text!r}: it is not declared under :types")
    return tuple(dict.fromkeys(word.text for word in types)) or (OBJECT,)


def _typed(items: Sequence[Node]) -> Iterator[Declaration]:
    run: list[Word] = []
    rest = iter(items)
    for node in rest:
        if isinstance(node, Group):
            raise error_at(node, f"expected a name, not {node}")
        if node.text != "-":
            run.append(node)
            continue
        if not run:
            raise error_at(node, "a type without a name before it")
        if (written := next(rest, None)) is None:
            raise error_at(node, "a dash without a type after it")
        types = _alternatives(written)
        yield from ((word, types) for word in run)
        run = []
    yield from ((word, ()) for word in run)


def _alternatives(node: Node) -> tuple[Word, ...]:
    if isinstance(node, Word):
        return (node,)
    words = tuple(w for w in node.items[1:] if isinstance(w, Word))
    if node.head != "either" or not words or len(words) < len(node.items) - 1:
        raise error_at(node, f"expected a type or (either ...), not {node}")
    return words
