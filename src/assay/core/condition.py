"""A condition on states: a formula over ground atoms, of which it can be asked whether it may hold.

Negation stands at atoms only, so a condition says of every, or of some, of these that they are so: atoms that
are true, atoms that are false, and further conditions. Of a state that is known only in part it is then
read off what may be true and what must be.

Guarantee: what is said not to be possible is not. The converse need not hold: if an atom that is not known
stands in the formula with both signs, its values are not tried out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    every: bool
    """Whether all of it must be so, or any of it."""
    true: int = 0
    false: int = 0
    parts: tuple[Condition, ...] = ()

    def possible(self, may: int, must: int) -> bool:
        """Whether it may hold where at most the one set of atoms is true, and at least the other."""
        if self.every:
            if self.true & ~may or self.false & must:
                return False
            return all(part.possible(may, must) for part in self.parts)
        if self.true & may or self.false & ~must:
            return True
        return any(part.possible(may, must) for part in self.parts)

    def holds(self, bits: int) -> bool:
        """As `possible` of a state that is known, only faster."""
        true, false = self.true & bits, self.false & ~bits
        if self.every:
            if true != self.true or false != self.false:
                return False
            return not self.parts or all(part.holds(bits) for part in self.parts)
        return bool(true or false) or any(part.holds(bits) for part in self.parts)


def joined(every: bool, parts: Iterable[Condition]) -> Condition:
    """All, or any, of the conditions, with as little nesting as possible."""
    true = false = 0
    rest: list[Condition] = []
    for part in parts:
        literals = (part.true.bit_count() + part.false.bit_count(), len(part.parts))
        if part.every == every or literals == (1, 0):
            true, false = true | part.true, false | part.false
            rest += part.parts
        elif part.every != every and literals == (0, 1):
            rest += part.parts
        else:
            rest.append(part)
    return Condition(every, true, false, tuple(rest))
