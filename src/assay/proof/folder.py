"""Checking a result folder: journal, model and certificate, against each other and by proof.

A journal that was edited raises `JournalError`: it is no evidence at all. Everything else that is wrong is
a finding, said in a sentence: the certificate belongs to another journal or model, a claim contradicts the
model, a question cited as evidence does not exist or does not settle what it is cited for, a question could
tell what is called indistinguishable, a question passed through a state that was not to be entered, the
summary counts otherwise. Whatever the certificate says, the model is then proved from the journal alone: to
be the only one or, if the agent can only act, the only one on reachable states.

So that a sentence blames the file that is wrong, the certificate's claims are judged by what they say, not by
what the model says: where the two differ, that is said once, and of each whether the answers bear it out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from assay.core.model import Model
from assay.core.quantity import count
from assay.core.query import Start
from assay.core.symbols import Atom
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.pddl.reader import read_domain
from assay.proof.acting import ActingVerdict, examine_acting
from assay.proof.certificate import Certificate, Claim, read_certificate
from assay.proof.claims import Alternative, Assertion, Subject, assertions
from assay.proof.counts import summary_problems
from assay.proof.examination import Examination
from assay.proof.slots import SlotAction, slot_actions
from assay.proof.spelling import in_vocabulary
from assay.proof.trespass import trespasses
from assay.proof.verdict import Verdict, examine_slots
from assay.store.journal import Record, read
from assay.store.plain import read_plain

JOURNAL, MODEL, CERTIFICATE = "journal.jsonl", "model.pddl", "certificate.json"


@dataclass(frozen=True, slots=True)
class FolderVerdict:
    problems: tuple[str, ...]
    """What does not fit together, and what is claimed but not so."""
    verdict: Verdict | None
    """The proof of the model from the journal; None if there is no model to prove."""
    trusted: tuple[Subject, ...] = ()
    """Claims called indistinguishable because the agent rejects states, which a journal cannot show."""
    acting: ActingVerdict | None = None
    """Whether acting can tell apart what the answers do not, if it is claimed that it cannot."""
    kept_out: str = ""
    """What was not to be entered while asking, if no question did."""

    @property
    def in_order(self) -> bool:
        """Whether everything the folder claims is so; it may claim less than a complete model."""
        if self.problems or self.verdict is None:
            return False
        return not (self.verdict.contradiction or self.verdict.unexplained or self.verdict.left_out)

    @property
    def proved(self) -> bool:
        """Whether the folder is in order and its model the only one that gives the answers.

        If the agent can only act: the only one up to what no reachable state tells.
        """
        return self.in_order and self.model_proved

    @property
    def model_proved(self) -> bool:
        """Whether the journal proves the model, whatever else is wrong."""
        if self.verdict is None:
            return False
        return self.verdict.proved or (self.acting is not None and self.acting.proved)

    def sentences(self) -> list[str]:
        found = list(self.problems)
        if self.kept_out:
            found.append(f"No question passed through a state that was not to be entered: {self.kept_out}.")
        if self.acting is not None and self.acting.proved:
            found.append(
                "This is the only model, up to equivalence on reachable states, that gives these answers."
            )
        elif self.verdict is not None:
            found += self.verdict.sentences()
        return found + (self.acting.sentences() if self.acting is not None else [])


def verify_folder(folder: Path) -> FolderVerdict:
    """Checks a result folder from its files alone."""
    record = read(folder / JOURNAL)
    problems: list[str] = []
    certificate, model = None, None
    if not (folder / MODEL).exists() and not (folder / CERTIFICATE).exists():
        return FolderVerdict((f"There is no model yet: the run was cut off. {_go_on(folder)}.",), None)
    try:
        certificate = read_certificate(folder / CERTIFICATE)
    except InputError as error:
        problems.append(f"{error}.")
    try:
        source = read_plain(folder / MODEL)
        if certificate and hashlib.sha256(source).hexdigest() != certificate.model.sha256:
            problems.append(f"{MODEL} is not the file that the certificate is about.")
        model = in_vocabulary(read_domain(source.decode(), MODEL), record.setting.profile.vocabulary)
    except OSError as error:
        problems.append(f"Cannot read {MODEL}: {error.strerror}.")
    except (InputError, UnicodeDecodeError) as error:
        problems.append(f"{MODEL} cannot be used: {error}.")
    if certificate:
        problems[:0] = _journal_problems(certificate, record, folder)
    if model is None:
        return FolderVerdict(tuple(problems), None)
    examination = Examination(record.setting, record.entries)
    try:
        claimed = slot_actions(model, record.setting.profile.vocabulary)
        verdict = examine_slots(examination, record.setting, claimed)
        trespassing = list(trespasses(record.setting, record.entries, model))
        problems += [
            f"Question {n} passed through a state that was not to be entered: {record.setting.never}."
            for n in trespassing
        ]
        kept_out = "" if trespassing else record.setting.never
        whole = certificate is None or not certificate.misses(record.entries)
        if whole:
            problems += summary_problems(folder, record, examination, certificate, verdict, claimed)
        if certificate is None:
            return FolderVerdict(tuple(problems), verdict, kept_out=kept_out)
        checker = _Claims(certificate, record, model, examination, verdict)
        trusted, acting = checker.trusted(), None
        if record.setting.profile.start is not Start.ANY:
            if not verdict.proved and (trusted or certificate.complete):
                acting = examine_acting(examination, record.setting, model, verdict)
            trusted = ()
        if whole:  # else all that is claimed may rest on what is missing
            problems += checker.problems(acting)
        return FolderVerdict(tuple(problems), verdict, trusted, acting, kept_out)
    finally:
        examination.close()


def _go_on(folder: Path) -> str:
    return f"'assay resume {quote(str(folder))}' goes on with it"


def _journal_problems(certificate: Certificate, record: Record, folder: Path) -> Iterator[str]:
    if missing := certificate.misses(record.entries):
        ends = "last question is" if missing == 1 else f"last {missing} questions are"
        yield (
            f"The journal's {ends} missing: the certificate is about a journal of "
            f"{count(certificate.journal.entries, 'question')}; this one has {len(record.entries)}. "
            f"{_go_on(folder)}."
        )
        return
    if certificate.journal.entries != len(record.entries):
        yield (
            f"The certificate is about a journal of {count(certificate.journal.entries, 'question')}; "
            f"this one has {len(record.entries)}. If the run was cut off, {_go_on(folder)}; "
            "if not, it was edited."
        )
    if certificate.journal.hash != record.hash:
        yield "The certificate is about another journal: the hashes differ."


class _Claims:
    """The certificate's claims against the model, the journal, and each other."""

    def __init__(
        self,
        certificate: Certificate,
        record: Record,
        model: Model,
        examination: Examination,
        verdict: Verdict,
    ) -> None:
        self._certificate, self._record = certificate, record
        self._examination, self._verdict = examination, verdict
        vocabulary = record.setting.profile.vocabulary
        claimed = slot_actions(model, vocabulary)
        self._left_out = vocabulary.action.keys() - claimed.keys()
        self._written: dict[Subject, Assertion] = {
            assertion.subject: assertion
            for name in claimed
            for assertion in assertions(record.setting, examination.variables, name, claimed[name])
        }
        """What the model says."""
        claimed = {
            name: _as_claimed(action, self._differing(name), vocabulary, name)
            for name, action in claimed.items()
        }
        self._assertions: dict[Subject, Assertion] = {
            assertion.subject: assertion
            for name in claimed
            for assertion in assertions(record.setting, examination.variables, name, claimed[name])
        }
        """What the certificate says, where it is about the model; else what the model says."""
        doubtful = {
            _subject(claim)
            for claim in certificate.claims
            if claim.part == "precondition" and claim.status == "indistinguishable"
        }
        self._hidden = {
            assertion.subject
            for name in claimed
            for assertion in assertions(
                record.setting,
                examination.variables,
                name,
                _without(claimed[name], doubtful, name, vocabulary.lifted_atoms(name)),
            )
            if assertion.void
        }
        """Slots where another mode comes to the same, because of needs that are not in doubt themselves."""

    def _differing(self, name: str) -> list[Claim]:
        """Claims about an action that the model contradicts."""
        return [
            claim
            for claim in self._certificate.claims
            if claim.action == name
            and claim.status != "open"
            and (written := self._written.get(_subject(claim))) is not None
            and written.mode != claim.mode
        ]

    def problems(self, acting: ActingVerdict | None) -> Iterator[str]:
        claims = self._certificate.claims
        known: dict[Subject, Claim] = {}
        for claim in claims:
            subject = _subject(claim)
            if subject in known:
                yield f"There are two claims about {subject}."
            known[subject] = claim
            yield from self._fits(subject, claim)
        yield from (f"There is no claim about {s}." for s in self._written if s not in known)
        if not self._verdict.contradiction:
            yield from self._unsettled(claims)
            yield from self._distinguished()
        if acting is not None:
            yield from self._told(acting)
        decided = all(c.status != "open" for c in claims)
        # whether what is called refused within reach is so, is another matter
        covered = self._left_out <= {c.action for c in claims} or (acting is not None and acting.proved)
        if self._certificate.complete and not (decided and covered):
            yield "The certificate calls itself complete, but leaves something open."
        whole = decided and not self._left_out and not self._verdict.contradiction
        if whole and not self._certificate.complete:
            yield "The certificate calls itself incomplete, but leaves nothing open."

    def trusted(self) -> tuple[Subject, ...]:
        return tuple(_subject(claim) for claim in self._certificate.claims if self._taken_on_trust(claim))

    def _taken_on_trust(self, claim: Claim) -> bool:
        """Whether it is not the action's own needs, as far as they are settled, that hide the difference.

        Where several slots stand for one atom, needs do not hide what another slot does to it.
        """
        free = claim.action in self._record.setting.profile.free_arguments
        hidden = not free and _subject(claim) in self._hidden
        shown = hidden or claim.action in self._verdict.impossible
        return claim.status == "indistinguishable" and not shown

    def _fits(self, subject: Subject, claim: Claim) -> Iterator[str]:
        """Whether the claim is about this model and cites questions of this journal."""
        assertion = self._written.get(subject)
        if assertion is None:
            if subject.action not in self._left_out or claim.status == "settled":
                yield f"There is a claim about {subject}, which is no part of the model."
        elif claim.mode != assertion.mode and claim.status != "open":
            yield f"{CERTIFICATE} says that {claim}; {MODEL} says {assertion.mode}."
        entries = range(1, len(self._record.entries) + 1)
        for number in claim.evidence:
            if number not in entries:
                yield f"{CERTIFICATE}: {claim}: there is no question {number}."

    def _unsettled(self, claims: Iterable[Claim]) -> Iterator[str]:
        groups: dict[tuple[int, ...], list[Claim]] = {}
        for claim in claims:
            if claim.status != "open" and not self._taken_on_trust(claim):
                groups.setdefault(tuple(sorted(set(claim.evidence))), []).append(claim)
        for evidence, group in groups.items():
            doubtful = {a.subject for a in self._surviving(group, evidence)}
            for claim in group:
                if _subject(claim) in doubtful:
                    yield f"{CERTIFICATE}: {claim}: the cited questions do not settle this."

    def _distinguished(self) -> Iterator[str]:
        """Claims called indistinguishable although the answers tell the modes apart.

        Where several slots stand for one atom the answers may tell more than whoever asked could see, who
        takes the slots one by one; that the model's mode is the right one was looked at before.
        """
        if self._record.setting.profile.free_arguments:
            return
        claims = [claim for claim in self._certificate.claims if self._taken_on_trust(claim)]
        everything = tuple(self._examination.testimony)
        doubtful = {a.subject for a in self._surviving(claims, everything)}
        for claim in claims:
            if _subject(claim) in self._assertions and _subject(claim) not in doubtful:
                yield f"{CERTIFICATE}: {claim}: called indistinguishable, but the answers settle it."

    def _told(self, acting: ActingVerdict) -> Iterator[str]:
        """Claims called indistinguishable although a question from an initial state tells the modes apart."""
        for claim in self._certificate.claims:
            subject = _subject(claim)
            matter = claim.action if claim.action in self._left_out else subject
            question = acting.shown.get(matter)
            if question is not None and self._taken_on_trust(claim):
                plan = " ".join(map(str, question.plan))
                yield (
                    f"{CERTIFICATE}: {claim}: called indistinguishable, "
                    f"but {plan} from an initial state would tell."
                )

    def _surviving(self, claims: list[Claim], numbers: Iterable[int]) -> list[Alternative]:
        wanted = [self._assertions[s] for c in claims if (s := _subject(c)) in self._assertions]
        items = [n for n in numbers if n in self._examination.testimony]
        return self._examination.surviving([x for a in wanted for x in a.alternatives], items)


def _as_claimed(action: SlotAction, claims: Iterable[Claim], vocabulary: Vocabulary, name: str) -> SlotAction:
    """The action with these slots as the claims have them."""
    place = {atom.text: n for n, atom in enumerate(vocabulary.lifted_atoms(name))}
    position = {p.name: i for i, p in enumerate(vocabulary.action[name].parameters)}
    for claim in claims:
        if claim.atom.startswith("= "):
            first, second = sorted(position[x] for x in claim.atom.split()[1:])
            pair = frozenset({(first, second)})
            distinct = action.distinct | pair if claim.mode == "-" else action.distinct - pair
            action = replace(action, distinct=distinct)
            continue
        slot = frozenset({place[claim.atom]})
        plus, minus = (slot if claim.mode == sign else frozenset() for sign in "+-")
        if claim.part == "precondition":
            action = replace(
                action, needed=action.needed - slot | plus, forbidden=action.forbidden - slot | minus
            )
        else:
            action = replace(action, added=action.added - slot | plus, deleted=action.deleted - slot | minus)
    return action


def _without(action: SlotAction, doubtful: set[Subject], name: str, atoms: Sequence[Atom]) -> SlotAction:
    """The action with those needs only that every model within reach has."""
    dropped = {n for n, atom in enumerate(atoms) if Subject(name, atom.text, "precondition") in doubtful}
    return replace(action, needed=action.needed - dropped, forbidden=action.forbidden - dropped)


def _subject(claim: Claim) -> Subject:
    return Subject(claim.action, claim.atom, claim.part)
