"""The description of a run, told from its knowledge; and told again from its folder, to compare.

What a proof about reachable or forbidden states adds does not follow from folding the journal: it is taken
over from the certificate and the summary.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assay.errors import JournalError
from assay.knowledge.knowledge import Knowledge
from assay.report.describe import describe
from assay.report.fold import Fold
from assay.report.forbidden import Forbidden
from assay.report.reach import Reach, known_certificate
from assay.report.reading import read_summary
from assay.store.folder import CERTIFICATE, DESCRIPTION, JOURNAL, SUMMARY, missing_files
from assay.store.journal import read
from assay.store.plain import read_plain


def tell(knowledge: Knowledge, forbidden: Forbidden, contradicted: bool = False) -> str:
    """All that is known, in words; or was, before the answers contradicted each other."""
    return describe(
        knowledge.model(),
        knowledge.claims(),
        [name for name, d in knowledge.dossiers.items() if not d.ran],
        {name: d.tried for name, d in knowledge.dossiers.items()},
        Reach.of(knowledge),
        knowledge.setting.traces,
        forbidden,
        knowledge.setting.profile.free_arguments,
        {name: d.rejected for name, d in knowledge.dossiers.items()},
        contradicted,
    )


def retelling_problems(folder: Path) -> Iterator[str]:
    """Where the description, or what the summary says of reachable states, is not what the journal gives.

    Without the certificate or the summary there is nothing to compare with: neither is held against the rest.
    Nor is a journal that has lost its end: all of them tell of more.
    """
    certificate = known_certificate(folder / CERTIFICATE)
    if certificate is None:
        return  # what is wrong with it is said elsewhere
    yield from missing_files(folder, SUMMARY, DESCRIPTION)
    if not (folder / SUMMARY).is_file():
        return
    record = read(folder / JOURNAL)
    if certificate.misses(record.entries):
        return
    try:
        summary = read_summary(folder, len(record.entries))
    except JournalError:
        return  # this, too
    fold = Fold(record.setting, record.entries)
    fold.recall(certificate, record.hash, str(summary.get("proof", "")))
    reach = Reach.of(fold.knowledge)
    alternatives = {name: a.to_dict() for name, a in reach.alternatives.items()}
    if summary.get("alternatives", alternatives) != alternatives:
        yield f"{SUMMARY} lists alternatives other than those that the journal leaves."
    if (told := summary.get("out_of_reach", reach.points)) != reach.points:
        yield f"{SUMMARY} says out_of_reach {told}; the journal gives {reach.points}."
    try:
        description = read_plain(folder / DESCRIPTION)
    except FileNotFoundError:
        return
    except OSError as error:
        yield f"Cannot read {DESCRIPTION}: {error.strerror}."
        return
    forbidden = Forbidden.recalled(record.setting.never, summary)
    if description != tell(fold.knowledge, forbidden, summary.get("outcome") == "contradiction").encode():
        yield f"{DESCRIPTION} is not what the journal gives."
