"""The next question about a capability: a situation on which two descriptions of it disagree.

A literal in doubt gives two models, with it and without it. They disagree on a situation in which the
literal does not hold and the change is possible in the simulator: there the first says the agent cannot,
the second that it can (Descriptions, Algorithm 1, lines 5 to 7, for many literals at once). A yes clears
all of them, a no leaves the clause that one of them is needed, which is then halved. So the price is the
logarithm of the number of literals, as it is for actions.

Of an agent that is erratic, because something that the words do not tell decides, too, one refusal convicts
nothing. There, every literal that all successes have in common is to rest on several refusals, each in a
situation of its own: to ask again about the same would tell nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_

from assay.core.universe import indices
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


def shakiest(
    schema: Schema, passes: Iterable[int], failures: Mapping[int, int], valuations: Iterable[int], enough: int
) -> list[int]:
    """Of the literals that all successes have in common, one that rests on fewest refusals, and fewer than
    enough: the valuations in which it does not hold, and fewest others do not."""
    true, false = common(passes, len(schema.atoms))
    wanted = sayable(schema, true)
    lacking = {v: (true & ~v | false & v) & wanted for v in valuations}
    refused = [((true & ~v | false & v) & wanted, count) for v, count in failures.items()]
    best: tuple[int, int] | None = None
    for number in indices(reduce(or_, lacking.values(), 0)):
        rests = sum(count for each, count in refused if each >> number & 1)
        if rests < enough and (best is None or rests < best[0]):
            best = rests, number
    if best is None:
        return []
    without = {v: each.bit_count() for v, each in lacking.items() if each >> best[1] & 1}
    fewest = min(without.values())
    return [v for v, count in without.items() if count == fewest]


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
