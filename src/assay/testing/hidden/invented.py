"""Further kinds, for use while a learner is built."""

from __future__ import annotations

from assay.core.formula import Equality, conjoin, disjoin, negate
from assay.core.model import Effect
from assay.core.symbols import Literal
from assay.testing.hidden.body import Body, Unsuitable
from assay.testing.hidden.named import Oddity


def implication(body: Body) -> None:
    """If one fact is so, another must be."""
    a, b = body.literals(2)
    body.conditions.append(disjoin([negate(a), b]))


def two_pairs(body: Body) -> None:
    """Two facts together, or two others."""
    a, b, c, d = body.literals(4)
    body.conditions.append(disjoin([conjoin([a, b]), conjoin([c, d])]))


def every_other(body: Body) -> None:
    """Every other object with one fact must have another one."""
    z = body.other()
    a, b = body.profile(z, 2)
    body.conditions.append(body.no_other(z, [a, negate(b)]))


def swap(body: Body) -> None:
    """Two facts change places."""
    a, b = Literal(body.fresh_to_change()), Literal(body.fresh_to_change())
    for x, y in ((a, b), (b, a)):
        body.effects += [Effect(x, y), Effect(Literal(x.atom, False), Literal(y.atom, False))]


def when_either(body: Body) -> None:
    """An effect where one fact is so, or another."""
    target = Literal(body.fresh_to_change(), body.rng.random() < 0.5)
    body.effects.append(Effect(target, disjoin(body.literals(2))))


def only_negative(body: Body) -> None:
    """Nothing is needed but that facts are false."""
    body.needed = [Literal(x.atom, False) for x in body.needed]
    about = {x.atom for x in body.needed}
    body.effects = [Effect(Literal(e.literal.atom)) if e.literal.atom in about else e for e in body.effects]


def same_or_fact(body: Body) -> None:
    """Two arguments are the same object, or a fact is so."""
    names = [p.name for p in body.header.parameters]
    pairs = body.vocabulary.mergeable(body.header.name)
    if len(names) < 2 or not pairs:
        raise Unsuitable("no two arguments can be the same object")
    body.conditions.append(disjoin([Equality(*body.rng.choice(pairs)), body.literal()]))


def any_of_three(body: Body) -> None:
    """One of three facts at least."""
    body.conditions.append(disjoin(body.literals(3)))


def two_ors(body: Body) -> None:
    """Two conditions, each "this or that"."""
    for _ in range(2):
        body.conditions.append(disjoin(body.literals(2)))


INVENTED: dict[str, Oddity] = {
    "implication": implication,
    "two pairs": two_pairs,
    "every other": every_other,
    "swap": swap,
    "when either": when_either,
    "only negative": only_negative,
    "same or fact": same_or_fact,
    "any of three": any_of_three,
    "two ors": two_ors,
}
