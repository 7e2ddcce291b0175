"""Checking a result folder from `journal.jsonl`, `model.pddl` and `certificate.json`.

A journal that is missing, damaged or was edited raises `JournalError`: it is no evidence at all. Everything
else that is wrong is a problem, said in a sentence. If `model.pddl` is another file than the certificate
names, it is judged by what it says: the certificate's terms must be its preconditions, and it must give
every answer. Without a certificate nothing is claimed; the coverage is counted all the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.core.model import Model
from assay.core.quantity import count
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.pddl.reader import read_domain
from assay.proof.recount.certificate import Certificate, read_certificate
from assay.proof.recount.claims import DEFAULT_LEVEL, shows
from assay.proof.recount.questions import Journal, read_questions
from assay.proof.recount.trespass import trespasses
from assay.proof.recount.verdict import Verdict, coverage, recount
from assay.proof.spelling import in_vocabulary
from assay.store.chain import Lines, read_lines
from assay.store.folder import CERTIFICATE, JOURNAL, MODEL


@dataclass(frozen=True)
class FolderVerdict:
    problems: tuple[str, ...]
    """What does not fit together, and everything that is claimed and not so."""
    notes: tuple[str, ...] = ()
    """What is worth knowing and no fault."""
    verdict: Verdict | None = None
    """The recount; None if there is no model to count for."""

    @property
    def holds(self) -> bool:
        """Whether everything that is claimed is so."""
        return not self.problems and self.verdict is not None


def verify_folder(folder: Path, strength: int | None = None, others: bool = False) -> FolderVerdict:
    """Checks a result folder; `strength`, if given, must be shown whatever the certificate claims.

    With `others` it is also counted how other objects were varied, which takes longer.
    """
    lines = read_lines(folder / JOURNAL)
    journal = read_questions(lines.data, JOURNAL)
    problems: list[str] = []
    notes = ["The journal's last line was torn when it was written; it is left out."] if lines.torn else []
    certificate, model, source = None, None, b""
    if (folder / CERTIFICATE).exists():
        try:
            certificate = read_certificate(folder / CERTIFICATE)
        except InputError as error:
            problems.append(f"{error}.")
    elif strength is None:
        problems.append(f"There is no {CERTIFICATE}: nothing is claimed.")
    try:
        source = (folder / MODEL).read_bytes()
        model = _model(source, journal.vocabulary)
    except OSError as error:
        problems.append(f"Cannot read {MODEL}: {error.strerror}.")
    except (InputError, UnicodeDecodeError) as error:
        problems.append(f"{MODEL} cannot be used: {error}.")
    if certificate is not None:
        problems += _journal_problems(certificate, lines)
    if model is None:
        return FolderVerdict(tuple(problems), tuple(notes))
    verdict = _verdict(journal, model, certificate, strength, others)
    problems += verdict.problems
    if certificate is not None and hashlib.sha256(source).hexdigest() != certificate.model:
        notes += _other_model(verdict)
    if strength is not None and (verdict.strength is None or verdict.strength < strength):
        problems.append(f"Strength {strength} is asked for; {shows(verdict.strength)}.")
    problems += trespasses(lines.data[0].get("never", ""), journal, model)
    return FolderVerdict(tuple(problems), tuple(notes), verdict)


def _model(source: bytes, vocabulary: Vocabulary) -> Model:
    return in_vocabulary(read_domain(source.decode(), MODEL), vocabulary)


def _verdict(
    journal: Journal, model: Model, certificate: Certificate | None, strength: int | None, others: bool
) -> Verdict:
    level = DEFAULT_LEVEL if strength is None else strength
    if certificate is None:
        return coverage(journal, model, level, others)
    return recount(journal, model, certificate, level, others)


def _journal_problems(certificate: Certificate, lines: Lines) -> Iterator[str]:
    entries = len(lines.data) - 1
    about = f"The certificate is about a journal of {count(certificate.entries, 'question')}"
    if entries < certificate.entries:
        yield f"{about}; this one ends after {entries}: the rest is missing."
    elif entries > certificate.entries:
        yield f"{about}; this one has {entries}: it went on since, or is another one."
    elif certificate.journal != lines.hash:
        yield "The certificate is about another journal: the hashes differ."


def _other_model(verdict: Verdict) -> Iterator[str]:
    same = "its preconditions are equivalent to the certificate's terms, and it gives every answer"
    if verdict.problems:
        same = "it is judged by what it says"
    yield f"{MODEL} is not the file that the certificate names; {same}."
