"""HTML that cannot be broken by what is put into it: every plain string is escaped, only `Markup` is not.

element("p", "a < b", element("b", "c"), class_="note")     <p class="note">a &lt; b<b>c</b></p>
"""

from __future__ import annotations

from html import escape

VOID = frozenset({"meta", "br", "hr", "img", "input", "link", "source"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | None


def element(tag: str, *children: Child, **attributes: str | int | bool | None) -> Markup:
    """A trailing underscore is dropped from attribute names, others become dashes; True stands alone."""
    written = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID:
        return Markup(f"<{tag}{written}>")
    return Markup(f"<{tag}{written}>{join(*children)}</{tag}>")


def join(*children: Child, between: str = "") -> Markup:
    return Markup(between.join(safe(child) for child in children if child is not None))


def safe(text: str) -> Markup:
    return text if isinstance(text, Markup) else Markup(escape(text))


def prose(text: str) -> Markup:
    """Text in which names in backquotes are code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return safe(text)
    return join(*(element("code", p) if i % 2 else p for i, p in enumerate(pieces)))


def _attribute(name: str, value: str | int | bool | None) -> str:
    name = name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'
