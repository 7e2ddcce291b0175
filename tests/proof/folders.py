"""Result folders written by hand, with whatever claims are to be checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from assay.core.model import Model
from assay.core.setting import Setting
from assay.pddl.writer import write_domain
from assay.proof import Certificate, Claim, prove, write_certificate
from assay.scoring.normal_form import normalised
from assay.store.journal import Entry, Journal


def write_folder(
    path: Path,
    setting: Setting,
    entries: Sequence[Entry],
    model: Model,
    claims: list[Claim],
    complete: bool = True,
) -> None:
    (path / "journal.jsonl").unlink(missing_ok=True)
    journal = Journal.create(path / "journal.jsonl", setting)
    for entry in entries:
        journal.append(entry)
    journal.close()
    text = write_domain(model).encode()
    (path / "model.pddl").write_bytes(text)
    certificate = Certificate.of(
        entries=len(entries),
        journal_hash=journal.hash,
        model_file=text,
        complete=complete,
        claims=claims,
    )
    write_certificate(path / "certificate.json", certificate)


def claims_of(
    setting: Setting,
    entries: Sequence[Entry],
    model: Model,
    evidence: Callable[[str], tuple[int, ...]],
    doubtful: str,
) -> list[Claim]:
    """Every slot, with the evidence for its action; those not proved have the `doubtful` status."""
    unproved = {(d.action, d.atom, d.part) for d in prove(setting, entries, model).unproved}
    found = []
    for action in normalised(model).actions:
        name = action.header.name
        for atom in model.vocabulary.lifted_atoms(name):
            for part, held in (("precondition", action.needed), ("effect", action.plain_effects)):
                signs = [x.positive for x in held if x.atom == atom]
                mode = ("+" if signs[0] else "-") if signs else "absent"
                status = doubtful if (name, atom.text, part) in unproved else "settled"
                found.append(Claim(name, atom.text, part, mode, status, evidence(name)))  # type: ignore[arg-type]
    return found
