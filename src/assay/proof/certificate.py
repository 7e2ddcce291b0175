"""The certificate: which model, which journal, and which answers settle each claim.

    {"assay": 1,
     "journal": {"entries": 12, "hash": "..."},
     "model": {"sha256": "..."},
     "complete": true,
     "claims": [{"action": "load", "atom": "at ?p ?l", "part": "precondition", "mode": "+",
                 "status": "settled", "evidence": [3, 7]}, ...]}

There is one claim for every slot of every action of the model (and, with mode `absent`, of every action that
was left out because it runs in no state that can be reached), and, where equality is learned, one for
every pair of parameters that one object could fill: atom `= ?x ?y`, part precondition, mode `-` if they
must differ and `absent` if not. `hash` is the journal's last hash and `sha256` that of the model file.

A claim is *settled* by its evidence if no model of the class that gives the cited answers has another
mode there; in particular a cited answer must show the action running, or all its literals could be part
of a precondition that nothing satisfies. Modes are those of the normal form: an atom that is needed counts
as not added, so settling such an effect as absent takes the evidence that the atom is needed.
*indistinguishable* says that no question can tell the modes apart: either what the action needs makes them
come to the same, and then the evidence must settle that like any other claim; or no state that the agent
accepts does. For an agent that can only act this is proved from the states it can reach (see `acting`); for
one that accepts any state, or rejects some, it is taken on trust. *open* says that nobody knows.
A certificate is *complete* iff no claim is open and no action was left out of the model, other than actions
that run in no state that can be reached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sized
from pathlib import Path
from typing import Literal

import msgspec

from assay.errors import InputError
from assay.store.plain import decode_json, read_plain

Part = Literal["precondition", "effect"]
Mode = Literal["+", "-", "absent"]
Status = Literal["settled", "indistinguishable", "open"]


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    action: str
    atom: str
    part: Part
    mode: Mode
    status: Status
    evidence: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.action}: {self.part} ({self.atom}) is {self.mode}"


class JournalMark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entries: int
    hash: str


class ModelMark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sha256: str


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    assay: Literal[1]
    journal: JournalMark
    model: ModelMark
    complete: bool
    claims: tuple[Claim, ...]

    @classmethod
    def of(
        cls, *, entries: int, journal_hash: str, model_file: bytes, complete: bool, claims: Iterable[Claim]
    ) -> Certificate:
        """A certificate for a journal that ends in this hash and a model file with these bytes."""
        sha256 = hashlib.sha256(model_file).hexdigest()
        return cls(1, JournalMark(entries, journal_hash), ModelMark(sha256), complete, tuple(claims))

    def misses(self, entries: Sized) -> int:
        """How many entries a journal has lost at its end since."""
        return max(0, self.journal.entries - len(entries))


def encode_certificate(certificate: Certificate) -> bytes:
    """One claim a line, so that certificates can be compared by eye."""
    head = msgspec.json.encode(
        {k: getattr(certificate, k) for k in ("assay", "journal", "model", "complete")}
    )
    claims = b",\n".join(msgspec.json.encode(claim) for claim in certificate.claims)
    return head[:-1] + b',"claims":[\n' + claims + b"\n]}\n"


def write_certificate(path: Path, certificate: Certificate) -> None:
    path.write_bytes(encode_certificate(certificate))


def read_certificate(path: Path) -> Certificate:
    try:
        found: Certificate = decode_json(read_plain(path), Certificate)
        return found
    except OSError as error:
        raise InputError(f"cannot read certificate {path}: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise InputError(f"{path.name}: not a certificate: {error}") from error
