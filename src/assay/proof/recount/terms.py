"""The terms of a precondition: a disjunction of conjunctions of features, derived from the model alone.

Quantifiers are taken apart: "some object has P" holds if an argument has it, or a constant, or some other
object (a quantified feature). What is multiplied out is then made prime (no literal can be dropped from a
term) and irredundant (no term can be dropped), so that how a formula is written makes no difference to its
strength as far as this goes. `difference` can check the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.core.formula import And, Equality, Exists, Forall, Formula, Or, negate
from assay.core.symbols import ActionHeader, Atom, Literal, Parameter
from assay.core.vocabulary import Vocabulary
from assay.proof.recount.facts import Fact
from assay.proof.recount.features import Cube, Features, Other, other_name, single
from assay.proof.recount.logic import Logic
from assay.proof.recount.quantifiers import MOST_PARTS, Inexpressible, conjunctions, free_variables, narrowed

Leaf = Fact | Other
Part = dict[Leaf, bool]
"""A conjunction: features with their signs."""


def terms_of(
    vocabulary: Vocabulary, header: ActionHeader, precondition: Formula
) -> tuple[Features, tuple[Cube, ...]]:
    """The features that the precondition needs, and its terms over them."""
    parts = _Expansion(vocabulary, header).expand(narrowed(precondition))
    others = sorted({leaf for part in parts for leaf in part if isinstance(leaf, Other)})
    features = Features(vocabulary, header, others)
    bit = {fact: 1 << n for n, fact in enumerate((*features.atoms, *features.others))}
    terms = {
        Cube(sum(bit[x] for x in part), sum(bit[x] for x, positive in part.items() if positive))
        for part in parts
    }
    return features, _irredundant(features, _prime(features, sorted(terms)))


class _Expansion:
    def __init__(self, vocabulary: Vocabulary, header: ActionHeader) -> None:
        self._vocabulary, self._header = vocabulary, header
        self._other = other_name(header)
        self._types: dict[str, tuple[str, ...]] = {c.name: (c.type,) for c in vocabulary.constants}
        self._types |= {p.name: p.types for p in header.parameters}
        self._own = {(a[0], *a[1]) for a in vocabulary.lifted_atoms(header.name)}

    def expand(self, formula: Formula) -> list[Part]:
        match formula:
            case Literal(atom, positive):
                return [{self._fact(atom): positive}]
            case Equality(left, right, positive):
                return [{}] if (left == right) == positive else []
            case And(parts):
                return self._all(self.expand(part) for part in parts)
            case Or(parts):
                return [part for p in parts for part in self.expand(p)]
            case Exists((variable,), body):
                return [x for leaves in conjunctions([body]) for x in self._some(variable, leaves)]
            case Forall():
                return self._none(self.expand(negate(formula)))
        raise TypeError(f"not a formula of one variable a quantifier: {formula!r}")

    def _fact(self, atom: Atom) -> Fact:
        fact = (atom.predicate, *atom.args)
        if fact not in self._own:
            raise Inexpressible(f"{atom} depends on the type of an argument, which no term can say")
        return fact

    def _all(self, several: Iterable[list[Part]]) -> list[Part]:
        found: list[Part] = [{}]
        for parts in several:
            found = [x | y for x in found for y in parts if all(x.get(k, v) == v for k, v in y.items())]
            found = _absorbed(found)
            if len(found) > MOST_PARTS:
                raise Inexpressible(f"multiplied out, the formula has more than {MOST_PARTS:,} parts")
        return found

    def _none(self, parts: list[Part]) -> list[Part]:
        return self._all([{leaf: not positive} for leaf, positive in part.items()] for part in parts)

    def _some(self, variable: Parameter, leaves: Sequence[Formula]) -> list[Part]:
        about = [x for x in leaves if variable.name in free_variables(x)]
        rest = [x for x in leaves if variable.name not in free_variables(x)]
        instances = self._among_known(variable, about) + self._among_others(variable, about)
        return self._all([*(self.expand(x) for x in rest), instances])

    def _among_known(self, variable: Parameter, about: Sequence[Formula]) -> list[Part]:
        """An argument or a constant is such an object."""
        found = []
        for name, types in self._types.items():
            fits = [self._vocabulary.fits(t, variable.types) for t in types]
            if not any(fits) and not (name.startswith("?") and self._may_be_below(types, variable.types)):
                continue
            at = {variable.name: name}
            equalities = [x for x in about if isinstance(x, Equality)]
            if not all(
                (at.get(x.left, x.left) == at.get(x.right, x.right)) == x.positive for x in equalities
            ):
                continue
            if not all(fits):
                kind = " or ".join(variable.types)
                raise Inexpressible(f"whether {name} is a {kind} matters, which no term can say")
            literals = (x for x in about if isinstance(x, Literal))
            found += self._all([{self._fact(x.atom.substitute(at)): x.positive}] for x in literals)
        return found

    def _may_be_below(self, types: Iterable[str], ranges: tuple[str, ...]) -> bool:
        """Whether an object of one of the types may also be of one in the range."""
        names = [t.name for t in self._vocabulary.types]
        return any(
            self._vocabulary.fits(n, (t,)) and self._vocabulary.fits(n, ranges) for n in names for t in types
        )

    def _among_others(self, variable: Parameter, about: Sequence[Formula]) -> list[Part]:
        """Some other object is."""
        if any(isinstance(x, Equality) and x.positive for x in about):
            return []
        profile: dict[Fact, bool] = {}
        at = {variable.name: self._other}
        for x in about:
            if isinstance(x, Literal):
                atom = x.atom.substitute(at)
                if profile.setdefault((atom.predicate, *atom.args), x.positive) != x.positive:
                    return []
        literals = tuple(sorted(profile.items()))
        return [{Other(type_name, literals): True} for type_name in variable.types]


def _absorbed(parts: list[Part]) -> list[Part]:
    """Without those that imply another one."""
    found: list[Part] = []
    for part in sorted(parts, key=len):
        if not any(kept.items() <= part.items() for kept in found):
            found.append(part)
    return found


def _prime(features: Features, terms: Sequence[Cube]) -> list[Cube]:
    logic, found = Logic(features, terms), set[Cube]()
    for term in terms:
        if not logic.possible(term):
            continue
        for bit in single(term.named):
            shorter = Cube(term.named & ~bit, term.true & ~bit)
            if not logic.may_be_refused(shorter):
                term = shorter
        found.add(term)
    logic.close()
    return sorted(found)


def _irredundant(features: Features, terms: Sequence[Cube]) -> tuple[Cube, ...]:
    kept = list(terms)
    for term in sorted(terms, key=lambda t: (-t.named.bit_count(), t)):
        rest = [other for other in kept if other != term]
        logic = Logic(features, rest)
        if not logic.may_be_refused(term):
            kept = rest
        logic.close()
    return tuple(kept)
