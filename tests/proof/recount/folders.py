"""Result folders made without a learner, and ways to tamper with them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assay.core.model import Model
from assay.core.query import Profile, Start
from assay.core.setting import Setting
from assay.core.symbols import Object
from assay.core.universe import Universe
from assay.pddl.writer import write_domain
from assay.proof.recount import encode_certificate
from assay.proof.recount.folder import FolderVerdict, verify_folder
from assay.store.chain import Chain

from .asking import Asking, Claimed, Line


class Folder:
    """A result folder at a strength, with the questions that it takes."""

    def __init__(
        self,
        path: Path,
        model: Model,
        claims: Mapping[str, Claimed],
        level: int = 2,
        *,
        tells: bool = True,
        seed: int = 0,
        objects: Mapping[str, str] | None = None,
    ) -> None:
        self.path, self.claims, self.level = path, claims, level
        self.asking = Asking(model, tells, objects or {})
        rng = random.Random(seed)
        for name, claimed in claims.items():
            self.asking.cover(name, claimed, level, rng)
        self.write()

    @property
    def lines(self) -> list[Line]:
        return self.asking.lines

    def setting(self) -> Line:
        vocabulary = self.asking.model.vocabulary
        objects = tuple(Object(n, t) for n, t in self.asking.objects.items())
        profile = Profile(vocabulary, objects, Start.ANY, True)
        return Setting(profile, Universe(vocabulary, objects)).to_dict()

    def write(self) -> None:
        """Journal, model and certificate, as they stand."""
        self.path.mkdir(exist_ok=True)
        text = write_domain(self.asking.model).encode()
        (self.path / "model.pddl").write_bytes(text)
        journal_hash = self.write_journal(self.lines)
        found = self.asking.certificate(self.claims, self.level, journal_hash, text)
        (self.path / "certificate.json").write_bytes(encode_certificate(found))
        (self.path / "run.json").write_text("{}")

    def write_journal(self, lines: list[Line]) -> str:
        """The journal with these entries, numbered anew; returns its hash."""
        (self.path / "journal.jsonl").unlink(missing_ok=True)
        chain = Chain.create(self.path / "journal.jsonl")
        chain.append(self.setting())
        for number, line in enumerate(lines, start=1):
            chain.append({**line, "n": number})
        chain.close()
        return chain.hash

    def replace_journal(self, lines: list[Line]) -> None:
        """A journal that is whole, and that the certificate is about, with other entries."""
        found = self.write_journal(lines)
        self.edit(lambda c: c.update(journal=found, entries=len(lines)))

    def replace_model(self, text: str, *, known: bool = True) -> None:
        """Another model; `known` if the certificate is to be about it."""
        (self.path / "model.pddl").write_text(text)
        if known:
            self.edit(lambda c: c.update(model=hashlib.sha256(text.encode()).hexdigest()))

    def edit(self, change: Callable[[dict[str, Any]], object]) -> None:
        path = self.path / "certificate.json"
        data = msgspec.json.decode(path.read_bytes())
        change(data)
        path.write_bytes(msgspec.json.encode(data))

    @property
    def model_text(self) -> str:
        return (self.path / "model.pddl").read_text()

    def verify(self) -> FolderVerdict:
        return verify_folder(self.path)

    def problems(self) -> str:
        """What is wrong, after making sure that something is."""
        found = self.verify()
        assert not found.holds
        assert found.problems
        return " ".join(found.problems)
