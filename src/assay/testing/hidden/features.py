"""The features of an action, and formulas as Boolean functions of them.

A feature is a lifted atom, or a type with a profile: "some other object of the type, none of the arguments
and no constant, has these literals". Different parameters stand for different objects. A quantifier is taken
apart into the arguments and constants that fit its variable, and the other objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from assay.core.formula import (
    And,
    Equality,
    Exists,
    Forall,
    Formula,
    Or,
    conjoin,
    conjuncts,
    negate,
    substitute,
)
from assay.core.model import ActionModel
from assay.core.symbols import ActionHeader, Atom, Literal, Parameter
from assay.core.vocabulary import Vocabulary

MOST_FEATURES = 12
"""Functions of more features are not looked at: their tables would be too large."""
MOST_ABOUT_OTHERS = 3
"""Literals in the profile of another object."""
STANDARD = "?*"
"""The name of the other object in a profile: no parameter can be called so."""


class Beyond(Exception):
    """The formula is no function of a few features."""


@dataclass(frozen=True)
class SomeOther:
    """Some other object of the type has the profile."""

    type: str
    profile: frozenset[Literal]


Feature = Atom | SomeOther
Term = Mapping[Feature, bool]
Function = Callable[[Term], bool]
"""A Boolean function of features, of which all it names must be given."""


def is_about_others(feature: Feature) -> bool:
    return isinstance(feature, SomeOther)


def negation(function: Function) -> Function:
    return lambda values: not function(values)


def within(function: Function, term: Term) -> Function:
    """The function where the term holds."""
    return lambda values: function({**values, **term})


class Reader:
    """Reads the formulas of one action."""

    def __init__(self, vocabulary: Vocabulary, header: ActionHeader) -> None:
        self._fits, self._common = vocabulary.fits, vocabulary.common_type
        self._terms: dict[str, tuple[str, ...]] = {c.name: (c.type,) for c in vocabulary.constants}
        self._terms |= {p.name: p.types for p in header.parameters}

    def function(self, formula: Formula) -> tuple[Function, tuple[Feature, ...]]:
        """The formula as a function, and the features it names."""
        plain = self._without_quantifiers(formula)
        names = tuple(dict.fromkeys(_features(plain)))
        if len(names) > MOST_FEATURES:
            raise Beyond
        return (lambda values: _value(plain, values)), names

    def factors(self, formula: Formula) -> list[tuple[Function, tuple[Feature, ...]]]:
        """Functions without a common feature of which the formula is the conjunction."""
        groups: list[tuple[set[Feature], list[Formula]]] = []
        for part in conjuncts(formula):
            names, parts = set(self.function(part)[1]), [part]
            for group in [g for g in groups if not g[0].isdisjoint(names)]:
                groups.remove(group)
                names, parts = names | group[0], group[1] + parts
            groups.append((names, parts))
        return [self.function(conjoin(parts)) for _, parts in groups]

    def effect_conditions(self, action: ActionModel) -> Iterator[tuple[Function, tuple[Feature, ...]]]:
        """Conditions of effects that hang on something or are about other objects, each as a function."""
        for effect in sorted(action.effects, key=str):
            if len(effect.variables) > 1:
                raise Beyond
            for variable in effect.variables:
                for name, sure in self._places(variable):
                    yield self._sure(substitute(effect.condition, {variable.name: name}), sure)
                for other in _by_type(variable):
                    yield self._with(other).function(effect.condition)
            if not effect.variables and not effect.is_plain:
                yield self.function(effect.condition)

    def _with(self, other: Parameter) -> Reader:
        """Where the other object is one more argument."""
        found = Reader.__new__(Reader)
        found._fits, found._common = self._fits, self._common
        found._terms = {**self._terms, other.name: other.types}
        return found

    def _places(self, variable: Parameter) -> Iterator[tuple[str, bool]]:
        """Arguments and constants that the variable may stand for; whether it may whatever their own type."""
        for name, types in self._terms.items():
            if all(self._fits(t, variable.types) for t in types):
                yield name, True
            elif name.startswith("?") and self._common(types, variable.types):
                yield name, False

    def _sure(self, formula: Formula, sure: bool) -> tuple[Function, tuple[Feature, ...]]:
        """The formula as a function; if it hangs on an argument's own type, it must never hold."""
        function, names = self.function(formula)
        if not sure and any(map(function, rows(names))):
            raise Beyond
        return function, names

    def _without_quantifiers(self, formula: Formula) -> _Plain:
        match formula:
            case Literal(atom, positive):
                return _Leaf(atom, positive)
            case Equality(left, right, positive):
                return _Junction((left == right) == positive)
            case And(parts):
                return _Junction(True, tuple(map(self._without_quantifiers, parts)))
            case Or(parts):
                return _Junction(False, tuple(map(self._without_quantifiers, parts)))
            case Forall(variables, body):
                return _negated(self._without_quantifiers(Exists(variables, negate(body))))
            case Exists((variable,), body):
                return self._exists(variable, body)
        raise Beyond

    def _exists(self, variable: Parameter, body: Formula) -> _Plain:
        """An argument or constant, or some other object."""
        found: list[_Plain] = []
        for name, sure in self._places(variable):
            instance = substitute(body, {variable.name: name})
            self._sure(instance, sure)
            found.append(self._without_quantifiers(instance))
        for other in _by_type(variable):
            terms = _conjunctions(self._with(other)._without_quantifiers(body))
            found += [_some_other(other, term) for term in terms]
        return _Junction(False, tuple(found))


def _by_type(variable: Parameter) -> list[Parameter]:
    return [Parameter(variable.name, (t,)) for t in variable.types]


def rows(names: Sequence[Feature]) -> Iterator[Term]:
    """All ways to give values to features."""
    for values in product((False, True), repeat=len(names)):
        yield dict(zip(names, values, strict=True))


# ---- formulas without quantifiers, over features


@dataclass(frozen=True)
class _Leaf:
    feature: Feature
    positive: bool


@dataclass(frozen=True)
class _Junction:
    """All of the parts, or any."""

    every: bool
    parts: tuple[_Plain, ...] = ()


_Plain = _Leaf | _Junction


def _value(plain: _Plain, values: Term) -> bool:
    if isinstance(plain, _Leaf):
        return values[plain.feature] == plain.positive
    return (all if plain.every else any)(_value(p, values) for p in plain.parts)


def _features(plain: _Plain) -> Iterator[Feature]:
    if isinstance(plain, _Leaf):
        yield plain.feature
    else:
        for part in plain.parts:
            yield from _features(part)


def _negated(plain: _Plain) -> _Plain:
    if isinstance(plain, _Leaf):
        return _Leaf(plain.feature, not plain.positive)
    return _Junction(not plain.every, tuple(map(_negated, plain.parts)))


def _conjunctions(plain: _Plain) -> list[tuple[_Leaf, ...]]:
    """A disjunctive normal form."""
    if isinstance(plain, _Leaf):
        return [(plain,)]
    parts = [_conjunctions(p) for p in plain.parts]
    if not plain.every:
        return [term for part in parts for term in part]
    return [tuple(leaf for term in choice for leaf in term) for choice in product(*parts)]


def _some_other(other: Parameter, term: tuple[_Leaf, ...]) -> _Plain:
    """What the term says of the other object as one feature, beside what it says of the rest."""
    profile, rest = set(), []
    for leaf in term:
        if not isinstance(leaf.feature, Atom):
            if any(other.name in literal.atom.args for literal in leaf.feature.profile):
                raise Beyond  # a third object related to the other one
            rest.append(leaf)
        elif other.name in leaf.feature.args:
            profile.add(Literal(leaf.feature.substitute({other.name: STANDARD}), leaf.positive))
        else:
            rest.append(leaf)
    if len(profile) > MOST_ABOUT_OTHERS:
        raise Beyond
    return _Junction(True, (_Leaf(SomeOther(other.types[0], frozenset(profile)), True), *rest))
