"""The default learner: few refusals, and samples where they tell most.

Every execution costs one sample, refused or not. A refusal is certain, so preconditions are learned by the
witness logic of deterministic agents: in a situation where the capability ran, one suspect is turned round
(or a group of them, which is halved if refused), and a refusal convicts. What passes is not lost: it is a
sample of the outcomes like any other, and taken where outcomes show (`revealing`). So learning a precondition
of K literals costs K samples and the tries for a first example. The rest goes where it does most for the
model (`estimates`). Objects and everything that is not the capability's business change from question to
question: if they matter after all, refusals contradict each other or counts are uneven, and that is told.

An agent that cannot be put anywhere is led: see `touring`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.model import Model
from assay.core.policy import PolicyQuery
from assay.core.query import Invalid, Start
from assay.core.symbols import ActionHeader, Step
from assay.core.universe import bits_of, indices
from assay.knowledge.experience import Capability, Experience
from assay.strategies.chance import Questions
from assay.strategies.chance.estimates import Estimates
from assay.strategies.chance.revealing import revealing
from assay.strategies.chance.touring import Tour
from assay.strategies.first_example import FirstExample

PASSES = 16
"""Suspects of one capability up to which each is tested alone; more are tested in groups, so many of them."""
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
    contrary: int | None = None
    """The atom that has a value it seldom had."""


class _Trials:
    """Single steps from states made for them."""

    def __init__(self, experience: Experience, estimates: Estimates) -> None:
        self._experience, self._estimates = experience, estimates
        self._rng = random.Random(f"{experience.setting.seed} sampling")
        self._first = FirstExample(experience.needs, habits=False)  # tries cost little beside the samples
        headers = experience.vocabulary.actions
        self._fitting = {h.name: self._objects(h) for h in headers if self._step(h.name, self._objects(h))}
        """The objects for each parameter of the capabilities that can be tried."""
        self._impossible: dict[str, set[int]] = {name: set() for name in experience.capabilities}
        self._given_up: dict[tuple[str, int], int] = {}
        """Suspects that could not be tested, and what was in doubt then."""
        self._rejected = Counter[tuple[str, int]]()
        """How often the agent called states impossible in which an atom has a value it seldom had."""

    def questions(self) -> Questions:
        offered = self._experience.setting.offered
        while (wanted := self._next_test() or self._next_sample()) is not None:
            step = self._step(wanted.action, self._fitting[wanted.action])
            assert step is not None
            rest = offered[0].bits if offered and self._rng.random() < 0.5 else 0
            state = self._experience.state(wanted.valuation, step, rest)
            answer = yield PolicyQuery.trial(state, step, wanted.runs)
            if isinstance(answer, Invalid):
                self._impossible[wanted.action].add(wanted.valuation)
                if wanted.contrary is not None:
                    self._rejected[wanted.action, wanted.contrary] += 1

    def _objects(self, header: ActionHeader) -> list[list[str]]:
        """The agent's own objects that fit each parameter, and new ones where they are allowed and needed."""
        setting, universe = self._experience.setting, self._experience.universe
        found = setting.fitting(header)
        if setting.profile.new_objects:
            for parameter, names in zip(header.parameters, found, strict=True):
                lacking = header.arity - len(names)
                names += [universe.made_up(parameter.types[0], n + 1) for n in range(lacking)]
        return found

    def _step(self, action: str, fitting: list[list[str]]) -> Step | None:
        """The capability with some different objects, if there are enough."""
        for _ in range(TRIES):
            args: list[str] = []
            for names in fitting:
                free = [n for n in names if n not in args]
                if not free:
                    break
                args.append(self._rng.choice(free))
            else:
                return Step(action, tuple(args))
        return None

    def _capabilities(self) -> Iterator[tuple[str, Capability]]:
        """Those that can be tried and make sense."""
        return ((name, c) for name, c in self._estimates.sensible() if name in self._fitting)

    def _next_test(self) -> _Trial | None:
        for name, capability in self._capabilities():
            if capability.dossier.ran and (test := self._test(name, capability)) is not None:
                return test
        for name, capability in self._capabilities():
            if not capability.dossier.ran:
                valuation = self._first.propose(capability.dossier, self._impossible[name]).valuation
                if valuation is not None:
                    runs = self._experience.patience(name, valuation) or 1
                    if not self._experience.shown:  # whatever it does may be so already: not again there
                        self._impossible[name].add(valuation)
                    return _Trial(name, valuation, runs)
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
        if (contrary := self._contrary()) is not None:
            return contrary
        names = [name for name, _ in self._capabilities()]
        while (best := self._estimates.most_wanted(names)) is not None:
            capability = self._experience.capabilities[best]
            valuation = self._possible(best, capability, capability.dossier.precondition.may_true)
            if valuation is not None:
                return _Trial(best, valuation, self._estimates.batch(best, valuation))
            names.remove(best)
        return None

    def _contrary(self) -> _Trial | None:
        """Runs with the values that atoms seldom had because others show more of the outcomes known."""
        for name, capability in self._capabilities():
            needs = capability.dossier.precondition
            for index, (value, lacking) in self._estimates.seldom_shown(name).items():
                if self._rejected[name, index] < TRIES:
                    values = needs.may_true & ~(1 << index) | value << index
                    valuation = self._possible(name, capability, values, 1 << index)
                    if valuation is not None:
                        return _Trial(name, valuation, -(-lacking // 4), index)
        return None

    def _possible(self, name: str, capability: Capability, values: int, held: int = 0) -> int | None:
        """A revealing valuation with these values of the suspects, and of those to be `held`; none that the
        agent called impossible."""
        fixed, size = capability.dossier.precondition.suspects | held, len(capability.dossier.atoms)
        for _ in range(TRIES):
            valuation = revealing(self._estimates.outcomes(name).branches, fixed, values, size, self._rng)
            if valuation not in self._impossible[name]:
                return valuation
        return None
