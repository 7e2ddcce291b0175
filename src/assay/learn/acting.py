"""The strategy `acting`: learns ADL, at a strength, from an agent that has to act its way to every situation.

A question is a walk. It runs where runs are missing, and its last step is a refusal that is missing; both
are the cheapest within reach of the learned models. Coverage is counted over the situations that are within
reach, so a level is reached when these have nothing left to show. Long walks that should all run look for
hidden state at the end of each level, and a surprise that two equal descriptions would have to explain is
first asked again on another way.

It is a function of its setting and the answers: the same seed and the same agent give the same questions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, Start, WalkQuery, WalkResponse
from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import State
from assay.errors import InputError
from assay.learn.action import FORETOLD
from assay.learn.exploration import FIRST_STATES, GROWTH, MOST_STATES, Exploration, Goal, Move, Walk
from assay.learn.features import Features, Numbering, shapes
from assay.learn.finding import LEVELS, Asking, Finding
from assay.learn.ground_steps import GroundSteps
from assay.learn.observed import ObservedAction, Seen
from assay.learn.precaution import Precaution
from assay.learn.reach_coverage import ReachCoverage
from assay.learn.reach_findings import finding_of
from assay.learn.separation import Pair

LONGEST = 120
"""Steps of a walk unless the agent wants shorter plans."""
PROBING_WALKS = (5, 10, 15, 15)
"""Walks that look for hidden state, by level."""
CONFIRMED = 2
"""Disagreeing pairs that are asked again on other ways, after each surprise."""
DETOURS = 4
"""Other ways that are tried before an action is given up."""
CHOICES = 4
"""Moves that a probing walk draws until one does not lead into a dead end."""
FEWEST_DETOUR, LONGEST_DETOUR = 2, 12

Talk = Generator[PlanQuery | WalkQuery, Response | WalkResponse, bool]


class Tried(NamedTuple):
    """A step of a walk: the action and the number of its ground step."""

    action: int
    number: int


class Acting:
    def __init__(self, setting: Setting, tells_states: bool) -> None:
        self.setting, self.tells_states = setting, tells_states
        self._rng = random.Random(f"{setting.seed}/acting")
        universe = self._universe = setting.universe
        self._initial = list(dict.fromkeys(universe.bits(state) for state in setting.offered))
        if not self._initial:
            raise InputError("an agent that only acts must show its initial state: it offers none")
        self._longest = min(LONGEST, setting.max_plan or LONGEST)
        numbering = Numbering(setting.profile.vocabulary)
        self.actions = [
            ObservedAction(features, GroundSteps(features, universe, self._initial[0]))
            for header in sorted(setting.profile.vocabulary.actions, key=lambda a: a.name)
            for shape in shapes(setting.profile.vocabulary, header.name, setting.equality)
            for features in [Features(numbering, shape)]
        ]
        self._shape = {
            (a.features.shape.action, a.features.shape.parameters): n for n, a in enumerate(self.actions)
        }
        self.exploration = Exploration(self.actions, Precaution(setting.never, universe))
        self.coverage = [ReachCoverage(a, LEVELS[0], self.actions) for a in self.actions]
        self._visited: dict[int, None] = dict.fromkeys(self._initial)
        self._gone: set[int] = set()
        """States that the agent no longer takes."""
        self._confirmed: set[tuple[int, int, int, int]] = set()
        self._walked: dict[tuple[int, int, int], int] = {}
        self._entry = 0

    # ---- the loop

    def questions(self, level: int) -> Asking:
        self._begin(level)
        yield from self._cover()
        for number in range(PROBING_WALKS[level]):
            if (yield from self._probing_walk(number)):
                yield from self._cover()
        for action, coverage in zip(self.actions, self.coverage, strict=True):
            if action.sound:
                action.level = level
            action.exhausted = not action.ran and self.exploration.complete and not coverage.open_tries

    def _begin(self, level: int) -> None:
        for action in self.actions:
            if action.ran and not action.conflict:
                action.refresh()
        self.coverage = [ReachCoverage(a, LEVELS[level], self.actions) for a in self.actions]
        self.exploration.bound = max(FIRST_STATES, len(self._initial) + 1)
        self._look()

    def _look(self) -> None:
        """What is within reach, and what is missing there."""
        exploration = self.exploration
        exploration.sync()
        if exploration.reach(self._sources(), self._visited):
            for action, coverage in zip(self.actions, self.coverage, strict=True):
                points = action.ground.points
                coverage.replace(dict.fromkeys(p for state in exploration.order for p in points(state)))
        for coverage in self.coverage:
            coverage.update()

    def _sources(self) -> list[int]:
        """States in which a question may begin."""
        if self.setting.profile.start is Start.RESET:
            return self._initial
        return [state for state in self._visited if state not in self._gone]

    def _cover(self) -> Asking:
        """Until nothing is missing within reach."""
        while True:
            yield from self._settle_troubles()
            self._look()
            plan = self._next()
            if plan is None:
                if self.exploration.grow(self._horizon):
                    continue
                return
            yield from self._ask_plan(*plan)

    @property
    def _horizon(self) -> int:
        """How many states are looked at: at the first level few, once every action ran."""
        first = self.coverage[0].level == LEVELS[0] and all(a.ran for a in self.actions)
        return FIRST_STATES * GROWTH if first else MOST_STATES

    # ---- the next walk

    def _next(self) -> tuple[int, list[Tried], Tried | None] | None:
        """A start, the steps, and the one that the walk is for at its end."""
        walk, aims = self._runs()
        end = [walk.end] if walk else self._sources()
        room = self._longest - (len(walk.moves) if walk else 0) - 1
        found = self._refusal(end, room, walk is None) if room >= 0 else None
        if found is None:
            if walk is None:
                return None
            moves = [Tried(m.action, m.number) for m in walk.moves]
            return walk.start, moves, aims
        further, last = found
        moves = [Tried(m.action, m.number) for m in (*(walk.moves if walk else ()), *further.moves)]
        return (walk or further).start, [*moves, last], last

    def _runs(self) -> tuple[Walk | None, Tried | None]:
        """A walk through runs that show something new."""
        if not any(c.runs_wanted for a, c in zip(self.actions, self.coverage, strict=True) if a.sound):
            return None, None
        planned = [[0] * len(a.hypothesis.terms) for a in self.actions]
        dull: list[set[int]] = [set() for _ in self.actions]
        chosen: list[Move] = []

        def goal(here: int) -> bool:
            for number, action in enumerate(self.actions):
                if action.sound:
                    move = self._new_run(number, here, planned[number], dull[number])
                    if move is not None:
                        chosen.append(move)
                        return True
            return False

        start, state, moves = None, None, list[Move]()
        while len(moves) < self._longest:
            starts = self._sources() if state is None else [state]
            way = self._way(starts, goal, self._longest - len(moves) - 1)
            if way is None:
                break
            start = way.start if start is None else start
            move = chosen[-1]
            moves += [*way.moves, move]
            state = move.after
            self.coverage[move.action].plan(move.pid, planned[move.action])
            dull[move.action].add(move.pid)
            if not self._foretells(move.action):
                break
        if start is None or state is None:
            self._drop_runs()
            return None, None
        return Walk(start, tuple(moves), state), Tried(moves[-1].action, moves[-1].number)

    def _new_run(self, number: int, here: int, planned: list[int], dull: set[int]) -> Move | None:
        """A step of the action that should run here and show something new."""
        action, coverage = self.actions[number], self.coverage[number]
        for pid, steps in action.ground.points(here).items():
            if pid in dull or pid in action.outcome or not action.runs(pid):
                continue
            step = self._allowed(number, here, steps, pid) if coverage.new_in_run(pid, planned) else None
            if step is not None:
                return Move(number, step, pid, action.after(here, step, pid), action.sure(pid))
            dull.add(pid)
        return None

    def _drop_runs(self) -> None:
        """Nothing that is wanted can be reached."""
        for coverage in self.coverage:
            coverage.given_up.update(coverage.runs_wanted)
            coverage.runs_wanted.clear()

    def _foretells(self, number: int) -> bool:
        """Whether what the action does is known well enough to go on without being told the state."""
        return self.tells_states or self.actions[number].direct_runs >= FORETOLD

    def _way(self, starts: Sequence[int], goal: Goal, room: int) -> Walk | None:
        """A shortest walk, of sure moves if there is one."""
        nearest = self.exploration.nearest
        return nearest(starts, goal, True, room) or nearest(starts, goal, False, room)

    def _allowed(self, number: int, state: int, steps: Sequence[int], pid: int) -> int | None:
        """The first of the steps that no precaution forbids."""
        precaution, action = self.exploration.precaution, self.actions[number]
        if not precaution:
            return steps[0]
        return next((s for s in steps if precaution.allows(action, state, s, pid)), None)

    def _refusal(self, starts: Sequence[int], room: int, far: bool) -> tuple[Walk, Tried] | None:
        """The way to the refusal that shows most; from the end of a walk, to any that is near."""
        tops = [
            (0, set[int]()) if action.trouble else coverage.best_refusal()
            for action, coverage in zip(self.actions, self.coverage, strict=True)
        ]
        stubborn = [coverage.stubborn for coverage in self.coverage]
        if any(gain and not last for (gain, _), last in zip(tops, stubborn, strict=True)):
            tops = [(0, set[int]()) if last else top for top, last in zip(tops, stubborn, strict=True)]
        best = max((gain for gain, _ in tops), default=0)
        if not best:
            return None
        wanted = [pids if gain == best else set() for gain, pids in tops]
        found = self._to_any(starts, lambda number, pid: pid in wanted[number], room)
        if found is None and far:
            for coverage, pids in zip(self.coverage, wanted, strict=True):
                coverage.given_up.update(pids)
            return self._refusal(starts, room, far)
        return found or self._to_any(starts, self._shows_something(), room)

    def _shows_something(self) -> Callable[[int, int], bool]:
        gains: dict[tuple[int, int], bool] = {}

        def shows(number: int, pid: int) -> bool:
            found = gains.get((number, pid))
            if found is None:
                action, coverage = self.actions[number], self.coverage[number]
                found = not (action.trouble or action.runs(pid)) and coverage.refusal_gain(pid) > 0
                gains[number, pid] = found
            return found

        return shows

    def _to_any(
        self, starts: Sequence[int], wanted: Callable[[int, int], bool], room: int
    ) -> tuple[Walk, Tried] | None:
        chosen: list[Tried] = []

        def goal(state: int) -> bool:
            for number, action in enumerate(self.actions):
                for pid, steps in action.ground.points(state).items():
                    if wanted(number, pid):
                        step = self._allowed(number, state, steps, pid)
                        if step is not None:
                            chosen.append(Tried(number, step))
                            return True
            return False

        way = self._way(starts, goal, room)
        return None if way is None else (way, chosen[-1])

    # ---- asking

    def _ask_plan(self, start: int, plan: list[Tried], aim: Tried | None) -> Asking:
        """Asks, learns, and gives up an aim that brings nothing."""
        known = sum(len(a.seen) for a in self.actions)
        surprised = yield from self._ask(start, plan)
        if not surprised and sum(len(a.seen) for a in self.actions) == known and aim is not None:
            state = start
            for tried in plan[:-1]:
                action = self.actions[tried.action]
                state = action.after(state, tried.number, action.ground.point_at(state, tried.number))
            self.coverage[aim.action].given_up.add(
                self.actions[aim.action].ground.point_at(state, aim.number)
            )

    def _ask(self, start: int, plan: Sequence[Tried], learn: bool = True) -> Talk:
        """Puts the question and takes the answer in; whether anything was not as foretold."""
        steps = tuple(self.actions[t.action].ground.steps[t.number] for t in plan)
        self._entry += 1
        response = yield PlanQuery(State(self._universe, start), steps)
        if isinstance(response, Invalid):
            self._gone.add(start)
            self.exploration._stamp = ()
            return False
        assert isinstance(response, PlanResponse)
        entry = self._entry
        states = yield from self._states(start, plan, response)
        told = [response.states is not None] * len(states)
        if states and len(states) == response.steps:
            told[-1] = True
        return (yield from self._learn(start, plan, response.steps, states, told, entry, learn))

    def _states(
        self, start: int, plan: Sequence[Tried], response: PlanResponse
    ) -> Generator[PlanQuery | WalkQuery, Response | WalkResponse, list[int]]:
        """The states after the steps that ran; fewer if later ones are not known."""
        bits = self._universe.bits
        if response.states is not None:
            return [bits(state) for state in response.states]
        last = bits(response.state)
        if response.steps <= 1:
            return [last] * response.steps
        foretold = self._foretell(start, plan[: response.steps])
        if foretold[-1] == last:
            return foretold
        low, high = 0, response.steps
        steps = tuple(self.actions[t.action].ground.steps[t.number] for t in plan)
        while high - low > 1:
            middle = (low + high) // 2
            self._entry += 1
            prefix = yield PlanQuery(State(self._universe, start), steps[:middle])
            if not isinstance(prefix, PlanResponse) or prefix.steps != middle:
                return foretold[:low]
            if bits(prefix.state) == foretold[middle - 1]:
                low = middle
            else:
                high, last = middle, bits(prefix.state)
        return [*foretold[:low], last]

    def _foretell(self, state: int, plan: Sequence[Tried]) -> list[int]:
        found = []
        for tried in plan:
            action = self.actions[tried.action]
            state = action.after(state, tried.number, action.ground.point_at(state, tried.number))
            found.append(state)
        return found

    def _learn(
        self,
        start: int,
        plan: Sequence[Tried],
        ran: int,
        states: Sequence[int],
        told: Sequence[bool],
        entry: int,
        learn: bool = True,
    ) -> Talk:
        surprised: dict[int, None] = {}
        state = start
        self._visited.setdefault(start)
        for place, tried in enumerate(plan[: ran + 1]):
            if place > len(states) or place == len(states) < ran:
                break
            after = states[place] if place < ran else None
            action = self.actions[tried.action]
            pid = action.ground.point_at(state, tried.number)
            foretold = action.after(state, tried.number, pid) if action.runs(pid) else None
            way = (start, tuple(plan[:place]))
            direct = after is None or told[place]
            action.add(state, tried.number, Seen(after, entry, direct, way))
            if foretold != after:
                surprised[tried.action] = None
            if after is None:
                break
            state = after
            self._visited.setdefault(state)
        if learn:
            for number in surprised:
                yield from self._explain(number)
        return bool(surprised)

    def _explain(self, number: int) -> Asking:
        """Learns an action anew. What needs a quantified feature is asked again first, on another way."""
        action = self.actions[number]
        if action.conflict:
            return
        pairs = action.disagreements()
        if pairs:
            yield from self._confirm(number, pairs[:CONFIRMED], 1)
        action.learn()

    # ---- hidden state

    def _settle_troubles(self) -> Asking:
        """Before an action is given up: is it state behind the words?"""
        for number, action in enumerate(self.actions):
            if action.trouble and not action.conflict:
                before = len(action.seen)
                yield from self._confirm(number, action.disagreements()[:CONFIRMED], DETOURS)
                if action.conflict is None and len(action.seen) > before:
                    action.learn()

    def _confirm(self, number: int, pairs: Sequence[Pair], detours: int) -> Asking:
        """Reaches the situations of disagreeing examples on other ways, and tries the step again."""
        action = self.actions[number]
        for pair in pairs:
            entries = {example.entry for example in pair}
            points = {example.point for example in pair}
            for (state, step), seen in list(action.seen.items()):
                if seen.entry not in entries:
                    continue
                if action.ground.point[action.ground.point_at(state, step)] not in points:
                    continue
                for detour in range(detours):
                    yield from self._again(number, state, step, detour)
                    if action.conflict:
                        return

    def _again(self, number: int, state: int, step: int, detour: int) -> Asking:
        if (number, state, step, detour) in self._confirmed:
            return
        self._confirmed.add((number, state, step, detour))
        seen = self.actions[number].seen[state, step]
        way = self._other_way(state, seen.way, detour)
        if way is not None:
            start, plan = way
            yield from self._ask(start, [*plan, Tried(number, step)], learn=False)

    def _other_way(
        self, target: int, known: tuple[int, tuple[object, ...]], detour: int
    ) -> tuple[int, list[Tried]] | None:
        """A way to the state that differs from the known one, after a random detour if so told."""
        self.exploration.sync()
        for start in self._initial:
            state, plan = start, list[Tried]()
            for _ in range(self._rng.randint(FEWEST_DETOUR, LONGEST_DETOUR) if detour else 0):
                moves = self.exploration.moves(state)
                if not moves:
                    break
                move = self._rng.choice(moves)
                plan.append(Tried(move.action, move.number))
                state = move.after
            room = self._longest - len(plan) - 1
            way = self._way([state], lambda here: here == target, room) if room >= 0 else None
            if way is not None:
                plan += [Tried(m.action, m.number) for m in way.moves]
                if (start, tuple(plan)) != known:
                    return start, plan
        return None

    def _probing_walk(self, number: int) -> Talk:
        """A long walk that should all run: by turns spread evenly, repeating one action, or idling."""
        self.exploration.sync()
        rng = self._rng
        start = state = rng.choice(self._initial)
        favourite = rng.randrange(len(self.actions)) if number % 3 == 1 else None
        plan: list[Tried] = []
        while len(plan) < self._longest - 1:
            moves = self.exploration.moves(state)
            if not moves:
                break
            weights = [
                (FAVOURED if m.action == favourite else 1)
                * (IDLE if number % 3 == 2 and plan and plan[-1] == (m.action, m.number) else 1)
                / (1 + self._walked.get((state, m.action, m.number), 0))
                for m in moves
            ]
            for _ in range(CHOICES):
                move = rng.choices(moves, weights)[0]
                if self.exploration.moves(move.after):  # not a dead end
                    break
            key = (state, move.action, move.number)
            self._walked[key] = self._walked.get(key, 0) + 1
            plan.append(Tried(move.action, move.number))
            state = move.after
        plan += self._known_refusal(state)
        if not plan:
            return False
        return (yield from self._ask(start, plan))

    def _known_refusal(self, state: int) -> list[Tried]:
        """A step that was refused in this state, or should be."""
        known, foretold = list[Tried](), list[Tried]()
        for number, action in enumerate(self.actions):
            if not action.sound:
                continue
            for pid, steps in action.ground.points(state).items():
                if action.runs(pid):
                    continue
                known += [Tried(number, s) for s in steps if (state, s) in action.seen]
                if (step := self._allowed(number, state, steps, pid)) is not None:
                    foretold.append(Tried(number, step))
        some = known or foretold
        return [self._rng.choice(some)] if some else []

    # ---- evidence from elsewhere

    def take(self, query: PlanQuery, response: Response, states: tuple[State, ...] | None) -> None:
        self._entry += 1
        if not isinstance(response, PlanResponse) or query.new_objects:
            return
        if states is None:
            if len(query.plan) > 1:
                return  # what happened between is not known
            states = (response.state,) * response.steps
        before = [self._universe.bits(state) for state in (query.state, *states)]
        for place, step in enumerate(query.plan[: response.steps + 1]):
            tried = self._tried(step)
            if tried is None:
                continue
            after = before[place + 1] if place < response.steps else None
            action = self.actions[tried.action]
            action.add(
                before[place], tried.number, Seen(after, self._entry, True, (before[0], query.plan[:place]))
            )
        for action in self.actions:
            if action.ran:
                action.learn()
        logged = self._entry <= self.setting.traces  # of a log nobody knows whether it can be gone back to
        if self.setting.profile.start is not Start.RESET and not logged:
            self._visited.update(dict.fromkeys(before))

    def _tried(self, step: Step) -> Tried | None:
        names = [p.name for p in self.setting.profile.vocabulary.action[step.action].parameters]
        leaders = tuple(names[step.args.index(a)] for a in step.args)
        number = self._shape.get((step.action, leaders))
        place = None if number is None else self.actions[number].ground.number.get(step)
        return None if number is None or place is None else Tried(number, place)

    # ---- what is known

    def progress(self) -> dict[str, int | None]:
        return {action.name: action.level for action in self.actions}

    def findings(self) -> tuple[Finding, ...]:
        return tuple(
            finding_of(action, coverage, self.exploration)
            for action, coverage in zip(self.actions, self.coverage, strict=True)
        )


FAVOURED, IDLE = 5, 4
"""How much likelier a probing walk takes the action it repeats, and the step it has just taken."""
