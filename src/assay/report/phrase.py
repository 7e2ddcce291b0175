"""Templates of clauses, and lists in English.

A template has `{0}`, `{1}` ... for the arguments; `{0:truck}` wants the noun before the name every time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.core.symbols import Parameter
from assay.core.vocabulary import Vocabulary

_PLACE = re.compile(r"\{(\d+)(?::[^}]*)?\}")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Templates for: it is so, it is not so, it is no longer so."""

    holds: str
    fails: str
    ended: str

    @classmethod
    def be(cls, subject: str, rest: str) -> Phrase:
        return cls(f"{subject} is {rest}", f"{subject} is not {rest}", f"{subject} is no longer {rest}")

    @classmethod
    def do(cls, subject: str, verb: str, base: str, rest: str) -> Phrase:
        return cls(
            f"{subject} {verb} {rest}",
            f"{subject} does not {base} {rest}",
            f"{subject} no longer {verb} {rest}",
        )

    @classmethod
    def quoted(cls, name: str, arity: int) -> Phrase:
        """The neutral form, which claims no more than the name does."""
        if not arity:
            return cls.be(f"`{name}`", "true")
        return cls.do(f"`{name}`", "holds", "hold", f"for {enumeration([f'{{{i}}}' for i in range(arity)])}")


def enumeration(parts: Sequence[str]) -> str:
    """a, b and c; with a comma before the "and" where a part holds one itself."""
    if len(parts) < 2:
        return "".join(parts)
    comma = "," if any(" and " in p for p in parts) else ""
    return f"{', '.join(parts[:-1])}{comma} and {parts[-1]}"


def confusable(
    said: Mapping[str, set[str]], parameters: Mapping[str, tuple[Parameter, ...]], vocabulary: Vocabulary
) -> set[str]:
    """Names that could say the same of the same things as another one does."""
    users: dict[str, list[tuple[str, list[Parameter]]]] = {}
    for name, templates in said.items():
        for template in templates:
            order = [parameters[name][int(i)] for i in _PLACE.findall(template)]
            users.setdefault(_PLACE.sub("{}", template), []).append((name, order))
    return {
        name
        for same in users.values()
        for name, mine in same
        for other, theirs in same
        if other != name
        and all(vocabulary.common_type(p.types, q.types) for p, q in zip(mine, theirs, strict=True))
    }
