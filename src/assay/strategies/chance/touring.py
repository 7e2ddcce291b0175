"""Sampling where the agent must be led: from states it has visited, or from its initial ones alone.

The same tests as elsewhere, at the places that can be had. A test is a valuation within reach that nothing
required is missing from and some suspect is: fewest suspects first, the nearest place first. A capability
that never ran is tried where most of its atoms hold: actions happen to things that have to do with each
other. The way to a place is a policy over the outcomes known so far, and every step of it is a sample like
any other; where chance leads off it, the next question starts from what is known then.

When no place within reach can tell more, the suspects left are *alike*: no state that the outcomes known lead
to tells them apart, and the model takes the fewest that explain every refusal. If the search for places had
to stop early they stay open instead.
"""

from __future__ import annotations

import random

from assay.core.policy import PolicyQuery
from assay.core.query import Invalid
from assay.core.universe import State
from assay.errors import InputError
from assay.knowledge.experience import Capability, Experience
from assay.strategies.chance import Questions
from assay.strategies.chance.estimates import Estimates
from assay.strategies.chance.revealing import DARING, told_apart
from assay.strategies.chance.territory import Place, Places, Territory

FEW = 2.0
"""Suspects missing at a place up to which, if a question may begin there, no better place is looked for."""
REFUSED_FIRST = 60
"""Refusals after which a capability that never ran waits until the others are known."""


class Tour:
    def __init__(self, experience: Experience, estimates: Estimates) -> None:
        if not experience.setting.offered:
            raise InputError("the agent names no situation to begin in, and cannot be put into any")
        self._experience, self._estimates = experience, estimates
        self._territory = Territory(experience, estimates)
        self._rng = random.Random(f"{experience.setting.seed} touring")
        self._impossible: set[int] = set()

    def questions(self) -> Questions:
        while (query := self._next()) is not None:
            answer = yield query
            if isinstance(answer, Invalid):
                self._impossible.add(query.state.bits)
                self._experience.visited.pop(query.state.bits, None)

    def _next(self) -> PolicyQuery | None:
        for capability in self._experience.capabilities.values():
            capability.dossier.alike_needs = 0
        if (place := self._test(self._territory.near(), FEW)) is not None:
            return self._query(place, self._patience(place))
        chances = self._territory.survey()
        if (place := self._test(chances)) is not None:
            return self._query(place, self._patience(place))
        if self._territory.exhausted:
            for capability in self._experience.capabilities.values():
                if capability.dossier.ran:
                    capability.dossier.alike_needs = capability.dossier.precondition.open
        names = [name for name, _ in self._estimates.sensible()]
        while (best := self._estimates.most_wanted(names)) is not None:
            place = self._sample(best, chances[best])
            if place is not None:
                valuation = self._experience.valuation(place.state, place.step)
                return self._query(place, self._estimates.batch(best, valuation))
            names.remove(best)
        return None

    def _patience(self, place: Place) -> int:
        """Runs it takes to see whether the place's step is refused."""
        valuation = self._experience.valuation(place.state, place.step)
        return self._experience.patience(place.step.action, valuation) or 1

    def _query(self, place: Place, runs: int) -> PolicyQuery:
        universe = self._experience.universe
        start, policy, length = self._territory.route(place)
        rules = tuple((State(universe, bits), step) for bits, step in policy.items())
        return PolicyQuery(State(universe, start), rules, (), length, runs)

    def _test(self, chances: Places, most: float = float("inf")) -> Place | None:
        """The place that tells most about a precondition, if any does that has at most so many suspects."""
        best, least = None, (most, float("inf"), float("inf"))
        for name, capability in self._estimates.sensible():
            for valuation, place in chances[name].items():
                if place.state in self._impossible:
                    continue
                doubt = _doubt(capability, valuation)
                if doubt is not None and self._experience.patience(name, valuation) is not None:
                    key = (*doubt, self._territory.distance(place.state))
                    if key < least:
                        best, least = place, key
        return best

    def _sample(self, name: str, chances: dict[int, Place]) -> Place | None:
        """A place where the capability runs and its outcomes can be told apart, near ones preferred."""
        capability = self._experience.capabilities[name]
        needs = capability.dossier.precondition
        branches = self._estimates.outcomes(name).branches
        best, most, daring = None, (-1.0,) * 4, self._rng.random() < DARING
        for valuation, place in chances.items():
            missing = needs.may_true & ~valuation or needs.may_false & valuation
            if place.state in self._impossible or (missing and valuation not in capability.ran_at):
                continue
            fresh = sum(
                (b.modes.ambiguous & (b.modes.delete & valuation | b.modes.add & ~valuation)).bit_count()
                for b in branches
            )
            near = 1 / (1 + self._territory.distance(place.state))
            key = (
                float(daring and fresh > 0),
                told_apart(branches, valuation),
                near,
                fresh + self._rng.random(),
            )
            if key > most:
                best, most = place, key
        return best


def _doubt(capability: Capability, valuation: int) -> tuple[float, float] | None:
    """How little a try there is expected to tell, the less the better; None if it tells nothing."""
    if valuation in capability.ran_at or valuation in capability.refused_at:
        return None
    needs = capability.dossier.precondition
    if not capability.dossier.ran:
        late = len(capability.refused_at) > REFUSED_FIRST
        return 1000.0 * late + 100.0, -float(valuation.bit_count())
    if needs.need_true & ~valuation or needs.need_false & valuation:
        return None
    missing = needs.may_true & ~valuation | needs.may_false & valuation
    if not missing or any(not (c.true | c.false) & ~missing for c in needs.clauses):
        return None
    return float(missing.bit_count()), 0.0
