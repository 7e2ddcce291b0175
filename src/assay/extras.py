"""Optional parts of assay: the command that installs one, for this Python and this assay."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

_SOURCES = Path(__file__).resolve().parents[2]


def install(extra: str) -> str:
    """For someone who lacks the extra: it works as it is, whether assay runs from its sources or not."""
    python, here = Path(sys.executable), Path.cwd()
    if python.is_relative_to(_SOURCES) and here == _SOURCES:
        python = python.relative_to(_SOURCES)
    wanted = [f"assay[{extra}]"]
    if (_SOURCES / "pyproject.toml").is_file():
        wanted = ["-e", f"{'.' if here == _SOURCES else _SOURCES}[{extra}]"]
    return shlex.join([str(python), "-m", "pip", "install", *wanted])
