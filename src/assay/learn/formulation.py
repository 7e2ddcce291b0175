"""From a hypothesis to an action model that a person would have written.

A quantified feature speaks of some object *other* than the arguments. Where an argument in that role makes no
difference to the condition, the inequality goes; where an argument may stand in for another object, both together
become a plain `exists`. Common literals are factored out. Nothing here changes what the model means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.core.formula import (
    FALSE,
    TRUE,
    Equality,
    Exists,
    Formula,
    conjoin,
    disjoin,
    negate,
    substitute,
)
from assay.core.model import ActionModel, Effect
from assay.core.symbols import Literal, Parameter
from assay.learn.coverage import profile_of_named
from assay.learn.dnf import TRUE_TERM, Term, bits, implies, minimise
from assay.learn.features import OTHER, Quantified
from assay.learn.hypothesis import BESIDE, Hypothesis


def action_model(hypothesis: Hypothesis) -> ActionModel:
    """The hypothesis about an action whose parameters are different objects."""
    speller = Speller(hypothesis)
    header = hypothesis.features.numbering.vocabulary.action[hypothesis.features.shape.action]
    return ActionModel.adl(header, speller.formula(hypothesis.terms), speller.effects())


Merged = dict[int, set[str]]
"""By quantified feature, the arguments and constants that may be its object as well."""


class Speller:
    """Writes conditions over the features of one action."""

    def __init__(self, hypothesis: Hypothesis) -> None:
        self.hypothesis, self.features = hypothesis, hypothesis.features
        self._variables: dict[int, str] = {}

    # ---- conditions

    def formula(self, terms: Sequence[Term]) -> Formula:
        """The DNF as a formula: quantifiers without needless inequalities, common literals factored out."""
        if not terms:
            return FALSE
        merged: Merged = {}
        impossible: list[Term] = []
        for number in self._named(terms):
            for name, profile in self._roles(number):
                if self._indifferent(terms, number, profile):
                    merged.setdefault(number, set()).add(name)
                    impossible.append(self._without(number, profile))
        return self._factored(minimise(terms, impossible), merged)

    def _named(self, terms: Sequence[Term]) -> list[int]:
        named = 0
        for mask, _ in terms:
            named |= mask
        return bits((named & ((1 << BESIDE) - 1)) >> self.features.width)

    def _roles(self, number: int) -> Iterator[tuple[str, Term]]:
        """What could be the object of a quantified feature, with the own facts that it would show."""
        feature = self.hypothesis.quantified[number]
        for name, kind in self.features.named:
            profile = profile_of_named(self.features, feature, name, kind)
            if profile is not None:
                yield name, profile

    def _without(self, number: int, profile: Term) -> Term:
        """The argument has the profile and yet no object has it: impossible once it counts as one."""
        return profile[0] | 1 << self.features.width + number, profile[1]

    def _indifferent(self, terms: Sequence[Term], number: int, profile: Term) -> bool:
        """Whether, with an argument of this profile, another object of it makes no difference."""
        bit = 1 << self.features.width + number
        mask = profile[0] | bit
        sides = [_restricted(terms, (mask, profile[1] | value)) for value in (0, bit)]
        return _equivalent(*sides)

    def _factored(self, terms: Sequence[Term], merged: Merged) -> Formula:
        if not terms:
            return FALSE
        common_mask, common_value = terms[0]
        for mask, value in terms[1:]:
            common_mask &= mask & ~(common_value ^ value)
            common_value &= common_mask
        shared = [self._literal(p, common_value >> p & 1, merged) for p in self._order(common_mask)]
        rest = [(m & ~common_mask, v & ~common_mask) for m, v in terms]
        if TRUE_TERM in rest:
            return conjoin(shared)
        return conjoin([*shared, self._either(rest, merged)])

    def _either(self, terms: list[Term], merged: Merged) -> Formula:
        """A disjunction; terms that share a literal with others are grouped by the most common one."""
        counts: dict[tuple[int, int], int] = {}
        for mask, value in terms:
            for place in bits(mask):
                literal = (place, value >> place & 1)
                counts[literal] = counts.get(literal, 0) + 1
        (place, bit), most = max(counts.items(), key=lambda x: (x[1], -x[0][0], x[0][1]))
        if most < 2:
            return disjoin(self._factored([t], merged) for t in terms)
        group = [t for t in terms if t[0] >> place & 1 and t[1] >> place & 1 == bit]
        rest = [t for t in terms if t not in group]
        return disjoin([self._factored(group, merged), *([self._factored(rest, merged)] if rest else [])])

    def _order(self, mask: int) -> list[int]:
        """Facts about arguments first, shared facts and quantifiers last."""
        shared = self.features.shared
        return sorted(bits(mask), key=lambda p: (p >= BESIDE, p >= self.features.width, shared >> p & 1, p))

    def _literal(self, place: int, bit: int, merged: Merged) -> Formula:
        if place < self.features.width:
            return Literal(self.features.own[place], bool(bit))
        number = place - self.features.width
        formula = self._exists(self.hypothesis.quantified[number], merged.get(number, set()))
        return formula if bit else negate(formula)

    def _exists(self, feature: Quantified, merged: set[str]) -> Formula:
        variable = self._variable(feature.type)
        literals: list[Formula] = [*self.features.literals(feature)]
        body = conjoin([*literals, *self.different(variable, feature.type, merged)])
        return Exists((variable,), substitute(body, {OTHER: variable.name}))

    def _variable(self, type_name: str) -> Parameter:
        return Parameter(self.features.other, (type_name,))

    def different(self, variable: Parameter, type_name: str, merged: set[str]) -> list[Formula]:
        """That the variable is no argument and no constant, as far as types leave that open."""
        vocabulary = self.features.numbering.vocabulary
        return [
            Equality(variable.name, name, False)
            for name, kind in self.features.named
            if name not in merged and vocabulary.common_type((type_name,), (kind,))
        ]

    # ---- effects

    def effects(self) -> list[Effect]:
        changes = self.hypothesis.changes()
        found: list[Effect] = []
        for (where, place, before), terms in sorted(changes.items(), key=lambda x: (x[0][0] or "", x[0][1:])):
            if not terms or self._said_above(where, place, before, terms):
                continue
            both = bool(changes.get((where, place, 1 - before)))
            if where is None:
                literal = Literal(self.features.own[place], not before)
                condition = self.formula(terms)
                if both:
                    condition = conjoin([Literal(literal.atom, bool(before)), condition])
                found.append(Effect(literal, condition))
            else:
                found.append(self._effect_on_others(where, place, before, terms, both))
        return found

    def _said_above(self, where: str | None, place: int, before: int, terms: Sequence[Term]) -> bool:
        """Whether the same change of objects of a type above says it: `forall` includes the types below."""
        if where is None:
            return False
        features, changes = self.features, self.hypothesis.changes()
        low = (1 << BESIDE) - 1
        if any(mask & ~low for mask, _ in terms):
            return False
        atom, vocabulary = features.profiles[where][place], features.numbering.vocabulary
        return any(
            features.profiles[kind][its] == atom and value == before and other == list(terms)
            for (kind, its, value), other in changes.items()
            if kind is not None and kind != where and vocabulary.fits(where, (kind,))
        )

    def _effect_on_others(
        self, where: str, place: int, before: int, terms: Sequence[Term], both: bool
    ) -> Effect:
        variable = self._variable(where)
        atom = self.features.profiles[where][place].substitute({OTHER: variable.name})
        condition = disjoin(self._beside(where, term, variable) for term in terms)
        parts = [condition, *self.different(variable, where, set())]
        if both:
            parts.insert(0, Literal(atom, bool(before)))
        return Effect(Literal(atom, not before), conjoin(parts), (variable,))

    def _beside(self, where: str, term: Term, variable: Parameter) -> Formula:
        """A term over the own facts, quantified features and the profile of the object concerned."""
        low = (1 << BESIDE) - 1
        own = self.formula([(term[0] & low, term[1] & low)])
        feature = Quantified(where, term[0] >> BESIDE, term[1] >> BESIDE)
        literals = [substitute(x, {OTHER: variable.name}) for x in self.features.literals(feature)]
        return conjoin([*literals, *([own] if own != TRUE else [])])


def _restricted(terms: Sequence[Term], given: Term) -> list[Term]:
    """The DNF where the given term holds, over what is left."""
    return [
        (mask & ~given[0], value & ~given[0])
        for mask, value in terms
        if not (value ^ given[1]) & mask & given[0]
    ]


def _equivalent(first: Sequence[Term], second: Sequence[Term]) -> bool:
    return all(implies(t, second) for t in first) and all(implies(t, first) for t in second)
