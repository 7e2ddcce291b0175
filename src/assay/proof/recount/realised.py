"""Patterns that a certificate lists as not realised, checked before they excuse anything.

A listed pattern must be well-formed, and no answer may show it. `invalid`: some question that shows it was
answered as invalid, in its first state, for some step of its plan. `impossible`: no state over the features
can show it (such patterns are never required, so listing them is of no use). Any other reason, such as that
no reachable state shows it, is more than a journal can tell: it is accepted, and counted as taken on trust.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.errors import InputError
from assay.proof.recount.certificate import NotRealised
from assay.proof.recount.evidence import ActionEvidence
from assay.proof.recount.features import Cube, Features
from assay.proof.recount.listing import Listing
from assay.proof.recount.logic import Logic

INVALID, IMPOSSIBLE = "invalid", "impossible"


class Realised:
    """The list of one action, checked: what it excuses, and what is wrong with it."""

    def __init__(
        self,
        listed: Iterable[NotRealised],
        features: Features,
        terms: Sequence[Cube],
        evidence: ActionEvidence,
    ) -> None:
        self._features, self._terms, self._evidence = features, terms, evidence
        self.problems: list[str] = []
        self.on_trust = 0
        found: dict[tuple[int, int], list[Cube]] = {}
        logic = Logic(features, terms)
        for item in listed:
            try:
                turned, pattern = self._read(item)
            except InputError as error:
                self.problems.append(f"a pattern listed as not realised: {error}")
                continue
            shown = terms[item.term].turned(turned).join(pattern)
            if fault := self._fault(item, shown, logic):
                self.problems.append(f"{_said(item)} is listed as not realised, and {fault}")
                continue
            self.on_trust += item.why not in (INVALID, IMPOSSIBLE)
            found.setdefault((item.term, turned), []).append(pattern)
        logic.close()
        self.listings = {key: Listing(patterns) for key, patterns in found.items()}

    def _read(self, item: NotRealised) -> tuple[int, Cube]:
        """The bits turned round, and the pattern."""
        if not 0 <= item.term < len(self._terms):
            raise InputError(f"there is no term {item.term}")
        term = self._terms[item.term]
        turned, pattern = self._features.cube(item.turned), self._features.cube(item.pattern)
        if not term.implies(turned):
            raise InputError(f"{', '.join(item.turned)} is not part of term {item.term}")
        if term.named & pattern.named:
            raise InputError(f"{', '.join(item.pattern)} is about literals of term {item.term}")
        return turned.named, pattern

    def _fault(self, item: NotRealised, shown: Cube, logic: Logic) -> str | None:
        """Why the item does not excuse anything."""
        rows = self._evidence.refusals if item.turned else self._evidence.runs
        if seen := [number for row, number in rows.items() if shown.covers(row)]:
            return f"question {min(seen)} shows it"
        if item.why == IMPOSSIBLE and logic.possible(shown):
            return "it is not impossible"
        if item.why == INVALID and not any(map(shown.covers, self._evidence.invalid)):
            return "no question that shows it was answered as invalid"
        return None


def _said(item: NotRealised) -> str:
    words = [f"{x} turned round" for x in item.turned] + list(item.pattern)
    return f"term {item.term} with {', '.join(words) or 'nothing else'}"
