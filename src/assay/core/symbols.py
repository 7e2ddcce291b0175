"""The smallest symbols: types, objects, parameters, predicates, action headers, atoms, literals, steps.

An atom is *ground* when its arguments are objects and *lifted* when some are action parameters, which
are written with a leading question mark. Ground atoms and steps are named tuples because millions of
them are hashed; everything else is a frozen dataclass.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from assay.errors import InputError

OBJECT = "object"
"""The root of every type hierarchy."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_\-.@#+]*\Z")
LONGEST_SYMBOL = 200
"""Characters of a name: with them it can be part of a file's name."""
RESERVED = frozenset(
    {"and", "or", "not", "imply", "forall", "exists", "when", "either", "probabilistic", "define"}
)
"""Words that PDDL keeps for itself: no type, constant, object, predicate or action can be called that."""


def check_name(name: str, kind: str) -> str:
    """A name that survives PDDL and the text protocol, or an `InputError` that says which does not."""
    if check_spelling(name, kind).lower() in RESERVED:
        raise InputError(f"{kind} name {name!r} is a word of PDDL; choose another")
    return name


def check_spelling(name: str, kind: str) -> str:
    """As `check_name`, of a name that only ever stands behind a question mark: a parameter's."""
    if isinstance(name, str) and len(name) > LONGEST_SYMBOL:
        raise InputError(
            f"{kind} name {name[:40]!r}... has {len(name)} characters, more than {LONGEST_SYMBOL}"
        )
    if not isinstance(name, str) or not _NAME.match(name):
        raise InputError(
            f"{kind} name {name!r}: start with a letter and use only letters, digits and _ - . @ # +"
        )
    return name


@dataclass(frozen=True, slots=True)
class Type:
    name: str
    parents: tuple[str, ...] = (OBJECT,)


@dataclass(frozen=True, slots=True, order=True)
class Object:
    name: str
    type: str = OBJECT


@dataclass(frozen=True, slots=True)
class Parameter:
    """A typed variable; several types mean `either`."""

    name: str
    types: tuple[str, ...] = (OBJECT,)


@dataclass(frozen=True, slots=True)
class Predicate:
    name: str
    parameters: tuple[Parameter, ...] = ()

    @property
    def arity(self) -> int:
        return len(self.parameters)


@dataclass(frozen=True, slots=True)
class ActionHeader:
    """What an agent reveals of an action: its name and typed parameters."""

    name: str
    parameters: tuple[Parameter, ...] = ()

    @property
    def arity(self) -> int:
        return len(self.parameters)

    def bind(self, args: tuple[str, ...]) -> dict[str, str]:
        return {p.name: a for p, a in zip(self.parameters, args, strict=True)}


class Atom(NamedTuple):
    predicate: str
    args: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The atom without its parentheses, as the text protocol and the journal write it."""
        return " ".join((self.predicate, *self.args))

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(a for a in self.args if a.startswith("?"))

    def substitute(self, binding: dict[str, str]) -> Atom:
        return Atom(self.predicate, tuple(map(binding.get, self.args, self.args)))

    @classmethod
    def parse(cls, text: str) -> Atom:
        return cls(*_head_and_args(text, "atom"))

    def __str__(self) -> str:
        return f"({self.text})"


class Literal(NamedTuple):
    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"


class Step(NamedTuple):
    """A ground action: one step of a plan."""

    action: str
    args: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join((self.action, *self.args))

    @classmethod
    def parse(cls, text: str) -> Step:
        return cls(*_head_and_args(text, "step"))

    def __str__(self) -> str:
        return f"({self.text})"


def _head_and_args(text: str, kind: str) -> tuple[str, tuple[str, ...]]:
    bare = text.strip()
    words = bare.removeprefix("(").removesuffix(")").split()
    if not words or bare.startswith("(") != bare.endswith(")") or any("(" in w or ")" in w for w in words):
        raise InputError(f"{kind} {text!r}: write a name and its arguments, for example '(at p1 l1)'")
    return words[0], tuple(words[1:])
