"""Models: what each action needs and what it does, lifted, in the user's vocabulary. All of ADL, with chance.

An action runs where its *precondition* holds. Its *cases* are conditions that part the situations in which it
runs; each has a distribution over *outcomes*; an outcome is a set of *effects*, each with a condition of its
own and, if need be, "for every z". All conditions are evaluated in the state before the step, and adds win
over deletes. Plain STRIPS is one conjunction, one case, one outcome and unconditional effects: `strips` makes
such actions and `is_strips` recognises them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from assay.core.formula import TRUE, Equality, Formula, conjoin, conjuncts, has_quantifier, is_conjunction
from assay.core.symbols import ActionHeader, Literal, Parameter
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError


@dataclass(frozen=True)
class Effect:
    """One fact becomes true or false, where the condition holds, for every value of the variables."""

    literal: Literal
    condition: Formula = TRUE
    variables: tuple[Parameter, ...] = ()

    @property
    def is_plain(self) -> bool:
        return self.condition == TRUE and not self.variables


@dataclass(frozen=True)
class Outcome:
    effects: frozenset[Effect]
    probability: float = 1.0

    @classmethod
    def plain(cls, literals: Iterable[Literal], probability: float = 1.0) -> Outcome:
        return cls(frozenset(map(Effect, literals)), probability)

    @property
    def is_plain(self) -> bool:
        return all(e.is_plain for e in self.effects)

    @property
    def literals(self) -> frozenset[Literal]:
        """What it brings about unconditionally; only for outcomes without conditional effects."""
        if not self.is_plain:
            raise InputError("an outcome with conditional effects where plain ones are wanted")
        return frozenset(e.literal for e in self.effects)


@dataclass(frozen=True)
class Case:
    """What may happen where the condition holds."""

    outcomes: tuple[Outcome, ...]
    condition: Formula = TRUE


@dataclass(frozen=True)
class ActionModel:
    header: ActionHeader
    precondition: Formula
    cases: tuple[Case, ...]

    @classmethod
    def strips(
        cls,
        header: ActionHeader,
        needed: Iterable[Literal],
        effects: Iterable[Literal],
        distinct: Iterable[tuple[str, str]] = (),
    ) -> ActionModel:
        """A conjunction and unconditional effects; `distinct` are pairs of arguments that must differ."""
        return cls.chance(header, needed, (Outcome.plain(effects),), distinct)

    @classmethod
    def chance(
        cls,
        header: ActionHeader,
        needed: Iterable[Literal],
        outcomes: Iterable[Outcome],
        distinct: Iterable[tuple[str, str]] = (),
    ) -> ActionModel:
        """A conjunction, and one case with these outcomes."""
        pairs = [Equality(x, y, False) for x, y in sorted(distinct)]
        return cls(header, _sorted_conjunction(needed, pairs), (Case(tuple(outcomes)),))

    @classmethod
    def adl(cls, header: ActionHeader, precondition: Formula, effects: Iterable[Effect]) -> ActionModel:
        """A deterministic action."""
        return cls(header, precondition, (Case((Outcome(frozenset(effects)),)),))

    def conditions(self) -> Iterator[Formula]:
        """Every condition in it: of running, of cases, of effects."""
        yield self.precondition
        for case in self.cases:
            yield case.condition
            yield from (e.condition for o in case.outcomes for e in o.effects)

    @property
    def is_quantified(self) -> bool:
        """Whether objects other than its arguments may matter to it."""
        effects = (e for c in self.cases for o in c.outcomes for e in o.effects)
        return any(e.variables for e in effects) or any(map(has_quantifier, self.conditions()))

    @property
    def is_deterministic(self) -> bool:
        return len(self.cases) == 1 and len(self.cases[0].outcomes) == 1

    @property
    def is_conjunctive(self) -> bool:
        """Whether the precondition is a conjunction, there is one case, and no effect has a condition."""
        return (
            is_conjunction(self.precondition)
            and len(self.cases) == 1
            and all(o.is_plain for o in self.cases[0].outcomes)
        )

    @property
    def is_strips(self) -> bool:
        return self.is_conjunctive and self.is_deterministic

    @property
    def effects(self) -> frozenset[Effect]:
        """What a deterministic action does."""
        return self._outcome.effects

    @property
    def plain_effects(self) -> frozenset[Literal]:
        """What a deterministic action brings about; only where no effect has a condition."""
        return self._outcome.literals

    @property
    def _outcome(self) -> Outcome:
        if not self.is_deterministic:
            raise InputError(f"action {self.header.name!r} has several outcomes; one is wanted here")
        return self.cases[0].outcomes[0]

    # ---- the view of code that knows conjunctions only

    @cached_property
    def needed(self) -> frozenset[Literal]:
        """The literals of a conjunctive precondition."""
        self._check_conjunctive()
        return frozenset(p for p in conjuncts(self.precondition) if isinstance(p, Literal))

    @cached_property
    def distinct(self) -> frozenset[tuple[str, str]]:
        """Pairs of terms that a conjunctive precondition wants to differ."""
        self._check_conjunctive()
        return frozenset((p.left, p.right) for p in conjuncts(self.precondition) if isinstance(p, Equality))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of a conjunctive action."""
        self._check_conjunctive()
        return self.cases[0].outcomes

    def _check_conjunctive(self) -> None:
        if not self.is_conjunctive:
            raise InputError(f"action {self.header.name!r} is not plain STRIPS, which is wanted here")


def _sorted_conjunction(literals: Iterable[Literal], pairs: Iterable[Equality]) -> Formula:
    return conjoin([*sorted(literals, key=lambda x: (not x.positive, x.atom)), *pairs])


@dataclass(frozen=True)
class Model:
    vocabulary: Vocabulary
    actions: tuple[ActionModel, ...]

    @cached_property
    def action(self) -> dict[str, ActionModel]:
        return {a.header.name: a for a in self.actions}
