"""Disjunctive normal forms over bits: a term is a pair (mask, value), a DNF a list of terms.

`fit` finds a small DNF for a sample of rows. `minimise` rewrites a DNF with fewest literals and leaves the function
as it is: every term becomes prime (no literal can be dropped), and terms that the others imply go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

Term = tuple[int, int]
"""(mask, value): the row has these bits at these places."""

TRUE_TERM: Term = (0, 0)


def bits(mask: int) -> list[int]:
    """The places of the bits set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def covers(terms: Iterable[Term], row: int) -> bool:
    return any(row & mask == value for mask, value in terms)


def subsumes(general: Term, special: Term) -> bool:
    """Whether every row of the special term is one of the general term."""
    return general[0] & ~special[0] == 0 and special[1] & general[0] == general[1]


# ---- minimisation


def minimise(terms: Sequence[Term], impossible: Sequence[Term] = ()) -> list[Term]:
    """An equivalent DNF of prime terms, none of them implied by the others; rows of impossible terms do not count."""
    primes: list[Term] = []
    known = [*terms, *impossible]
    for term in terms:
        prime = _expand(term, known)
        if not any(subsumes(other, prime) for other in primes):
            primes = [p for p in primes if not subsumes(prime, p)] + [prime]
    for term in sorted(primes, key=lambda t: (-t[0].bit_count(), t)):
        rest = [p for p in primes if p != term]
        if implies(term, [*rest, *impossible]):
            primes = rest
    return primes


def _expand(term: Term, known: Sequence[Term]) -> Term:
    mask, value = term
    for place in bits(mask):
        smaller = mask & ~(1 << place)
        if implies((smaller, value & smaller), known):
            mask, value = smaller, value & smaller
    return mask, value


def implies(term: Term, terms: Sequence[Term]) -> bool:
    """Whether the DNF holds wherever the term does (Shannon expansion on the places the DNF still names)."""
    mask, value = term
    left = []
    for other_mask, other_value in terms:
        if (value ^ other_value) & mask & other_mask:
            continue
        rest = other_mask & ~mask
        if not rest:
            return True
        left.append((rest, other_value & rest))
    if not left:
        return False
    pivot = left[0][0] & -left[0][0]
    reduced = [(m, v) for m, v in left]
    return implies((pivot, 0), reduced) and implies((pivot, pivot), reduced)


# ---- fitting


def fit(positive: Iterable[int], negative: Iterable[int], width: int, banned: int = 0) -> list[Term] | None:
    """A small DNF that is true of the positive rows and false of the negative; None if a row is both.

    Greedy set cover by conjunctions of one, then two, then three literals; what is left over becomes one row
    shortened as far as the negative rows let it. Banned places are not used.
    """
    pos, neg = sorted(set(positive)), sorted(set(negative))
    if not neg:
        return [TRUE_TERM]
    literals = _literals(pos, neg, width, banned)
    left, terms = (1 << len(pos)) - 1, []
    while left:
        term = _best_conjunction(literals, left)
        if term is None:
            row = pos[(left & -left).bit_length() - 1]
            term = _shortened(row, neg, ((1 << width) - 1) & ~banned)
            if term is None:
                return None
        terms.append(term)
        left = sum(1 << k for k in bits(left) if pos[k] & term[0] != term[1])
    return terms


Column = tuple[int, int, int, int]
"""A literal: its place, its bit, and the positive and negative rows that show it."""


def _literals(pos: list[int], neg: list[int], width: int, banned: int) -> list[Column]:
    def column(rows: list[int], place: int) -> int:
        return sum(1 << k for k, row in enumerate(rows) if row >> place & 1)

    all_pos, all_neg = (1 << len(pos)) - 1, (1 << len(neg)) - 1
    found = []
    for place in range(width):
        if banned >> place & 1:
            continue
        p, n = column(pos, place), column(neg, place)
        found += [(place, 1, p, n), (place, 0, all_pos & ~p, all_neg & ~n)]
    return [x for x in found if x[2] and x[3] != all_neg]


def _best_conjunction(literals: list[Column], left: int) -> Term | None:
    """The literals, at most three, that exclude every negative row and hold of most rows left."""
    wanted, best, chosen = left.bit_count(), 0, None
    for size in (1, 2, 3):
        if best * size >= wanted and chosen is not None:
            break
        useful = [x for x in literals if (x[2] & left).bit_count() > best]
        if size == 3 and len(useful) > MANY_LITERALS:
            break
        for group in combinations(useful, size):
            pos, neg = left, -1
            for x in group:
                pos, neg = pos & x[2], neg & x[3]
            if not neg and pos.bit_count() > best:
                best, chosen = pos.bit_count(), group
    if chosen is None:
        return None
    return sum(1 << x[0] for x in chosen), sum(x[1] << x[0] for x in chosen)


MANY_LITERALS = 80
"""Triples of more literals than this are not searched: the row left over is shortened instead."""


def _shortened(row: int, negative: list[int], mask: int) -> Term | None:
    if any((row ^ other) & mask == 0 for other in negative):
        return None
    for place in bits(mask):
        smaller = mask & ~(1 << place)
        if not any((row ^ other) & smaller == 0 for other in negative):
            mask = smaller
    return mask, row & mask
