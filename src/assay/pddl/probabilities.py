"""Probabilities as they are written: outcomes that are the same are one, and all add up to exactly one."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

from assay.core.model import Effect, Outcome
from assay.errors import InputError
from assay.pddl.effects import ROUNDING

_PLACES = Decimal("1e-15")
"""So many digits survive being read as a float, so that what is read can be written the same again."""


def merged(outcomes: Sequence[Outcome], owner: str) -> tuple[Outcome, ...]:
    """Each outcome that can happen, once; `InputError` if they do not add up to one."""
    found: dict[frozenset[Effect], float] = {}
    for outcome in outcomes:
        if not 0 <= outcome.probability <= 1 + float(ROUNDING):
            raise InputError(f"{owner} cannot be written: {outcome.probability!r} is no probability")
        found[outcome.effects] = found.get(outcome.effects, 0.0) + outcome.probability
    if abs((total := sum(found.values())) - 1) > ROUNDING:
        raise InputError(f"{owner} cannot be written: its probabilities add up to {total:g}, not to one")
    return tuple(Outcome(effects, p) for effects, p in found.items() if p)


def decimals(outcomes: Sequence[Outcome]) -> list[str]:
    """The probabilities as decimals that add up to exactly one; the largest takes what rounding leaves."""
    with localcontext(prec=50):
        exact = [max(Decimal(repr(o.probability)).quantize(_PLACES), _PLACES) for o in outcomes]
        largest = max(range(len(exact)), key=lambda n: exact[n])
        exact[largest] += 1 - sum(exact)
        return [f"{p.normalize():f}" for p in exact]
