"""Random states in which a formula holds, found by a random depth-first search over its parts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import islice, product

from assay.core.formula import And, Equality, Exists, Forall, Formula, Or, bindings
from assay.core.symbols import Atom, Literal
from assay.core.universe import Universe
from assay.testing.hidden.invariant import Invariant

Goal = tuple[Formula, Mapping[str, str]]
"""A formula with what its variables stand for."""
TRIES = 30
"""Solutions looked at until one is valid."""
DENSITIES = (0.1, 0.3, 0.5, 0.8)
"""Shares of facts that are true where nothing is asked of them."""


def satisfying(
    formula: Formula, universe: Universe, binding: Mapping[str, str], rng: random.Random
) -> Iterator[dict[Atom, bool]]:
    """Values of some ground atoms that make the formula true, in random order."""
    return _search(((formula, binding),), {}, universe, rng)


def _search(
    goals: tuple[Goal, ...], values: dict[Atom, bool], universe: Universe, rng: random.Random
) -> Iterator[dict[Atom, bool]]:
    if not goals:
        yield values
        return
    (formula, binding), *others = goals
    for chosen in _ways(formula, binding, universe, rng):
        found = dict(values)
        if all(_stated(part, bound, found) for part, bound in chosen):
            further = [g for g in chosen if not isinstance(g[0], Literal | Equality)]
            yield from _search((*further, *others), found, universe, rng)


def _stated(formula: Formula, binding: Mapping[str, str], values: dict[Atom, bool]) -> bool:
    """Whether a literal or an equality can be so beside the values, to which it is added."""
    match formula:
        case Literal(atom, positive):
            return values.setdefault(atom.substitute(dict(binding)), positive) == positive
        case Equality(left, right, positive):
            return (binding.get(left, left) == binding.get(right, right)) == positive
    return True


def _ways(
    formula: Formula, binding: Mapping[str, str], universe: Universe, rng: random.Random
) -> Iterator[tuple[Goal, ...]]:
    """The ways to make a formula true: goals that are true together, one step nearer to literals."""
    match formula:
        case Literal() | Equality():
            yield ((formula, binding),)
        case And(parts):
            yield tuple((p, binding) for p in parts)
        case Or(parts):
            yield from (((p, binding),) for p in rng.sample(parts, len(parts)))
        case Exists(variables, body):
            ways = list(bindings(variables, universe))
            yield from (((body, {**binding, **way}),) for way in rng.sample(ways, len(ways)))
        case Forall(variables, body):
            yield tuple((body, {**binding, **way}) for way in bindings(variables, universe))


def ground_atoms(universe: Universe) -> list[Atom]:
    """All facts that can be stated about the universe's objects."""
    vocabulary = universe.vocabulary
    return [
        Atom(predicate.name, args)
        for predicate in vocabulary.predicates
        for args in product(
            *(
                [o.name for o in universe.objects if vocabulary.fits(o.type, p.types)]
                for p in predicate.parameters
            )
        )
    ]


def random_facts(
    universe: Universe, rng: random.Random, invariant: Invariant | None, values: Mapping[Atom, bool]
) -> list[Atom] | None:
    """The values given, and every other fact by chance; None if the values themselves are not valid."""
    facts = [atom for atom, true in values.items() if true]
    if invariant and not invariant.holds(facts):
        return None
    density = rng.choice(DENSITIES)
    atoms = [a for a in ground_atoms(universe) if a not in values and rng.random() < density]
    for atom in rng.sample(atoms, len(atoms)):
        if invariant is None or invariant.allows(facts, atom):
            facts.append(atom)
    return facts


def facts_where(
    formula: Formula,
    universe: Universe,
    binding: Mapping[str, str],
    rng: random.Random,
    invariant: Invariant | None = None,
) -> list[Atom] | None:
    """A random valid situation in which the formula holds; None if none of a few tries is valid."""
    for values in islice(satisfying(formula, universe, binding, rng), TRIES):
        facts = random_facts(universe, rng, invariant, values)
        if facts is not None:
            return facts
    return None
