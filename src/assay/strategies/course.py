"""The tests that one action still needs, in the order in which they are best asked.

An action that was never seen to run first needs an example; then its suspects are flipped, shared ones
first; then pairs of parameters are filled with one object, if equality is learned; and what is left to be
seen of its effects comes last. Each test says how likely it is to be refused.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from operator import or_

from assay.core.universe import indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.doubt import Doubt
from assay.strategies.first_example import Guess
from assay.strategies.suspicion import (
    Flips,
    Rates,
    Suspects,
    density,
    group_size,
    groups,
    limited_groups,
    singles,
)
from assay.strategies.trials import Sequel, Trial
from assay.strategies.world import Test, World

MANY = 50
"""Runs of an action in one question from which on they count as unlimited."""
GUESSED = 0.7
"""Refusals that a guess at a first example counts as, among tests that follow."""


@dataclass(eq=False)
class Course:
    """The tests that one action still needs."""

    knowledge: Knowledge
    dossier: Dossier
    example: int
    guess: Guess | None = None
    """Where the example is from, if it is not certain."""
    runs: int = MANY
    """How often one question can run the action, as far as known."""
    lavish: bool = False
    """Whether it can run more often if all is there to be used up, rather than as other actions want it."""
    helper: Test | None = None
    """What restores what it uses up, if a question is set up for that, too."""
    capacity: int | None = None
    """How many tests of the action one question is to hold, if that is limited."""

    @property
    def confidence(self) -> float:
        """How likely the action is to run in the example."""
        return self.guess.confidence if self.guess else 1.0

    @property
    def care(self) -> int:
        """Atoms that must be as in the example for the action to run, as far as that is known."""
        return self.dossier.atom_mask if self.fresh else self.dossier.precondition.suspects

    @property
    def suspects(self) -> int:
        """Atoms that are or may be required, once it has run."""
        return self.dossier.precondition.suspects & self.dossier.atom_mask

    @property
    def unknown(self) -> bool:
        """Whether its effects on shared atoms are not settled."""
        return not self.dossier.ran or bool(self.dossier.open_effects & self._shared)

    @property
    def groping(self) -> bool:
        """Whether it has never run and the next try is a guess."""
        return not self.dossier.ran and self.confidence < 1

    @property
    def steady(self) -> bool:
        """Whether it can run again and again and nothing about shared atoms is in question."""
        if self.fresh or self.unknown or self.dossier.open_needs & self._shared:
            return False
        return self.runs == MANY and self.capacity is None

    @property
    def watching(self) -> bool:
        """Whether only effects are left to be seen."""
        return self.dossier.ran and not self.dossier.open_needs

    @property
    def fresh(self) -> bool:
        """Whether no valuation is known for certain in which it runs."""
        return self.dossier.precondition.example is None

    @property
    def _shared(self) -> int:
        return (1 << len(self.knowledge.vocabulary.shared_atoms)) - 1

    def trial(self, rates: Rates, world: World) -> Trial | None:
        """A run of the action with shared suspects flipped, and its own too if a question holds few."""
        dossier, needs, shared = self.dossier, self.dossier.precondition, self._shared
        few = MANY - 1 if self.knowledge.walked else 1  # a walk has cleared most of what cannot matter
        tried = ~0 if self.runs <= few or self.capacity == 1 else shared
        suspects = self.suspects
        if self.fresh or not suspects & ~needs.required & tried:
            return None
        accused = [clause & suspects for clause in self._accusations()]
        convicted = reduce(or_, (c for c in accused if c.bit_count() == 1), 0)
        doubted = suspects & ~needs.required & ~convicted
        if not doubted & tried:
            return None
        doubt = Doubt(
            dict(self._ranked(rates, doubted)), (clause for clause in accused if not clause & ~doubted)
        )

        def predict(before: int) -> int:
            return world.likeliest(dossier, before)

        own = doubted & tried & ~shared
        singly = self.knowledge.walked
        return Trial(self.example, suspects & shared, doubted & shared, own, doubt, predict, singly)

    def sequel(self, rates: Rates, trial: Trial | None) -> Sequel:
        """What the tests of its own atoms promise, or the guess at a first example."""
        shared, needs = self._shared, self.dossier.precondition
        if self.fresh:
            return Sequel(self.example, shared, GUESSED, None)
        own = needs.open & self.dossier.atom_mask & ~shared if self.capacity != 1 else 0
        refusals = sum(chance for _, chance in rates.ranked(self.dossier, self.example, own))
        return Sequel(self.example, needs.suspects & shared, refusals, trial)

    def tests(self, rates: Rates, cleared: int) -> Generator[tuple[Test, float], bool | None, None]:
        """Tests with their chances of being refused, each assuming that those placed before it pass, and
        that some suspects are cleared by then.

        Flips of shared atoms come first: at the start of a question they are free.
        """
        dossier, needs, example = self.dossier, self.dossier.precondition, self.example
        full, shared = dossier.atom_mask, self._shared
        suspects = self.suspects & ~cleared
        if needs.example is None:
            suspects = full
            guess = Test(dossier, example, full)
            if not (yield guess, max(0.1, 1 - self.confidence)):
                return
            if shared:  # once more unchanged: only shared atoms that the first run changed can stop it
                yield guess, 0.2
        open_atoms = suspects & ~needs.required
        if self.steady and open_atoms:  # the control: a refusal right after it is due to what was flipped
            yield Test(dossier, example & suspects, suspects), 0.0
        for atoms in (shared, full & ~shared):
            ranked = self._ranked(rates, open_atoms & atoms)
            accused = [c for each in self._accusations() if not (c := each & suspects) & ~atoms]
            flips = singles(ranked, accused) if atoms == shared else self._flips(ranked, accused)
            placed: bool | None = None
            with suppress(StopIteration):
                while True:
                    group, chance = flips.send(placed)
                    placed = yield self.flipped(group, suspects), chance
                    if placed:
                        suspects &= ~group
        if not needs.open & full:
            for index in indices(dossier.open_needs):
                yield Test(dossier, example & suspects, suspects, pair=index - len(dossier.atoms)), 0.5
            yield from self._sightings(suspects)

    def flipped(self, flips: int, suspects: int) -> Test:
        """The example with some of its suspects flipped."""
        return Test(self.dossier, (self.example ^ flips) & suspects, suspects)

    def flips(self, rates: Rates, cleared: int) -> Iterator[tuple[Test, float]]:
        """The tests that flip one suspect of its own, with their chances of being refused, once some of the
        suspects are cleared."""
        if not self.fresh:
            needs = self.dossier.precondition
            suspects = self.suspects & ~cleared
            for index, chance in rates.ranked(
                self.dossier, self.example, suspects & ~needs.required & ~self._shared
            ):
                yield self.flipped(1 << index, suspects), chance

    def sighting(self) -> Test:
        """A run that shows what no run has shown of the action's own atoms, whatever the shared ones are."""
        needs, effects = self.dossier.precondition, self.dossier.effects
        unseen = self.dossier.open_effects & ~self._shared
        want = self.example & needs.suspects | unseen & ~needs.suspects & effects.may_delete
        return Test(self.dossier, want, needs.suspects | unseen)

    def _flips(self, suspects: Suspects, accused: list[int]) -> Flips:
        if self.capacity is not None and self.capacity < len(suspects):
            common = density(self.dossier, self.dossier.atom_mask & ~self._shared)
            return limited_groups(suspects, accused, self.capacity, common)
        return groups(suspects, accused, group_size(self.dossier))

    def _ranked(self, rates: Rates, suspects: int) -> Suspects:
        if self.guess is not None and self.guess.required:
            return self.guess.suspicion(suspects)
        return rates.ranked(self.dossier, self.example, suspects)

    def _accusations(self) -> Iterator[int]:
        """Per refusal that no literal known to be required explains, the atoms that may: for one that came
        before the action ever ran, whatever was not as in the example that is about to be tried."""
        needs = self.dossier.precondition
        if needs.example is None:
            found = [f ^ self.example for f in sorted(needs.failures)]
        else:
            found = [c.true | c.false for c in needs.clauses]
        yield from (atoms for atoms in found if not atoms & ~self.dossier.atom_mask)

    def _sightings(self, suspects: int) -> Iterator[tuple[Test, float]]:
        """Runs that show an effect which no run has shown so far: the atom false for an add, else true."""
        effects, unseen = self.dossier.effects, self.dossier.open_effects
        if unseen:
            want = self.example & suspects | unseen & ~suspects & effects.may_delete
            yield Test(self.dossier, want, suspects | unseen, watch=unseen & self._shared), 0.0
