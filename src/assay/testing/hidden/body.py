"""The body of a hidden action while it is put together: first plain STRIPS, then made odd by a kind.

Every oddity is made of *fresh* atoms, which the body does not mention yet, so that it is never hidden by
another part of the body. A body that has too few atoms left raises `Unsuitable`, and another one is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from assay.core.formula import Equality, Exists, Formula, conjoin, negate
from assay.core.model import ActionModel, Effect
from assay.core.symbols import ActionHeader, Atom, Literal, Parameter
from assay.core.vocabulary import Vocabulary

NEEDED = (2, 5)
"""Fewest and most literals of the plain precondition."""
CHANGES = (1, 3)
"""Fewest and most plain effects."""
POSITIVE = 0.75
"""Share of positive literals among those needed."""
OTHER = "?beside"
"""The variable that stands for an object that is no argument."""


class Unsuitable(Exception):
    """The vocabulary leaves no room for what a kind wants."""


class Body:
    def __init__(
        self, vocabulary: Vocabulary, header: ActionHeader, frozen: frozenset[str], rng: random.Random
    ) -> None:
        self.vocabulary, self.header, self.rng = vocabulary, header, rng
        self.frozen = frozen
        """Predicates that no action changes."""
        self._skip_constants = rng.random() < 0.5
        self._fresh = list(vocabulary.lifted_atoms(header.name))
        rng.shuffle(self._fresh)
        self.needed = [Literal(self.fresh(), rng.random() < POSITIVE) for _ in range(rng.randint(*NEEDED))]
        self.conditions: list[Formula] = []
        """What must hold beside the literals needed."""
        self.effects = self._plain_effects()

    def _plain_effects(self) -> list[Effect]:
        """At least one of them is always seen, because it turns a needed literal round."""
        turned = [negate(x) for x in self.needed if x.atom.predicate not in self.frozen]
        if not turned:
            raise Unsuitable("nothing needed can be changed")
        first, *more = [x for x in turned if isinstance(x, Literal)]
        pool = [*more, *(Literal(self.fresh_to_change(), self.rng.random() < 0.5) for _ in range(2))]
        chosen = self.rng.sample(pool, min(len(pool), self.rng.randint(*CHANGES) - 1))
        return [Effect(x) for x in [first, *chosen]]

    def build(self) -> ActionModel:
        return ActionModel.adl(self.header, conjoin([*self.needed, *self.conditions]), self.effects)

    # ---- material for oddities

    def fresh(self) -> Atom:
        """An atom over the arguments that nothing in the body mentions."""
        if not self._fresh:
            raise Unsuitable("no atom left")
        return self._fresh.pop()

    def fresh_to_change(self) -> Atom:
        for number, atom in enumerate(self._fresh):
            if atom.predicate not in self.frozen:
                return self._fresh.pop(number)
        raise Unsuitable("no atom left that may change")

    def literal(self) -> Literal:
        return Literal(self.fresh(), self.rng.random() < 0.5)

    def literals(self, count: int) -> list[Literal]:
        return [self.literal() for _ in range(count)]

    def give_up_one(self) -> Literal:
        """A literal that is needed so far and that no effect is about, and is needed no more."""
        touched = {e.literal.atom for e in self.effects}
        spare = [x for x in self.needed if x.atom not in touched]
        if not spare:
            raise Unsuitable("every needed literal is changed")
        chosen = self.rng.choice(spare)
        self.needed.remove(chosen)
        return chosen

    # ---- other objects

    def other(self) -> Parameter:
        """A variable of a random type of which something can be said."""
        types = [t.name for t in self.vocabulary.types]
        return Parameter(OTHER, (self.rng.choice(types),))

    def about(self, other: Parameter, terms: Iterable[str] = ()) -> list[Atom]:
        """Atoms over the variable, arguments and constants that name the variable and the terms."""
        header = ActionHeader("probe", (*self.header.parameters, other))
        words = replace(self.vocabulary, actions=(header,))
        wanted = {other.name, *terms}
        found = [a for a in words.lifted_atoms("probe") if wanted <= set(a.args)]
        self.rng.shuffle(found)
        return found

    def profile(self, other: Parameter, size: int) -> list[Literal]:
        """Literals about the other object."""
        atoms = self.about(other)
        if len(atoms) < size:
            raise Unsuitable("too few atoms about another object")
        return [Literal(a, self.rng.random() < POSITIVE) for a in atoms[:size]]

    def differs(self, other: Parameter) -> list[Formula]:
        """That the variable stands for no argument, and in some bodies for no constant, as inequalities."""
        terms = [(p.name, p.types) for p in self.header.parameters]
        terms += [(c.name, (c.type,)) for c in self.vocabulary.constants if self._skip_constants]
        return [
            Equality(other.name, name, False)
            for name, types in terms
            if self.vocabulary.common_type(other.types, types)
        ]

    def some_other(self, other: Parameter, conditions: Iterable[Formula]) -> Formula:
        return Exists((other,), conjoin([*self.differs(other), *conditions]))

    def no_other(self, other: Parameter, conditions: Iterable[Formula]) -> Formula:
        return negate(self.some_other(other, conditions))

    def change_others(self, other: Parameter, literal: Literal, conditions: Iterable[Formula] = ()) -> None:
        """For every other object, where the conditions hold."""
        condition = conjoin([*self.differs(other), *conditions])
        self.effects.append(Effect(literal, condition, (other,)))

    def about_to_change(self, other: Parameter) -> list[Atom]:
        found = [a for a in self.about(other) if a.predicate not in self.frozen]
        if not found:
            raise Unsuitable("nothing about another object may change")
        return found
