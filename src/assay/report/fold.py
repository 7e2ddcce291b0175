"""The journal folded entry by entry: what is known after each answer, and which slots it settled.

A slot is named by its action, its part and its place among the action's claims. A journal that contradicts
every model folds up to the answer that shows it; what follows from the answers before stays as it is.
What a proof adds at the end of a run is recalled from the certificate, and forgotten if the run goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assay.core.setting import Setting
from assay.core.universe import indices
from assay.errors import Contradiction
from assay.knowledge.dossier import Claim, Dossier, Part
from assay.knowledge.knowledge import Knowledge
from assay.proof.certificate import Certificate
from assay.report.reach import forget, recall
from assay.store.journal import Entry


class Slot(NamedTuple):
    action: str
    part: Part
    place: int


class Fold:
    """Grows with the journal, so that a run that is going on can be followed."""

    def __init__(self, setting: Setting, entries: Iterable[Entry] = ()) -> None:
        self.setting = setting
        self.knowledge = Knowledge(setting)
        self.entries: list[Entry] = []
        self.settled: list[int] = [0]
        """How many slots are settled before the first question, and after each."""
        self.gains: list[tuple[Slot, ...]] = []
        """The slots that each answer settled."""
        self.contradicted = 0
        """The entry after which no model is left, if there is one."""
        self._recalled = False
        self._known = dict.fromkeys(self.knowledge.dossiers, (0, 0))
        for entry in entries:
            self.take(entry)

    def take(self, entry: Entry) -> None:
        if self._recalled:
            forget(self.knowledge)
            self._recalled = False
        self.entries.append(entry)
        if not self.contradicted:
            try:
                self.knowledge.learn(entry.query, entry.response, entry.states)
            except Contradiction:
                self.contradicted = entry.number
        if entry.logged:
            self.knowledge.searches = 0  # nobody asked
        self.gains.append(() if self.contradicted else self._gain())
        self.settled.append(self.settled[-1] + len(self.gains[-1]))

    def recall(self, certificate: Certificate | None, journal_hash: str = "", proof: str = "") -> None:
        """Take over what was proved when the run ended, if the certificate is about this journal."""
        recall(self.knowledge, certificate, journal_hash, proof)
        self._recalled = True

    @property
    def questions(self) -> int:
        """How many entries were asked, and not taken from logs."""
        return len(self.entries) - self.logged

    @property
    def logged(self) -> int:
        return min(self.setting.traces, len(self.entries))

    @property
    def total(self) -> int:
        return self.knowledge.slots_settled()[1]

    def claims(self) -> dict[Slot, Claim]:
        found = {}
        for name, dossier in self.knowledge.dossiers.items():
            places = dict.fromkeys(Part, 0)
            for claim in dossier.claims():
                found[Slot(name, claim.part, places[claim.part])] = claim
                places[claim.part] += 1
        return found

    def _gain(self) -> tuple[Slot, ...]:
        found: list[Slot] = []
        for name, dossier in self.knowledge.dossiers.items():
            now = _settled(dossier)
            for part, old, new in zip((Part.PRECONDITION, Part.EFFECT), self._known[name], now, strict=True):
                found += [Slot(name, part, place) for place in indices(new & ~old)]
            self._known[name] = now
        return tuple(found)


def _settled(dossier: Dossier) -> tuple[int, int]:
    if not dossier.ran:
        return 0, 0
    needs = (1 << dossier.precondition.size) - 1
    return needs & ~dossier.open_needs, dossier.atom_mask & ~dossier.open_effects
