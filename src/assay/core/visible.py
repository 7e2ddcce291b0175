"""Text that others wrote, made safe to show: what would act on a terminal or hide is written out.

Control characters (line ends and escapes among them), marks that turn the direction of writing or have no
width, separators, and halves of characters become what Python writes for them: `\\x1b`, `\\u202e`, `\\n`. The
result is one line, each character of which stands for itself. It is made where text comes in, so that model,
description and report need not think of it again; the terminal does it once more, at the end.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories of control and format characters, halves, what is not assigned, and separators."""
CUT = "..."
_MARKED = re.compile(r"[\\\[\]<>`]")


def visible(text: str, longest: int | None = None) -> str:
    """The text on one line, with nothing in it that is not seen; cut to so many characters, if it is long."""
    if longest is not None and len(text) > longest:
        text = text[: max(0, longest - len(CUT))] + CUT
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def visible_lines(text: str) -> str:
    """As `visible`, for a message of our own that may have several lines."""
    return "\n".join(map(visible, text.split("\n")))


def _shown(character: str) -> str:
    if unicodedata.category(character) not in HIDDEN:
        return character
    return character.encode("unicode_escape").decode("ascii")


def visible_data(data: Any) -> Any:
    """JSON with each text in it made visible."""
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, list):
        return [visible_data(item) for item in data]
    if isinstance(data, dict):
        return {visible(str(name)): visible_data(value) for name, value in data.items()}
    return data


def as_markdown(text: str) -> str:
    """Text of others within a page in Markdown: no link, no picture, no HTML, no code."""
    return _MARKED.sub(r"\\\g<0>", visible(text))
