"""Runs a model on the states of one universe: each ground step is compiled to conditions and masks once.

Conditions are evaluated before the step; adds win over deletes. A deterministic action has one branch.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from assay.core.condition import Condition
from assay.core.formula import bindings, ground
from assay.core.model import ActionModel, Effect, Model, Outcome
from assay.core.symbols import Literal, Step
from assay.core.universe import State, Universe
from assay.errors import InputError


class GroundEffect(NamedTuple):
    condition: Condition
    add: int
    delete: int


class Branch(NamedTuple):
    probability: float
    effects: tuple[GroundEffect, ...]

    def apply(self, bits: int) -> int:
        add = delete = 0
        for condition, adds, deletes in self.effects:
            if condition.holds(bits):
                add, delete = add | adds, delete | deletes
        return bits & ~delete | add


class GroundCase(NamedTuple):
    condition: Condition
    branches: tuple[Branch, ...]


class GroundAction(NamedTuple):
    precondition: Condition
    cases: tuple[GroundCase, ...]


class Execution:
    """What steps of a model lead to. Quantifiers range over the universe's objects at a step's first use."""

    def __init__(self, model: Model, universe: Universe) -> None:
        self.model, self.universe = model, universe
        self._ground: dict[Step, GroundAction] = {}

    def ground(self, step: Step) -> GroundAction:
        found = self._ground.get(step)
        if found is None:
            found = self._ground[step] = self._compile(step)
        return found

    def branches(self, bits: int, step: Step) -> tuple[Branch, ...] | None:
        """The outcomes of the case that applies; None if the step does not run."""
        action = self.ground(step)
        if not action.precondition.holds(bits):
            return None
        for case in action.cases:
            if case.condition.holds(bits):
                return case.branches
        return (Branch(1.0, ()),)

    def apply(self, bits: int, step: Step) -> int | None:
        """The state after a deterministic step, or None if it does not run."""
        branches = self.branches(bits, step)
        if branches is None:
            return None
        if len(branches) > 1:
            raise InputError(f"action {step.action!r} has {len(branches)} outcomes; one is wanted here")
        return branches[0].apply(bits)

    def after(self, bits: int, step: Step) -> dict[int, float] | None:
        """The states that may follow, each with its whole probability; None if the step does not run."""
        branches = self.branches(bits, step)
        if branches is None:
            return None
        found: dict[int, float] = {}
        for branch in branches:
            state = branch.apply(bits)
            found[state] = found.get(state, 0.0) + branch.probability
        return found

    def draw(self, bits: int, step: Step, rng: random.Random) -> int | None:
        """A state that follows, drawn by chance; None if the step does not run."""
        branches = self.branches(bits, step)
        if branches is None:
            return None
        if len(branches) == 1:
            return branches[0].apply(bits)
        left = rng.random() * sum(b.probability for b in branches)
        for branch in branches:
            left -= branch.probability
            if left < 0:
                break
        return branch.apply(bits)

    def states(self, state: State, plan: tuple[Step, ...]) -> list[State]:
        """The state after each step of the longest prefix that runs."""
        found, bits = [], state.bits
        for step in plan:
            after = self.apply(bits, step)
            if after is None:
                break
            found.append(State(self.universe, bits := after))
        return found

    def run(self, state: State, plan: tuple[Step, ...]) -> tuple[int, State]:
        """The length of the longest prefix that runs, and the state after it."""
        states = self.states(state, plan)
        return len(states), states[-1] if states else state

    def _compile(self, step: Step) -> GroundAction:
        action, binding = bind_step(self.model, self.universe, step)
        cases = [
            GroundCase(
                ground(case.condition, self.universe, binding),
                tuple(self._branch(outcome, binding) for outcome in case.outcomes),
            )
            for case in action.cases
        ]
        return GroundAction(ground(action.precondition, self.universe, binding), tuple(cases))

    def _branch(self, outcome: Outcome, binding: dict[str, str]) -> Branch:
        """Effects with the same condition are merged, plain ones into one pair of masks."""
        masks: dict[Condition, list[int]] = {}
        for effect in sorted(outcome.effects, key=_order):
            for values in bindings(effect.variables, self.universe) if effect.variables else ({},):
                bound = {**binding, **values}
                mask = masks.setdefault(ground(effect.condition, self.universe, bound), [0, 0])
                bit = 1 << self.universe.index(effect.literal.atom.substitute(bound))
                mask[not effect.literal.positive] |= bit
        return Branch(outcome.probability, tuple(GroundEffect(c, a, d) for c, (a, d) in masks.items()))


def _order(effect: Effect) -> tuple[Literal, str]:
    return effect.literal, "" if effect.is_plain else str(effect)


def bind_step(model: Model, universe: Universe, step: Step) -> tuple[ActionModel, dict[str, str]]:
    """The step's action and what its parameters stand for."""
    universe.check_step(step)
    action = model.action.get(step.action)
    if action is None:
        raise InputError(f"the model does not describe action {step.action!r}")
    return action, action.header.bind(step.args)
