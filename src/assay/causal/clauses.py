"""Formulas as clauses for a SAT solver, each part named by a literal that is equivalent to it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from pysat.card import CardEnc, EncType  # type: ignore[import-untyped]  # python-sat ships no types

from assay.causal.formula import And, AtLeast, Formula, Not, Or, Var


class Clauses:
    """A growing set of clauses; variables get their numbers on first use."""

    def __init__(self) -> None:
        self.clauses: list[list[int]] = []
        self._numbers: dict[Hashable, int] = {}
        self._named: dict[int, tuple[Formula, int]] = {}
        """Formulas that have a literal, by identity: functions of one step share their parts."""
        self._top = 1
        self.true = 1
        self.clauses.append([self.true])

    def fresh(self) -> int:
        self._top += 1
        return self._top

    def number(self, variable: Hashable) -> int:
        found = self._numbers.get(variable)
        if found is None:
            found = self._numbers[variable] = self.fresh()
        return found

    def fix(self, variable: Hashable, value: bool) -> None:
        """Make the variable a constant. To be said before it is first used."""
        self._numbers[variable] = self.true if value else -self.true

    def add(self, clause: Iterable[int]) -> None:
        self.clauses.append(list(clause))

    def equate(self, first: int, second: int) -> None:
        self.clauses += [[-first, second], [first, -second]]

    def literal(self, formula: Formula) -> int:
        """A literal that is true exactly where the formula is."""
        known = self._named.get(id(formula))
        if known is None:
            known = self._named[id(formula)] = formula, self._literal(formula)
        return known[1]

    def _literal(self, formula: Formula) -> int:
        match formula:
            case Var(variable):
                return self.number(variable)
            case Not(part):
                return -self.literal(part)
            case And(parts):
                return self._all([self.literal(p) for p in parts])
            case Or(parts):
                return -self._all([-self.literal(p) for p in parts])
            case AtLeast(count, parts):
                return self._at_least(count, [self.literal(p) for p in parts])

    def _all(self, literals: list[int]) -> int:
        wanted = set(literals) - {self.true}
        if -self.true in wanted or any(-x in wanted for x in wanted):
            return -self.true
        if not wanted:
            return self.true
        if len(wanted) == 1:
            return wanted.pop()
        ordered = sorted(wanted)
        name = self.fresh()
        self.clauses += [[-name, x] for x in ordered]
        self.clauses.append([name, *(-x for x in ordered)])
        return name

    def _at_least(self, count: int, literals: list[int]) -> int:
        if count <= 0:
            return self.true
        if count > len(literals):
            return -self.true
        name = self.fresh()
        # Copies, so that an input that is a constant or occurs twice does not confuse the encoding.
        inputs = []
        for literal in literals:
            copy = self.fresh()
            self.equate(copy, literal)
            inputs.append(copy)
        for guard, encoded in (
            (-name, CardEnc.atleast(inputs, count, top_id=self._top, encoding=EncType.seqcounter)),
            (name, None),
        ):
            found = encoded or CardEnc.atmost(
                inputs, count - 1, top_id=self._top, encoding=EncType.seqcounter
            )
            self._top = max(self._top, found.nv)
            self.clauses += [[guard, *clause] for clause in found.clauses]
        return name
