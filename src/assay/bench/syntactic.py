"""Precision and recall of a learned model, literal by literal, as the `amlgym` package defines them.

Per action, required literals and effects are compared as sets, each sign a set of its own: precision is the
share of the learned literals that the reference has, recall the share of the reference's literals that were
learned, either is 1 where there is nothing to share; an action that was not learned has no literals. A
model's figure is the mean over the reference's actions. A required literal that the reference does not have
counts against precision, positive or negative. Literals count as they are written: an effect that its own
precondition makes void, and a literal that other literals imply, count like any other.

Literals may be excused: they count neither way.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal
from assay.knowledge.dossier import Part


class Entry(NamedTuple):
    """A literal in its place; its variables are those of the reference."""

    action: str
    part: Part
    literal: Literal

    @property
    def slot(self) -> tuple[str, Part, Atom]:
        return self.action, self.part, self.literal.atom

    def __str__(self) -> str:
        return f"{self.action}: {self.part.value} {self.literal}"


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
        found |= {
            Entry(name, part, Literal(atom.substitute(renaming), positive))
            for part, literals in _parts(action)
            for atom, positive in literals
        }
    return found


def similarity(model: Model, reference: Model, excused: Set[Entry] = frozenset()) -> Similarity:
    learned, wanted = entries(model, reference) - excused, entries(reference, reference) - excused
    precision, recall = [], []
    for action in reference.actions:
        mine = {e for e in learned if e.action == action.header.name}
        theirs = {e for e in wanted if e.action == action.header.name}
        precision.append(_share(mine, theirs))
        recall.append(_share(theirs, mine))
    return Similarity(fmean(precision), fmean(recall))


def _share(part: set[Entry], whole: set[Entry]) -> float:
    return len(part & whole) / len(part) if part else 1.0


def _parts(action: ActionModel) -> list[tuple[Part, frozenset[Literal]]]:
    return [(Part.PRECONDITION, action.needed), (Part.EFFECT, action.plain_effects)]
