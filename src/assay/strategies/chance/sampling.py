"""The default learner: few refusals, and samples where they tell most.

Every execution costs one sample, refused or not. A refusal is certain, so preconditions are learned by the
witness logic of deterministic agents: in a situation where the capability ran, one suspect is turned round
(or a group of them, which is halved if refused), and a refusal convicts. What passes is not lost: it is a
sample of the outcomes like any other, and taken where outcomes show (`revealing`). So learning a precondition
of K literals costs K samples and the tries for a first example.

The rest goes where it does most for the model. A capability of which several outcomes are known gains
accuracy: the expected error of its probabilities falls with the square root of its runs. A capability that
has always done the same gains certainty that it does: the chance that an outcome is yet unseen falls with the
number of its runs. That chance is taken for larger while some predicate is *unexplained*: a capability needs
it to be so, it is so of everything in the situation the agent begins in, and no outcome known changes it.
Something then should, or the capability would not have to ask. None of this decides what is concluded.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from math import pi, prod, sqrt

from assay.core.model import ActionModel, Model, Outcome
from assay.core.policy import PolicyQuery
from assay.core.query import Invalid, Start
from assay.core.symbols import Literal, Step
from assay.core.universe import bits_of, indices
from assay.errors import InputError
from assay.knowledge.experience import Capability, Experience
from assay.knowledge.intervals import interval
from assay.knowledge.outcomes import Outcomes, outcomes
from assay.strategies.chance import Questions
from assay.strategies.chance.revealing import revealing
from assay.strategies.first_example import FirstExample

PASSES = 16
"""Suspects of one capability up to which each is tested alone; more are tested in groups, so many of them."""
UNSEEN = 0.036
"""Weight of missing an outcome, against an error in a probability."""
UNEXPLAINED, MISSED = 10.0, 300.0
"""How many times more it counts to find an outcome that would explain a predicate: of any capability that has
to do with it, and of one that needs it, for what a capability needs is mostly what it changes."""
BATCH = 20
"""Runs are asked for in batches: one for every so many there are already."""
TRIES = 8
"""Valuations tried for one test while the agent calls them impossible."""


class Sampling:
    def __init__(self, experience: Experience) -> None:
        setting = experience.setting
        if setting.profile.start is not Start.ANY:
            raise InputError("strategy 'sampling' needs an agent that can start from any state")
        assert setting.aims is not None
        self._experience, self._aims = experience, setting.aims
        self._rng = random.Random(f"{setting.seed} sampling")
        self._first = FirstExample(experience.needs)
        self._steps = {name: step for name in experience.capabilities if (step := self._step(name))}
        self._impossible: dict[str, set[int]] = {name: set() for name in experience.capabilities}
        self._given_up: set[tuple[str, int]] = set()
        self._found: dict[str, tuple[int, Outcomes]] = {}

    def questions(self) -> Questions:
        while (wanted := self._next_test() or self._next_sample()) is not None:
            step = self._steps[wanted.action]
            answer = yield PolicyQuery.trial(
                self._experience.state(wanted.valuation, step), step, wanted.runs
            )
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
        for name in self._steps:
            if not (capability := self._experience.capabilities[name]).contradicted:
                yield name, capability

    def _outcomes(self, name: str) -> Outcomes:
        capability = self._experience.capabilities[name]
        tries = capability.tries
        if self._found.get(name, (-1, None))[0] != tries:
            self._found[name] = tries, outcomes(capability.runs, len(capability.dossier.atoms))
        return self._found[name][1]

    # preconditions

    def _next_test(self) -> _Trial | None:
        for name, capability in self._capabilities():
            if capability.dossier.ran and (test := self._test(name, capability)) is not None:
                return test
        for name, capability in self._capabilities():
            if not capability.dossier.ran:
                valuation, _ = self._first.propose(capability.dossier, self._impossible[name])
                if valuation is not None:
                    return _Trial(name, valuation, 1)
        return None

    def _test(self, name: str, capability: Capability) -> _Trial | None:
        """A suspect turned round, or a group of them; None if nothing is in doubt, or nothing can be done."""
        dossier = capability.dossier
        needs = dossier.precondition
        suspects = [i for i in indices(dossier.open_needs) if (name, i) not in self._given_up]
        while suspects:
            clauses = [c.true | c.false for c in needs.clauses]
            group = self._group(suspects, [c for c in clauses if c.bit_count() > 1])
            for _ in range(TRIES):
                fixed, values = needs.suspects, needs.may_true
                valuation, _ = revealing(
                    self._outcomes(name).branches, fixed, values ^ group, len(dossier.atoms), self._rng
                )
                if valuation not in self._impossible[name]:
                    return _Trial(name, valuation, 1)
            self._given_up.update((name, i) for i in indices(group))
            suspects = [i for i in suspects if not group >> i & 1]
        return None

    def _group(self, suspects: list[int], clauses: list[int]) -> int:
        for clause in sorted(clauses, key=int.bit_count):
            if members := [i for i in indices(clause) if i in suspects]:
                return bits_of(members[: max(1, len(members) // 2)])
        return bits_of(suspects[: max(1, len(suspects) // PASSES)])

    # probabilities

    def _next_sample(self) -> _Trial | None:
        """Where the next runs do most, if any do."""
        unexplained = self._unexplained()
        best, most = None, 0.0
        for name, capability in self._capabilities():
            if capability.dossier.ran and not self._precise(name):
                worth = self._worth(name, capability, unexplained)
                if worth > most:
                    best, most = name, worth
        if best is None:
            return None
        capability = self._experience.capabilities[best]
        needs, size = capability.dossier.precondition, len(capability.dossier.atoms)
        for _ in range(TRIES):
            valuation, _ = revealing(
                self._outcomes(best).branches, needs.suspects, needs.may_true, size, self._rng
            )
            if valuation not in self._impossible[best]:
                break
        return _Trial(best, valuation, max(1, capability.tries // BATCH))

    def _worth(self, name: str, capability: Capability, unexplained: set[tuple[str, bool]]) -> float:
        """How much one more run is expected to take off the error, and off the risk of a missing outcome."""
        runs, dossier = capability.tries, capability.dossier
        branches = self._outcomes(name).branches
        chances = [(b.probability * runs + 0.5) / (runs + 0.5 * len(branches)) for b in branches]
        error = sum(p * sqrt(2 / pi * p * (1 - p)) for p in chances) if len(chances) > 1 else 0.0
        risk = UNSEEN
        if unexplained & set(_needed(capability)):
            risk *= MISSED
        elif {atom.predicate for atom in dossier.atoms} & {predicate for predicate, _ in unexplained}:
            risk *= UNEXPLAINED
        return error / (2 * runs * sqrt(runs)) + risk / (runs * runs)

    def _precise(self, name: str) -> bool:
        """Whether every probability is known as well as wanted."""
        if (precision := self._aims.precision) is None:
            return False
        for branch in self._outcomes(name).branches:
            low, high = interval(branch.hits, branch.tries, self._aims.confidence)
            if (high - low) / 2 > precision:
                return False
        return True

    def _unexplained(self) -> set[tuple[str, bool]]:
        """What something needs, is so of everything at first, and is never changed as far as known."""
        if not self._experience.setting.offered:
            return set()
        changed: set[tuple[str, bool]] = set()
        needed: set[tuple[str, bool]] = set()
        for name, capability in self._capabilities():
            atoms = capability.dossier.atoms
            needed |= set(_needed(capability))
            for branch in self._outcomes(name).branches:
                changed |= {(atoms[i].predicate, False) for i in indices(branch.add)}
                changed |= {(atoms[i].predicate, True) for i in indices(branch.delete)}
        return {need for need in needed - changed if self._everywhere[need]}

    @cached_property
    def _everywhere(self) -> dict[tuple[str, bool], bool]:
        """Whether a predicate holds of everything, or of nothing, where the agent begins."""
        setting = self._experience.setting
        fits, found = setting.profile.vocabulary.fits, {}
        for predicate in setting.profile.vocabulary.predicates:
            holding = sum(atom.predicate == predicate.name for atom in setting.offered[0])
            every = prod(
                sum(fits(o.type, p.types) for o in setting.profile.objects) for p in predicate.parameters
            )
            found[predicate.name, True] = holding == every
            found[predicate.name, False] = holding == 0
        return found

    # the model

    def model(self) -> Model:
        found = []
        for name, capability in self._experience.capabilities.items():
            if capability.dossier.ran:
                found.append(self._action(name, capability))
        return Model(self._experience.vocabulary, tuple(found))

    def _action(self, name: str, capability: Capability) -> ActionModel:
        atoms, written = capability.dossier.atoms, capability.dossier.model()
        branches = self._outcomes(name).branches
        whole = sum(b.probability for b in branches)
        return ActionModel(
            written.header,
            written.precondition,
            tuple(
                Outcome(
                    frozenset(
                        [Literal(atoms[i]) for i in indices(b.add)]
                        + [Literal(atoms[i], False) for i in indices(b.delete)]
                    ),
                    b.probability / whole,
                )
                for b in branches
            ),
            written.distinct,
        )


@dataclass(frozen=True, slots=True)
class _Trial:
    action: str
    valuation: int
    runs: int


def _needed(capability: Capability) -> Iterator[tuple[str, bool]]:
    """The predicates that it needs, and whether true or false."""
    dossier = capability.dossier
    for mask, sign in ((dossier.precondition.need_true, True), (dossier.precondition.need_false, False)):
        yield from ((dossier.atoms[i].predicate, sign) for i in indices(mask & dossier.atom_mask))
