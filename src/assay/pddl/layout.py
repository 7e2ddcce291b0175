"""How PDDL is laid out: on one line if it fits, else each part on a line of its own, further in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

WIDTH = 100
"""Columns that a line may have if it can be broken."""


WHEN = "when"
"""The head whose first part, its condition, stays beside it."""


@dataclass(frozen=True)
class Block:
    """Parentheses around a head, which stays on the first line, and parts."""

    head: str
    parts: Sequence[Tree]
    before: str = ""
    """What stands in front of the parenthesis."""
    broken: bool = False
    """Whether each part gets a line of its own even if all would fit on one."""

    def __str__(self) -> str:
        return f"{self.before}({' '.join([self.head, *map(str, self.parts)])})"


Tree = str | Block


def lines(tree: Tree, indent: int = 0) -> Iterator[str]:
    """The text of the tree."""
    blanks = " " * indent
    if isinstance(tree, str) or not tree.parts:
        yield f"{blanks}{tree}"
        return
    line = f"{blanks}{tree}"
    if len(line) <= WIDTH and not _broken(tree):
        yield line
        return
    first, rest = f"{blanks}{tree.before}({tree.head}", tree.parts
    if tree.head == WHEN and len(f"{first} {rest[0]}") <= WIDTH:
        first, rest = f"{first} {rest[0]}", rest[1:]
    yield first
    inner = [line for part in rest for line in lines(part, indent + 2)]
    yield from inner[:-1]
    yield f"{inner[-1]})"


def _broken(tree: Tree) -> bool:
    return isinstance(tree, Block) and (tree.broken or any(map(_broken, tree.parts)))
