"""The next question: sure steps to the test that promises most for its length."""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import dataclass

from assay.core.model import Model
from assay.core.query import Invalid, PlanQuery, Response, Start
from assay.core.universe import State
from assay.errors import InputError
from assay.knowledge.knowledge import Knowledge
from assay.strategies.acting.aspiration import Aspiration
from assay.strategies.acting.board import Board, Place
from assay.strategies.acting.impasse import Alike, Opening, alike_by_exhaustion, alike_by_mutexes
from assay.strategies.acting.prospects import Prospects
from assay.strategies.acting.readings import Reading
from assay.strategies.acting.territory import Territory

MOST_STATES = 2000
"""States of the territory beyond which no more are looked for."""
SOON = 250
"""States at which it is first worth proving that nothing is left to look for."""
EARLY = 60
"""States among which to look for the first example of an action."""
LIKELY = 0.1
"""Chance of a first example that is worth a question then."""
GROWTH = 25
"""States looked for at a time."""
WORTH = 0.25
"""What a test must promise, in slots, to be asked without looking further."""
SAMPLE = 100
"""States looked at again when more is known."""
EFFORT = 400
"""States followed up in the search for one that has certain facts."""
MOST_TRIES = 400
"""Refusals after which an action is given up as never seen to run."""
MOST_CHECKS = 400_000
"""Steps looked at one by one to prove that none of them tells anything."""


@dataclass(frozen=True, slots=True)
class Test:
    score: float
    chance: float
    reading: Reading
    place: Place


class Inquiry:
    def __init__(self, knowledge: Knowledge) -> None:
        setting = knowledge.setting
        if not setting.offered:
            raise InputError("the agent names no initial state, so there is nowhere to act from")
        self._knowledge, self._universe = knowledge, knowledge.universe
        self._initial = [s.bits for s in setting.offered]
        self._rng = rng = random.Random(setting.seed)
        self.territory = Territory(self._universe, self._initial)
        self._prospects = Prospects(knowledge)
        self._board = Board(setting, self._prospects, rng)
        self._readings: dict[str, Reading] = {}
        self._marks: dict[str, tuple[object, ...]] = {}
        self._looked = 0
        self._bests: dict[str, tuple[tuple[object, ...] | None, Test | None]] = {}
        self._searched: dict[str, tuple[int, int]] = {}
        self._guessed: dict[str, tuple[int, ...]] = {}
        self._aspiration = Aspiration(setting, self._prospects, self.territory)
        self._hoped: set[tuple[str, int, int]] = set()
        self._alike = Alike({}, {})
        """What makes no difference, as far as could be foreseen when it was last proved."""
        self._asked: Place | None = None
        self._barred: set[Place | None] = set()
        """Where the agent says that it cannot be asked."""
        self._openings: list[Opening] = []
        self._proved_at: dict[str, tuple[object, ...]] = {}
        """What was known when it was last proved what makes no difference."""

    def questions(self) -> Generator[PlanQuery, Response, None]:
        while (query := self._next()) is not None:
            response = yield query
            if isinstance(response, Invalid):
                self._barred.add(self._asked)
            else:
                if self._knowledge.setting.profile.start is Start.VISITED:
                    self.territory.settle(response.state.bits)
                else:
                    ran = query.plan[: response.steps]
                    self.territory.observe(query.state.bits, ran, response.state.bits)
        self._conclude()

    def _next(self) -> PlanQuery | None:
        self._update()
        self._look()
        searched = False
        while not self._finished():
            self._guess()
            best, known = self._best(), len(self.territory.states)
            if best is not None and best.score >= WORTH:
                return self._question(best)
            if not searched:
                searched = True
                self._search_again()
            elif known < EARLY and self._grow():
                continue
            elif best is not None and not best.reading.ran and best.chance >= LIKELY:
                return self._question(best)
            elif known < SOON and self._grow():
                continue
            elif self._prove() or self._seek():
                searched = False
            elif best is not None and best.reading.ran:
                return self._question(best)
            elif (hope := self._hope()) is not None:
                return self._question(hope if best is None or best.chance < hope.chance else best)
            elif known < MOST_STATES and self._grow():
                continue
            else:
                return None if best is None else self._question(best)
        return None

    def _seek(self) -> bool:
        """Whether a state was found that would settle something, by searching for its facts."""
        while self._openings:
            opening = self._openings.pop()
            if (
                opening.true | opening.false
                and self.territory.seek(opening.true, opening.false, EFFORT) is not None
            ):
                self._look()
                return True
        return False

    def _hope(self) -> Test | None:
        """A first example looked for on purpose, for the action that was refused least."""
        mutexes = self.territory.mutexes()
        idle = sorted((r for r in self._unsettled if not r.ran), key=lambda r: r.dossier.tried)
        for reading in idle if mutexes is not None else ():
            tried = (reading.name, reading.dossier.tried, len(self.territory.sources))
            if tried not in self._hoped and mutexes is not None:
                self._hoped.add(tried)
                place = self._aspiration.place(reading, mutexes)
                if place is not None and place not in self._barred:
                    self._look()
                    self._board.enter(reading, place)
                    return self._test(reading, place, 0)
        return None

    def _finished(self) -> bool:
        """Whether everything is settled or makes no difference, as things stand now."""
        while not self._unsettled:
            if not self._prove():
                return True
        return False

    def _prove(self) -> bool:
        """Find out what makes no difference as far as can be foreseen; tells if that is not what was known.

        What was found before may be outdated: what is learned can open the way to more states.
        """
        marks = dict(self._marks)
        if marks == self._proved_at:
            return False
        before, self._proved_at = self._alike, marks
        self._alike = alike_by_mutexes(self._universe, self._initial, self._readings)
        self._openings = list(reversed(self._alike.openings))
        if self._unsettled and self.territory.closed:
            states = self.territory.states
            exhausted = alike_by_exhaustion(self._universe, states, self._readings, MOST_CHECKS)
            self._alike = exhausted or self._alike
        return before != self._alike

    def _conclude(self) -> None:
        """Note for good what makes no difference: nothing more will be learned."""
        self._prove()
        for name, dossier in self._knowledge.dossiers.items():
            dossier.alike_needs = self._alike.needs.get(name, 0)
            dossier.alike_effects = self._alike.effects.get(name, 0)
            dossier.idle = name in self._alike.idle
        self._knowledge.proof = self._alike.proof

    def _update(self) -> None:
        """Take in the last answer."""
        for name, dossier in self._knowledge.dossiers.items():
            needs, effects = dossier.precondition, dossier.effects
            mark = (
                *(dossier.ran, needs.may_true, needs.may_false, needs.need_true, needs.need_false),
                *(len(needs.clauses), effects.may_add, effects.may_delete, effects.may_keep),
            )
            if self._marks.get(name) != mark:
                self._marks[name] = mark
                self._readings[name] = Reading(dossier)
        self._prospects.update()
        sure = tuple(r.sure for r in self._readings.values() if r.foreseeable)
        self.territory.learn(Model(self._universe.vocabulary, sure))

    @property
    def _unsettled(self) -> list[Reading]:
        """Actions with something left to find out."""
        return [
            r
            for r in self._readings.values()
            if not r.settled_but_for(self._alike.needs.get(r.name, 0), self._alike.effects.get(r.name, 0))
            and r.name not in self._alike.idle
            and (r.ran or r.dossier.tried < MOST_TRIES)
        ]

    def _look(self) -> None:
        """Enter new states of the territory on the board."""
        wanted = self._unsettled
        for bits in self.territory.states[self._looked :]:
            self._board.look(bits, wanted)
        self._looked = len(self.territory.states)

    def _guess(self) -> None:
        """Where an action never ran, find places for what it may need, given all refusals so far."""
        states = self.territory.states
        few = states if len(states) <= SAMPLE else self._rng.sample(states, SAMPLE)
        for reading in self._unsettled:
            mark = len(reading.dossier.precondition.failures), len(few), len(states).bit_length()
            if not reading.ran and self._guessed.get(reading.name) != mark:
                self._guessed[reading.name] = mark
                self._board.guess(reading, few)

    def _search_again(self) -> None:
        """Where an action has no good test left, more is known of what it may need than when last looked."""
        wanted = []
        for reading in self._unsettled:
            mark = (reading.may_true, reading.need_true)
            best = self._best_of(reading)
            poor = best is None or best.score < WORTH
            if reading.ran and poor and self._searched.get(reading.name) != mark:
                self._searched[reading.name] = mark
                wanted.append(reading)
        if wanted:
            states = self.territory.states
            for bits in states if len(states) <= SAMPLE else self._rng.sample(states, SAMPLE):
                self._board.look(bits, wanted, closely=True)

    def _grow(self) -> bool:
        found = self.territory.grow(GROWTH)
        self._look()
        return found

    def _best(self) -> Test | None:
        tests = [t for r in self._unsettled if (t := self._best_of(r)) is not None]
        return max(tests, key=lambda t: t.score, default=None)

    def _best_of(self, reading: Reading) -> Test | None:
        """The action's best test, found anew only if more is known of it or more places are."""
        places = self._board.places(reading)
        mark = (reading, len(reading.dossier.precondition.failures), len(places), len(self._barred))
        if self._bests.get(reading.name, (None, None))[0] != mark:
            tests = (self._test(reading, p, self.territory.distance(p.state)) for p in places)
            best = max((t for t in tests if t is not None), key=lambda t: t.score, default=None)
            self._bests[reading.name] = mark, best
        return self._bests[reading.name][1]

    def _test(self, reading: Reading, place: Place, distance: int) -> Test | None:
        doubt = reading.doubt(place.valuation)
        if doubt is None or place in self._barred:
            return None
        chance = self._prospects.chance(reading, place.valuation, doubt)
        length = (2 + distance) ** (0.5 if reading.ran else 0.1)
        score = self._prospects.gain(reading, doubt, chance) / length
        return Test(score, chance, reading, place)

    def _question(self, test: Test) -> PlanQuery:
        self._asked = test.place
        start, path = self.territory.path(test.place.state)
        return PlanQuery(State(self._universe, start), (*path, test.place.step))
