"""Prime implicants of a Boolean function of a few features, from its truth table.

A table is an integer with one bit for each row; a term implies the function if no row of the term is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from assay.testing.hidden.features import Feature, Function, Term, rows


def prime_implicants(function: Function, names: Sequence[Feature]) -> list[Term]:
    """The terms that imply the function, none of which has a part that does, shortest first."""
    table = sum(function(row) << number for number, row in enumerate(rows(names)))
    full = (1 << (1 << len(names))) - 1
    true = [sum(row[name] << number for number, row in enumerate(rows(names))) for name in names]
    relevant = [n for n in range(len(names)) if _matters(table, true[n], 1 << (len(names) - 1 - n))]
    found: list[frozenset[tuple[int, bool]]] = []
    for size in range(len(relevant) + 1):
        for chosen in combinations(relevant, size):
            for values in product((False, True), repeat=size):
                term = frozenset(zip(chosen, values, strict=True))
                covered = full
                for n, value in term:
                    covered &= true[n] if value else ~true[n]
                if not covered & ~table and not any(part <= term for part in found):
                    found.append(term)
    return [{names[n]: value for n, value in sorted(term)} for term in found]


def _matters(table: int, true: int, step: int) -> bool:
    """Whether some row and its neighbour, which differs in one feature, have different values.

    Rows count upwards with the first feature as the highest digit, so neighbours are a power of two apart.
    """
    return (table & true) >> step != table & ~true
