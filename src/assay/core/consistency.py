"""Whether formulas can hold together, as far as their leaves tell.

A propositional tableau: literals, equalities and quantified formulas are the leaves, and one closes a branch
with its negation. "Contradictory" is therefore always right; formulas that contradict each other for a deeper
reason (two quantified formulas, an equality), or in more branches than are looked at, are not found to.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.core.formula import FALSE, And, Formula, Or, conjoin, conjuncts, negate

MOST_BRANCHES, MOST_SPLITS = 10_000, 150
"""Branches looked at in all, and disjunctions in one."""


def contradictory(*formulas: Formula) -> bool:
    """Whether no state can make all of them true."""
    return _closes(formulas, frozenset(), (), iter(range(MOST_BRANCHES)))


def within(condition: Formula, case: Formula) -> Formula:
    """What is left of a condition where the case is known to hold: nothing that the case says already."""
    if contradictory(condition, case):
        return FALSE
    return conjoin(p for p in conjuncts(condition) if not contradictory(case, negate(p)))


def _closes(
    formulas: tuple[Formula, ...], leaves: frozenset[Formula], open_: tuple[Or, ...], branches: Iterator[int]
) -> bool:
    """Whether every branch closes; disjunctions wait until all leaves are known."""
    todo = list(formulas)
    while todo:
        formula = todo.pop()
        if isinstance(formula, And):
            todo += formula.parts
        elif isinstance(formula, Or):
            open_ += (formula,)
        elif negate(formula) in leaves:
            return True
        else:
            leaves |= {formula}
    split = next((o for o in open_ if leaves.isdisjoint(o.parts)), None)
    if split is None or len(open_) > MOST_SPLITS or next(branches, None) is None:
        return False
    rest = tuple(o for o in open_ if o is not split)
    return all(_closes((part,), leaves, rest, branches) for part in split.parts)
