"""Text that an agent wrote, quoted as code: one line, of bounded length, and nothing in it that acts."""

from __future__ import annotations

import unicodedata

LONGEST = 160
"""Characters of an agent's message that are shown; a reason fits."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's control and format characters, surrogates, unassigned ones, separators."""


def quoted(text: str, longest: int = LONGEST) -> str:
    """The text in backquotes."""
    text = " ".join(text.split())
    if len(text) > longest:
        text = f"{text[: longest - 3]}..."
    shown = "".join(_shown(c) for c in text).replace("`", "'")
    return f"`{shown}`" if shown else "an empty text"


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _HIDDEN:
        return character
    return character.encode("unicode_escape").decode("ascii")
