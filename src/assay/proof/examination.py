"""The journal as a formula, and the questions the checker puts to it.

Every clause of a testimony is guarded by a *selector*, so that any subset of the answers can be asked about.
The formula grows only where it must: a solution is a candidate model, which is run through the selected
questions; if it fails one, the objections are added and the solver is asked again. So "none" is said by
the solver from clauses that all follow from the answers, and "some" comes with a model that was seen to
give them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from assay.core.query import PlanResponse
from assay.core.setting import Setting
from assay.proof.claims import Alternative
from assay.proof.grounding import Grounding
from assay.proof.slots import FORBIDDEN, Variables
from assay.proof.solver import Sat
from assay.proof.testimony import Source, Testimony
from assay.proof.walk import Walk
from assay.store.journal import Entry

Item = int | tuple[int, Source]
"""What can be selected: an entry, by its number, or a part of its answer."""


class Examination:
    """Some entries, to be selected as wholes or, if split, part by part."""

    def __init__(self, setting: Setting, entries: Iterable[Entry], split: bool = False) -> None:
        profile = setting.profile
        self.grounding = Grounding(profile.vocabulary, setting.equality, profile.free_arguments)
        self.variables = Variables(setting)
        self.testimony = {
            entry.number: self._testimony(entry, entry.response)
            for entry in entries
            if isinstance(entry.response, PlanResponse)
        }
        self.ran = {action for testimony in self.testimony.values() for action in testimony.ran}
        """Actions that some answer shows running."""
        self._split = split
        self.selectors: dict[Item, int] = {}
        clauses = self.variables.normal_form()
        for number, testimony in self.testimony.items():
            items: list[Item] = [(number, s) for s in testimony.sources()] if split else [number]
            self.selectors |= {item: self.variables.fresh() for item in items}
            for source, clause in testimony.plain(split):
                clauses.append((-self.selectors[self._item(number, source)], *clause))
        self._sat = Sat(clauses)
        self._sat.prefer([-variable for variable in range(1, self.variables.count + 1)])

    def _testimony(self, entry: Entry, answer: PlanResponse) -> Testimony:
        if entry.states is None:
            return Testimony(self.grounding, self.variables, entry, answer)
        return Walk(self.grounding, self.variables, entry, answer, entry.states)

    def _item(self, number: int, source: Source) -> Item:
        return (number, source) if self._split else number

    def solve(self, items: Iterable[Item], *also: int) -> set[int] | None:
        """A solution in which these answers are given; None if there is none."""
        chosen = {item: self.selectors[item] for item in items}
        concerned = dict.fromkeys(item if isinstance(item, int) else item[0] for item in chosen)
        assumptions = [*chosen.values(), *also]
        while self._sat.solve(assumptions):
            solution = self._sat.solution()
            candidate = self.variables.decode(solution)
            objections = [
                (-selector, *clause)
                for number in concerned
                for source, clause in self.testimony[number].objections(candidate)
                if (selector := chosen.get(self._item(number, source)))
            ]
            if not objections:
                return solution
            assert solution.isdisjoint(objections[0]), "an objection must exclude its candidate"
            self._sat.extend(objections)
        return None

    def explicable(self) -> bool:
        """Whether some model gives all the answers."""
        return self.solve(self.selectors) is not None

    def conflict(self, items: Collection[Item]) -> list[Item] | None:
        """Some of the items that no model explains together; None if one explains all of them."""
        if self.solve(items) is not None:
            return None
        core = set(self._sat.core())
        return [item for item in items if self.selectors[item] in core]

    def can_run(self, action: str) -> bool:
        """Whether the action runs somewhere in some model that gives all the answers."""
        guard = self.guard((-s, -s - FORBIDDEN) for s in self.variables.slots[action])
        return self.solve(self.selectors, guard) is not None

    def surviving(self, alternatives: Iterable[Alternative], items: Collection[Item]) -> list[Alternative]:
        """Those alternatives that some model has which gives these answers.

        First all at once, which is the only call if there are none; then each solution strikes out all the
        alternatives it shows, so there are never more solutions than survivors.
        """
        rest = dict.fromkeys(alternatives)
        witness = {a: self._witness(a) for a in rest}
        found: list[Alternative] = []
        self._sat.prefer([literal for a in rest for literal in (*a.literals, witness[a])])
        while rest:
            solution = self.solve(items, self.guard([[witness[a] for a in rest]]))
            if solution is None:
                break
            shown = [a for a in rest if solution.issuperset(a.literals)]
            found += shown
            for alternative in shown:
                del rest[alternative]
        return found

    def _witness(self, alternative: Alternative) -> int:
        if len(alternative.literals) == 1:
            return alternative.literals[0]
        return self.guard([literal] for literal in alternative.literals)

    def guard(self, clauses: Iterable[Sequence[int]]) -> int:
        """A literal that switches the clauses on."""
        literal = self.variables.fresh()
        self._sat.extend((-literal, *clause) for clause in clauses)
        return literal

    def close(self) -> None:
        self._sat.close()
