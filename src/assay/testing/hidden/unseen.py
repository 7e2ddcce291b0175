"""Kinds for judging alone. Do not look at them, and do not run them, while a learner is being built."""

from __future__ import annotations

from assay.core.formula import Exists, conjoin, disjoin, negate
from assay.core.model import Effect
from assay.core.symbols import Atom, Literal, Parameter
from assay.testing.hidden.body import OTHER, Body, Unsuitable
from assay.testing.hidden.named import Oddity


def relates_two(body: Body) -> None:
    """Needs an object that is related to one argument and to another one."""
    z = body.other()
    pairs = [
        (a, b)
        for x, y in zip(body.header.parameters, body.header.parameters[1:], strict=False)
        for a in body.about(z, [x.name])
        for b in body.about(z, [y.name])
    ]
    if not pairs:
        raise Unsuitable("no relation to two arguments")
    body.conditions.append(body.some_other(z, map(Literal, body.rng.choice(pairs))))


def others_unless(body: Body) -> None:
    """A fact of every other object changes, unless something is so."""
    z = body.other()
    target = Literal(body.about_to_change(z)[0], body.rng.random() < 0.5)
    body.change_others(z, target, [Literal(body.fresh(), False)])


def delete_then_add(body: Body) -> None:
    """A fact goes where one thing is so and comes where another is so; where both are, it is true."""
    atom = body.fresh_to_change()
    a, b = body.literals(2)
    body.effects += [Effect(Literal(atom, False), a), Effect(Literal(atom), b)]


def if_then_else(body: Body) -> None:
    """One fact decides which of two others is needed."""
    a, b, c = body.literals(3)
    body.conditions.append(disjoin([conjoin([a, b]), conjoin([negate(a), c])]))


def majority(body: Body) -> None:
    """Two of three facts."""
    a, b, c = body.literals(3)
    body.conditions.append(disjoin(map(conjoin, ((a, b), (a, c), (b, c)))))


def hand_over(body: Body) -> None:
    """What was related to one argument is related to another one now, as luggage is when a bag moves."""
    z = body.other()
    pairs = [
        (a, b)
        for a in body.about_to_change(z)
        for b in body.about_to_change(z)
        if a.predicate == b.predicate and _moved(a, b)
    ]
    if not pairs:
        raise Unsuitable("no relation to two arguments")
    old, new = body.rng.choice(pairs)
    body.change_others(z, Literal(new), [Literal(old)])
    body.change_others(z, Literal(old, False), [Literal(old)])


def _moved(a: Atom, b: Atom) -> bool:
    """Whether the atoms differ in one argument, which in both is a parameter of the action."""
    differing = [(x, y) for x, y in zip(a.args, b.args, strict=True) if x != y]
    return len(differing) == 1 and all(x.startswith("?") and x != OTHER for x in differing[0])


def when_other(body: Body) -> None:
    """An effect on an argument where some other object is there with a fact."""
    z = body.other()
    target = Literal(body.fresh_to_change(), body.rng.random() < 0.5)
    body.effects.append(Effect(target, body.some_other(z, body.profile(z, 1))))


def fact_or_other(body: Body) -> None:
    """A fact is so, or some other object is there with a fact."""
    z = body.other()
    body.conditions.append(disjoin([body.literal(), body.some_other(z, body.profile(z, 1))]))


def uses_up(body: Body) -> None:
    """One of two facts is needed; the first is used up, or if it is false the second."""
    a, b = Literal(body.fresh_to_change()), Literal(body.fresh_to_change())
    body.conditions.append(disjoin([a, b]))
    body.effects += [Effect(Literal(a.atom, False), a), Effect(Literal(b.atom, False), negate(a))]


def argument_or_other(body: Body) -> None:
    """Some object must be there with a fact, be it an argument or another one."""
    types = {t for p in body.header.parameters for t in p.types}
    z = Parameter(OTHER, (body.rng.choice(sorted(types)),))
    plain = [a for a in body.about(z) if set(a.args) == {z.name}]
    if not plain or not _clear(body, z):
        raise Unsuitable("nothing can be said of any object")
    body.conditions.append(Exists((z,), Literal(plain[0])))


def _clear(body: Body, z: Parameter) -> bool:
    """Whether every argument fits the variable whatever its own type, or never does, and at most two fit.

    With the other objects these are three facts, one of which is needed: as many as are tested together.
    """
    fits, common = body.vocabulary.fits, body.vocabulary.common_type
    places = [p.types for p in body.header.parameters]
    sure = [types for types in places if all(fits(t, z.types) for t in types)]
    constants = [c for c in body.vocabulary.constants if fits(c.type, z.types)]
    return len(sure) + len(constants) <= 2 and all(t in sure or not common(t, z.types) for t in places)


def rotation(body: Body) -> None:
    """Three facts pass their values round."""
    facts = [Literal(body.fresh_to_change()) for _ in range(3)]
    for x, y in zip(facts, [*facts[1:], facts[0]], strict=True):
        body.effects += [Effect(x, y), Effect(Literal(x.atom, False), Literal(y.atom, False))]


def two_of_one_kind(body: Body) -> None:
    """Needs some other object with one fact and forbids any other with another one."""
    z = body.other()
    a, b = body.profile(z, 2)
    body.conditions += [body.some_other(z, [a]), body.no_other(z, [b])]


UNSEEN: dict[str, Oddity] = {
    "relates two": relates_two,
    "others unless": others_unless,
    "delete then add": delete_then_add,
    "if then else": if_then_else,
    "majority": majority,
    "hand over": hand_over,
    "when other": when_other,
    "fact or other": fact_or_other,
    "uses up": uses_up,
    "argument or other": argument_or_other,
    "rotation": rotation,
    "needs and forbids": two_of_one_kind,
}
