"""An agent that behaves as a PDDL file says: a stand-in for a black box whose truth is known.

A problem adds the agent's own objects and the situations it offers; without one it has only the domain's
constants, and questions bring all other objects.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from assay.agents.model import ModelAgent
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError, InputWarning
from assay.pddl.reader import Problem, read_domain, read_problem


def open_pddl(domain: Path, problem: Path | None = None, seed: int = 0) -> ModelAgent:
    model = read_domain(read_file(domain), str(domain))
    if problem is None:
        return ModelAgent(model, seed=seed)
    situation = read_situation(problem, model.vocabulary)
    return ModelAgent(model, situation.objects, (situation.initial,), seed)


def read_situation(path: Path, vocabulary: Vocabulary) -> Problem:
    """A problem; warns if it says that it belongs to another domain, as other planning tools do."""
    problem = read_problem(read_file(path), vocabulary, str(path))
    if problem.domain and problem.domain.lower() != vocabulary.name.lower():
        warnings.warn(
            f"{path} is a problem of the domain {problem.domain!r}, and is used with {vocabulary.name!r}",
            InputWarning,
            stacklevel=3,
        )
    return problem


def read_file(path: Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {path}: not UTF-8 text (byte {error.start})") from None
