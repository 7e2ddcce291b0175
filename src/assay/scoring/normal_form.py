"""Normal forms of conjunctive actions: two of them do the same everywhere iff they are equal.

Normalisation (AIA-20 section 2.2) drops an effect that its own precondition makes void: adding what must
already be true, deleting what must already be false. Other actions than conjunctive ones stay as they are.
"""

from __future__ import annotations

from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import Literal


def normalised(model: Model) -> Model:
    return Model(model.vocabulary, tuple(map(normalised_action, model.actions)))


def normalised_action(action: ActionModel) -> ActionModel:
    """The equivalent action with fewest literals; an add beats a delete of the same atom."""
    if not action.is_conjunctive:
        return action
    needed = action.needed

    def kept(effects: frozenset[Literal]) -> frozenset[Literal]:
        return frozenset(e for e in effects if e.positive or Literal(e.atom) not in effects) - needed

    outcomes = [Outcome.plain(kept(o.literals), o.probability) for o in action.outcomes]
    return ActionModel.chance(action.header, needed, outcomes, action.distinct)


def satisfiable(action: ActionModel) -> bool:
    """Whether any state at all lets a conjunctive action run."""
    return not any(Literal(a, not sign) in action.needed for a, sign in action.needed)


def literal_count(model: Model) -> int:
    """K: the number of precondition literals of a conjunctive model, the lower bound on questions."""
    return sum(len(a.needed) for a in model.actions)
