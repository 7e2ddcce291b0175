"""A model that questions are put to, and what is known about it: objects, situations, how sure it is.

Of a result folder the model is the one written there, objects and situations are the agent's (the first line
of the journal has them), and the certificate says how sure the model is. A domain alone has none of this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from assay.causal.difference import Result
from assay.causal.objects import Spelling
from assay.causal.scope import Scope
from assay.core.model import Model
from assay.core.query import Start
from assay.core.symbols import Atom, Object
from assay.core.universe import Universe
from assay.errors import InputError
from assay.language.english import English
from assay.pddl.model_file import read_model
from assay.store.folder import CERTIFICATE, JOURNAL
from assay.store.journal import read, read_setting

CERTIFIED = 2
"""The version of certificates that state a strength."""
UNSETTLED = {
    "never ran": "it was never seen to run",
    "contradicted": "its answers contradict each other",
    "open": "it is not learned to the end",
}
"""What a certificate may say of an action, beside that it is learned."""


@dataclass(frozen=True)
class Subject:
    """A model to be asked, and what is known about it."""

    target: Path
    model: Model
    objects: tuple[Object, ...] = ()
    offered: tuple[tuple[Atom, ...], ...] = ()
    """Situations that the agent offered, most typical first."""
    anywhere: bool = True
    """Whether the agent can be put into any state; else it was only seen where it gets from those."""
    scope: Scope | None = None
    """Of which steps the model speaks, if it was learned."""
    strength: int | None = None
    """How sure it is, if a certificate says so."""
    unsettled: Mapping[str, str] = field(default_factory=dict)
    """Actions of which too little is known, and why."""

    @property
    def english(self) -> English:
        """Without quotes, for a terminal."""
        return English(self.model.vocabulary, mark="")

    def result(self) -> Result:
        """With the answers that it was learned from."""
        journal = self.target / JOURNAL
        entries = read(journal).entries if journal.exists() else ()
        return Result(str(self.target), self.model, entries, self.unsettled)

    def action(self, name: str) -> str:
        """The action's name as the model spells it."""
        return Spelling(Universe(self.model.vocabulary)).action(name)


def load(target: Path) -> Subject:
    """A result folder, or a PDDL domain."""
    model = read_model(target)
    if not target.is_dir():
        return Subject(target, model)
    strength, unsettled = _certificate(target / CERTIFICATE)
    if not (target / JOURNAL).exists():
        return Subject(target, model, strength=strength, unsettled=unsettled)
    setting = read_setting(target / JOURNAL)
    return Subject(
        target,
        model,
        setting.profile.objects,
        tuple(tuple(sorted(state)) for state in setting.offered),
        setting.profile.start is Start.ANY,
        Scope(setting.profile.free_arguments, setting.equality),
        strength,
        unsettled,
    )


def _certificate(path: Path) -> tuple[int | None, dict[str, str]]:
    """The strength, and the actions that are not learned."""
    if not path.exists():
        return None, {}
    try:
        data = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    if data.get("assay") != CERTIFIED:
        return None, {}
    status = {name: about.get("status", "") for name, about in data.get("actions", {}).items()}
    return data.get("strength"), {name: UNSETTLED[s] for name, s in status.items() if s in UNSETTLED}
