"""Where a command wants a model: a PDDL or PPDDL domain, or a result folder with one in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import InputError

if TYPE_CHECKING:
    from assay.core.model import Model

MODELS = ("model.ppddl", "model.pddl")
"""What a result folder may call its model: the one with chance is there only if it is meant."""


def model_path(target: Path) -> Path:
    """The domain file that a file or a result folder stands for."""
    if not target.is_dir():
        return target
    found = next((target / name for name in MODELS if (target / name).is_file()), None)
    if found is None:
        raise InputError(f"there is no model in {target}: neither {' nor '.join(MODELS)}")
    return found


def read_model(target: Path) -> Model:
    from assay.agents.pddl import read_file
    from assay.pddl.reader import read_ppddl

    path = model_path(target)
    return read_ppddl(read_file(path), str(path))
