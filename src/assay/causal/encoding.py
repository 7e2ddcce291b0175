"""Propositional formulas as clauses for a SAT solver, each part named by an equivalent literal."""

from __future__ import annotations

from pysat.card import CardEnc, EncType  # type: ignore[import-untyped]  # python-sat ships no types

from assay.causal.formula import And, AtLeast, Formula, Not, Or, Var, Variable
from assay.scoring.clauses import Clauses


class Encoding(Clauses):
    """Clauses over variables of any kind, which get their numbers on first use."""

    def __init__(self) -> None:
        super().__init__(0)
        self._numbers: dict[Variable, int] = {}
        self._literals: dict[int, tuple[Formula, int]] = {}
        """Formulas that have a literal, by identity: functions of one step share their parts."""

    def number(self, variable: Variable) -> int:
        found = self._numbers.get(variable)
        if found is None:
            found = self._numbers[variable] = self.fresh()
        return found

    def fix(self, variable: Variable, value: bool) -> None:
        """Make the variable a constant. To be said before it is first used."""
        self._numbers[variable] = self.true if value else -self.true

    def equate(self, first: int, second: int) -> None:
        self.clauses += [[-first, second], [first, -second]]

    def literal(self, formula: Formula) -> int:
        """A literal that is true exactly where the formula is."""
        known = self._literals.get(id(formula))
        if known is None:
            known = self._literals[id(formula)] = formula, self._literal(formula)
        return known[1]

    def _literal(self, formula: Formula) -> int:
        match formula:
            case Var(variable):
                return self.number(variable)
            case Not(part):
                return -self.literal(part)
            case And(parts):
                return self.every(self.literal(p) for p in parts)
            case Or(parts):
                return self.any(self.literal(p) for p in parts)
            case AtLeast(count, parts):
                return self._at_least(count, [self.literal(p) for p in parts])

    def _at_least(self, count: int, literals: list[int]) -> int:
        if count <= 0:
            return self.true
        if count > len(literals):
            return -self.true
        name = self.fresh()
        # Copies, so that an input that is a constant or occurs twice does not confuse the encoding.
        inputs = []
        for literal in literals:
            inputs.append(self.fresh())
            self.equate(inputs[-1], literal)
        for guard, bound, encode in ((-name, count, CardEnc.atleast), (name, count - 1, CardEnc.atmost)):
            found = encode(inputs, bound, top_id=self._top, encoding=EncType.seqcounter)
            self._top = max(self._top, found.nv)
            self.clauses += [[guard, *clause] for clause in found.clauses]
        return name
