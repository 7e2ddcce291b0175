"""Pairs of facts that can hold together, as far as pairs can tell.

A *literal* is an atom being true or being false. Two literals are taken to hold together if they do in an
initial state, or after a step whose precondition holds together, pair by pair: both are effects, or one is
an effect and the other is left alone and goes with the whole precondition (the h² of Haslum and Geffner,
"Admissible heuristics for optimal planning", AIPS 2000). What is left out never holds in any state the
model can reach; what is left in may or may not. Each literal has the set of its partners as one integer.
"""

from __future__ import annotations

from assay.core.universe import indices
from assay.proof.task import Condition, Task

MOST_WORK = 20_000_000
"""Sets of partners looked at, and pairs found; a few seconds."""


class Pairs:
    def __init__(self, task: Task, most_work: int = MOST_WORK) -> None:
        self._size = task.size
        self._full = (1 << task.size) - 1
        self._partners = [0] * (2 * task.size)
        self._reached = 0
        for bits in task.initial:
            held = self.literals(Condition(bits, self._full ^ bits))
            self._reached |= held
            for literal in indices(held):
                self._partners[literal] |= held
        self.finished = self._spread(task, most_work)
        """Whether all pairs were found; if not, nothing can be said."""

    def literals(self, condition: Condition) -> int:
        """The condition as a set of literals: true atoms first, then false ones."""
        return condition.needed | condition.forbidden << self._size

    def together(self, literals: int) -> int:
        """All literals that may hold with these; none if these cannot hold together themselves."""
        found, partners = self._reached, self._partners
        for literal in indices(literals):
            found &= partners[literal]
        return found if literals & found == literals else 0

    def possible(self, literals: int) -> bool:
        return not literals or bool(self.together(literals))

    def _spread(self, task: Task, most_work: int) -> bool:
        partners, size, full = self._partners, self._size, self._full
        steps = []
        for move in task.moves:
            before = self.literals(move.condition)
            after = self.literals(Condition(move.added, move.deleted))
            changed = after | after >> size | (after & full) << size
            steps.append((before, indices(before), after, indices(after), ~changed))
        work, grown = 0, self._reached
        while grown:
            recent, grown = grown, 0
            for before, needs, after, effects, kept in steps:
                if before and not before & (recent | grown):
                    continue
                held = self._reached
                for literal in needs:
                    held &= partners[literal]
                work += len(needs) + len(effects) + 1
                if work > most_work:
                    return False
                if before & held != before:
                    continue
                held = held & kept | after
                for effect in effects:
                    if new := held & ~partners[effect]:
                        partners[effect] |= new
                        bit = 1 << effect
                        grown |= new | bit
                        numbers = indices(new)
                        work += len(numbers)
                        for literal in numbers:
                            partners[literal] |= bit
                self._reached |= after
        return True
