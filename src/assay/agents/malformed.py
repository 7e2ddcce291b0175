"""Why a message cannot be read, in the words of `docs/protocol.md`, not of the library that reads it.

The library says what it expected and where; which member that is, what stands there and what belongs there is
said here. Whatever it may say besides still names the member.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

import msgspec

from assay.core.query import Start
from assay.core.visible import visible

_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a JSON object",
    "null": "null",
}
_EXPECTED = re.compile(r"Expected `(.+?)`, got `(.+?)`")
_PLACE = re.compile(r" - at `\$\.(\w+)(.*)`$")
_MISSING = re.compile(r"missing required field `([^`]+)`")
_UNKNOWN = re.compile(r"unknown field `(.+?)`(?: - at `|$)", re.DOTALL)
_BYTE = re.compile(r"\(byte (\d+)\)")
_AROUND = 40
_WIDE = 8
"""Of a long text so many times the limit is looked at: blanks are taken out of it."""


def quote(fragment: object, limit: int = 120) -> str:
    """A piece of a message as it goes into an error message: one line, shortened."""
    if isinstance(fragment, bytes):
        return shorten(fragment[: 4 * limit].decode(errors="backslashreplace"), limit) or "(nothing)"
    return shorten(msgspec.json.encode(fragment).decode(), limit)


def shorten(text: str, limit: int) -> str:
    """The text on one line, as much of it as there is room for, with nothing in it that is not seen."""
    return visible(" ".join(text[: _WIDE * limit].split()), limit)


def not_json(data: bytes, error: msgspec.DecodeError, printed: bool) -> str:
    """What is wrong with data that is no JSON: it breaks off, or from somewhere on it is something else.

    A program prints its messages: each on one line, and nothing else.
    """
    if not data.strip():
        return "is empty"
    if data.startswith(codecs.BOM_UTF8):
        return f"begins with a byte order mark, which is no part of JSON: {quote(data[3:])}"
    if printed and not data.lstrip().startswith(b"{"):
        return f"is not JSON (standard output is for the protocol only): {quote(data)}"
    if "truncated" in str(error):
        hint = " (a message must be on one line)" if printed else ""
        return f"is JSON that breaks off{hint}: {quote(data)}"
    place = _BYTE.search(str(error))
    if place is None or (byte := int(place[1])) < _AROUND:
        return f"is not JSON: {quote(data)}"
    return f"is not JSON, from {quote(data[byte - _AROUND // 2 : byte + _AROUND])} on: {quote(data)}"


def misshapen(data: bytes, error: msgspec.ValidationError, members: Sequence[str]) -> str:
    """What is wrong with JSON that is not the message it should be, which has these members."""
    message = str(error)
    inside = _PLACE.search(message)
    if found := _MISSING.search(message):
        said = f'has no member "{found[1]}"'
        if inside:
            said = f'cannot be used: "{inside[1]}" holds an object without "{found[1]}"'
    elif (found := _UNKNOWN.search(message)) and inside:
        said = f'cannot be used: "{inside[1]}" holds an object with a member "{shorten(found[1], 60)}"'
    elif found:
        known = ", ".join(f'"{name}"' for name in members)
        said = f'has a member "{shorten(found[1], 60)}"; there are {known}'
    else:
        said = _misplaced(message, _loose(data))
    return f"{said}: {quote(data)}"


def _loose(data: bytes) -> object:
    """The message without regard to its form; None if what comes after the first mistake is worse."""
    try:
        return msgspec.json.decode(data)
    except (ValueError, RecursionError):
        return None


def _misplaced(message: str, loose: object) -> str:
    types, place = _EXPECTED.search(message), _PLACE.search(message)
    wanted: list[str] = []
    if types:
        wanted = [_WORDS.get(word, word) for word in types[1].split(" | ") if word != "null"]
    elif "enum" in message:
        wanted = [quote(start) for start in Start]
    belongs = f", not {' or '.join(wanted)}" if wanted else ""
    found = _WORDS.get(types[2], types[2]) if types else "what cannot be read"
    if "out of range" in message:
        found = "a number that is too large"
    if place is None:
        return f"{'is' if types else 'holds'} {found}{belongs}"
    name, rest = place[1], place[2]
    if not isinstance(loose, dict):
        return f'cannot be used: "{name}" {"holds" if rest else "is"} {found}{belongs}'
    value: object = loose.get(name)
    while isinstance(value, list) and (step := re.match(r"\[(\d+)\]", rest)):
        value, rest = value[int(step[1])], rest[step.end() :]
    verb = "is" if value is loose.get(name) and not rest else "holds"
    return f'cannot be used: "{name}" {verb} {quote(value, 60)}{belongs}'
