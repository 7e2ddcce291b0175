"""S-expressions: the brackets and words under every PDDL file.

Every node knows where it stands, so that whoever refuses it later can say so. Names are lower-cased here,
once, because PDDL does not tell cases apart, unless they are to be kept as they are. Nesting is followed with
a list instead of recursion: no input is too deep.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from assay.errors import PddlError

_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


class Place(NamedTuple):
    """Where something stands; lines and columns count from one."""

    source: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    place: Place

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Group:
    """What stands between two parentheses; its place is that of the opening one."""

    items: tuple[Node, ...]
    place: Place

    @property
    def head(self) -> str:
        """The first word, or nothing if the group does not begin with one."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""

    def __str__(self) -> str:
        return f"({' '.join(i.text if isinstance(i, Word) else '(..)' for i in self.items)})"


Node = Word | Group


def error_at(node: Node, message: str) -> PddlError:
    return PddlError(message, *node.place)


def parse(
    text: str, source: str = "<text>", *, expected: str = "(define ...)", keep_case: bool = False
) -> Group:
    """The one group that the text consists of."""
    open_groups: list[tuple[Place, list[Node]]] = []
    whole: Group | None = None
    place = Place(source, 1, 1)
    inside = ""
    """Where a part begins, if it does so inside another, as it does after a parenthesis that is missing."""
    for line, content in enumerate(text.split("\n"), start=1):
        for match in _TOKEN.finditer(content):
            token, place = match.group(), Place(source, line, match.start() + 1)
            if token.startswith(";"):
                continue
            if whole is not None:
                raise PddlError(f"{token!r} after the end of {expected!r}", *place)
            if token == "(":
                open_groups.append((place, []))
                continue
            if not open_groups:
                what = "a closing parenthesis that nothing opened" if token == ")" else f"{token!r}"
                raise PddlError(f"expected {expected!r}, found {what}", *place)
            if token == ")":
                start, items = open_groups.pop()
                group = Group(tuple(items), start)
                if open_groups:
                    open_groups[-1][1].append(group)
                else:
                    whole = group
            else:
                if token.startswith(":") and not inside and len(open_groups) > 2 and not open_groups[-1][1]:
                    inside = f"; perhaps one is missing before line {line}, where ({token} begins"
                open_groups[-1][1].append(Word(token if keep_case else token.lower(), place))
    if open_groups:
        raise PddlError(f"this parenthesis is never closed{inside}", *open_groups[-1][0])
    if whole is None:
        raise PddlError(f"expected {expected!r}, found nothing", *place)
    return whole
