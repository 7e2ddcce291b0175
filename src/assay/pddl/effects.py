"""Effects: from text to the cases of an action.

`and`, `when` and `forall` around literals come to a set of effects, each with its whole condition and its
variables. `(probabilistic 7/10 e1 0.2 e2)` brings about one of its effects, or nothing with what is left to
one. Draws may stand beside each other, which multiplies outcomes, inside each other, and under `when`:

- draws under conditions that exclude each other are cases of their own, and what is left is one more case;
- draws under other conditions are drawn in any case, and what they bring about has the condition.

Both say the same of every step. What is read is flat: in each case, every set of effects that may come about
together, once, with its whole probability.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from assay.core.consistency import contradictory, within
from assay.core.formula import FALSE, TRUE, Formula, negate
from assay.core.model import Case, Effect, Outcome
from assay.core.symbols import Literal, Parameter
from assay.pddl.formulas import Scope, joined, read_atom, read_formula
from assay.pddl.language import as_group, operands, refuse_effect
from assay.pddl.sexpr import Group, Node, Word, error_at

PROBABILISTIC = "probabilistic"

MAX_CASES = 128
"""Different conditions that draws stand under; more are refused."""

MAX_OUTCOMES = 4096
"""Draws beside each other multiply; more outcomes than this are refused."""

ROUNDING = Fraction(1, 10**6)
"""Probabilities this close to adding up to one were rounded: the rest is no outcome of its own."""

_PROBABILITY = re.compile(r"(\d+\.?\d*|\.\d+|\d+/\d+)\Z")


@dataclass(frozen=True)
class _Place:
    """Where an effect stands: under which conditions, for which objects."""

    scope: Scope
    condition: Formula = TRUE
    variables: tuple[Parameter, ...] = ()


_Written = tuple[Node, _Place]
_Branch = tuple[Fraction, frozenset[Effect], tuple[_Written, ...]]
"""A probability, what it brings about as far as read, and what is still to be read."""


def read_effects(node: Node, scope: Scope) -> frozenset[Effect]:
    """The effects of an action that has one outcome."""
    found = set()
    for group, place in _parts(node, _Place(scope)):
        if group.head == PROBABILISTIC:
            reason = "stochastic effects are not read here, where one outcome is wanted"
            raise error_at(group, f"{PROBABILISTIC!r}: {reason}")
        found.add(_effect(group, place))
    return _possible(found)


def read_cases(node: Node, scope: Scope) -> tuple[Case, ...]:
    """The cases of an action, their outcomes in the order written; what cannot happen is left out."""
    certain: set[Effect] = set()
    draws: dict[Formula, list[_Written]] = {}
    for group, place in _parts(node, _Place(scope)):
        if group.head == PROBABILISTIC:
            draws.setdefault(place.condition, []).append((group, place))
        else:
            certain.add(_effect(group, place))
    if len(draws) > MAX_CASES:
        raise error_at(node, f"an effect with draws under more than {MAX_CASES} different conditions")
    if all(contradictory(one, two) for one, two in combinations(draws, 2)):
        return tuple(_cases(_possible(certain), draws, scope))
    written = [w for group in draws.values() for w in group]
    return (Case(_outcomes(_possible(certain), written)),)


def _cases(
    certain: frozenset[Effect], draws: Mapping[Formula, list[_Written]], scope: Scope
) -> Iterator[Case]:
    """One for each condition that draws stand under, and one for what is left."""
    for condition, written in draws.items():
        bare = [(group, _Place(scope)) for group, _ in written]
        outcomes = _outcomes(in_case(certain, condition), bare)
        if not contradictory(condition):
            yield Case(outcomes, condition)
    rest = joined(True, map(negate, draws))
    if not contradictory(rest):
        yield Case((Outcome(in_case(certain, rest)),), rest)


def in_case(effects: Iterable[Effect], case: Formula) -> frozenset[Effect]:
    """The effects as far as they can come about there, without saying again where they do."""
    return _possible(replace(e, condition=within(e.condition, case)) for e in effects)


def _possible(effects: Iterable[Effect]) -> frozenset[Effect]:
    return frozenset(e for e in effects if e.condition != FALSE)


def _parts(node: Node, place: _Place) -> Iterator[tuple[Group, _Place]]:
    """The literals and the draws of an effect, in the order written."""
    todo = [(node, place)]
    while todo:
        node, place = todo.pop()
        group = as_group(node, "an effect")
        if not group.items:
            continue
        if group.head == "and":
            todo += [(item, place) for item in reversed(group.items[1:])]
        elif group.head == "when":
            condition, effect = operands(group, 2)
            needed = joined(True, [place.condition, read_formula(condition, place.scope)])
            todo.append((effect, replace(place, condition=needed)))
        elif group.head == "forall":
            declared, effect = operands(group, 2)
            scope, variables = place.scope.read_variables(declared, "'forall'")
            todo.append((effect, replace(place, scope=scope, variables=place.variables + variables)))
        elif group.head == PROBABILISTIC and place.variables:
            reason = "a draw for each object is outside the language"
            raise error_at(group, f"{PROBABILISTIC!r} inside 'forall': {reason}")
        else:
            yield group, place


def _effect(group: Group, place: _Place) -> Effect:
    positive = group.head != "not"
    atom = group if positive else as_group(operands(group, 1)[0], "an effect")
    if atom.head not in place.scope.vocabulary.predicate:
        if not positive and atom.head in ("and", "not", "when", "forall", PROBABILISTIC):
            raise error_at(atom, f"{atom.head!r} under 'not': an effect makes atoms false, nothing else")
        raise refuse_effect(atom)
    return Effect(Literal(read_atom(atom, place.scope), positive), place.condition, place.variables)


def _outcomes(certain: frozenset[Effect], written: Sequence[_Written]) -> tuple[Outcome, ...]:
    found: dict[frozenset[Effect], Fraction] = {}
    branches: list[_Branch] = [(Fraction(1), certain, tuple(written))]
    while branches:
        if len(branches) + len(found) > MAX_OUTCOMES:
            raise error_at(written[0][0], f"an effect with more than {MAX_OUTCOMES} outcomes")
        probability, effects, rest = branches.pop()
        if not rest:
            found[effects] = found.get(effects, Fraction(0)) + probability
            continue
        (node, place), rest = rest[0], rest[1:]
        assert isinstance(node, Group)
        for share, inner in reversed(_block(node)):
            parts = list(_parts(inner, place)) if inner is not None else []
            plain = _possible(_effect(*p) for p in parts if p[0].head != PROBABILISTIC)
            drawn = tuple(p for p in parts if p[0].head == PROBABILISTIC)
            branches.append((probability * share, effects | plain, drawn + rest))
    return tuple(Outcome(effects, float(p)) for effects, p in found.items() if p)


def _block(group: Group) -> list[tuple[Fraction, Node | None]]:
    """The alternatives of one draw with shares that add up to one."""
    items = group.items[1:]
    if len(items) % 2:
        raise error_at(items[-1], f"{PROBABILISTIC!r} takes pairs of a probability and an effect")
    shares: list[tuple[Fraction, Node | None]] = [
        (_probability(p), effect) for p, effect in zip(items[::2], items[1::2], strict=True)
    ]
    total = sum((share for share, _ in shares), Fraction(0))
    if total > 1 + ROUNDING:
        raise error_at(group, f"probabilities that add up to {float(total):g}, more than one")
    if shares and abs(total - 1) <= ROUNDING:
        return [(share / total, inner) for share, inner in shares]
    return [*shares, (1 - total, None)]


def _probability(node: Node) -> Fraction:
    if not isinstance(node, Word) or not _PROBABILITY.match(node.text):
        raise error_at(node, f"expected a probability such as 0.7 or 7/10, not {node}")
    try:
        found = Fraction(node.text)
    except ZeroDivisionError:
        raise error_at(node, f"{node.text!r} divides by zero") from None
    if found > 1:
        raise error_at(node, f"{node.text!r} is no probability: it is more than one")
    return found
