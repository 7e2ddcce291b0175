"""A strategy of one's own: find a situation in which an action runs, then turn round its facts one at a time.

It asks single steps only, from states that it makes up; what is no conjunction over the arguments stays open.
"""

from __future__ import annotations

import random

from assay.core.query import PlanQuery, PlanResponse, Response
from assay.core.setting import Setting
from assay.core.symbols import Literal
from assay.core.universe import State, Universe
from assay.learn.conjunctive import VersionSpace
from assay.learn.evidence import Example, Point
from assay.learn.finding import LEVELS, Asking, Finding, FoundTerm, Status, TermLiteral
from assay.learn.remaining import remaining_models
from assay.planning.stage import staged, staged_step, valuation

TRIES = 100
"""Random situations tried for a first run."""


class Toggling:
    def __init__(self, setting: Setting, tells_states: bool) -> None:
        self.profile, self.vocabulary = setting.profile, setting.profile.vocabulary
        self.rng = random.Random(setting.seed)
        self.examples: dict[str, list[Example]] = {name: [] for name in sorted(self.vocabulary.action)}
        self.spaces = {name: VersionSpace(len(self.vocabulary.lifted_atoms(name))) for name in self.examples}
        self.entry = 0

    def questions(self, level: int) -> Asking:
        if level > 0:  # more than strength 0 is never claimed
            return
        for name, space in self.spaces.items():
            tries = [space.full] + [self.rng.getrandbits(space.size + 1) & space.full for _ in range(TRIES)]
            for own in tries:
                if not space.ran:
                    yield from self.ask(name, own)
            runs = [e.point.own for e in self.examples[name] if e.after is not None]
            for place in range(space.size):
                if runs:
                    yield from self.ask(name, runs[0] ^ 1 << place)

    def ask(self, name: str, own: int) -> Asking:
        """One step where just these of its facts hold, in a universe that no other question knows."""
        universe = Universe(self.vocabulary, self.profile.objects)
        step = staged_step(universe, self.profile, name)
        if step is not None:
            query = PlanQuery(staged(universe, step, own).state, (step,))
            response = yield query
            assert not hasattr(response, "plan"), "no walk was asked for"
            self.take(query, response, None)

    def take(self, query: PlanQuery, response: Response, states: tuple[State, ...] | None) -> None:
        self.entry += 1  # journal entries are numbered from 1; impossible states have numbers, too
        if not isinstance(response, PlanResponse) or len(query.plan) != 1:
            return
        (step,), universe = query.plan, query.state.universe
        constants = {c.name for c in self.vocabulary.constants}
        if len(set(step.args) | constants) < len(step.args) + len(constants):
            return  # arguments that are one object, or a constant, are another matter
        after = valuation(universe, step, response.state.bits) if response.steps else None
        point = Point(valuation(universe, step, query.state.bits))
        if (
            response.steps
            and (query.state.bits ^ response.state.bits).bit_count() != (point.own ^ (after or 0)).bit_count()
        ):
            self.spaces[step.action].collapsed = self.entry  # something else changed
        example = Example(point, after, entry=self.entry)
        self.examples[step.action].append(example)
        self.spaces[step.action].add(example)

    def progress(self) -> dict[str, int | None]:
        return {name: 0 if space.decided else None for name, space in self.spaces.items()}

    def findings(self) -> tuple[Finding, ...]:
        return tuple(map(self.finding, self.spaces))

    def finding(self, name: str) -> Finding:
        space, examples = self.spaces[name], self.examples[name]
        if space.collapsed is not None or not space.ran:
            trouble = "no conjunction explains the answers" if space.ran else ""
            return Finding(name, Status.OPEN, None, None, None, trouble=trouble)
        (model,) = remaining_models(self.vocabulary, name, examples, 1)
        atoms = self.vocabulary.lifted_atoms(name)
        place = {Literal(atom, sign): (n, sign) for n, atom in enumerate(atoms) for sign in (True, False)}

        def violated(example: Example) -> list[Literal]:
            return [x for x in model.needed if (example.point.own >> place[x][0] & 1) != place[x][1]]

        literals = tuple(
            TermLiteral(
                Literal(x.atom),
                x.positive,
                tuple(e.entry for e in examples if not e.ran and violated(e) == [x]),
            )
            for x in sorted(model.needed)
        )
        term = FoundTerm(literals, tuple(e.entry for e in examples if e.ran))
        strength = 0 if space.decided and all(x.refusals for x in literals) else None
        status = Status.OPEN if strength is None else Status.LEARNED
        return Finding(name, status, model, strength, LEVELS[0] if strength == 0 else None, terms=(term,))
