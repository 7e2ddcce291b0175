"""Whether the terms of a certificate say exactly what a precondition says, in every state of every world.

Both are turned into a propositional formula over one world and a SAT solver looks for a state in which they
differ. The world is large enough: after miniscoping no quantified formula depends on another's variable, so a
state in which the two differ stays one if, of the other objects, only one is kept for each quantified formula
that is true (an existential that is false stays false where there are fewer objects). So the world has,
besides arguments and constants, one object for every quantified formula and every kind of object that its
variable ranges over; each may be absent. Arguments take all types that their parameters allow, as far as a
quantifier tells types apart. Different parameters stand for different objects, and none for a constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from assay.core.formula import And, Equality, Exists, Forall, Formula, Or, leaves
from assay.core.symbols import OBJECT, Literal
from assay.proof.recount.facts import Fact
from assay.proof.recount.features import Cube, Features, Other, other_name, single
from assay.proof.recount.quantifiers import narrowed, quantified
from assay.proof.solver import Sat

Types = tuple[str, ...]


def difference(precondition: Formula, features: Features, terms: Sequence[Cube]) -> str | None:
    """A state in which the precondition and the terms differ, in words; None if they are equivalent.

    Raises `Inexpressible` if the precondition relates two other objects to each other.
    """
    formula = narrowed(precondition)
    kinds = _Kinds(features, formula)
    for types in kinds.of_parameters():
        world = _World(features, kinds, types)
        try:
            if found := world.difference(formula, terms):
                return found
        finally:
            world.close()
    return None


class _Kinds:
    """Types, as far as the quantifiers of the two formulas tell them apart."""

    def __init__(self, features: Features, formula: Formula) -> None:
        self.vocabulary, self._features = features.vocabulary, features
        ranges = [q.variables[0].types for q in quantified(formula)]
        self.ranges: list[Types] = sorted({*ranges, *((other.type,) for other in features.others)})

    def of_parameters(self) -> Iterator[dict[str, str]]:
        """Every way to give the arguments types."""
        parameters = self._features.header.parameters
        for types in product(*(self.within(p.types) for p in parameters)):
            yield dict(zip((p.name for p in parameters), types, strict=True))

    def within(self, types: Types) -> list[str]:
        """Of each kind of object that is of one of the types or below, one type."""
        known = [OBJECT, *(t.name for t in self.vocabulary.types if t.name != OBJECT)]
        kinds: dict[tuple[bool, ...], str] = {}
        for name in known:
            if self.vocabulary.fits(name, types):
                kinds.setdefault(tuple(self.vocabulary.fits(name, r) for r in self.ranges), name)
        return list(kinds.values())


class _World:
    """Objects enough for any difference, and a solver over the facts about them."""

    def __init__(self, features: Features, kinds: _Kinds, types: Mapping[str, str]) -> None:
        self._features, self._vocabulary = features, features.vocabulary
        constants = {c.name: c.type for c in self._vocabulary.constants}
        self._other = other_name(features.header)
        self._types = {**constants, **types}
        self._witnesses: dict[str, int] = {}
        """Objects that may be absent, each with the variable that says that it is there."""
        self._facts: dict[Fact, int] = {}
        self._variables = 0
        self._sat = Sat([])
        self._kinds = kinds

    def close(self) -> None:
        self._sat.close()

    def difference(self, formula: Formula, terms: Sequence[Cube]) -> str | None:
        ranges = [q.variables[0].types for q in quantified(formula)]
        ranges += [(other.type,) for other in self._features.others]
        for number, types in enumerate(ranges):
            for kind in self._kinds.within(types):
                name = f"other-{number}-{kind}"
                self._types[name] = kind
                self._witnesses[name] = self._new()
        runs = self._encode(formula, {})
        said = self._any([self._term(term) for term in terms])
        for one, other in ((runs, -said), (-runs, said)):
            if self._sat.solve([one, other]):
                who = (
                    "the model runs and the terms do not" if one == runs else "the terms hold, the model not"
                )
                return f"{who} where {self._state(formula, terms)}"
        return None

    def _new(self) -> int:
        self._variables += 1
        return self._variables

    def _fact(self, fact: Fact, positive: bool = True) -> int:
        found = self._facts.get(fact)
        if found is None:
            found = self._facts[fact] = self._new()
        return found if positive else -found

    def _all(self, literals: Sequence[int]) -> int:
        return -self._any([-literal for literal in literals])

    def _any(self, literals: Sequence[int]) -> int:
        """A variable that is true if and only if one of these is."""
        found = self._new()
        self._sat.extend([[-found, *literals], *([found, -literal] for literal in literals)])
        return found

    def _encode(self, formula: Formula, at: Mapping[str, str]) -> int:
        match formula:
            case Literal(atom, positive):
                return self._fact((atom.predicate, *[at.get(t, t) for t in atom.args]), positive)
            case Equality(left, right, positive):
                never = self._any([])
                return -never if (at.get(left, left) == at.get(right, right)) == positive else never
            case And(parts):
                return self._all([self._encode(part, at) for part in parts])
            case Or(parts):
                return self._any([self._encode(part, at) for part in parts])
            case Exists((variable,), body):
                instances = self._instances(variable.types)
                return self._any(
                    [self._there(o, self._encode(body, {**at, variable.name: o})) for o in instances]
                )
            case Forall((variable,), body):
                instances = self._instances(variable.types)
                return self._all(
                    [-self._there(o, -self._encode(body, {**at, variable.name: o})) for o in instances]
                )
        raise TypeError(f"not a formula of one variable a quantifier: {formula!r}")

    def _instances(self, types: Types) -> list[str]:
        return [name for name, kind in self._types.items() if self._vocabulary.fits(kind, types)]

    def _there(self, name: str, holds: int) -> int:
        """Something holds of an object, and it is there."""
        return self._all([holds, self._witnesses[name]]) if name in self._witnesses else holds

    def _term(self, term: Cube) -> int:
        return self._all(
            [self._feature(bit) if term.true & bit else -self._feature(bit) for bit in single(term.named)]
        )

    def _feature(self, bit: int) -> int:
        number = bit.bit_length() - 1
        if number < len(self._features.atoms):
            return self._fact(self._features.atoms[number])
        other = self._features.others[number - len(self._features.atoms)]
        there = [name for name in self._instances((other.type,)) if name in self._witnesses]
        return self._any([self._there(name, self._profile(other, name)) for name in there])

    def _profile(self, other: Other, name: str) -> int:
        at = {self._other: name}
        facts = ((tuple(at.get(t, t) for t in fact), positive) for fact, positive in other.literals)
        return self._all([self._fact(fact, positive) for fact, positive in facts])

    def _state(self, formula: Formula, terms: Iterable[Cube]) -> str:
        """The facts about arguments and constants that were found, of those that are mentioned."""
        true = self._sat.solution()
        named = {(x.atom[0], *x.atom[1]) for x in leaves(formula) if isinstance(x, Literal)}
        for term in terms:
            bits = [bit.bit_length() - 1 for bit in single(term.named & ~self._features.quantified)]
            named |= {self._features.atoms[n] for n in bits}
        words = [
            ("" if self._facts[fact] in true else "not ") + " ".join(fact)
            for fact in self._features.atoms
            if fact in named and fact in self._facts
        ]
        kinds = [self._types[name] for name, there in self._witnesses.items() if there in true]
        others = [f"other objects: {' '.join(sorted(kinds))}"] if kinds else []
        return ", ".join([*words, *others]) or "nothing holds"
