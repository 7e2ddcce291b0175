"""The partly learned model M* (QACE section 4.1), read off the experience.

Two models are made of it. For planning, a capability needs every literal that is not yet excluded: what is
known to run, runs. As an estimate, it needs the literals that are proved, and of the others as few as explain
every refusal; those that explain most refusals first, positive ones before negative ones. In both, outcomes
are the effect sets that explain the transitions seen, with their likeliest probabilities.
"""

from __future__ import annotations

from collections import Counter

from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import Literal
from assay.core.universe import indices
from assay.knowledge.conjunction import Conjunction
from assay.knowledge.experience import Capability, Experience
from assay.scoring.normal_form import normalised
from assay.strategies.chance.effect_sets import Change, EffectSet, effect_sets, likeliest


class PartialModel:
    def __init__(self, experience: Experience) -> None:
        self.experience = experience
        self._fits: dict[str, tuple[int, tuple[Outcome, ...]]] = {}
        self._cautious: dict[str, tuple[tuple[int, int, int], ActionModel]] = {}

    def cautious(self, action: str) -> ActionModel | None:
        """The capability as far as it is sure to run; None if it never ran."""
        capability = self.experience.capabilities[action]
        needs = capability.dossier.precondition
        if not capability.dossier.ran:
            return None
        key = capability.tries, needs.may_true, needs.may_false
        if action not in self._cautious or self._cautious[action][0] != key:
            literals = self.literals(action, needs.may_true, needs.may_false)
            found = ActionModel.chance(capability.dossier.header, literals, self.outcomes(action))
            self._cautious[action] = key, found
        return self._cautious[action][1]

    def estimate(self) -> Model:
        """What the capabilities that ran seem to need and to do."""
        found = []
        for name, capability in sorted(self.experience.capabilities.items()):
            if capability.dossier.ran:
                true, false = likely_needs(capability.dossier.precondition)
                literals = self.literals(name, true, false)
                found.append(ActionModel.chance(capability.dossier.header, literals, self.outcomes(name)))
        return normalised(Model(self.experience.vocabulary, tuple(found)))

    def outcomes(self, action: str) -> tuple[Outcome, ...]:
        """The effect sets seen, with their likeliest probabilities."""
        capability = self.experience.capabilities[action]
        tries = capability.tries
        if action not in self._fits or self._fits[action][0] != tries:
            self._fits[action] = tries, self._fit(action, capability)
        return self._fits[action][1]

    def _fit(self, action: str, capability: Capability) -> tuple[Outcome, ...]:
        changes = observed(capability)
        sets = effect_sets(changes, len(capability.dossier.atoms)) or [EffectSet()]
        return tuple(
            Outcome.plain(self.literals(action, effects.add, effects.delete), probability)
            for effects, probability in zip(sets, likeliest(changes, sets), strict=True)
            if probability > 0
        )

    def literals(self, action: str, true: int, false: int) -> frozenset[Literal]:
        atoms = self.experience.capabilities[action].dossier.atoms
        positive = (Literal(atoms[n]) for n in indices(true))
        negative = (Literal(atoms[n], False) for n in indices(false))
        return frozenset((*positive, *negative))


def observed(capability: Capability) -> dict[Change, int]:
    """How often the capability led from which valuation to which."""
    return {
        Change(before, after): count
        for before, counts in capability.runs.items()
        for after, count in counts.items()
    }


def likely_needs(needs: Conjunction) -> tuple[int, int]:
    """What is proved to be needed, and few literals more that explain all refusals."""
    true, false = needs.need_true, needs.need_false
    left = [clause for clause in needs.clauses if not (clause.true & true or clause.false & false)]
    while left:
        votes = Counter(
            (index, positive)
            for clause in left
            for mask, positive in ((clause.true, True), (clause.false, False))
            for index in indices(mask)
        )
        if not votes:
            break  # answers that contradict each other explain nothing
        index, positive = min(votes, key=lambda literal: (-votes[literal], not literal[1], literal[0]))
        if positive:
            true |= 1 << index
        else:
            false |= 1 << index
        left = [c for c in left if not (c.true & true or c.false & false)]
    return true, false
