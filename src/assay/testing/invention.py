"""Random steps, plans, states and objects over a vocabulary, to ask an agent about."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from itertools import combinations, islice, product

from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe


class Invention:
    def __init__(self, universe: Universe, rng: random.Random) -> None:
        self.universe, self.rng = universe, rng
        self.vocabulary = universe.vocabulary
        self.constants = list(self.vocabulary.constants)
        self.own = [o for o in universe.objects if o not in self.constants]

    def plan(self, things: Sequence[Object], refused: Collection[Step] = ()) -> tuple[Step, ...]:
        """One to four random steps, the first not one of those refused."""
        plan: list[Step] = []
        for _ in range(self.rng.randint(1, 4)):
            steps = self.steps(things, 8)
            plan += [step for step in steps if plan or step not in refused][:1]
        return tuple(plan)

    def steps(self, things: Sequence[Object], count: int) -> list[Step]:
        tries = [self.step(self.rng.choice(sorted(self.vocabulary.action)), things) for _ in range(count)]
        return [step for step in tries if step is not None]

    def step(self, action: str, things: Sequence[Object]) -> Step | None:
        """The action on different objects, constants only where nothing else fits; None if they run out."""
        left = self.rng.sample(things, len(things)) + self.constants
        args = []
        for parameter in self.vocabulary.action[action].parameters:
            fitting = next((o for o in left if self.vocabulary.fits(o.type, parameter.types)), None)
            if fitting is None:
                return None
            left.remove(fitting)
            args.append(fitting.name)
        return Step(action, tuple(args))

    def state(self, plan: tuple[Step, ...]) -> State:
        """A random state over the atoms that the plan's steps can see."""
        density = self.rng.choice((1.0, 1.0, 0.7, 0.5, 0.3))
        numbers = sorted({n for step in plan for n in self.universe.positions(step)})
        chosen = [self.universe.atom(n) for n in numbers if self.rng.random() < density]
        return self.universe.state(chosen)

    def states(self, most: int) -> list[State]:
        """All states over the agent's own objects, in random order; none if there are more than so many."""
        things = (*self.own, *self.constants)
        atoms = (
            Atom(predicate.name, args)
            for predicate in self.vocabulary.predicates
            for args in product(
                *(
                    [o.name for o in things if self.vocabulary.fits(o.type, place.types)]
                    for place in predicate.parameters
                )
            )
        )
        few = list(islice(atoms, most.bit_length()))
        if 2 ** len(few) > most:
            return []
        states = [self.universe.state(held) for n in range(len(few) + 1) for held in combinations(few, n)]
        return self.rng.sample(states, len(states))

    def guests(self) -> list[Object]:
        """Objects that are not the agent's own: for each type as many as an action can ask for."""
        wanted: dict[str, int] = {}
        for header in self.vocabulary.actions:
            types = [p.types[0] for p in header.parameters]
            for name in types:
                wanted[name] = max(wanted.get(name, 0), types.count(name))
        return [
            self.universe.add(Object(self._free_name(f"new-{name}-{number}"), name))
            for name, count in sorted(wanted.items())
            for number in range(1, count + 1)
        ]

    def _free_name(self, name: str) -> str:
        while name in self.universe.own:
            name += "x"
        return name
