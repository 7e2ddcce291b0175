"""GLIB: goal-literal babbling (Chitnis et al. 2021), the baseline of QACE's evaluation.

The explorer sets itself goals it has never been at: a conjunction of one or two literals together with a
capability, such that the capability was never tried where the conjunction held. It plans to such a goal with
the rules learned so far (`rulebook`), goes there and tries the capability. Where no goal is found that it can
plan to, it does something at random. In GLIB-G goals are about particular objects; in GLIB-L they are about
the parameters of the capability, so that having seen one case stands for all of its kind.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from assay.core.model import Model
from assay.core.symbols import Step
from assay.core.universe import bits_of, indices
from assay.knowledge.experience import Experience
from assay.planning.search import Plan, solve
from assay.strategies.chance import Questions
from assay.strategies.chance.exploring import Draw, explore
from assay.strategies.chance.rulebook import Rulebook

GOALS, DRAWS = 4, 40
"""Novel goals that are planned for before a step is made at random, and draws in search of one."""
NODES, LENGTH = 150, 8
"""States expanded for one goal, and steps of a plan."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Atoms that must hold, and such that must not, where the step is then tried."""

    true: int
    false: int
    step: Step

    def holds(self, bits: int) -> bool:
        return bits & self.true == self.true and not bits & self.false


class Glib:
    def __init__(self, experience: Experience, lifted: bool) -> None:
        self._experience, self._lifted = experience, lifted
        self._rng = random.Random(f"{experience.setting.seed} glib {'l' if lifted else 'g'}")
        self._draw = Draw(experience, self._rng)
        self._rulebook = Rulebook(experience, self._draw.steps)
        self._plan: list[tuple[int, Step]] = []
        """The rest of the plan, each step with the state it is meant for."""

    def questions(self) -> Questions:
        yield from explore(self._experience, self, self._rng)

    def model(self) -> Model:
        self._rulebook.update()
        return self._rulebook.model()

    def begin(self) -> None:
        self._plan = []

    def step(self, bits: int) -> Step:
        self._rulebook.update()
        if not self._plan or self._plan[0][0] != bits:
            self._plan = self._babble(bits)
        return self._plan.pop(0)[1] if self._plan else self._draw.step(bits)

    def _babble(self, bits: int) -> list[tuple[int, Step]]:
        """A way to a novel goal, if one is found."""
        for _ in range(GOALS):
            goal = self._novel()
            if goal is None:
                return []
            found = solve(_Way(self._rulebook, bits, goal), max_nodes=NODES, max_length=LENGTH)
            if isinstance(found, Plan):
                return self._states(bits, (*found.steps, goal.step))
        return []

    def _states(self, bits: int, steps: Iterable[Step]) -> list[tuple[int, Step]]:
        plan = []
        for step in steps:
            plan.append((bits, step))
            after = self._rulebook.after(bits, step)
            bits = bits if after is None else after
        return plan

    def _novel(self) -> Goal | None:
        for _ in range(DRAWS):
            step = self._draw.step(0)
            goal = self._about_parameters(step) if self._lifted else self._about_objects(step)
            if goal is not None:
                return goal
        return None

    def _about_parameters(self, step: Step) -> Goal | None:
        """Literals over the step's arguments that no try of its capability had."""
        capability = self._experience.capabilities[step.action]
        true, false = self._literals(range(len(capability.dossier.atoms)))
        tried = (*capability.runs, *capability.refusals)
        if any(values & true == true and not values & false for values in tried):
            return None
        positions = self._experience.universe.positions(step)
        ground = [bits_of(positions[index] for index in indices(mask)) for mask in (true, false)]
        return Goal(ground[0], ground[1], step)

    def _about_objects(self, step: Step) -> Goal | None:
        """Literals over any objects that held at no try of this very step."""
        seen = 0
        for bits in self._experience.visited:
            seen |= bits
        goal = Goal(*self._literals(indices(seen)), step)
        tries = (bits for bits, tried in self._experience.transitions if tried == step)
        return None if any(goal.holds(bits) for bits in tries) else goal

    def _literals(self, atoms: Iterable[int]) -> tuple[int, int]:
        """One or two of them, with signs drawn."""
        atoms = list(atoms)
        true = false = 0
        for index in self._rng.sample(atoms, min(len(atoms), self._rng.choice((1, 2)))):
            if self._rng.random() < 0.5:
                true |= 1 << index
            else:
                false |= 1 << index
        return true, false


class GlibG(Glib):
    def __init__(self, experience: Experience) -> None:
        super().__init__(experience, lifted=False)


class GlibL(Glib):
    def __init__(self, experience: Experience) -> None:
        super().__init__(experience, lifted=True)


@dataclass(frozen=True)
class _Way:
    """Reach a state in which the goal holds, by the likeliest outcomes."""

    rulebook: Rulebook
    initial: int
    goal: Goal
    complete: bool = False

    def is_goal(self, node: int) -> bool:
        return self.goal.holds(node)

    def successors(self, node: int, last: bool) -> Iterable[tuple[Step, int]]:
        return self.rulebook.successors(node)
