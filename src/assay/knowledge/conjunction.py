"""The version space of a hidden conjunction of literals, learned from passes and failures.

The conjunction ranges over `size` atoms; sets of atoms are bitmasks. A *pass* is a valuation under which
the conjunction held: it clears every literal that the valuation violates. A *failure* is a valuation
under which it did not: at least one of the literals violated there is required (a clause). A literal is
convicted when all others in some clause are cleared.

Guarantee: the conjunctions consistent with all passes and failures are exactly those made of literals
not cleared that meet every clause; `need_*` are in all of them, `may_*` in some. Nothing else is ever
concluded, so a failure in a state with two open suspects convicts neither.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.core.universe import indices
from assay.errors import Contradiction

Evidence = frozenset[int]
"""Numbers of the journal entries that a conclusion rests on."""


@dataclass(slots=True)
class Clause:
    """One of these literals is required: atoms that must be true, atoms that must be false."""

    true: int
    false: int
    entry: int

    @property
    def size(self) -> int:
        return (self.true | self.false).bit_count()


@dataclass(slots=True)
class Conjunction:
    size: int
    may_true: int
    may_false: int
    need_true: int = 0
    need_false: int = 0
    held: bool = False
    """Whether it has ever been seen to hold."""
    first_seen: int = 0
    first_true: int = 0
    """Atoms whose value was known in some pass, and those true in the first such."""
    clauses: list[Clause] = field(default_factory=list)
    failures: set[int] = field(default_factory=set)
    """Every valuation that failed."""
    _cleared: dict[tuple[int, bool], Evidence] = field(default_factory=dict)
    _needed: dict[int, Evidence] = field(default_factory=dict)
    _failed_at: dict[int, int] = field(default_factory=dict)

    @property
    def required(self) -> int:
        return self.need_true | self.need_false

    @property
    def suspects(self) -> int:
        """Atoms of which some literal is not cleared, required ones included."""
        return self.may_true | self.may_false

    @property
    def open(self) -> int:
        return self.suspects & ~self.required

    @property
    def example(self) -> int | None:
        """A valuation that is certain to pass, if one is known; atoms that do not matter are false in it."""
        return None if not self.held or self.may_true & self.may_false else self.may_true

    def passed(self, known: int, values: int, evidence: Evidence) -> bool:
        """Learn that it held where the `known` atoms had these `values`; tells if that was news."""
        first = not self.held
        self.held = True
        self.first_true |= values & known & ~self.first_seen
        self.first_seen |= known
        cleared_true = self.may_true & known & ~values
        cleared_false = self.may_false & known & values
        if not (cleared_true | cleared_false or first):
            return False
        if cleared_true & self.need_true or cleared_false & self.need_false:
            raise Contradiction
        self.may_true &= ~cleared_true
        self.may_false &= ~cleared_false
        for index in indices(cleared_true):
            self._cleared[index, True] = evidence
        for index in indices(cleared_false):
            self._cleared[index, False] = evidence
        self._convict()
        return True

    def failed(self, values: int, entry: int) -> None:
        """Learn that the conjunction did not hold under this complete valuation."""
        self.failures.add(values)
        full = (1 << self.size) - 1
        clause = Clause(full & ~values & self.may_true, full & values & self.may_false, entry)
        if not clause.size:  # nothing is left, or there never was anything, that could be required
            raise Contradiction
        self.clauses.append(clause)
        self._failed_at[entry] = values
        self._convict()

    def _convict(self) -> None:
        progress = self.held  # what has never held may need both signs of an atom: nothing follows yet
        while progress:
            progress = False
            remaining = []
            for clause in self.clauses:
                if clause.true & self.need_true or clause.false & self.need_false:
                    continue
                clause.true &= self.may_true
                clause.false &= self.may_false
                if not clause.true | clause.false:
                    raise Contradiction
                if clause.size == 1:
                    self._require(clause)
                    progress = True
                else:
                    remaining.append(clause)
            self.clauses = remaining

    def _require(self, clause: Clause) -> None:
        values = self._failed_at[clause.entry]
        bit = clause.true | clause.false
        evidence = {clause.entry}
        for (index, positive), why in self._cleared.items():
            if (values >> index & 1) != positive:  # that literal, too, was violated in the failure
                evidence |= why
        self._needed[bit.bit_length() - 1] = frozenset(evidence)
        self.need_true |= clause.true
        self.need_false |= clause.false

    def evidence(self, index: int) -> Evidence:
        """The entries that settled the atom: its conviction, or the passes that cleared both its literals."""
        if index in self._needed:
            return self._needed[index]
        return self._cleared.get((index, True), frozenset()) | self._cleared.get((index, False), frozenset())
