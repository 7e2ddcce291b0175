"""The certificate, version 2: what is claimed of a model, in a form that anyone can recount.

    {"assay": 2, "entries": 31, "journal": "<hash of the last line>", "model": "<sha256 of model.pddl>",
     "strength": 2, "states_between": true, "outcome": "complete",
     "actions": {"open": {"status": "learned", "strength": 2, "class": [2, 1, 3],
       "others": [{"type": "tool", "profile": ["card ?z", "not broken ?z"]}],
       "terms": [["shut ?d", "fits ?k ?d"], ["shut ?d", "some 0"]],
       "not_realised": [{"term": 0, "turned": ["shut ?d"], "pattern": ["wet"], "why": "invalid"}],
       "contradiction": [12, 17]}}}

Members that are empty may be left out, unknown ones are refused: a claim that is not understood cannot be
checked. Of an action that is `learned` all terms are claimed, and the strength with its class; that it `never
ran`; that it is `contradicted` by two answers; of one that is `open`, nothing. `strength` of the whole is the
least of the actions that ran and are not contradicted, and null if nothing is claimed.

A pattern that was not realised excuses every pattern of the same term, with the same literals turned round,
that contains it; with nothing turned round it is about runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from assay.errors import InputError

Status = Literal["learned", "never ran", "contradicted", "open"]


class OtherClaim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A quantified feature: some other object of the type has the profile."""

    type: str
    profile: tuple[str, ...] = ()


class NotRealised(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A pattern for which no answer could be had."""

    term: int
    pattern: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    why: str = ""


class ActionClaim(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    status: Status
    strength: int | None = None
    class_: tuple[int, int, int] | None = msgspec.field(default=None, name="class")
    others: tuple[OtherClaim, ...] = ()
    terms: tuple[tuple[str, ...], ...] = ()
    not_realised: tuple[NotRealised, ...] = ()
    contradiction: tuple[int, ...] = ()


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    assay: Literal[2]
    entries: int
    journal: str
    model: str
    strength: int | None
    states_between: bool
    outcome: str
    actions: dict[str, ActionClaim]


def encode_certificate(certificate: Certificate) -> bytes:
    """One action a line, so that certificates can be compared by eye."""
    head = {name: getattr(certificate, name) for name in Certificate.__struct_fields__ if name != "actions"}
    actions = b",\n".join(
        msgspec.json.encode(name) + b": " + msgspec.json.encode(claim)
        for name, claim in certificate.actions.items()
    )
    return msgspec.json.encode(head)[:-1] + b',"actions":{\n' + actions + b"\n}}\n"


def read_certificate(path: Path) -> Certificate:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Certificate)
    except OSError as error:
        raise InputError(f"cannot read {path.name}: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise InputError(f"{path.name} is not a certificate of version 2: {error}") from error
