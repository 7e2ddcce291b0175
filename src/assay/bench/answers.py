"""What tests found out about each kind of change, and how much better a conjunction could have done.

A conjunction that denies nothing that the agent does consists of literals that all successes have in common.
So a refusal in which all of these hold is promised by every such conjunction: it is *unavoidable*. All those
conjunctions make at least as many errors as there are unavoidable refusals; the conjunction of all these
literals makes no more, and is the best of them.

An error is *shown* to be inexpressible if the best conjunction does no better there. A refusal that is
promised is shown if it is unavoidable. Successes that are denied are shown if their description, held against
the answers of all tests, denies as many unavoidable refusals as successes, or more: to promise both would be
no better.

A refusal that is not yet shown to be unavoidable lacks some of those literals. Successes that lack them, too,
would show it. They are looked for: with the answers of the tests alone, most of what is common to few
successes is chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from assay.core.model import Model
from assay.discovery.grounding import Matcher
from assay.discovery.questions import sayable
from assay.discovery.schema import Schema
from assay.discovery.shape import Shape


class Promises:
    """What a description says of situations, derived facts left out."""

    def __init__(self, model: Model, matcher: Matcher, derived: int) -> None:
        self._model, self._matcher, self._own = model, matcher, ~derived

    def key(self, bits: int) -> int:
        return bits & self._own

    def of(self, bits: int) -> dict[int, int]:
        """The situations that it says can be reached by one capability, by their keys."""
        promised: dict[int, int] = {}
        for action in self._model.actions:
            for _, after in self._matcher.successors(bits, action):
                if self.key(after) != self.key(bits):
                    promised[self.key(after)] = after
        return promised


class Asked(NamedTuple):
    """One answer of a test."""

    before: int
    key: int
    """The situation that the change leads to."""
    value: int
    """The valuation."""
    done: bool


@dataclass(frozen=True, slots=True)
class Denials:
    """What a description denies, in the situations of all tests."""

    successes: int
    refusals: list[int]
    """Valuations."""


@dataclass(slots=True)
class Told:
    """The answers about one kind of change."""

    schema: Schema
    true: int
    false: int
    """Atoms true, and atoms false, whenever the agent did it, also when it was asked afterwards."""
    sayable: int
    """Atoms about things that are there whenever the agent did it."""
    asked: list[Asked] = field(default_factory=list)
    promised: list[int] = field(default_factory=list)
    """Valuations of refusals that the description put to the test promises."""
    missed: Counter[int] = field(default_factory=Counter)
    """How often the agent did what the description denies, test by test."""
    denials: dict[int, Denials] = field(default_factory=dict)
    """Of the descriptions that denied a success."""
    more: int = 0
    """Questions asked afterwards."""

    @classmethod
    def about(cls, schema: Schema) -> Told:
        full = (1 << len(schema.atoms)) - 1
        return cls(schema, full, full, full)

    def succeeded(self, value: int) -> None:
        true = self.true & value
        self.false &= ~value
        if true != self.true:
            self.true, self.sayable = true, sayable(self.schema, true)

    def lacking(self, value: int) -> int:
        """The atoms of which a literal common to all successes does not hold; none: it is unavoidable."""
        return (self.true & ~value | self.false & value) & self.sayable

    def _unavoidable(self, values: Iterable[int]) -> int:
        return sum(not self.lacking(value) for value in values)

    @property
    def unavoidable(self) -> int:
        return self._unavoidable(one.value for one in self.asked if not one.done)

    @property
    def done(self) -> int:
        return sum(one.done for one in self.asked)

    def _excused(self, test: int) -> bool:
        denials = self.denials[test]
        return self._unavoidable(denials.refusals) >= denials.successes

    @property
    def shown(self) -> int:
        """Errors where the best conjunction is no better."""
        missed = sum(count for test, count in self.missed.items() if self._excused(test))
        return self._unavoidable(self.promised) + missed

    def wanted(self) -> list[int]:
        """For each refusal that may show an error, the atoms that a success should lack for that."""
        refused = list(self.promised)
        for test in self.missed:
            if not self._excused(test):
                refused += self.denials[test].refusals
        return [lacking for value in refused if (lacking := self.lacking(value))]

    def hold(self, test: int, promises: Promises) -> None:
        """Holds a description against the answers of all tests."""
        promised = {before: promises.of(before) for before in {one.before for one in self.asked}}
        denied = [one for one in self.asked if one.key not in promised[one.before]]
        refusals = [one.value for one in denied if not one.done]
        self.denials[test] = Denials(len(denied) - len(refusals), refusals)


@dataclass(frozen=True, slots=True)
class Bound:
    """How good descriptions were, beside the best conjunctions on the same answers."""

    errors: int
    shown: int
    """Errors shown to be inexpressible."""
    best: float
    """The precision there of the best conjunctions that deny nothing of what the agent was seen to do."""
    more: int
    """Questions asked beside the tests' own to find that out."""


class Answers(dict[Shape, Told]):
    """The answers about one player, change by change, from one test or several."""

    def __init__(self) -> None:
        super().__init__()
        self._descriptions: list[Promises] = []

    def begin(self, description: Promises) -> int:
        """Another test; tells its number."""
        self._descriptions.append(description)
        return len(self._descriptions) - 1

    def compare(self) -> None:
        """After the tests: descriptions that denied a success, beside all the answers."""
        for told in self.values():
            for test in told.missed:
                told.hold(test, self._descriptions[test])

    def bound(self, errors: int) -> Bound:
        done, unavoidable = sum(t.done for t in self.values()), sum(t.unavoidable for t in self.values())
        best = done / (done + unavoidable) if done else 1.0
        return Bound(errors, sum(t.shown for t in self.values()), best, sum(t.more for t in self.values()))
