"""Mutants that are still in form: JSON with one value replaced, journals with all hashes made anew.

What is no JSON is refused at once; what is JSON, and not what it should be, gets further.
"""

from __future__ import annotations

import json
import random
from typing import Any

from assay.store.chain import MARK, TAIL, link

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**30,
    1e308,
    "",
    "x",
    "\x1b",
    [],
    [[]],
    {},
    {"a": 1},
    ["x", 5],
)


def json_mutant(original: bytes, rng: random.Random) -> bytes:
    """The JSON with one value somewhere replaced, left out, or given another name."""
    data = json.loads(original)
    places = list(_places(data))
    if not places:
        return json.dumps(rng.choice(VALUES)).encode()
    parent, key = rng.choice(places)
    match rng.randrange(4):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, dict):
            parent[f"{key}x"] = parent.pop(key)
        case _:
            parent[key] = rng.choice(VALUES)
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def journal_mutant(original: bytes, rng: random.Random) -> bytes:
    """A journal with one line altered, left out or doubled, and hashes in order."""
    bodies = [line[:-TAIL] + b"}" for line in original.splitlines()]
    at = rng.randrange(len(bodies))
    match rng.randrange(6):
        case 0:
            del bodies[at]
        case 1:
            bodies.insert(at, bodies[at])
        case _:
            bodies[at] = json_mutant(bodies[at], rng)
    last, lines = "", []
    for body in bodies:
        last = link(last, body)
        lines.append(body[:-1] + MARK + last.encode() + b'"}\n')
    return b"".join(lines)


def _places(data: Any) -> Any:
    """Every value in the data, as what holds it and where."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield data, key
        yield from _places(value)
