"""`assay verify` on folders with a certificate of version 2: exit codes, and what is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .doors import CLAIMS, DOORS
from .folders import Folder


def printed(result: Any) -> str:
    return " ".join(result.stdout.split())


def test_exit_codes(call: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "r", DOORS, CLAIMS)
    told = printed(call("verify", "r"))
    assert "Every claim holds. The answers show strength 2." in told
    assert "16 of 16" in told
    assert "Not ruled out is that two other facts together stand in for a needed one" in told
    call("verify", "r", "--strength", "3", code=3)
    found = json.loads(call("verify", "r", "--json").stdout)
    assert (found["holds"], found["strength"], found["class"]) == (True, 2, [2, 1, 3])
    assert "open: other objects were varied in" in printed(call("verify", "r", "--others"))
    folder.edit(lambda data: data.update(strength=3))
    assert "claims strength 3 of the model; the answers show 2." in printed(call("verify", "r", code=3))
    (tmp_path / "r" / "certificate.json").unlink()
    assert "nothing is claimed" in printed(call("verify", "r", code=3))
    call("verify", "r", "--strength", "2")
    journal = tmp_path / "r" / "journal.jsonl"
    journal.write_text(journal.read_text().replace("shut a0", "shut a1", 1))
    call("verify", "r", code=2)


def test_asking_again(call: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "r", DOORS, CLAIMS, 1)
    (tmp_path / "same.pddl").write_text(folder.model_text)
    changed = folder.model_text.replace("(when (wet) (muddy))", "(muddy)")
    (tmp_path / "changed.pddl").write_text(changed)
    call("verify", "r", "--replay", "pddl:same.pddl")
    call("verify", "r", "--replay", "pddl:same.pddl", "--share", "0.1")
    told = json.loads(call("verify", "r", "--json", "--replay", "pddl:changed.pddl", code=3).stdout)
    dry = [
        x["n"]
        for x in folder.lines
        if x.get("steps") and "wet" not in x["state"] and "muddy" not in x["state"]
    ]
    assert told["replay_differs"] == [n for n in dry if folder.lines[n - 1]["plan"][0].startswith("open")]
    few = json.loads(
        call("verify", "r", "--json", "--replay", "pddl:changed.pddl", "--share", "0.3", code=3).stdout
    )
    assert 0 < len(few["replay_differs"]) < len(told["replay_differs"])
