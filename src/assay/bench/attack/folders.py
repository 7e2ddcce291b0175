"""Result folders that were damaged or edited: bytes of journals, ends of journals, literals of models."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from pathlib import Path

from assay.bench.attack import SPEC, Command, Row

SUBJECTS = {
    "plans": [SPEC],
    "acting": [SPEC, "--start", "reset"],
    "chance": ["sdma:driving", "--samples", "100"],
    "game": ["game:zelda:4x4:search"],
}
JOURNALS = {"game": "reaches.jsonl"}
JOURNAL = "journal.jsonl"


def subjects(run: Command, place: Path) -> dict[str, Path]:
    """A finished folder of each kind."""
    found = {}
    for kind, arguments in SUBJECTS.items():
        found[kind] = place / kind
        ran = run(["run", *arguments, "--out", str(found[kind]), "--quiet"])
        assert not ran.raised, ran
    return found


def changed_bytes(number: int, folders: dict[str, Path], run: Command, rng: random.Random) -> Row:
    """One byte of a journal is changed: no exit code but 0 says that all is well."""
    row = Row("bytes changed and rejected")
    for attempt in range(number):
        kind, folder = list(folders.items())[attempt % len(folders)]
        path = folder / JOURNALS.get(kind, JOURNAL)
        whole = path.read_bytes()
        at = rng.randrange(len(whole))
        path.write_bytes(
            whole[:at] + bytes([rng.choice([b for b in range(256) if b != whole[at]])]) + whole[at + 1 :]
        )
        ran = run(["verify", str(folder)])
        row.count(f"{kind}, byte {at}: {ran}" if ran.raised or ran.code not in (2, 3) else None)
        path.write_bytes(whole)
    return row


def truncations(number: int, folders: dict[str, Path], run: Command, place: Path, rng: random.Random) -> Row:
    """A journal is cut anywhere: it is gone on with to the same end, or nothing had been learned yet."""
    row = Row("truncations resumed")
    for attempt in range(number):
        kind, folder = list(folders.items())[attempt % len(folders)]
        copy = place / "cut"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        path = copy / JOURNALS.get(kind, JOURNAL)
        whole = path.read_bytes()
        first = whole.index(b"\n") + 1
        # most cuts where something had been learned
        at = rng.randrange(len(whole)) if attempt % 20 == 0 else rng.randrange(first, len(whole) + 1)
        path.write_bytes(whole[:at])
        ran = run(["resume", str(copy), "--quiet"])
        right = ran.code == 2 if at < first else path.read_bytes() == whole
        row.count(f"{kind}, cut at {at}: {ran}" if ran.raised or not right else None)
    return row


def model_edits(number: int, folder: Path, run: Command, place: Path, rng: random.Random) -> Row:
    """A literal of the model is dropped, added or turned; the certificate is made to fit."""
    row = Row("model edits rejected, equivalent ones told apart")
    source = (folder / "model.pddl").read_text()
    told_equivalent = equivalent = 0
    for _ in range(number):
        copy = place / "edited"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        edited, same = _edited(source, rng)
        (copy / "model.pddl").write_text(edited)
        certificate = json.loads((copy / "certificate.json").read_text())
        certificate["model"] = hashlib.sha256(edited.encode()).hexdigest()
        (copy / "certificate.json").write_text(json.dumps(certificate))
        ran = run(["verify", str(copy)])
        proved = "the journal proves the model" in " ".join(ran.output.split())
        equivalent, told_equivalent = equivalent + same, told_equivalent + (same and proved)
        wrong = ran.raised or ran.code != 3 or proved is not same
        row.count(f"equivalent: {same}: {ran}\n{edited}" if wrong else None)
    row.notes = f"{told_equivalent} of {equivalent} equivalent ones called so"
    return row


_LITERAL = re.compile(r"\((?:not \((\w+)((?: \?\w+)+)\)|(\w+)((?: \?\w+)+))\)")


def _edited(source: str, rng: random.Random) -> tuple[str, bool]:
    """The model with one literal otherwise, and whether it means the same all the same.

    Each action is a block with a precondition and an effect. To add an effect that the precondition demands,
    or to write literals in another order, changes nothing that the agent does; everything else does.
    """
    start = source.index("(:action")
    blocks = [block for block in re.split(r"(?=\(:action)", source[start:]) if block]
    at = rng.randrange(len(blocks))
    head, effect = blocks[at].split(":effect")
    top, needs = head.split(":precondition")
    needed, effects = ([m[0] for m in _LITERAL.finditer(part)] for part in (needs, effect))
    kind = rng.randrange(4)
    if kind == 0 and (redundant := [x for x in needed if x not in effects and _turned(x) not in effects]):
        return source[:start] + "".join(
            _with(blocks, at, top, needed, [*effects, rng.choice(redundant)])
        ), True
    if kind == 1:
        part = needed if rng.randrange(2) else effects
        part.remove(rng.choice(part))
    elif kind == 2:
        part = needed if rng.randrange(2) else effects
        index = rng.randrange(len(part))
        part[index] = _turned(part[index])
    else:
        rng.shuffle(needed)
        rng.shuffle(effects)
        return source[:start] + "".join(_with(blocks, at, top, needed, effects)), True
    return source[:start] + "".join(_with(blocks, at, top, needed, effects)), False


def _with(blocks: list[str], at: int, top: str, needed: list[str], effects: list[str]) -> list[str]:
    end = ")\n)\n" if at == len(blocks) - 1 else ")\n\n  "
    text = f"{top}:precondition (and {' '.join(needed)})\n    :effect (and {' '.join(effects)})\n  {end}"
    return [*blocks[:at], text, *blocks[at + 1 :]]


def _turned(literal: str) -> str:
    return literal[5:-1] if literal.startswith("(not ") else f"(not {literal})"
