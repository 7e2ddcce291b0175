"""The checker shares no code with what it checks."""

from __future__ import annotations

import ast
from pathlib import Path

import assay.proof

READERS = ("assay.pddl.reader", "assay.pddl.conditions")  # what files and formulas say, not what follows
ALLOWED = ("assay.core", "assay.errors", "assay.proof", "assay.store", *READERS)


def test_imports() -> None:
    files = sorted(Path(assay.proof.__file__).parent.rglob("*.py"))
    assert len(files) > 5
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not name.startswith("assay") or name.startswith(ALLOWED), f"{file.name}: {name}"
