"""What the language is, and the words that lead out of it.

Read and written is ADL with chance: types, constants, `either`, and in conditions `and`, `or`, `not`,
`imply`, `exists`, `forall` and `=`; effects may be conditional (`when`), quantified (`forall`) and have a
probability (`probabilistic`), nested in any way but one: a draw inside `forall` would be a draw for each
object, and the outcomes could not be listed. Everything else is refused by name and place, never skipped: a
model read without one of its conditions would be a different model.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from assay.core.symbols import check_name, check_spelling
from assay.errors import InputError, PddlError
from assay.pddl.sexpr import Group, Node, Word, error_at

_NUMBERS = "numbers are outside the language"
_ARITHMETIC = ("increase", "decrease", "assign", "scale-up", "scale-down", *"<>+-*/", "<=", ">=")
_CONDITION = "it belongs into a condition: a precondition, a goal, or the first part of 'when'"

OUTSIDE = {
    "oneof": "outcomes without probabilities are outside the language",
    "preference": "preferences are outside the language",
    "when": "conditional effects stand in effects, not in conditions",
    "probabilistic": "chance stands in effects, not in conditions",
} | dict.fromkeys(_ARITHMETIC, _NUMBERS)
"""Why a formula that begins with the word is refused."""

NO_EFFECT = dict.fromkeys(("or", "imply", "exists", "="), _CONDITION)
"""Why an effect that begins with the word is refused."""

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
    if node.head in OUTSIDE:
        return error_at(node, f"{node.head!r}: {OUTSIDE[node.head]}")
    return error_at(
        node, f"unknown predicate {node.head!r}" if node.head else f"expected a formula, not {node}"
    )


def refuse_effect(node: Group) -> PddlError:
    """Why this effect, whose head is no declared predicate, cannot be read."""
    if node.head in NO_EFFECT:
        return error_at(node, f"{node.head!r} is no effect; {NO_EFFECT[node.head]}")
    return refuse_formula(node)


def refuse_number(node: Node) -> PddlError:
    return error_at(node, f"{str(node)!r}: {_NUMBERS}")


def read_name(node: Node, kind: str) -> str:
    """The node as a name for something new."""
    if not isinstance(node, Word):
        raise error_at(node, f"expected a name of the {kind}, not {node}")
    return _checked(check_name, node, node.text, kind)


def read_variable(word: Word, owner: str) -> str:
    if not word.text.startswith("?"):
        raise error_at(word, f"{owner}: expected a variable such as ?x, not {word.text!r}")
    return "?" + _checked(check_spelling, word, word.text[1:], "variable")


def _checked(check: Callable[[str, str], str], node: Word, name: str, kind: str) -> str:
    try:
        return check(name, kind)
    except InputError as error:
        raise error_at(node, str(error)) from None


def as_group(node: Node, what: str) -> Group:
    if not isinstance(node, Group):
        raise error_at(node, f"expected {what} in parentheses, not {node.text!r}")
    return node


def operands(group: Group, count: int) -> tuple[Node, ...]:
    """The parts after the first word, of which there must be so many."""
    if len(group.items) != count + 1:
        wanted = "one formula" if count == 1 else "two parts"
        raise error_at(group, f"{group.head!r} takes {wanted}, not {len(group.items) - 1}")
    return group.items[1:]
