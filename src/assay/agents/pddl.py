"""An agent that behaves as a PDDL file says: a stand-in for a black box whose truth is known.

A problem adds the agent's own objects and the situations it offers; without one it has only the domain's
constants, and questions bring all other objects.
"""

from __future__ import annotations

from pathlib import Path

from assay.agents.model import ModelAgent
from assay.errors import InputError
from assay.pddl.reader import read_domain, read_problem


def open_pddl(domain: Path, problem: Path | None = None, seed: int = 0) -> ModelAgent:
    model = read_domain(read_file(domain), str(domain))
    if problem is None:
        return ModelAgent(model, seed=seed)
    situation = read_problem(read_file(problem), model.vocabulary, str(problem))
    return ModelAgent(model, situation.objects, (situation.initial,), seed)


def read_file(path: Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {path}: not UTF-8 text (byte {error.start})") from None
