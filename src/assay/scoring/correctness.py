"""Soundness and completeness of a model (QACE Definition 2), decided exactly.

A model is sound if every transition that it holds possible is possible in truth, and complete if the converse
is so: for all states over the vocabulary, reachable or not, and all capabilities on different objects. Both
are inclusions of one model in another, decided capability by capability and outcome by outcome: two outcomes
lead to the same state exactly where a certain conjunction of literals holds, so an outcome is covered by
others iff no state that satisfies the precondition falsifies all their conjunctions. Such a state, if there
is one, is found by choosing a literal to falsify in each. Probabilities do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import Atom, Literal
from assay.scoring.normal_form import satisfiable

Values = dict[Atom, bool]


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
    return Correctness(tuple(_beyond(model, truth)), tuple(_beyond(truth, model)))


def _beyond(first: Model, second: Model) -> list[str]:
    """Transitions of the first model that the second does not have; empty iff there are none."""
    found = []
    for name in sorted(first.action):
        action, other = first.action[name], second.action.get(name)
        if not satisfiable(action):
            continue
        if other is None:
            found.append(f"{name} can be executed")
            continue
        other = renamed(other, action)
        if extra := sorted(map(str, other.needed - action.needed)):
            found += [f"{name} can be executed without {literal}" for literal in extra]
            continue
        known = dict(action.needed)
        for outcome in action.outcomes:
            if outcome.probability and (state := _uncovered(outcome, other.outcomes, known)) is not None:
                effects = " ".join(sorted(map(str, outcome.literals))) or "nothing"
                found.append(f"{name} can lead to {effects}{_where(state, known)}")
    return found


def renamed(action: ActionModel, pattern: ActionModel) -> ActionModel:
    """The action with the parameters of another, matched by position."""
    parameters = zip(action.header.parameters, pattern.header.parameters, strict=True)
    renaming = {p.name: q.name for p, q in parameters}

    def rename(literals: frozenset[Literal]) -> frozenset[Literal]:
        return frozenset(Literal(a.substitute(renaming), positive) for a, positive in literals)

    return ActionModel.chance(
        pattern.header,
        rename(action.needed),
        [Outcome.plain(rename(o.literals), o.probability) for o in action.outcomes],
        frozenset((renaming[x], renaming.get(y, y)) for x, y in action.distinct),
    )


def _effect(outcome: Outcome) -> Values:
    """What each atom becomes; an add beats a delete."""
    return {a: False for a, positive in outcome.literals if not positive} | {
        a: True for a, positive in outcome.literals if positive
    }


def _uncovered(outcome: Outcome, others: Sequence[Outcome], known: Values) -> Values | None:
    """A state with these values in which none of the others leads where the outcome does."""
    mine = _effect(outcome)
    agreements = [_agreement(mine, _effect(other)) for other in others if other.probability]
    return _falsify([a for a in agreements if a is not None], known)


def _agreement(one: Values, two: Values) -> Values | None:
    """The values before under which both lead to the same state; None if nothing makes them."""
    needed: Values = {}
    for atom in one.keys() | two.keys():
        if atom in one and atom in two:
            if one[atom] != two[atom]:
                return None
        else:
            needed[atom] = one[atom] if atom in one else two[atom]
    return needed


def _falsify(conjunctions: Sequence[Values], known: Values) -> Values | None:
    """Values that extend those known and falsify every conjunction, or None if there are none."""
    if not conjunctions:
        return known
    first, rest = conjunctions[0], conjunctions[1:]
    if any(known.get(atom, value) != value for atom, value in first.items()):
        return _falsify(rest, known)
    for atom, value in sorted(first.items()):
        if atom not in known and (found := _falsify(rest, known | {atom: not value})) is not None:
            return found
    return None


def _where(state: Values, known: Values) -> str:
    chosen = sorted(str(Literal(atom, value)) for atom, value in state.items() if atom not in known)
    return f" where {' '.join(chosen)}" if chosen else ""
