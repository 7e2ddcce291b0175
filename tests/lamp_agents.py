"""Agents over lamps and a power switch: sound ones, and for every rule some that break it."""

from __future__ import annotations

import random
import time

from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State
from assay.core.vocabulary import Vocabulary

VOCABULARY = Vocabulary.of(
    types={"lamp": "object"},
    predicates={"power": [], "on": ["lamp"]},
    actions={"connect": [], "disconnect": [], "light": ["lamp"], "douse": ["lamp"]},
)
POWER = Atom("power")
LAMPS = (Object("desk", "lamp"), Object("hall", "lamp"))


class Lamps:
    """A sound agent, in parts that the unsound ones below replace."""

    vocabulary = VOCABULARY
    objects = LAMPS
    new_objects = True

    def states(self, count, universe):
        return [universe.state([]), universe.state([POWER, Atom("on", ("hall",))])]

    def after(self, state: State, step: Step) -> State | None:
        lamp = Atom("on", step.args)
        match step.action:
            case "connect":
                return None if POWER in state else state.change([POWER])
            case "disconnect":
                return state.change((), [POWER]) if POWER in state else None
            case "light":
                return state.change([lamp]) if POWER in state and lamp not in state else None
            case _:
                return state.change((), [lamp]) if lamp in state else None

    def ask(self, query):
        state = query.state
        for number, step in enumerate(query.plan):
            after = self.after(state, step)
            if after is None:
                return PlanResponse(number, state)
            state = after
        return PlanResponse(len(query.plan), state)


class Fixed(Lamps):
    new_objects = False


class Resettable(Fixed):
    start = Start.RESET


class Restorable(Fixed):
    start = "visited"


class Dice(Lamps):
    def __init__(self):
        self.rng = random.Random(1)

    def after(self, state, step):
        return None if self.rng.random() < 0.3 else super().after(state, step)


class Tiring(Lamps):
    """Worse with every question, too slowly to be seen in two in a row."""

    def __init__(self):
        self.asked = 0

    def ask(self, query):
        self.asked += 1
        return super().ask(query) if self.asked < 60 else PlanResponse(0, query.state)


class Remembering(Lamps):
    """Goes on from where the last question ended."""

    state = None

    def ask(self, query):
        answer = super().ask(PlanQuery(self.state or query.state, query.plan))
        self.state = answer.state
        return answer


class Cautious(Lamps):
    """Stops one step early."""

    def ask(self, query):
        return super().ask(PlanQuery(query.state, query.plan[:-1] if len(query.plan) > 1 else query.plan))


class Skipping(Lamps):
    """Leaves a refused step out and counts those that ran."""

    def ask(self, query):
        state, steps = query.state, 0
        for step in query.plan:
            if (after := self.after(state, step)) is not None:
                state, steps = after, steps + 1
        return PlanResponse(steps, state)


class Clumsy(Lamps):
    """A refused step turns the power off."""

    def ask(self, query):
        answer = super().ask(query)
        if answer.steps < len(query.plan):
            return PlanResponse(answer.steps, answer.state.change((), [POWER]))
        return answer


class Restless(Lamps):
    """Does something even when nothing is asked."""

    def ask(self, query):
        answer = super().ask(query)
        return answer if query.plan else PlanResponse(0, answer.state.change((), [POWER]))


class Changes(Lamps):
    """Reports what changed in place of what holds."""

    def ask(self, query):
        answer = super().ask(query)
        state = State(answer.state.universe, answer.state.bits & ~query.state.bits)
        return PlanResponse(answer.steps, state)


class Battery(Lamps):
    """Runs two steps of any plan and no more: something its states do not show."""

    def ask(self, query):
        return super().ask(PlanQuery(query.state, query.plan[:2]))


class Warmed(Lamps):
    """Lighting leaves a lamp off at first; the lamp goes on a step later."""

    def ask(self, query):
        answer = super().ask(query)
        if query.plan and answer.steps == len(query.plan) and query.plan[-1].action == "light":
            return PlanResponse(answer.steps, answer.state.change((), [Atom("on", query.plan[-1].args)]))
        return answer


class Dazzled(Lamps):
    """Reports that nothing holds wherever the lamp in the hall is on without power."""

    def ask(self, query):
        answer = super().ask(query)
        dazzled = Atom("on", ("hall",)) in answer.state and POWER not in answer.state
        return PlanResponse(answer.steps, answer.state.universe.state([])) if dazzled else answer


class Hopeful(Lamps):
    """Counts the refused step as run."""

    def ask(self, query):
        answer = super().ask(query)
        return PlanResponse(min(answer.steps + 1, len(query.plan)), answer.state)


class Narrow(Lamps):
    """Says that it takes new objects, and does not."""

    def after(self, state, step):
        if step.args and step.args[0] not in ("desk", "hall"):
            raise KeyError(step.args[0])
        return super().after(state, step)


class Strict(Lamps):
    """Calls every question with new objects invalid."""

    def ask(self, query):
        return Invalid("who is that?") if query.new_objects else super().ask(query)


class Doubtful(Lamps):
    """Calls a state invalid that it offers."""

    def ask(self, query):
        return Invalid() if query.state == self.states(2, query.state.universe)[1] else super().ask(query)


class Forger(Lamps):
    def ask(self, query):
        answer = super().ask(query)
        object.__setattr__(query.state, "bits", 0)
        return answer


class Shortener(Lamps):
    def ask(self, query):
        answer = super().ask(query)
        object.__setattr__(query, "plan", query.plan[1:])
        return answer


class Host(Lamps):
    def ask(self, query):
        query.state.universe.add(Object("moon", "lamp"))
        return super().ask(query)


class Liar(Lamps):
    def ask(self, query):
        return PlanResponse(len(query.plan) + 1, query.state)


class Hanging(Lamps):
    def ask(self, query):
        if query.plan:
            time.sleep(2)
        return super().ask(query)


class Wordless(Lamps):
    vocabulary = Vocabulary.of(types=["lamp"], predicates={}, actions={})

    def states(self, count, universe):
        return []


class Homeless(Resettable):
    states = None


class Empty(Fixed):
    objects = ()
    vocabulary = Vocabulary.of(types=["lamp"], predicates={"on": ["lamp"]}, actions={"light": ["lamp"]})
    states = None


class BadOffer(Lamps):
    def states(self, count, universe):
        return [universe.state([Atom("fire")])]


class BadObjects(Lamps):
    objects = (Object("cat", "animal"),)
