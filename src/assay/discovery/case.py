"""All that is known of one capability while it is being discovered.

What the simulator allows, what the agent did and what it refused, each by the valuation of the capability's
atoms; the conjunction that explains it, as long as there is one. Answers that no conjunction explains are
kept: they are what the description is then chosen by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from assay.core.reach import Low
from assay.discovery.schema import Schema
from assay.discovery.shape import Shape
from assay.errors import Contradiction
from assay.knowledge.conjunction import Conjunction


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change that the simulator allows: from one abstract state to another."""

    before: int
    after: int
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A change that the agent brought about, and how."""

    before: Low
    after: Low
    keys: tuple[str, ...]
    args: tuple[str, ...]
    entry: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A change that the simulator allows and the agent does not bring about."""

    before: Low
    after: Low
    args: tuple[str, ...]
    entry: int
    realisations: int
    """Of how many realisations of the abstract state this was said."""
    others: int
    """From how many realisations it can, although it cannot from this one."""


@dataclass(slots=True)
class Case:
    """All that is known of one capability."""

    schema: Schema
    needs: Conjunction
    candidates: dict[int, list[Candidate]] = field(default_factory=dict)
    """What the simulator allows, by valuation."""
    passes: Counter[int] = field(default_factory=Counter)
    """Valuations under which the agent did it, and how often."""
    failures: Counter[int] = field(default_factory=Counter)
    examples: list[Example] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    tried: Counter[int] = field(default_factory=Counter)
    contradicted: int = 0
    """The entry after which no conjunction fits."""
    gave_up: int = 0
    uneven: int = 0
    """Abstract states from some of whose realisations the agent can and from others it cannot."""
    asked: int = 0

    @property
    def shape(self) -> Shape:
        return self.schema.shape

    @property
    def held(self) -> bool:
        return bool(self.passes)

    def passed(self, value: int, entry: int) -> None:
        self.passes[value] += 1
        self._learn(entry, lambda: self.needs.passed(self._all, value, frozenset((entry,))))

    def failed(self, value: int, entry: int) -> None:
        self.failures[value] += 1
        self._learn(entry, lambda: self.needs.failed(value, entry))

    def _learn(self, entry: int, learn: Callable[[], object]) -> None:
        if self.contradicted:
            return
        try:
            learn()
        except Contradiction:
            self.contradicted = entry

    @property
    def _all(self) -> int:
        return (1 << len(self.schema.atoms)) - 1
