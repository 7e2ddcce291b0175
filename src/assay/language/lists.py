"""Lists in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def listed(parts: Iterable[str], word: str = "and") -> str:
    """a, b and c; with a comma before the last if a part holds that word itself."""
    found = list(parts)
    if len(found) < 2:
        return "".join(found)
    comma = "," if any(f" {word} " in part for part in found) else ""
    return f"{', '.join(found[:-1])}{comma} {word} {found[-1]}"


def article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def references(entries: Sequence[int]) -> str:
    """Journal entries as reports refer to them: #3, #7."""
    return ", ".join(f"#{n}" for n in entries)


def sentence(text: str) -> str:
    """With a capital, unless it begins with a quoted symbol, and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", ":", "?", "!")) else f"{text}."
