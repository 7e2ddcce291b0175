"""Precision and recall of a learned model, literal by literal, as the `amlgym` package defines them.

Per action, required literals and effects are compared as sets, each sign a set of its own: precision is the
share of the learned literals that the reference has, recall the share of the reference's literals that were
learned, either is 1 where there is nothing to share; an action that was not learned has no literals. A
model's figure is the mean over the reference's actions. Literals count as they are written: an effect that
its own precondition makes void, and a literal that other literals imply, count like any other. A disjunction,
a quantifier, a conditional effect count as one literal that the reference does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from assay.core.formula import conjuncts
from assay.core.model import ActionModel, Model
from assay.core.symbols import Literal


class Entry(NamedTuple):
    """A literal in its place; its variables are those of the reference."""

    action: str
    part: str
    """`precondition` or `effect`."""
    text: str

    def __str__(self) -> str:
        return f"{self.action}: {self.part} {self.text}"


@dataclass(frozen=True)
class Similarity:
    precision: float
    recall: float


def entries(model: Model, reference: Model) -> set[Entry]:
    """Every literal of the model, in the reference's variables; parameters are matched by position."""
    found: set[Entry] = set()
    for action in model.actions:
        name = action.header.name
        theirs = reference.action[name].header.parameters
        renaming = {p.name: q.name for p, q in zip(action.header.parameters, theirs, strict=True)}
        found |= {Entry(name, part, text) for part, text in _written(action, renaming)}
    return found


def similarity(model: Model, reference: Model) -> Similarity:
    learned, wanted = entries(model, reference), entries(reference, reference)
    precision, recall = [], []
    for action in reference.actions:
        mine = {e for e in learned if e.action == action.header.name}
        theirs = {e for e in wanted if e.action == action.header.name}
        precision.append(_share(mine, theirs))
        recall.append(_share(theirs, mine))
    return Similarity(fmean(precision), fmean(recall))


def _share(part: set[Entry], whole: set[Entry]) -> float:
    return len(part & whole) / len(part) if part else 1.0


def _written(action: ActionModel, renaming: dict[str, str]) -> Iterator[tuple[str, str]]:
    for part in conjuncts(action.precondition):
        if isinstance(part, Literal):
            yield "precondition", str(Literal(part.atom.substitute(renaming), part.positive))
        else:
            yield "precondition", f"also {part}"
    for effect in action.effects:
        if effect.is_plain:
            literal = effect.literal
            yield "effect", str(Literal(literal.atom.substitute(renaming), literal.positive))
        else:
            yield "effect", f"at times {effect}"
