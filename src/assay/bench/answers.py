"""What a test found out about each kind of change, and the best that a conjunction could do with it.

A conjunction that covers every success consists of literals that all successes have in common. So a refusal
in which all of these hold is promised by every such conjunction: it is *unavoidable*, and an error made there
is shown to be inexpressible. The conjunction of all these literals makes no other error there: the best.

A refusal that is promised, but not yet shown to be unavoidable, lacks some of those literals. Successes that
lack them, too, would show it. They are looked for: with the answers of the test alone, most of what is
common to few successes is chance.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.discovery.schema import Schema
from assay.discovery.shape import Shape


@dataclass(slots=True)
class Told:
    """The answers about one kind of change."""

    schema: Schema
    true: int
    false: int
    """Atoms true, and atoms false, whenever the agent did it, also when it was asked afterwards."""
    refused: list[int] = field(default_factory=list)
    """Valuations of the test's refusals."""
    promised: list[int] = field(default_factory=list)
    """Those of them that the description promises."""
    done: int = 0
    missed: int = 0
    """What the agent did in the test, and what the description denies of it."""
    more: int = 0
    """Questions asked afterwards."""

    @classmethod
    def about(cls, schema: Schema) -> Told:
        full = (1 << len(schema.atoms)) - 1
        return cls(schema, full, full)

    def succeeded(self, value: int) -> None:
        self.true &= value
        self.false &= ~value

    def lacking(self, value: int) -> int:
        """The atoms of which a literal common to all successes does not hold; none: it is unavoidable."""
        return self.true & ~value | self.false & value

    @property
    def unavoidable(self) -> int:
        return sum(not self.lacking(value) for value in self.refused)

    @property
    def errors(self) -> int:
        return self.missed + len(self.promised)

    @property
    def shown(self) -> int:
        """Errors that no conjunction avoids: a miss is one if there is none that is right about all."""
        return sum(not self.lacking(v) for v in self.promised) + (self.missed if self.unavoidable else 0)

    def wanted(self) -> list[int]:
        """For each error that is not shown to be one the atoms that a success should lack to show it."""
        if self.shown == self.errors:
            return []
        if self.missed and not self.unavoidable:
            return [self.lacking(value) for value in self.refused]
        return [lacking for value in self.promised if (lacking := self.lacking(value))]


@dataclass(frozen=True, slots=True)
class Bound:
    """How good a description was, beside the best conjunction on the same answers."""

    errors: int
    shown: int
    """Errors shown to be inexpressible."""
    best: float
    """The precision there of the narrowest conjunctions that cover all that the agent was seen to do."""
    more: int
    """Questions asked beside the test's own to find that out."""


class Answers(dict[Shape, Told]):
    """The answers about one player, change by change, from one test or several."""

    def bound(self, errors: int) -> Bound:
        done, unavoidable = sum(t.done for t in self.values()), sum(t.unavoidable for t in self.values())
        best = done / (done + unavoidable) if done else 1.0
        return Bound(errors, sum(t.shown for t in self.values()), best, sum(t.more for t in self.values()))
