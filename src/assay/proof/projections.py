"""What can hold together, by following every object on its own as well.

Pairs of facts say nothing about three. But the atoms about one object are few, and of their values mostly few
are ever reached: with everything else left out of the moves, all of them are visited. A reachable state
agrees with each object's list and with the pairs; literals that leave some list empty never hold together,
and what all entries left in a list have in common follows from them.
"""

from __future__ import annotations

from assay.core.universe import indices
from assay.proof.mutexes import Pairs
from assay.proof.task import Condition, Task

MOST_ENTRIES, MOST_LOOKS = 5000, 1_000_000
"""Entries in the list of one object, and moves looked at for it; an object that takes more has no list."""


class Projections:
    """Answers like `Pairs`, and rules out more."""

    def __init__(self, task: Task, pairs: Pairs) -> None:
        self._pairs, self._size = pairs, task.size
        self._lists: list[tuple[int, list[int]]] = []
        """For each object, the atoms about it, and the reachable values of these as sets of literals."""
        self._about: dict[int, list[int]] = {}
        """For each atom, the numbers of the lists it is in."""
        self._known: dict[int, int] = {}
        for atoms in task.atoms_by_object():
            values = _reachable(task, atoms)
            if values is not None:
                for atom in indices(atoms):
                    self._about.setdefault(atom, []).append(len(self._lists))
                held = [v | (atoms & ~v) << task.size for v in values]
                self._lists.append((atoms | atoms << task.size, held))

    def literals(self, condition: Condition) -> int:
        return self._pairs.literals(condition)

    def together(self, literals: int) -> int:
        """All literals that may hold with these; none if these cannot hold together themselves."""
        if literals not in self._known:
            self._known[literals] = self._together(literals)
        return self._known[literals]

    def _together(self, literals: int) -> int:
        size, full = self._size, (1 << self._size) - 1
        while held := self._pairs.together(literals):
            atoms = (literals | literals >> size) & full
            cared = 0
            for number in sorted({n for atom in indices(atoms) for n in self._about.get(atom, ())}):
                about, entries = self._lists[number]
                shared = 0
                for entry in entries:
                    if not entry & ~held:
                        shared |= entry
                if not shared:
                    return 0
                held &= ~about | shared
                cared |= about
            opposite = held >> size | (held & full) << size
            forced = held & cared & ~opposite & ~literals
            if not forced:
                return held
            literals |= forced
        return 0

    def possible(self, condition: Condition) -> bool:
        """Whether each object on its own allows the condition."""
        literals = self.literals(condition)
        return all(any(not literals & about & ~entry for entry in entries) for about, entries in self._lists)


def _reachable(task: Task, atoms: int) -> list[int] | None:
    moves = {
        (m.condition.care & atoms, m.condition.needed & atoms, ~m.deleted, m.added & atoms)
        for m in task.moves
        if (m.added | m.deleted) & atoms
    }
    found = dict.fromkeys(bits & atoms for bits in task.initial)
    frontier, looks = list(found), 0
    while frontier:
        bits = frontier.pop()
        looks += len(moves)
        if looks > MOST_LOOKS or len(found) > MOST_ENTRIES:
            return None
        for care, value, kept, added in moves:
            if bits & care == value and (after := bits & kept | added) not in found:
                found[after] = None
                frontier.append(after)
    return list(found)


def follow(task: Task, most_work: int) -> Projections | None:
    """The projections of the task, with moves left out that they rule out; None if that takes too long."""
    while (pairs := Pairs(task, most_work)).finished:
        projections = Projections(task, pairs)
        moves = [move for move in task.moves if projections.possible(move.condition)]
        if len(moves) == len(task.moves):
            return projections
        task.moves = moves
    return None
