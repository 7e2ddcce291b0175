"""What is written of a condition or an effect: which parentheses, around what.

Conditions are in negation normal form, so `not` stands in front of atoms only. "Whatever is so is also so" is
written with `imply`. An effect's conditions stand as far inside as they belong: `forall`, then `when`, then
literals, which is the order other tools want; only a draw stands under `when` itself. What all cases and all
outcomes share is written once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from assay.core.consistency import contradictory
from assay.core.formula import (
    TRUE,
    And,
    Equality,
    Exists,
    Forall,
    Formula,
    Or,
    conjoin,
    conjuncts,
    disjoin,
    negate,
)
from assay.core.model import ActionModel, Case, Effect, Outcome
from assay.core.symbols import Literal, Parameter
from assay.pddl.effects import PROBABILISTIC
from assay.pddl.layout import WHEN, Block, Tree
from assay.pddl.probabilities import decimals, merged


def declaration(variables: Iterable[Parameter], typed: bool) -> str:
    return " ".join(f"{v.name} - {either(v.types)}" if typed else v.name for v in variables)


def either(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


def condition_tree(formula: Formula, typed: bool) -> Tree:
    match formula:
        case Literal() | Equality():
            return str(formula) if formula.positive else Block("not", [str(negate(formula))])
        case And(parts):
            return Block("and", [condition_tree(p, typed) for p in parts])
        case Or(parts):
            return Block("or", [condition_tree(p, typed) for p in parts])
        case Exists(variables, body):
            return Block(f"exists ({declaration(variables, typed)})", [condition_tree(body, typed)])
        case Forall(variables, body):
            return Block(f"forall ({declaration(variables, typed)})", [_universal(body, typed)])
    raise TypeError(f"not a formula: {formula!r}")


def _universal(body: Formula, typed: bool) -> Tree:
    """`(or (not a) b)`, under `forall`, as `(imply a b)`."""
    if isinstance(body, Or):
        premise = [p for p in body.parts if isinstance(p, Literal) and not p.positive]
        rest = [p for p in body.parts if p not in premise]
        if premise and rest:
            sides = conjoin(map(negate, premise)), disjoin(rest)
            return Block("imply", [condition_tree(side, typed) for side in sides])
    return condition_tree(body, typed)


def needed_trees(action: ActionModel, typed: bool) -> list[Tree]:
    """The parts of the precondition."""
    return [condition_tree(p, typed) for p in conjuncts(action.precondition)]


def effect_trees(action: ActionModel, typed: bool) -> list[Tree]:
    """The effects of all cases: those without chance together, then the draws."""
    owner = f"action {action.header.name!r}"
    cases = [replace(c, outcomes=merged(c.outcomes, owner)) for c in _parted(action.cases)]
    always = _always(cases)
    certain, draws = set(always), list[Tree]()
    for case in cases:
        shared = frozenset.intersection(*(o.effects for o in case.outcomes))
        certain |= {replace(e, condition=conjoin([case.condition, e.condition])) for e in shared - always}
        if len(case.outcomes) > 1:
            draw = _draw(case.outcomes, shared, typed)
            guard = condition_tree(case.condition, typed)
            draws.append(draw if case.condition == TRUE else Block(WHEN, [guard, draw]))
    return [*_grouped(certain, typed), *draws]


def _parted(cases: Sequence[Case]) -> list[Case]:
    """The cases with conditions that exclude each other: the first that holds is the one that applies."""
    found: list[Case] = []
    for case in cases:
        earlier = [c.condition for c in found if not contradictory(c.condition, case.condition)]
        found.append(replace(case, condition=conjoin([case.condition, *map(negate, earlier)])))
    return found


def _always(cases: Sequence[Case]) -> frozenset[Effect]:
    """What every outcome of every case brings about, if there is always a case that applies."""
    if not cases or not contradictory(*(negate(c.condition) for c in cases)):
        return frozenset()
    return frozenset.intersection(*(o.effects for c in cases for o in c.outcomes))


def _draw(outcomes: Sequence[Outcome], shared: frozenset[Effect], typed: bool) -> Block:
    parts = [
        Block("and", _grouped(o.effects - shared, typed), before=f"{p} ")
        for p, o in zip(decimals(outcomes), outcomes, strict=True)
    ]
    return Block(PROBABILISTIC, parts, broken=True)


def _grouped(effects: Iterable[Effect], typed: bool) -> list[Tree]:
    """The literals, then those under a condition, then those for every object; each condition once."""
    found: list[Tree] = []
    in_order = sorted(effects, key=_order)
    for (variables, condition), group in groupby(in_order, lambda e: (e.variables, e.condition)):
        literals: list[Tree] = [condition_tree(e.literal, typed) for e in group]
        if condition == TRUE and not variables:
            found += literals
            continue
        tree = literals[0] if len(literals) == 1 else Block("and", literals)
        if condition != TRUE:
            tree = Block(WHEN, [condition_tree(condition, typed), tree])
        if variables:
            tree = Block(f"forall ({declaration(variables, typed)})", [tree])
        found.append(tree)
    return found


def _order(effect: Effect) -> tuple[object, ...]:
    variables, literal = declaration(effect.variables, True), effect.literal
    condition = "" if effect.condition == TRUE else str(effect.condition)
    return bool(variables), variables, condition, not literal.positive, literal.atom
