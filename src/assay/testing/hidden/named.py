"""The kinds that the field names: one function each, which makes the body of a plain action odd.

`several` applies two or three of the others to one action.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.core.formula import conjoin, disjoin, negate
from assay.core.model import Effect
from assay.core.symbols import Literal
from assay.testing.hidden.body import Body

Oddity = Callable[[Body], None]


def plain(body: Body) -> None:
    """Nothing odd: a conjunction and unconditional effects."""


def or_instead(body: Body) -> None:
    """A precondition literal is replaced by "this or that"."""
    body.conditions.append(disjoin([body.give_up_one(), body.literal()]))


def extra_or(body: Body) -> None:
    """One more condition, "this or that"."""
    body.conditions.append(disjoin(body.literals(2)))


def exclusive_or(body: Body) -> None:
    """One of two facts, and not both."""
    a, b = body.literals(2)
    body.conditions.append(disjoin([conjoin([a, negate(b)]), conjoin([negate(a), b])]))


def when_one_fact(body: Body) -> None:
    """An effect only where one fact is true."""
    _when(body, [Literal(body.fresh())])


def when_two_facts(body: Body) -> None:
    """An effect only where two facts are true."""
    _when(body, [Literal(body.fresh()), Literal(body.fresh())])


def when_negative(body: Body) -> None:
    """An effect only where a fact is false."""
    _when(body, [Literal(body.fresh(), False)])


def _when(body: Body, condition: list[Literal]) -> None:
    target = Literal(body.fresh_to_change(), body.rng.random() < 0.5)
    body.effects.append(Effect(target, conjoin(condition)))


def toggle(body: Body) -> None:
    """A fact becomes what it was not."""
    atom = body.fresh_to_change()
    on, off = Literal(atom), Literal(atom, False)
    body.effects += [Effect(on, off), Effect(off, on)]


def needs_other(body: Body) -> None:
    """Some other object must be there with one fact."""
    z = body.other()
    body.conditions.append(body.some_other(z, body.profile(z, 1)))


def needs_other_with_two(body: Body) -> None:
    """Some other object must be there of which two things are so."""
    z = body.other()
    body.conditions.append(body.some_other(z, body.profile(z, 2)))


def forbids_other(body: Body) -> None:
    """No other object may be there with one fact."""
    z = body.other()
    body.conditions.append(body.no_other(z, body.profile(z, 1)))


def changes_others(body: Body) -> None:
    """A fact of every other object changes."""
    z = body.other()
    body.change_others(z, Literal(body.about_to_change(z)[0], body.rng.random() < 0.5))


def changes_others_when(body: Body) -> None:
    """A fact of every other object changes where another fact of it is so."""
    z = body.other()
    target = body.about_to_change(z)[0]
    condition = next((a for a in body.about(z) if a != target), None) or body.fresh()
    body.change_others(z, Literal(target, body.rng.random() < 0.5), [Literal(condition)])


NAMED: dict[str, Oddity] = {
    "plain": plain,
    "or instead": or_instead,
    "extra or": extra_or,
    "exclusive or": exclusive_or,
    "when one fact": when_one_fact,
    "when two facts": when_two_facts,
    "when a negative fact": when_negative,
    "toggle": toggle,
    "needs other": needs_other,
    "needs other with two facts": needs_other_with_two,
    "forbids other": forbids_other,
    "changes others": changes_others,
    "changes others when": changes_others_when,
}


def several(body: Body) -> None:
    """Two or three of these in one action."""
    names = sorted(NAMED.keys() - {"plain", "several"})
    for name in body.rng.sample(names, body.rng.randint(2, 3)):
        NAMED[name](body)


NAMED["several"] = several
