"""A model read from PDDL, which knows no upper case, in the spelling of the vocabulary it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy

from assay.core.formula import And, Equality, Exists, Forall, Formula, Or
from assay.core.model import ActionModel, Case, Effect, Model, Outcome
from assay.core.symbols import OBJECT, Atom, Literal, Parameter
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError


def in_vocabulary(model: Model, vocabulary: Vocabulary) -> Model:
    """The same model over the vocabulary; parameters go by position. Actions may be missing."""
    mine, theirs = set(_declared(vocabulary)), set(_declared(model.vocabulary))
    missing = {text for text in mine - theirs if not text.startswith("action ")}
    if missing or theirs - mine:
        found = [f"{text} is missing" for text in sorted(missing)]
        found += [f"{text} is not in the journal's vocabulary" for text in sorted(theirs - mine)]
        raise InputError(f"it is written in another vocabulary: {'; '.join(found)}")
    return Model(vocabulary, tuple(_respelled(action, vocabulary) for action in model.actions))


def _declared(vocabulary: Vocabulary) -> Iterator[str]:
    """All that a vocabulary declares, a line each, in lower case and without parameter names."""
    for t in vocabulary.types:
        above = vocabulary.supertypes(t.name) - {t.name}
        yield f"type {t.name.lower()} - {_either(above)}"
    for c in vocabulary.constants:
        yield f"constant {c.name.lower()} - {c.type.lower()}"
    for kind, things in (("predicate", vocabulary.predicates), ("action", vocabulary.actions)):
        for thing in things:
            yield " - ".join((f"{kind} {thing.name.lower()}", *(_either(p.types) for p in thing.parameters)))


def _either(types: Iterable[str]) -> str:
    return "|".join(sorted(t.lower() for t in types))


def _respelled(action: ActionModel, vocabulary: Vocabulary) -> ActionModel:
    header = next(a for a in vocabulary.actions if a.name.lower() == action.header.name.lower())
    names = {p.name: q.name for p, q in zip(action.header.parameters, header.parameters, strict=True)}
    spelling = _Spelling(vocabulary, names)
    cases = [
        Case(
            tuple(Outcome(spelling.effects(o.effects), o.probability) for o in case.outcomes),
            spelling.formula(case.condition),
        )
        for case in action.cases
    ]
    return ActionModel(header, spelling.formula(action.precondition), tuple(cases))


class _Spelling:
    """Predicates, types and terms as the vocabulary has them; bound variables keep clear of parameters."""

    def __init__(self, vocabulary: Vocabulary, terms: Mapping[str, str]) -> None:
        self._predicates = {p.name.lower(): p.name for p in vocabulary.predicates}
        self._types = {OBJECT: OBJECT} | {t.name.lower(): t.name for t in vocabulary.types}
        self._terms = {c.name.lower(): c.name for c in vocabulary.constants} | dict(terms)
        self._taken = frozenset(terms.values())

    def formula(self, formula: Formula) -> Formula:
        match formula:
            case Literal():
                return self.literal(formula)
            case Equality(left, right, positive):
                return Equality(self._term(left), self._term(right), positive)
            case And(parts):
                return And(tuple(map(self.formula, parts)))
            case Or(parts):
                return Or(tuple(map(self.formula, parts)))
            case Exists(variables, body):
                inner, bound = self._binding(variables)
                return Exists(bound, inner.formula(body))
            case Forall(variables, body):
                inner, bound = self._binding(variables)
                return Forall(bound, inner.formula(body))
        raise TypeError(f"not a formula: {formula!r}")

    def literal(self, literal: Literal) -> Literal:
        name, terms = literal.atom
        return Literal(Atom(self._predicates[name.lower()], tuple(map(self._term, terms))), literal.positive)

    def effects(self, effects: Iterable[Effect]) -> frozenset[Effect]:
        found = set()
        for effect in effects:
            inner, bound = self._binding(effect.variables)
            found.add(Effect(inner.literal(effect.literal), inner.formula(effect.condition), bound))
        return frozenset(found)

    def _term(self, name: str) -> str:
        return self._terms.get(name) or self._terms[name.lower()]

    def _binding(self, variables: tuple[Parameter, ...]) -> tuple[_Spelling, tuple[Parameter, ...]]:
        """The spelling inside a quantifier, and its variables."""
        inner = copy(self)
        inner._terms, bound = dict(self._terms), []
        for variable in variables:
            name = variable.name
            while name in inner._taken:
                name += "'"
            inner._terms[variable.name] = name
            inner._taken |= {name}
            bound.append(Parameter(name, tuple(self._types[t.lower()] for t in variable.types)))
        return inner, tuple(bound)
