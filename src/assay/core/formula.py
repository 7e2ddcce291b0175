"""First-order formulas over a vocabulary, in negation normal form: what an action needs, and when an effect
happens.

Leaves are literals and (in)equalities of terms; a term is a variable (with a question mark) or an object.
Negation stands at leaves only: `negate` pushes it there. Quantifiers range over all objects of the state's
universe; "some *other* object" is said with an inequality in the body, as in PDDL.

Smart constructors flatten and absorb constants, so two formulas that differ only in nesting are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from assay.core.condition import Condition, joined
from assay.core.symbols import Literal, Parameter
from assay.core.universe import Universe


@dataclass(frozen=True, slots=True, order=True)
class Equality:
    """Two terms are the same object, or are not."""

    left: str
    right: str
    positive: bool = True

    def __str__(self) -> str:
        text = f"(= {self.left} {self.right})"
        return text if self.positive else f"(not {text})"


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...] = ()

    def __str__(self) -> str:
        return f"(and{''.join(f' {p}' for p in self.parts)})"


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Formula, ...] = ()

    def __str__(self) -> str:
        return f"(or{''.join(f' {p}' for p in self.parts)})"


@dataclass(frozen=True, slots=True)
class Exists:
    variables: tuple[Parameter, ...]
    body: Formula

    def __str__(self) -> str:
        return f"(exists ({declaration(self.variables)}) {self.body})"


@dataclass(frozen=True, slots=True)
class Forall:
    variables: tuple[Parameter, ...]
    body: Formula

    def __str__(self) -> str:
        return f"(forall ({declaration(self.variables)}) {self.body})"


Formula = Literal | Equality | And | Or | Exists | Forall

TRUE, FALSE = And(), Or()


def declaration(variables: Iterable[Parameter]) -> str:
    """Variables with their types, as PDDL writes them."""

    def types(v: Parameter) -> str:
        return v.types[0] if len(v.types) == 1 else f"(either {' '.join(v.types)})"

    return " ".join(f"{v.name} - {types(v)}" for v in variables)


def conjoin(parts: Iterable[Formula]) -> Formula:
    """All of them, flat; a single part stands for itself."""
    found: dict[Formula, None] = {}
    for part in parts:
        if part == FALSE:
            return FALSE
        found.update(dict.fromkeys(part.parts if isinstance(part, And) else (part,)))
    return next(iter(found)) if len(found) == 1 else And(tuple(found))


def disjoin(parts: Iterable[Formula]) -> Formula:
    """Any of them, flat; a single part stands for itself."""
    found: dict[Formula, None] = {}
    for part in parts:
        if part == TRUE:
            return TRUE
        found.update(dict.fromkeys(part.parts if isinstance(part, Or) else (part,)))
    return next(iter(found)) if len(found) == 1 else Or(tuple(found))


def negate(formula: Formula) -> Formula:
    match formula:
        case Literal(atom, positive):
            return Literal(atom, not positive)
        case Equality(left, right, positive):
            return Equality(left, right, not positive)
        case And(parts):
            return disjoin(map(negate, parts))
        case Or(parts):
            return conjoin(map(negate, parts))
        case Exists(variables, body):
            return Forall(variables, negate(body))
        case Forall(variables, body):
            return Exists(variables, negate(body))
    raise TypeError(f"not a formula: {formula!r}")


def substitute(formula: Formula, binding: Mapping[str, str]) -> Formula:
    """The formula with free variables replaced; bound variables must not occur in the binding."""
    match formula:
        case Literal(atom, positive):
            return Literal(atom.substitute(dict(binding)), positive)
        case Equality(left, right, positive):
            return Equality(binding.get(left, left), binding.get(right, right), positive)
        case And(parts):
            return And(tuple(substitute(p, binding) for p in parts))
        case Or(parts):
            return Or(tuple(substitute(p, binding) for p in parts))
        case Exists(variables, body):
            return Exists(variables, substitute(body, _without(binding, variables)))
        case Forall(variables, body):
            return Forall(variables, substitute(body, _without(binding, variables)))
    raise TypeError(f"not a formula: {formula!r}")


def _without(binding: Mapping[str, str], variables: Iterable[Parameter]) -> dict[str, str]:
    bound = {v.name for v in variables}
    return {name: value for name, value in binding.items() if name not in bound}


def leaves(formula: Formula) -> Iterator[Literal | Equality]:
    """Every literal and equality in it, quantified ones included, in the order written."""
    match formula:
        case Literal() | Equality():
            yield formula
        case And(parts) | Or(parts):
            for part in parts:
                yield from leaves(part)
        case Exists(_, body) | Forall(_, body):
            yield from leaves(body)


def has_quantifier(formula: Formula) -> bool:
    if isinstance(formula, And | Or):
        return any(map(has_quantifier, formula.parts))
    return isinstance(formula, Exists | Forall)


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    return formula.parts if isinstance(formula, And) else (formula,)


def is_conjunction(formula: Formula) -> bool:
    """Whether it is literals and inequalities joined by `and`: plain STRIPS."""
    return all(
        isinstance(p, Literal) or (isinstance(p, Equality) and not p.positive) for p in conjuncts(formula)
    )


def ground(formula: Formula, universe: Universe, binding: Mapping[str, str]) -> Condition:
    """The formula as a condition on the bits of the universe's states; quantifiers range over its objects."""
    match formula:
        case Literal(atom, positive):
            bit = 1 << universe.index(atom.substitute(dict(binding)))
            return Condition(True, bit, 0) if positive else Condition(True, 0, bit)
        case Equality(left, right, positive):
            return Condition((binding.get(left, left) == binding.get(right, right)) == positive)
        case And(parts):
            return joined(True, [ground(p, universe, binding) for p in parts])
        case Or(parts):
            return joined(False, [ground(p, universe, binding) for p in parts])
        case Exists(variables, body):
            return joined(False, _instances(variables, body, universe, binding))
        case Forall(variables, body):
            return joined(True, _instances(variables, body, universe, binding))
    raise TypeError(f"not a formula: {formula!r}")


def _instances(
    variables: tuple[Parameter, ...], body: Formula, universe: Universe, binding: Mapping[str, str]
) -> list[Condition]:
    return [ground(body, universe, {**binding, **values}) for values in bindings(variables, universe)]


def bindings(variables: tuple[Parameter, ...], universe: Universe) -> Iterator[dict[str, str]]:
    """Every way to let the variables stand for objects of their types."""
    fits = universe.vocabulary.fits
    choices = [[o.name for o in universe.objects if fits(o.type, v.types)] for v in variables]
    for objects in product(*choices):
        yield dict(zip((v.name for v in variables), objects, strict=True))
