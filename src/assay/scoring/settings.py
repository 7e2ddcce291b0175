"""Where two versions of an action are compared: a step, with objects enough to tell them apart.

Every argument is an object of its own, unless arguments may coincide; then every way to let them is tried.
Types matter to quantifiers only: an argument is taken once for each set of quantifiers that may meet it, and
of each kind of object that some quantifier meets there are none, one, two and three more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from assay.core.formula import And, Exists, Forall, Formula, Or
from assay.core.model import ActionModel, Model
from assay.core.symbols import OBJECT, Atom, Object, Parameter, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

OTHERS = 3
"""Objects of each kind besides the arguments, at most."""

Types = tuple[str, ...]
Shape = tuple[int | str, ...]
"""For each parameter the number of its object, or the name of a constant."""


@dataclass(frozen=True)
class Setting:
    """A step in a universe of its own."""

    universe: Universe
    step: Step
    lifted: dict[str, str]
    """What the arguments are called in the action."""
    given: tuple[str, ...]
    """Which parameters stand for one object, or for a constant, or for an object of a narrower type."""

    def text(self, index: int, positive: bool) -> str:
        """The fact with this bit number as the action would say it."""
        atom = self.universe.atom(index)
        named = Atom(atom.predicate, tuple(self.lifted.get(a, a) for a in atom.args))
        return str(named) if positive else f"(not {named})"


def settings(model: Model, truth: Model, name: str, equality: bool = False) -> Iterator[Setting]:
    """The settings in which one action of the models is compared; parameters are matched by position."""
    vocabulary = _common(model.vocabulary, truth.vocabulary)
    met = sorted({*_quantified(model.action[name]), *_quantified(truth.action[name])})
    kinds = [t for t in _representatives(vocabulary, met, _types(vocabulary)) if _meets(vocabulary, met, t)]
    header = truth.action[name].header
    for shape in _shapes(len(header.parameters), [c.name for c in vocabulary.constants], equality):
        for types in _choices(vocabulary, header.parameters, shape, met):
            for count in range(OTHERS + 1 if kinds else 1):
                yield _setting(vocabulary, name, shape, types, [k for k in kinds for _ in range(count)])


def _setting(
    vocabulary: Vocabulary, name: str, shape: Shape, types: Sequence[str], others: Sequence[str]
) -> Setting:
    universe = Universe(vocabulary)
    objects = [universe.made_up(kind, n) for n, kind in enumerate(types)]
    for n, kind in enumerate(others, start=len(types)):
        universe.made_up(kind, n)
    step = Step(name, tuple(key if isinstance(key, str) else objects[key] for key in shape))
    lifted: dict[str, str] = {}
    given = []
    for argument, parameter in zip(step.args, vocabulary.action[name].parameters, strict=True):
        called = lifted.setdefault(argument, parameter.name if argument in objects else argument)
        if called != parameter.name:
            given.append(f"(= {parameter.name} {called})")
        elif (kind := universe.object(argument).type) not in parameter.types:
            given.append(f"{called} - {kind}")
    return Setting(universe, step, lifted, tuple(given))


def _shapes(parameters: int, constants: Sequence[str], equality: bool) -> Iterator[Shape]:
    """The ways to let parameters stand for the same object; all for different ones without equality."""
    if not equality:
        yield tuple(range(parameters))
        return
    shapes: list[Shape] = [()]
    for _ in range(parameters):
        shapes = [(*s, key) for s in shapes for key in [*range(len({*s} - {*constants}) + 1), *constants]]
    yield from shapes


def _choices(
    vocabulary: Vocabulary, parameters: Sequence[Parameter], shape: Shape, met: Sequence[Types]
) -> Iterator[tuple[str, ...]]:
    """Types for the objects of a shape; none if something would have to be of two types at once."""
    wanted: dict[int | str, list[Types]] = {}
    for key, parameter in zip(shape, parameters, strict=True):
        wanted.setdefault(key, []).append(parameter.types)
    constant = {c.name: c.type for c in vocabulary.constants}
    fitting = {key: _fitting(vocabulary, types) for key, types in wanted.items()}
    if all(constant[key] in fit for key, fit in fitting.items() if isinstance(key, str)):
        free = sorted((key, fit) for key, fit in fitting.items() if isinstance(key, int))
        yield from product(*(_representatives(vocabulary, met, fit) for _, fit in free))


def _fitting(vocabulary: Vocabulary, wanted: Sequence[Types]) -> list[str]:
    """The types whose objects fit everywhere; those that are asked for by name come first."""
    named = {name for types in wanted for name in types}
    found = [t for t in _types(vocabulary) if all(vocabulary.fits(t, types) for types in wanted)]
    return sorted(found, key=lambda name: name not in named)


def _types(vocabulary: Vocabulary) -> list[str]:
    return [OBJECT, *(t.name for t in vocabulary.types if t.name != OBJECT)]


def _meets(vocabulary: Vocabulary, met: Iterable[Types], kind: str) -> frozenset[Types]:
    """The quantifiers that meet objects of the type."""
    return frozenset(types for types in met if vocabulary.fits(kind, types))


def _representatives(vocabulary: Vocabulary, met: Sequence[Types], kinds: Iterable[str]) -> list[str]:
    """One type for each set of quantifiers that may meet its objects."""
    found: dict[frozenset[Types], str] = {}
    for kind in kinds:
        found.setdefault(_meets(vocabulary, met, kind), kind)
    return list(found.values())


def _quantified(action: ActionModel) -> Iterator[Types]:
    """The types of all variables that are not parameters."""
    for condition in action.conditions():
        yield from _in_formula(condition)
    for effect in (e for c in action.cases for o in c.outcomes for e in o.effects):
        yield from (v.types for v in effect.variables)


def _in_formula(formula: Formula) -> Iterator[Types]:
    match formula:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _in_formula(part)
        case Exists(variables, body) | Forall(variables, body):
            yield from (v.types for v in variables)
            yield from _in_formula(body)


def _common(first: Vocabulary, second: Vocabulary) -> Vocabulary:
    """All that either vocabulary names; predicates take any object: models speak of those that fit."""
    types = {t.name: t for t in (*first.types, *second.types)}
    constants = {c.name: c for c in (*first.constants, *second.constants)}
    predicates = {p.name: p for p in (*first.predicates, *second.predicates)}
    for predicate in first.predicates:
        if predicates[predicate.name].arity != predicate.arity:
            arities = f"{predicate.arity} and {predicates[predicate.name].arity}"
            raise InputError(f"predicate {predicate.name!r} has {arities} arguments")
    loose = (
        replace(p, parameters=tuple(Parameter(f"?{n}", (OBJECT,)) for n in range(p.arity)))
        for p in predicates.values()
    )
    return Vocabulary(
        tuple(types.values()),
        tuple(Object(c.name, c.type) for c in constants.values()),
        tuple(loose),
        tuple({a.name: a for a in (*first.actions, *second.actions)}.values()),
    )
