"""The fewest literals that explain every refusal.

Each refusal is a set of literals of which one is required; wanted is a set with one of each, as small as
possible, and of several such sets the one whose literals come first in an order of preference. An atom and
its negation are never both in it. Depth-first over the smallest refusal not yet explained, one literal more
allowed each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from assay.core.universe import bits_of, indices

MOST_NODES = 20_000
"""Partial sets looked at; beyond that the first set found is taken."""


def fewest(clauses: Iterable[int], rank: Callable[[int], tuple[object, ...]], atoms: int) -> int:
    """A smallest set that meets every clause; of several the first by the ranks of its members.

    Literal i and literal i + `atoms` exclude each other. What nothing explains (a contradiction) is left
    aside.
    """
    distinct = sorted(set(clauses) - {0}, key=lambda c: (c.bit_count(), c))
    smallest: list[int] = []
    for clause in distinct:
        if all(known & ~clause for known in smallest):
            smallest.append(clause)
    order = sorted({i for clause in smallest for i in indices(clause)}, key=rank)
    place = {index: number for number, index in enumerate(order)}
    nodes = 0

    def sets(chosen: tuple[int, ...], mask: int, size: int) -> Iterator[tuple[int, ...]]:
        nonlocal nodes
        nodes += 1
        open_ = next((c for c in smallest if not c & mask), None)
        if open_ is None:
            yield tuple(sorted(place[i] for i in chosen))
        elif size and (nodes <= MOST_NODES):
            for i in sorted(indices(open_ & ~_opposites(mask, atoms)), key=place.__getitem__):
                yield from sets((*chosen, i), mask | 1 << i, size - 1)

    for size in range(len(smallest) + 1):
        best = min(sets((), 0, size), default=None)
        if best is not None:
            return bits_of(order[number] for number in best)
        if nodes > MOST_NODES:
            break
    return _greedy(smallest, order, atoms)


def _opposites(literals: int, atoms: int) -> int:
    return literals >> atoms | literals << atoms


def _greedy(clauses: list[int], order: list[int], atoms: int) -> int:
    """A set that meets the clauses, always taking what meets most of the rest; none of it is dispensable.

    A clause of which all literals are ruled out by then is left aside.
    """
    mask = 0
    while rest := [left for c in clauses if not c & mask and (left := c & ~_opposites(mask, atoms))]:
        mask |= 1 << max(order, key=lambda i: sum(c >> i & 1 for c in rest))
    for bit in (1 << i for i in reversed(order)):
        if all(c & mask & ~bit for c in clauses if c & mask):
            mask &= ~bit
    return mask
