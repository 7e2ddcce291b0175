"""What is claimed of one action, and what the answers show of it.

Without a certificate every action of the model counts as learned, with the terms of its precondition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from assay.core.model import ActionModel
from assay.core.quantity import count
from assay.core.symbols import ActionHeader
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.proof.recount.certificate import ActionClaim, Status
from assay.proof.recount.contradiction import disagree
from assay.proof.recount.coverage import Class, Counter, Tally
from assay.proof.recount.equivalence import difference
from assay.proof.recount.evidence import ActionEvidence
from assay.proof.recount.features import Cube, Features, read_other
from assay.proof.recount.levels import LEVELS, lowered
from assay.proof.recount.others import Parts, Variation, Variations
from assay.proof.recount.questions import Question
from assay.proof.recount.realised import Realised
from assay.proof.recount.terms import terms_of

LEARNED: Status = "learned"
NEVER_RAN: Status = "never ran"
CONTRADICTED: Status = "contradicted"
OPEN: Status = "open"
DEFAULT_LEVEL = 2


@dataclass(frozen=True)
class ActionVerdict:
    name: str
    status: str
    ran: int
    refused: int
    claimed: int | None = None
    strength: int | None = None
    """The level that the journal shows; None if not even level 0, or if nothing was counted."""
    shown: Class | None = None
    """Its class."""
    counted: Class | None = None
    """The class that the tallies are about."""
    runs: Tally = field(default_factory=Tally)
    alone: Tally = field(default_factory=Tally)
    """Refusals with one literal turned round."""
    together: Tally = field(default_factory=Tally)
    """Refusals with two literals turned round, where the class asks for them."""
    runs_among: Variation = field(default_factory=Variation)
    """How other objects were varied while it ran, and while it was refused."""
    refusals_among: Variation = field(default_factory=Variation)
    missing: tuple[str, ...] = ()
    """Some requirements that nothing shows, in words."""
    on_trust: int = 0
    """Patterns listed as not realised for a reason that a journal cannot show."""
    problems: tuple[str, ...] = ()

    @property
    def excused(self) -> int:
        """Requirements that were not realised."""
        return self.runs.excused + self.alone.excused + self.together.excused


class Subject:
    """An action in the features and terms that are claimed of it."""

    def __init__(self, vocabulary: Vocabulary, header: ActionHeader, model: ActionModel | None) -> None:
        self.name, self._header, self._vocabulary, self._model = header.name, header, vocabulary, model
        self.features = Features(vocabulary, header)
        self.status: Status = OPEN
        self._terms: tuple[Cube, ...] = ()
        self._claim, self._claimed = ActionClaim(OPEN), False
        self._problems: list[str] = []

    @classmethod
    def claimed(
        cls,
        vocabulary: Vocabulary,
        header: ActionHeader,
        model: ActionModel | None,
        claim: ActionClaim | None,
    ) -> Subject:
        """As the certificate has it."""
        subject = cls(vocabulary, header, model)
        if claim is None:
            subject._problems.append("the certificate says nothing of it")
            return subject
        subject._claim, subject._claimed, subject.status = claim, True, claim.status
        try:
            subject._read(claim)
        except InputError as error:
            subject._problems.append(str(error))
            subject.status = CONTRADICTED if claim.status == CONTRADICTED else OPEN
        return subject

    @classmethod
    def derived(
        cls, vocabulary: Vocabulary, header: ActionHeader, model: ActionModel | None, ran: bool
    ) -> Subject:
        """As the model has it, of which nobody claims anything."""
        subject = cls(vocabulary, header, model)
        if not ran:
            subject.status = NEVER_RAN
        elif model is None:
            subject._problems.append("the model leaves it out, and it ran")
        else:
            try:
                subject.features, subject._terms = terms_of(vocabulary, header, model.precondition)
                subject.status = LEARNED
            except InputError as error:
                subject._problems.append(str(error))
        return subject

    @property
    def unclaimed(self) -> bool:
        """Whether there is a certificate, and it says nothing of the action on purpose."""
        return self._claimed and self._claim.status == OPEN

    def _read(self, claim: ActionClaim) -> None:
        others = [read_other(self._vocabulary, self._header, o.type, o.profile) for o in claim.others]
        if len(set(others)) < len(others):
            raise InputError("a kind of other object is listed twice")
        self.features = Features(self._vocabulary, self._header, others)
        self._terms = tuple(map(self.features.cube, claim.terms))
        if claim.strength is not None and not 0 <= claim.strength < len(LEVELS):
            raise InputError(f"there is no strength {claim.strength}")
        if claim.status != LEARNED:
            if claim.strength is not None:
                raise InputError(
                    f"it is marked as {claim.status!r}, and strength {claim.strength} is claimed"
                )
        elif self._model is None:
            raise InputError("it is marked as learned, and the model leaves it out")
        elif not self._terms:
            raise InputError("it is marked as learned, and has no terms")
        elif found := difference(self._model.precondition, self.features, self._terms):
            raise InputError(f"the certificate's terms are not its precondition in the model: {found}")

    # ---- beside the answers

    def verdict(
        self, evidence: ActionEvidence, questions: Sequence[Question], kinds: Collection[str], level: int
    ) -> ActionVerdict:
        """What the answers show; tallies are for the level claimed, or else for this one."""
        found = ActionVerdict(self.name, self.status, evidence.ran, evidence.refused)
        if self.status == LEARNED:
            found = self._counted(found, evidence, kinds, level)
        elif self.status == CONTRADICTED:
            self._check_contradiction(questions)
        elif self.status == NEVER_RAN and evidence.ran:
            self._problems.append(f"it is said never to have run, and ran {count(evidence.ran, 'time')}")
        return replace(found, problems=tuple(self._problems))

    def _check_contradiction(self, questions: Sequence[Question]) -> None:
        numbers = sorted(set(self._claim.contradiction))
        if not numbers or not all(1 <= n <= len(questions) for n in numbers):
            self._problems.append("it is marked as contradicted, and no questions are named that show it")
        elif not disagree(self._vocabulary, self.name, [questions[n - 1] for n in numbers]):
            named = " and ".join(map(str, numbers))
            self._problems.append(f"the answers to {named} do not disagree at the same point")

    def _counted(
        self, found: ActionVerdict, evidence: ActionEvidence, kinds: Collection[str], level: int
    ) -> ActionVerdict:
        claim = self._claim
        realised = Realised(claim.not_realised, self.features, self._terms, evidence)
        self._problems += realised.problems
        wanted = self._class(level if claim.strength is None else claim.strength)
        counter = Counter(self.features, self._terms, evidence.runs, evidence.refusals, realised.listings)
        try:
            strength = self._strength(counter)
            runs, alone, together = _tallies(counter, wanted)
            varied = Variations(Parts(self.features), counter.logic, kinds) if kinds else None
            runs_among = varied.runs(evidence.runs_among) if varied else Variation()
            refusals_among = varied.refusals(evidence.refusals_among) if varied else Variation()
        finally:
            counter.close()
        self._check_strength(strength)
        return replace(
            found,
            claimed=claim.strength,
            strength=strength,
            shown=None if strength is None else self._class(strength),
            counted=wanted,
            runs=runs,
            alone=alone,
            together=together,
            runs_among=runs_among,
            refusals_among=refusals_among,
            missing=tuple(self._missing(runs, alone, together)),
            on_trust=realised.on_trust,
        )

    def _class(self, level: int) -> Class:
        stated = self._claim.class_[2] if self._claim.class_ is not None else LEVELS[level].runs
        free = (self.features.size - term.named.bit_count() for term in self._terms)
        return lowered(LEVELS[level], free, stated)

    def _strength(self, counter: Counter) -> int | None:
        strength = None
        for level in range(len(LEVELS)):
            if not all(tally.complete for tally in _tallies(counter, self._class(level))):
                break
            strength = level
        return strength

    def _check_strength(self, strength: int | None) -> None:
        claim = self._claim
        if claim.strength is None:
            return
        if strength is None or claim.strength > strength:
            self._problems.append(f"strength {claim.strength} is claimed; {shows(strength)}")
        wanted, stated = self._class(claim.strength), claim.class_
        if stated != tuple(wanted):
            said = "no class" if stated is None else f"class {list(stated)}"
            self._problems.append(f"strength {claim.strength} means class {list(wanted)}; {said} is stated")

    def _missing(self, *tallies: Tally) -> Iterator[str]:
        """Conjunctions that an answer must show for the class to be covered."""
        for tally, verb in zip(tallies, ("no run", "no refusal", "no refusal"), strict=True):
            for term, turned, pattern in tally.missing:
                shown = self._terms[term].turned(turned).join(pattern)
                yield f"{verb} with {', '.join(self.features.texts(shown)) or 'anything'}"


def _tallies(counter: Counter, wanted: Class) -> tuple[Tally, Tally, Tally]:
    """Runs, refusals with one literal turned round, and with two."""
    together = counter.refusals(2, max(0, wanted.beside - 1)) if wanted.turned > 1 else Tally()
    return counter.runs(wanted.runs), counter.refusals(1, wanted.beside), together


def shows(strength: int | None) -> str:
    return "the answers show none" if strength is None else f"the answers show {strength}"
