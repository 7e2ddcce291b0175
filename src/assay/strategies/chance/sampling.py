"""The default learner: few refusals, and samples where they tell most.

Every execution costs one sample, refused or not. A refusal is certain, so preconditions are learned by the
witness logic of deterministic agents: in a situation where the capability ran, one suspect is turned round
(or a group of them, which is halved if refused), and a refusal convicts. What passes is not lost: it is a
sample of the outcomes like any other, and taken where outcomes show (`revealing`). So learning a precondition
of K literals costs K samples and the tries for a first example. The rest goes where it does most for the
model (`estimates`).

An agent that cannot be put anywhere is led: see `touring`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from assay.core.model import Model
from assay.core.policy import PolicyQuery
from assay.core.query import Invalid, Start
from assay.core.symbols import Step
from assay.core.universe import bits_of, indices
from assay.knowledge.experience import Capability, Experience
from assay.strategies.chance import Questions
from assay.strategies.chance.estimates import Estimates
from assay.strategies.chance.revealing import revealing
from assay.strategies.chance.touring import Tour
from assay.strategies.first_example import FirstExample

PASSES = 16
"""Suspects of one capability up to which each is tested alone; more are tested in groups, so many of them."""
BATCH = 20
"""Runs are asked for in batches: one for every so many there are already."""
TRIES = 8
"""Valuations tried for one test while the agent calls them impossible."""


class Sampling:
    def __init__(self, experience: Experience) -> None:
        self._experience = experience
        self._estimates = Estimates(experience)

    def questions(self) -> Questions:
        if self._experience.setting.profile.start is Start.ANY:
            return _Trials(self._experience, self._estimates).questions()
        return Tour(self._experience, self._estimates).questions()

    def model(self) -> Model:
        return self._estimates.model()


@dataclass(frozen=True, slots=True)
class _Trial:
    action: str
    valuation: int
    runs: int


class _Trials:
    """Single steps from states made for them."""

    def __init__(self, experience: Experience, estimates: Estimates) -> None:
        self._experience, self._estimates = experience, estimates
        self._rng = random.Random(f"{experience.setting.seed} sampling")
        self._first = FirstExample(experience.needs)
        self._steps = {name: step for name in experience.capabilities if (step := self._step(name))}
        self._impossible: dict[str, set[int]] = {name: set() for name in experience.capabilities}
        self._given_up: dict[tuple[str, int], int] = {}
        """Suspects that could not be tested, and what was in doubt then."""

    def questions(self) -> Questions:
        while (wanted := self._next_test() or self._next_sample()) is not None:
            step = self._steps[wanted.action]
            state = self._experience.state(wanted.valuation, step)
            answer = yield PolicyQuery.trial(state, step, wanted.runs)
            if isinstance(answer, Invalid):
                self._impossible[wanted.action].add(wanted.valuation)

    def _step(self, action: str) -> Step | None:
        """The arguments that the capability is tried with."""
        setting, universe = self._experience.setting, self._experience.universe
        header = setting.profile.vocabulary.action[action]
        args: list[str] = []
        for parameter, fitting in zip(header.parameters, setting.fitting(header), strict=True):
            name = next((n for n in fitting if n not in args), None)
            if name is None:
                if not setting.profile.new_objects:
                    return None
                made_up = (universe.made_up(parameter.types[0], number) for number in count(1))
                name = next(n for n in made_up if n not in args)
            args.append(name)
        return Step(action, tuple(args))

    def _capabilities(self) -> Iterator[tuple[str, Capability]]:
        """Those that can be tried and make sense."""
        return ((name, c) for name, c in self._estimates.sensible() if name in self._steps)

    def _next_test(self) -> _Trial | None:
        for name, capability in self._capabilities():
            if capability.dossier.ran and (test := self._test(name, capability)) is not None:
                return test
        for name, capability in self._capabilities():
            if not capability.dossier.ran:
                valuation, _ = self._first.propose(capability.dossier, self._impossible[name])
                if valuation is not None:
                    return _Trial(name, valuation, self._experience.patience(name, valuation) or 1)
        return None

    def _test(self, name: str, capability: Capability) -> _Trial | None:
        """A suspect turned round, or a group of them; None if nothing is in doubt, or nothing can be done."""
        dossier = capability.dossier
        needs = dossier.precondition
        doubts = dossier.open_needs
        suspects = [i for i in indices(doubts) if self._given_up.get((name, i)) != doubts]
        while suspects:
            clauses = [c.true | c.false for c in needs.clauses]
            group = self._group(suspects, [c for c in clauses if c.bit_count() > 1])
            for _ in range(TRIES):
                valuation = self._possible(name, capability, needs.may_true ^ group)
                patience = None if valuation is None else self._experience.patience(name, valuation)
                if valuation is not None and patience is not None:
                    return _Trial(name, valuation, patience)
            self._given_up |= {(name, i): doubts for i in indices(group)}
            suspects = [i for i in suspects if not group >> i & 1]
        return None

    def _group(self, suspects: list[int], clauses: list[int]) -> int:
        for clause in sorted(clauses, key=int.bit_count):
            if members := [i for i in indices(clause) if i in suspects]:
                return bits_of(members[: max(1, len(members) // 2)])
        return bits_of(suspects[: max(1, len(suspects) // PASSES)])

    def _next_sample(self) -> _Trial | None:
        """Where the next runs do most, if any do."""
        names = [name for name, _ in self._capabilities()]
        while (best := self._estimates.most_wanted(names)) is not None:
            capability = self._experience.capabilities[best]
            valuation = self._possible(best, capability, capability.dossier.precondition.may_true)
            if valuation is not None:
                return _Trial(best, valuation, max(1, capability.tries // BATCH))
            names.remove(best)
        return None

    def _possible(self, name: str, capability: Capability, values: int) -> int | None:
        """A revealing valuation with these values of the suspects; none that the agent called impossible."""
        fixed, size = capability.dossier.precondition.suspects, len(capability.dossier.atoms)
        for _ in range(TRIES):
            valuation = revealing(self._estimates.outcomes(name).branches, fixed, values, size, self._rng)
            if valuation not in self._impossible[name]:
                return valuation
        return None
