"""Soundness and completeness of a model (QACE Definition 2).

A model is sound if every transition that it holds possible is possible in truth, and complete if the converse
is so: for all states over the vocabulary, reachable or not, and all capabilities on different objects.
Probabilities do not matter. Decided by SAT: exact of capabilities without quantifiers, and in states with few
objects of those with quantifiers (`settings`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.formula import FALSE
from assay.core.model import ActionModel, Case, Model, Outcome
from assay.scoring.equivalence import becomes, compare, where
from assay.scoring.settings import settings


@dataclass(frozen=True, slots=True)
class Correctness:
    spurious: tuple[str, ...]
    """Transitions that only the model holds possible, one of each kind, in words."""
    missing: tuple[str, ...]
    """Transitions that only the truth holds possible."""

    @property
    def sound(self) -> bool:
        return not self.spurious

    @property
    def complete(self) -> bool:
        return not self.missing


def correctness(model: Model, truth: Model) -> Correctness:
    found: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for name in sorted(model.action.keys() | truth.action.keys()):
        for side, kind, text in _beyond(model, truth, name):
            found[side].setdefault(f"{kind} {name}", text)
    return Correctness(tuple(found[0].values()), tuple(found[1].values()))


def _beyond(model: Model, truth: Model, name: str) -> Iterator[tuple[int, str, str]]:
    """What one of the models (0 or 1) holds possible and the other does not: of what kind, and in words."""
    pair = _knowing(model, truth, name), _knowing(truth, model, name)
    both = name in model.action and name in truth.action
    for setting in settings(*pair, name):
        comparison = compare(*pair, setting)
        for side in (0, 1):
            if (witness := comparison.runs_only(side)) is not None:
                yield side, "runs", f"{name} can be executed{where(setting, witness) if both else ''}"
            if (witness := comparison.leads_only(side)) is not None:
                then = becomes(setting, witness)
                yield side, "leads", f"{name} can lead to {then}{where(setting, witness)}"


def _knowing(model: Model, other: Model, name: str) -> Model:
    """The model, with the action as one that never runs if it is left out."""
    if name in model.action:
        return model
    nothing = (Case((Outcome(frozenset()),)),)
    return Model(model.vocabulary, (ActionModel(other.action[name].header, FALSE, nothing),))
