"""Effects that happen with a probability (PPDDL): from text to outcomes, and from outcomes to text.

`(probabilistic 7/10 e1 0.2 e2)` brings about one of its effects, or nothing with what is left to one. Blocks
may stand beside each other, which multiplies outcomes, and inside each other. What is read is one flat list:
every set of literals that may come about together, once, with its whole probability. What is written says
the literals common to all outcomes once, and every outcome, the one without change too, so that the
probabilities add up to exactly one as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

from assay.core.model import Outcome
from assay.core.symbols import Literal
from assay.errors import InputError
from assay.pddl.formulas import Scope, read_effect
from assay.pddl.language import as_group
from assay.pddl.sexpr import Group, Node, Word, error_at

PROBABILISTIC = "probabilistic"

MAX_OUTCOMES = 4096
"""Blocks beside each other multiply; more outcomes than this are refused."""

ROUNDING = Fraction(1, 10**6)
"""Probabilities this close to adding up to one were rounded: the rest is no outcome of its own."""

_PLACES = Decimal("1e-15")
"""So many digits survive being read as a float, so that what is read can be written the same again."""

_PROBABILITY = re.compile(r"(\d+\.?\d*|\.\d+|\d+/\d+)\Z")

_Branch = tuple[Fraction, frozenset[Literal], tuple[Node, ...]]
"""A probability, what it brings about as far as read, and what of the effect is still to be read."""


def read_outcomes(node: Node, scope: Scope) -> tuple[Outcome, ...]:
    """The outcomes of an effect in the order written; what cannot happen is checked and left out."""
    found: dict[frozenset[Literal], Fraction] = {}
    branches: list[_Branch] = [(Fraction(1), frozenset(), (node,))]
    while branches:
        if len(branches) + len(found) > MAX_OUTCOMES:
            raise error_at(node, f"an effect with more than {MAX_OUTCOMES} outcomes")
        probability, effects, rest = branches.pop()
        if not rest:
            found[effects] = found.get(effects, Fraction(0)) + probability
            continue
        group, rest = as_group(rest[0], "an effect"), rest[1:]
        if group.head == "and":
            branches.append((probability, effects, group.items[1:] + rest))
        elif group.head == PROBABILISTIC:
            branches += [
                (probability * share, effects, inner + rest) for share, inner in reversed(_block(group))
            ]
        else:
            branches.append((probability, effects | read_effect(group, scope), rest))
    return tuple(Outcome(effects, float(p)) for effects, p in found.items() if p)


def _block(group: Group) -> list[tuple[Fraction, tuple[Node, ...]]]:
    """The alternatives of one block with shares that add up to one."""
    items = group.items[1:]
    if len(items) % 2:
        raise error_at(items[-1], f"'{PROBABILISTIC}' takes pairs of a probability and an effect")
    shares = [(_probability(p), (effect,)) for p, effect in zip(items[::2], items[1::2], strict=True)]
    total = sum((share for share, _ in shares), Fraction(0))
    if total > 1 + ROUNDING:
        raise error_at(group, f"probabilities that add up to {float(total):g}, more than one")
    if shares and abs(total - 1) <= ROUNDING:
        return [(share / total, inner) for share, inner in shares]
    return [*shares, (1 - total, ())]


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


def merged(outcomes: Sequence[Outcome], owner: str) -> tuple[Outcome, ...]:
    """Each outcome that can happen, once; `InputError` if they do not add up to one."""
    found: dict[frozenset[Literal], float] = {}
    for outcome in outcomes:
        if not 0 <= outcome.probability <= 1 + float(ROUNDING):
            raise InputError(f"{owner} cannot be written: {outcome.probability!r} is no probability")
        found[outcome.effects] = found.get(outcome.effects, 0.0) + outcome.probability
    if abs((total := sum(found.values())) - 1) > ROUNDING:
        raise InputError(f"{owner} cannot be written: its probabilities add up to {total:g}, not to one")
    return tuple(Outcome(effects, p) for effects, p in found.items() if p)


def decimals(outcomes: Sequence[Outcome]) -> list[str]:
    """The probabilities as decimals that add up to exactly one; the largest takes what rounding leaves."""
    with localcontext(prec=50):
        exact = [max(Decimal(repr(o.probability)).quantize(_PLACES), _PLACES) for o in outcomes]
        largest = max(range(len(exact)), key=lambda n: exact[n])
        exact[largest] += 1 - sum(exact)
        return [f"{p.normalize():f}" for p in exact]
