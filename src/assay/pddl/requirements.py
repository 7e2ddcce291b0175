"""Which `:requirements` a domain has to declare: those that its text makes use of, and no others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.pddl.effects import PROBABILISTIC
from assay.pddl.layout import WHEN, Block, Tree

_CONDITIONS = {
    "not": ":negative-preconditions",
    "or": ":disjunctive-preconditions",
    "imply": ":disjunctive-preconditions",
    "exists": ":existential-preconditions",
    "forall": ":universal-preconditions",
    "=": ":equality",
}
_EFFECTS = {
    WHEN: ":conditional-effects",
    "forall": ":conditional-effects",
    PROBABILISTIC: ":probabilistic-effects",
}
_ORDER = (
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":existential-preconditions",
    ":universal-preconditions",
    ":conditional-effects",
    ":equality",
    ":probabilistic-effects",
)


def requirements(conditions: Sequence[Tree], effects: Sequence[Tree], typed: bool) -> list[str]:
    used = {word for tree in conditions for word in _of_condition(tree)}
    used |= {word for tree in effects for word in _of_effect(tree)}
    return [":strips", *([":typing"] if typed else []), *(word for word in _ORDER if word in used)]


def _of_condition(tree: Tree) -> Iterator[str]:
    head = _head(tree)
    if head in _CONDITIONS:
        yield _CONDITIONS[head]
    if isinstance(tree, Block):
        for part in tree.parts:
            yield from _of_condition(part)


def _of_effect(tree: Tree) -> Iterator[str]:
    if isinstance(tree, str):
        return
    head, parts = _head(tree), tree.parts
    if head in _EFFECTS:
        yield _EFFECTS[head]
    if head == WHEN:
        yield from _of_condition(parts[0])
        parts = parts[1:]
    for part in parts:
        yield from _of_effect(part)


def _head(tree: Tree) -> str:
    return (tree.head if isinstance(tree, Block) else tree[1:-1]).split(" ")[0]
