"""The version space of conjunctive models of one action: which literals it may need, and what it may do.

Facts are numbered like the action's lifted atoms; sets of them are bitmasks. A run clears every literal
that the situation violates, and every mode of an effect that would have led elsewhere. A refusal is kept as
a *clause*: one of the literals violated there is required. A literal is required when all others of some
clause are cleared.

Guarantee: a conjunctive model gives all the answers exactly if its precondition is made of literals not
cleared, meets every clause, and its effects have modes that are left. If no such model is left the space
has *collapsed*: the action is no conjunction of facts about its arguments.
"""

from __future__ import annotations

from typing import NamedTuple

from assay.learn.evidence import Example


class Clause(NamedTuple):
    """One of these is required: a fact that must be true, a fact that must be false."""

    true: int
    false: int


class VersionSpace:
    def __init__(self, size: int) -> None:
        self.size = size
        self.may_true = self.may_false = self.full = (1 << size) - 1
        """Facts that may be required to be true, and to be false."""
        self.need_true = self.need_false = 0
        self.clauses: list[Clause] = []
        """Refusals that no required literal explains yet."""
        self.may_add = self.may_delete = self.may_keep = self.full
        self.ran = False
        self.collapsed: int | None = None
        """The journal entry after which no conjunctive model is left."""

    def add(self, example: Example) -> None:
        """Takes an example in; nothing more is concluded once the space has collapsed."""
        if self.collapsed is not None:
            return
        own, after = example.point.own, example.after
        stands = self._refused(own) if after is None else self._run(own, after)
        if not stands or not self._convict():
            self.collapsed = example.entry

    def _refused(self, own: int) -> bool:
        clause = Clause(self.full & ~own & self.may_true, own & self.may_false)
        self.clauses.append(clause)
        return bool(clause.true | clause.false)

    def _run(self, own: int, after: int) -> bool:
        self.ran = True
        self.may_true &= own
        self.may_false &= ~own
        self.may_add &= after
        self.may_delete &= ~after
        self.may_keep &= ~(own ^ after)
        violated = self.need_true & ~own | self.need_false & own
        return not violated and self.may_add | self.may_delete | self.may_keep == self.full

    def _convict(self) -> bool:
        """Finds required literals; False if some clause cannot be met."""
        progress = self.ran  # an action that never ran may need both signs of a fact: nothing follows yet
        while progress:
            progress, left = False, []
            for clause in self.clauses:
                true, false = clause.true & self.may_true, clause.false & self.may_false
                if true & self.need_true or false & self.need_false:
                    continue
                size = (true | false).bit_count()
                if not size:
                    return False
                if size == 1:
                    self.need_true, self.need_false = self.need_true | true, self.need_false | false
                    progress = True
                else:
                    left.append(Clause(true, false))
            self.clauses = left
        return True

    # ---- what is known

    @property
    def required(self) -> int:
        return self.need_true | self.need_false

    @property
    def suspects(self) -> int:
        """Facts of which some literal is not cleared, required ones included."""
        return self.may_true | self.may_false

    @property
    def open_needs(self) -> int:
        return self.suspects & ~self.required

    @property
    def ambiguous(self) -> int:
        """Facts of which more than one effect is left."""
        add, delete, keep = self.may_add, self.may_delete, self.may_keep
        return add & delete | add & keep | delete & keep

    @property
    def open_effects(self) -> int:
        """Ambiguous ones, but for those that the precondition makes void, like adding what must hold."""
        add, delete, keep = self.may_add, self.may_delete, self.may_keep
        void = keep & (add & ~delete & self.need_true | delete & ~add & self.need_false)
        return self.ambiguous & ~void

    @property
    def decided(self) -> bool:
        """Whether all models that are left do the same."""
        return self.ran and self.collapsed is None and not self.open_needs | self.open_effects

    def certain_to_fail(self, own: int) -> bool:
        """Whether every model that is left refuses the action there."""
        if self.need_true & ~own or self.need_false & own:
            return True
        return any(not clause.true & own and not clause.false & ~own for clause in self.clauses)
