"""The next question about a capability: a situation on which two descriptions of it disagree.

A literal in doubt gives two models, with it and without it. They disagree on a situation in which the
literal does not hold and the change is possible in the simulator: there the first says the agent cannot,
the second that it can (Descriptions, Algorithm 1, lines 5 to 7, for many literals at once). A yes clears
all of them, a no leaves the clause that one of them is needed, which is then halved. So the price is the
logarithm of the number of literals, as it is for actions.
"""

from __future__ import annotations

from collections.abc import Iterable

from assay.discovery.schema import Schema
from assay.knowledge.conjunction import Conjunction


def sayable(schema: Schema, may_true: int) -> int:
    """Atoms whose context variables the precondition could introduce: their anchors are not ruled out."""
    found = 0
    for number in range(len(schema.atoms)):
        if all(may_true >> anchor & 1 for anchor in schema.anchors(number)):
            found |= 1 << number
    return found


def telling(schema: Schema, needs: Conjunction, valuations: Iterable[int]) -> int | None:
    """The valuation whose answer tells most; None if no answer could tell anything."""
    wanted = sayable(schema, needs.may_true)
    clauses = [c.true | c.false for c in needs.clauses]
    narrow = min(clauses, key=int.bit_count, default=0)
    best: tuple[tuple[int, int], int] | None = None
    for value in valuations:
        doubted = violated(needs, value) & wanted
        if not doubted or doubted & needs.required or any(not clause & ~doubted for clause in clauses):
            continue
        inside = (doubted & narrow).bit_count()
        balance = -abs(inside - narrow.bit_count() // 2) if narrow else 0
        score = balance, doubted.bit_count()
        if best is None or score > best[0]:
            best = score, value
    return best and best[1]


def violated(needs: Conjunction, value: int) -> int:
    """Atoms of which a literal that is not cleared does not hold."""
    return needs.may_true & ~value | needs.may_false & value


def common(values: Iterable[int], size: int) -> tuple[int, int]:
    """Atoms true in all valuations, and atoms false in all."""
    true = false = (1 << size) - 1
    for value in values:
        true &= value
        false &= ~value
    return true, false
