"""What the language is, and the words that lead out of it.

Read and written: STRIPS with types, constants, negative preconditions, and inequality between arguments; in
PPDDL also effects that happen with a probability. Everything else is refused by name and place, never
skipped: a model read without one of its conditions would be a different model.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from assay.core.symbols import check_name, check_spelling
from assay.errors import InputError, PddlError
from assay.pddl.sexpr import Group, Node, Word, error_at

_NUMBERS = "numbers are outside the language"
_ARITHMETIC = ("increase", "decrease", "assign", "scale-up", "scale-down", *"<>+-*/", "<=", ">=")

OUTSIDE = {
    "forall": "quantifiers are outside the language",
    "exists": "quantifiers are outside the language",
    "or": "disjunction is outside the language",
    "imply": "implication is outside the language",
    "when": "conditional effects are outside the language",
    "probabilistic": "stochastic effects are not read here, where one outcome is wanted",
    "oneof": "outcomes without probabilities are outside the language",
    "preference": "preferences are outside the language",
} | dict.fromkeys(_ARITHMETIC, _NUMBERS)
"""Why a formula that begins with the word is refused."""

SECTIONS_OUTSIDE = {
    ":functions": _NUMBERS,
    ":derived": "derived predicates are outside the language",
    ":axiom": "derived predicates are outside the language",
    ":durative-action": "actions with a duration are outside the language",
    ":constraints": "constraints on whole plans are outside the language",
    ":process": _NUMBERS,
    ":event": _NUMBERS,
    ":task": "task networks are outside the language",
    ":method": "task networks are outside the language",
}
"""Why a section of a domain or problem is refused."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)\Z")


def is_number(node: Node) -> bool:
    return isinstance(node, Word) and _NUMBER.match(node.text) is not None


def refuse_formula(node: Group) -> PddlError:
    """Why this formula, whose head is no declared predicate, cannot be read."""
    if node.head == "=":
        words = all(isinstance(i, Word) and not is_number(i) for i in node.items)
        reason = "equality is read only as (not (= ?x ?y)) in a precondition" if words else _NUMBERS
        return error_at(node, f"'=': {reason}")
    if node.head in OUTSIDE:
        return error_at(node, f"{node.head!r}: {OUTSIDE[node.head]}")
    return error_at(
        node, f"unknown predicate {node.head!r}" if node.head else f"expected a formula, not {node}"
    )


def refuse_number(node: Node) -> PddlError:
    return error_at(node, f"{str(node)!r}: {_NUMBERS}")


def read_name(node: Node, kind: str) -> str:
    """The node as a name for something new."""
    if not isinstance(node, Word):
        raise error_at(node, f"expected a name of the {kind}, not {node}")
    return _checked(check_name, node, node.text, kind)


def read_variable(node: Word, owner: str) -> str:
    if not node.text.startswith("?"):
        raise error_at(node, f"{owner}: expected a variable such as ?x, not {node.text!r}")
    return "?" + _checked(check_spelling, node, node.text[1:], "variable")


def _checked(check: Callable[[str, str], str], node: Word, name: str, kind: str) -> str:
    try:
        return check(name, kind)
    except InputError as error:
        raise error_at(node, str(error)) from None


def as_group(node: Node, what: str) -> Group:
    if not isinstance(node, Group):
        raise error_at(node, f"expected {what} in parentheses, not {node.text!r}")
    return node
