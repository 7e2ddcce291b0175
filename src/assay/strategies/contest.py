"""Who made which kind of change, where several actions may have made the same.

Each kind of change was probably made by one of the actions, and each action probably made one of the kinds:
so what one action claims with good reason is left to the others less, until the shares settle. People list
actions in the order in which things are usually done; of actions that may have made the same kinds, the first
probably made what was seen first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import exp

from assay.strategies.readings import Hypothesis

ROUNDS = 6
IN_TURN, MOST_TURNS = 0.4, 3.0
"""How much less likely an action is to have made a kind of change with every place by which its turn among
the actions and that of the change among the kinds differ; and how many places count."""
CROWDED = 1.5
"""Demand for a kind from which on several actions seem to make it, so that there is no order to go by."""

Claims = Counter[object]
"""Per kind of change, how much of it is claimed; under None, of not being seen at all."""


def contested(
    rows: Mapping[str, list[Hypothesis]], first: Mapping[object, int]
) -> tuple[dict[str, list[float]], Claims]:
    """The shares of each action's hypotheses, and the demand for each kind. The actions come in the order in
    which they are listed; `first` tells when each kind was first seen, or nothing if that is not to count."""
    shares = {name: _normal([h.weight for h in row]) for name, row in rows.items()}
    demand: Claims = Counter()
    for _ in range(ROUNDS):
        owned = {name: _claims(row, shares[name]) for name, row in rows.items()}
        demand = sum(owned.values(), Counter())
        before: Claims = Counter()
        for name, row in rows.items():
            likely = {kind: share / (demand[kind] or 1) for kind, share in owned[name].items() if kind}
            if first:
                _take_turns(likely, sum(before[kind] for kind in likely), demand, first)
            before.update(owned[name])
            likely[None] = max(likely.values(), default=1.0)  # who shares a kind is no likelier unseen
            shares[name] = _normal([h.weight * likely[h.kind] for h in row])
    return shares, demand


def _take_turns(
    likely: dict[object, float], turn: float, demand: Claims, first: Mapping[object, int]
) -> None:
    """Make kinds less likely that are not about as far in the order of changes as the action in its own."""
    if max((demand[kind] for kind in likely), default=0.0) > CROWDED:
        return
    passed = 0.0
    for kind in sorted(likely, key=lambda kind: first[kind]):
        likely[kind] *= exp(-IN_TURN * min(MOST_TURNS, abs(passed - turn)))
        passed += min(1.0, demand[kind])


def _claims(row: list[Hypothesis], shares: list[float]) -> Claims:
    claims: Claims = Counter()
    for h, share in zip(row, shares, strict=True):
        claims[h.kind] += share  # type: ignore[assignment]
    return claims


def _normal(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [w / total for w in weights] if total else weights
