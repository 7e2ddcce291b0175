"""Text that an agent wrote, quoted as code: one line, of bounded length, and nothing in it that acts."""

from __future__ import annotations

from assay.core.visible import visible

LONGEST = 160
"""Characters of an agent's message that are shown; a reason fits."""


def quoted(text: str) -> str:
    """The text in backquotes."""
    shown = visible(" ".join(text.split()), LONGEST).replace("`", "'")
    return f"`{shown}`" if shown else "an empty text"
