"""What was seen of one action: points at which it was tried, and what came of it.

A *point* is the action's view of a situation: its own facts, and the set of profiles that other objects have. Two
steps at the same point look alike in every feature; where they turn out differently, no model over the vocabulary
explains the action.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from assay.learn.features import Profile

Others = frozenset[Profile]


class Point(NamedTuple):
    own: int
    others: Others = frozenset()


class Change(NamedTuple):
    """What became of one other object: its profile before and after."""

    type: str
    before: int
    after: int


@dataclass(slots=True, eq=False)
class Example:
    """One step that was tried."""

    point: Point
    after: int | None
    """The own facts afterwards; None if the step was refused."""
    changes: tuple[Change, ...] = ()
    """The other objects that were watched. All that changed are among them."""
    entry: int = 0
    """The journal entry that shows it."""
    direct: bool = True
    """Whether the agent told the states before and after, rather than that they were foretold."""
    crowd: bool = False
    """Whether a crowd was around, in which every two facts are true of some other object."""
    sure: bool = True
    """Whether it rests on no foretold state at all; the last run of a plan rests on those before it."""
    extended: int = -1
    """Own facts and quantified features as one row; a cache that `Hypothesis.row` fills."""
    width: int = -1

    @property
    def ran(self) -> bool:
        return self.after is not None


@dataclass(slots=True)
class Evidence:
    """The examples of one action, and the first two that contradict each other."""

    examples: list[Example] = field(default_factory=list)
    at: dict[Point, Example] = field(default_factory=dict)
    invalid: set[Point] = field(default_factory=set)
    """Points that the agent called impossible. Never evidence; only not asked again."""
    conflict: tuple[Example, Example] | None = None
    replaced: int = 0
    """Examples that rested on a foretold state and that a told one corrected."""

    def add(self, example: Example) -> bool:
        """Takes the example in; False if its point was known."""
        known = self.at.get(example.point)
        if known is None:
            self.at[example.point] = example
            self.examples.append(example)
            return True
        if known.after != example.after:
            self._disagree(known, example)
        return False

    def _disagree(self, known: Example, example: Example) -> None:
        """What was told counts more than what was foretold; told twice differently is a contradiction."""
        if not known.sure and example.sure:
            self.at[example.point] = example
            self.examples[self.examples.index(known)] = example
            self.replaced += 1
        elif known.sure == example.sure:
            self.conflict = self.conflict or (known, example)

    def drop_foretold(self) -> bool:
        """Forgets what rests on foretold states, which may have been foretold wrongly; whether there was any."""
        kept = [e for e in self.examples if e.sure]
        if len(kept) == len(self.examples) or not any(e.ran for e in kept):
            return False
        self.examples, self.at = kept, {e.point: e for e in kept}
        self.replaced += 1
        return True

    @property
    def runs(self) -> list[Example]:
        return [e for e in self.examples if e.ran]

    @property
    def refusals(self) -> list[Example]:
        return [e for e in self.examples if not e.ran]
