"""Kinds that a model can say, and that lie outside every strength level."""

from __future__ import annotations

from itertools import combinations, product

from assay.core.formula import Equality, Exists, Forall, Formula, conjoin, disjoin, substitute
from assay.core.symbols import Atom, Literal, Parameter
from assay.testing.hidden.body import OTHER, Body, Unsuitable
from assay.testing.hidden.named import Oddity

PARITY, COUNT = 4, 3
"""How many facts a parity is over, and how many other objects are counted."""


def parity(body: Body) -> None:
    """An even number of four facts is true."""
    atoms = [body.fresh() for _ in range(PARITY)]
    even = [values for values in product((True, False), repeat=PARITY) if sum(values) % 2 == 0]
    body.conditions.append(disjoin(conjoin(map(Literal, atoms, values)) for values in even))


def counting(body: Body) -> None:
    """At least three other objects have a fact."""
    z = body.other()
    fact = next((a for a in body.about(z) if set(a.args) == {z.name}), None)
    if fact is None:
        raise Unsuitable("nothing can be said of another object alone")
    counted = [Parameter(f"{z.name}{n}", z.types) for n in range(1, COUNT + 1)]
    parts: list[Formula] = [
        substitute(part, {z.name: each.name})
        for each in counted
        for part in (Literal(fact), *body.differs(z))
    ]
    parts += [Equality(a.name, b.name, False) for a, b in combinations(counted, 2)]
    body.conditions.append(Exists(tuple(counted), conjoin(parts)))


def nested(body: Body) -> None:
    """Some other object must be there that every further object of a type is related to."""
    relation = body.rng.choice([p for p in body.vocabulary.predicates if p.arity == 2])
    types = [p.types for p in relation.parameters]
    z, further = Parameter(OTHER, types[0]), Parameter("?further", types[1])
    related = Literal(Atom(relation.name, (z.name, further.name)))
    everyone = Forall((further,), disjoin([Equality(z.name, further.name), related]))
    body.conditions.append(body.some_other(z, [everyone]))


BEYOND: dict[str, Oddity] = {"parity": parity, "counting": counting, "nested": nested}
