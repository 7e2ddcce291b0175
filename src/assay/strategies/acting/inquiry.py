"""The next question: sure steps to the test that promises most for its length."""

from __future__ import annotations

import random
from collections.abc import Generator

from assay.core.model import Model
from assay.core.query import Invalid, PlanQuery, Response, Start
from assay.core.universe import State
from assay.errors import InputError
from assay.knowledge.knowledge import Knowledge
from assay.planning.stage import valuation
from assay.strategies.acting.aspiration import Aspiration
from assay.strategies.acting.board import Board, Place
from assay.strategies.acting.choice import Choice, Test
from assay.strategies.acting.fence import Fence
from assay.strategies.acting.forbidden import note_forbidden
from assay.strategies.acting.impasse import Alike, alike_by_mutexes, alike_everywhere
from assay.strategies.acting.openings import Opening, seen_together
from assay.strategies.acting.prospects import Prospects
from assay.strategies.acting.readings import Reading
from assay.strategies.acting.sweep import Situation, Sweep, situation
from assay.strategies.acting.territory import Territory

MOST_STATES, FAR = 2000, 12_000
"""States looked for since an action last ran for the first time; and while some never ran."""
SOON = 250
"""States at which it is first worth proving that nothing is left to look for."""
EARLY = 60
"""States among which to look for the first example of an action."""
LIKELY = 0.1
"""Chance of a first example that is worth a question then."""
GROWTH, STRIDE, SURVEYED = 25, 500, 2000
"""States looked for at a time; as a last resort for actions that never ran; when only to be known."""
WORTH = 0.25
"""What a test must promise, in slots, to be asked without looking further."""
SAMPLE = 100
"""States looked at again when more is known."""
EFFORT = 400
"""States followed up in the search for one that has certain facts."""
SPARSELY = 10
"""Refusals of an action that never ran between two searches for what comes nearest to its needs."""
MOST_TRIES = 400
"""Refusals after which an action is given up as never seen to run."""
MOST_GROUNDED = 100_000
"""Steps with something in doubt up to which they are looked at in every state."""
MOST_VISITED, MOST_CHECKS = 50_000, 40_000_000
"""States, and steps in them, that are looked at one by one to prove that none of them tells anything."""


class Inquiry:
    def __init__(self, knowledge: Knowledge) -> None:
        setting = knowledge.setting
        if not setting.offered:
            raise InputError("the agent names no initial state, so there is nowhere to act from")
        if setting.equality:
            raise InputError("which parameters must differ is learned only where any state may be set up")
        self._knowledge, self._universe = knowledge, knowledge.universe
        self._initial = [s.bits for s in setting.offered]
        self._rng = rng = random.Random(setting.seed)
        self._free, self._fence = setting.profile.free_arguments, Fence(knowledge)
        fence = self._fence if self._fence.there else None
        self.territory = Territory(self._universe, self._initial, self._free, fence)
        self._prospects = Prospects(knowledge)
        self._board = Board(setting, self._prospects, rng, self._fence)
        self._readings: dict[str, Reading] = {}
        self._marks: dict[str, tuple[object, ...]] = {}
        self._looked = self._camp = 0
        """States that were entered on the board; and that were known when an action last ran first."""
        self._choice = Choice(self.territory, self._board, self._prospects)
        self._searched: dict[str, tuple[int, int]] = {}
        self._rummaged: dict[str, tuple[int, int]] = {}
        self._guessed: dict[str, tuple[int, ...]] = {}
        self._aspiration = Aspiration(setting, self._prospects, self.territory)
        self._hoped: set[tuple[str, int, int]] = set()
        self._alike = Alike({}, {})
        """What makes no difference, as far as could be foreseen when it was last proved."""
        self._asked: Place | None = None
        self._sweeping: tuple[tuple[dict[str, tuple[object, ...]], int], Sweep] | None = None
        """The last sweep, with what was known then."""
        self._combed: tuple[object, ...] | None = None
        """The states, and the actions that never ran, for which every way to try them was looked for."""
        self._too_many: tuple[object, ...] | None = None
        """The same, with what was known of the other actions, for which there were too many ways."""
        self._swept = self._checks = 0
        """States that were looked through for a step that tells, and steps checked for that."""
        self._known: dict[Situation, int] = {}
        """Where the agent was seen to do something, with the values of the action's atoms after it."""
        self._openings: list[Opening] = []
        self._missed: set[tuple[int, int]] = set()
        """Facts that were searched for in vain since an action last ran for the first time."""
        self._proved_at: dict[str, tuple[object, ...]] = {}
        """What was known when it was last proved what makes no difference."""

    def questions(self) -> Generator[PlanQuery, Response, None]:
        while (query := self._next()) is not None:
            response = yield query
            if isinstance(response, Invalid):
                self._choice.barred.add(self._asked)
            else:
                if self._knowledge.setting.profile.start is Start.VISITED:
                    self.territory.settle(response.state.bits)
                else:
                    ran = query.plan[: response.steps]
                    self.territory.observe(query.state.bits, ran, response.state.bits)
                if self._free and self._asked is not None and response.steps == len(query.plan):
                    step, after = self._asked.step, response.state.bits
                    outcome = valuation(self._universe, step, after)
                    self._known[situation(self._universe, step, self._asked.state)] = outcome
        self._conclude()

    def _next(self) -> PlanQuery | None:
        before = dict(self._marks)
        self._update()
        if before == self._marks and self._free:  # what the answer says of slots together need not be news
            self._choice.barred.add(self._asked)
        self._look()
        searched = False
        while not self._finished():
            self._guess()
            best, known = self._choice.best(self._unsettled), len(self.territory.states)
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
            elif self._explore() or self._rummage() or self._comb() or self._venture():
                continue
            elif (telling := self._sweep() if self._thorough() else None) is not None:
                return self._question(telling)
            elif not self._unsettled:
                continue
            else:
                best = best or self._overlooked()
                return None if best is None else self._question(best)
        return None

    def _explore(self) -> bool:
        """Look for more states, so many since an action last ran for the first time."""
        return len(self.territory.states) < self._camp + MOST_STATES and self._grow()

    def _venture(self) -> bool:
        """Look for more states than usual, while some action never ran, and look at them for these alone."""
        idle = [r for r in self._unsettled if not r.ran]
        if not idle or len(self.territory.states) >= self._camp + FAR:
            return False
        found = self.territory.grow(STRIDE)
        self._look(idle)
        return found

    def _comb(self) -> bool:
        """Enter every way to try the actions that never ran, where all states are known; tells if it did.

        The likeliest of them are tried first; when none is left, it is proved that the action never runs.
        """
        states, idle = self.territory.states, {r.name for r in self._unsettled if not r.ran}
        mark, few = (len(states), frozenset(idle)), self.territory.closed and len(states) <= MOST_STATES
        if not idle or not few or mark == self._combed:
            return False
        ran = {name: known for name, known in self._marks.items() if name not in idle}
        if self._too_many == (mark, ran):  # refusals of the others do not make them fewer
            return False
        if not self._sweeper().complete:
            self._too_many = mark, ran
            return False
        self._combed = mark
        for bits, step in self._sweeper().trials(states, idle):
            self._board.enter(self._readings[step.action], bits, step)
        return True

    def _thorough(self) -> bool:
        """Whether it is worth looking at everything: not while an action that never ran can be tried."""
        idle = [r for r in self._unsettled if not r.ran]
        tried = self.territory.closed and all(self._choice.best_of(r) is None for r in idle)
        return not self._fence.there and (not idle or tried)

    def _sweep(self) -> Test | None:
        """A step that tells something in some state, found by looking at all of them.

        If there is none in any state, nothing that is left makes a difference. States looked through once
        need not be again: what told nothing then tells nothing when more is known.
        """
        while (sweep := self._sweeper()).complete and self._checks < MOST_CHECKS:
            for bits in self.territory.states[self._swept :]:
                step, followed = sweep.telling(bits, self._known)
                for known_step, after in followed:
                    self.territory.lead(bits, known_step, after)
                if step is not None:
                    place = Place(bits, step, valuation(self._universe, step, bits))
                    test = Test(0.0, 0.0, self._readings[step.action], place)
                    return None if place in self._choice.barred else test
                self._swept += 1
            self._checks += sweep.pop_looked()
            if self.territory.closed:
                self._alike = alike_everywhere(self._swept, self._readings)
                return None
            if len(self.territory.states) >= MOST_VISITED:
                return None
            looked = self.territory.looked
            self.territory.grow(SURVEYED)
            self._checks += self.territory.looked - looked
            self._looked = len(self.territory.states)
        return None

    def _sweeper(self) -> Sweep:
        """Made anew when more is known, or more can be reached."""
        known = (dict(self._marks), self.territory.reached)
        if self._sweeping is None or self._sweeping[0] != known:
            states = self.territory.states
            sweep = Sweep(self._universe, known[1], states, self._readings, MOST_GROUNDED, self._free)
            self._sweeping = known, sweep
        return self._sweeping[1]

    def _seek(self) -> bool:
        """Whether a state was found that would settle something, by searching for its facts."""
        while self._openings:
            opening = self._openings.pop()
            sought = opening.true, opening.false
            if opening.step is not None and sought not in self._missed:
                bits = self.territory.seek(opening.true, opening.false, EFFORT)
                if bits is not None:
                    self._look()
                    self._board.enter(self._readings[opening.action], bits, opening.step)
                    return True
                if not self._foreseen:
                    self._missed.add(sought)
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
                if place is not None and place not in self._choice.barred and self._fence.allows(*place[:2]):
                    self._look()
                    self._board.enter(reading, place.state, place.step)
                    return self._choice.test(reading, place, 0)
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
        marks = {name: mark for name, mark in self._marks.items() if self._readings[name].ran}
        if self._fence.there:
            marks[""] = (self.territory.exhausted,)
        if marks == self._proved_at:
            return False
        before, self._proved_at = self._alike, marks
        seen = seen_together(self._known)
        self._alike = alike_by_mutexes(self._universe, self._initial, self._readings, self._free, seen)
        self._openings = list(reversed(self._alike.openings))
        if self._fence.there and self._unsettled and self.territory.exhausted:
            self._prove_unfenced()
        return before != self._alike

    def _prove_unfenced(self) -> None:
        """What makes no difference where the agent must not go either, in thought."""
        whole = self.territory.unfenced()
        whole.grow(MOST_STATES)
        sweep = Sweep(self._universe, whole.reached, whole.states, self._readings, MOST_GROUNDED, self._free)
        told = (step for bits in whole.states for step in sweep.doubtful(bits))
        if whole.closed and sweep.complete and next(told, None) is None:
            self._alike = alike_everywhere(len(whole.states), self._readings)

    def _conclude(self) -> None:
        """Note for good what makes no difference: nothing more will be learned."""
        self._prove()
        for name, dossier in self._knowledge.dossiers.items():
            dossier.alike_needs = self._alike.needs.get(name, 0)
            dossier.alike_effects = self._alike.effects.get(name, 0)
            dossier.idle = name in self._alike.idle
        self._knowledge.choose_effects()
        self._knowledge.proof = self._alike.proof
        if self._fence.there:
            note_forbidden(self._unsettled, self._board, bool(self._knowledge.forbidden_proof))

    def _overlooked(self) -> Test | None:
        """An allowed step that tells something, looked for one by one among states that may be entered.

        If there is none at all then only what is forbidden could tell more.
        """
        if not (self._fence.there and self.territory.exhausted and (sweep := self._sweeper()).complete):
            return None
        states, wanted, alone = self.territory.states, {r.name for r in self._unsettled}, True
        for bits in states:
            for step in sweep.doubtful(bits):
                if self._fence.allows(bits, step):
                    place = Place(bits, step, valuation(self._universe, step, bits))
                    if step.action in wanted and place not in self._choice.barred:
                        return Test(0.0, 0.0, self._readings[step.action], place)
                    alone = False
        if alone:
            count = "the one state" if len(states) == 1 else f"{len(states)} states"
            self._knowledge.forbidden_proof = f"exhaustion of {count} that may be entered"
        return None

    def _update(self) -> None:
        """Take in the last answer."""
        for name, dossier in self._knowledge.dossiers.items():
            needs, effects = dossier.precondition, dossier.effects
            mark = (
                *(dossier.ran, needs.may_true, needs.may_false, needs.need_true, needs.need_false),
                *(len(needs.clauses), effects.may_add, effects.may_delete, effects.may_keep),
            )
            if self._marks.get(name) != mark:
                if dossier.ran and name in self._readings and not self._readings[name].ran:
                    self._camp = len(self.territory.states)
                    self._missed.clear()
                self._marks[name] = mark
                self._readings[name] = Reading(dossier)
                self._board.reconsider(self._readings[name])
        self._prospects.update()
        foreseeable = [r for r in self._readings.values() if r.foreseeable]
        self.territory.learn(
            Model(self._universe.vocabulary, tuple(r.sure for r in foreseeable)),
            {r.name: r.optional(r.dossier.atom_mask) for r in foreseeable},
        )

    @property
    def _foreseen(self) -> bool:
        """Whether no action is left that might do anything."""
        return all(r.ran for r in self._readings.values())

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

    def _look(self, wanted: list[Reading] | None = None) -> None:
        """Enter new states of the territory on the board, for some actions or all that are not settled."""
        wanted = self._unsettled if wanted is None else wanted
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
                self._board.acquaint(reading, states, self.territory.seen)
                self._board.guess(reading, few)

    def _rummage(self) -> bool:
        """Whether there is another test for an action that never ran and has no hopeful one."""
        found = False
        states = self.territory.states
        for reading in self._unsettled:
            mark, best = (reading.dossier.tried // SPARSELY, len(states)), self._choice.best_of(reading)
            hopeful = best is not None and best.chance >= LIKELY
            if reading.ran or hopeful or self._rummaged.get(reading.name) == mark:
                continue
            tried, looked = self._rummaged.get(reading.name, (-1, 0))
            self._rummaged[reading.name] = mark
            fresh = states[looked:] if tried == mark[0] else states
            few = fresh if len(fresh) <= SAMPLE else self._rng.sample(fresh, SAMPLE)
            self._board.rummage(reading, few)
            found |= self._choice.best_of(reading) != best
        return found

    def _search_again(self) -> None:
        """Where an action has no good test left, more is known of what it may need than when last looked."""
        wanted = []
        for reading in self._unsettled:
            mark = (reading.may_true, reading.need_true)
            best = self._choice.best_of(reading)
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

    def _question(self, test: Test) -> PlanQuery:
        self._asked = test.place
        assert self._fence.allows(test.place.state, test.place.step)
        start, path = self.territory.path(test.place.state)
        return PlanQuery(State(self._universe, start), (*path, test.place.step))
