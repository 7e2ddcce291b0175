"""Models: what each action needs and what it does, lifted, in the user's vocabulary.

A deterministic action has one outcome, so PDDL and PPDDL share one type. Two action models are
*functionally equivalent* when they run in the same states and lead to the same states; with distinct
objects for distinct parameters that is the case iff their normal forms are equal. Normalisation (AIA-20
section 2.2) drops an effect that its own precondition makes void: adding what must already be true,
deleting what must already be false.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from assay.core.symbols import ActionHeader, Atom, Literal, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError


@dataclass(frozen=True)
class Outcome:
    effects: frozenset[Literal]
    probability: float = 1.0


@dataclass(frozen=True)
class ActionModel:
    header: ActionHeader
    precondition: frozenset[Literal]
    outcomes: tuple[Outcome, ...]
    distinct: frozenset[tuple[str, str]] = frozenset()
    """Pairs of parameters that must not be the same object."""

    @classmethod
    def deterministic(
        cls,
        header: ActionHeader,
        precondition: frozenset[Literal],
        effects: frozenset[Literal],
        distinct: frozenset[tuple[str, str]] = frozenset(),
    ) -> ActionModel:
        return cls(header, precondition, (Outcome(effects),), distinct)

    @property
    def effects(self) -> frozenset[Literal]:
        if len(self.outcomes) != 1:
            raise InputError(
                f"action {self.header.name!r} has {len(self.outcomes)} outcomes; one is wanted here"
            )
        return self.outcomes[0].effects

    @property
    def satisfiable(self) -> bool:
        """Whether any state at all lets the action run."""
        return not any(Literal(a, not sign) in self.precondition for a, sign in self.precondition)

    def normalised(self, merging: bool = False) -> ActionModel:
        """The equivalent action with fewest literals; an add beats a delete of the same atom.

        With `merging`, one object may fill two parameters: then adding what is needed is not void where it
        may save the atom from a delete that falls together with it.
        """

        def normalise(effects: frozenset[Literal]) -> frozenset[Literal]:
            added = {a for a, sign in effects if sign}
            kept = {e for e in effects if e.positive or e.atom not in added}
            deleted = [e.atom for e in kept - self.precondition if not e.positive] if merging else []
            void = {
                e
                for e in kept & self.precondition
                if not (e.positive and any(self._may_coincide(e.atom, d) for d in deleted))
            }
            return frozenset(kept - void)

        return ActionModel(
            self.header,
            self.precondition,
            tuple(Outcome(normalise(o.effects), o.probability) for o in self.outcomes),
            self.distinct,
        )

    def _may_coincide(self, first: Atom, second: Atom) -> bool:
        """Whether one object in two places can make the atoms one, as far as the distinct pairs allow."""
        return first.predicate == second.predicate and all(
            x == y or (x[0] == y[0] == "?" and (x, y) not in self.distinct and (y, x) not in self.distinct)
            for x, y in zip(first.args, second.args, strict=True)
        )


@dataclass(frozen=True)
class Model:
    vocabulary: Vocabulary
    actions: tuple[ActionModel, ...]

    @cached_property
    def action(self) -> dict[str, ActionModel]:
        return {a.header.name: a for a in self.actions}

    def normalised(self, merging: bool = False) -> Model:
        return Model(self.vocabulary, tuple(a.normalised(merging) for a in self.actions))

    @property
    def precondition_count(self) -> int:
        """K: the number of precondition literals, the lower bound on questions."""
        return sum(len(a.precondition) for a in self.actions)


def differences(model: Model, truth: Model, equality: bool = False) -> list[str]:
    """What separates two models over one vocabulary, in words; empty iff functionally equivalent.

    Parameters are matched by position. Actions that no state lets run are all equivalent.
    """
    found = []
    mine, theirs = model.normalised(equality).action, truth.normalised(equality).action
    for name in sorted(mine.keys() | theirs.keys()):
        if name not in mine or name not in theirs:
            found.append(f"action {name!r} is only in {'the first' if name in mine else 'the second'} model")
            continue
        a, b = mine[name], theirs[name]
        if a.header.arity != b.header.arity:
            found.append(f"action {name!r} has {a.header.arity} and {b.header.arity} parameters")
            continue
        if not a.satisfiable and not b.satisfiable:
            continue
        renaming = {q.name: p.name for p, q in zip(a.header.parameters, b.header.parameters, strict=True)}
        parts = [
            ("precondition", a.precondition, b.precondition),
            ("effect", a.effects, b.effects),
        ]
        for kind, left, right in parts:
            right = frozenset(Literal(x.atom.substitute(renaming), x.positive) for x in right)
            found += [f"{name}: {kind} {x} only in the first" for x in sorted(map(str, left - right))]
            found += [f"{name}: {kind} {x} only in the second" for x in sorted(map(str, right - left))]
        if equality:
            pairs = {frozenset(p) for p in a.distinct}
            other = {frozenset(renaming[v] for v in p) for p in b.distinct}
            found += [f"{name}: {' != '.join(sorted(p))} in one model only" for p in pairs ^ other]
    return found


def bind_step(model: Model, universe: Universe, step: Step) -> tuple[ActionModel, dict[str, str]] | None:
    """The step's action and what its parameters stand for, or None if the arguments rule the step out."""
    universe.check_step(step)
    action = model.action.get(step.action)
    if action is None:
        raise InputError(f"the model does not describe action {step.action!r}")
    binding = action.header.bind(step.args)
    if all(binding[x] != binding.get(y, y) for x, y in action.distinct):
        return action, binding
    return None


class Execution:
    """Runs a deterministic model on the states of one universe, each ground action compiled to four masks."""

    def __init__(self, model: Model, universe: Universe) -> None:
        self.model, self.universe = model, universe
        self._masks: dict[Step, tuple[int, int, int, int] | None] = {}

    def masks(self, step: Step) -> tuple[int, int, int, int] | None:
        """(needed, forbidden, add, delete), or None if the arguments themselves rule the step out."""
        try:
            return self._masks[step]
        except KeyError:
            pass
        found: tuple[int, int, int, int] | None = None
        bound = bind_step(self.model, self.universe, step)
        if bound is not None:
            action, binding = bound
            mask = [0, 0, 0, 0]
            for part, literals in ((0, action.precondition), (2, action.effects)):
                for atom, positive in literals:
                    mask[part + (not positive)] |= 1 << self.universe.index(atom.substitute(binding))
            found = (mask[0], mask[1], mask[2], mask[3])
        self._masks[step] = found
        return found

    def apply(self, bits: int, step: Step) -> int | None:
        """The state after the step, or None if it does not run."""
        masks = self.masks(step)
        if masks is None:
            return None
        needed, forbidden, add, delete = masks
        if bits & needed != needed or bits & forbidden:
            return None
        return bits & ~delete | add

    def run(self, state: State, plan: tuple[Step, ...]) -> tuple[int, State]:
        """The longest prefix that runs, and the state after it."""
        bits = state.bits
        for number, step in enumerate(plan):
            after = self.apply(bits, step)
            if after is None:
                return number, State(self.universe, bits)
            bits = after
        return len(plan), State(self.universe, bits)


def distinct_arguments(universe: Universe, step: Step) -> bool:
    """Whether the step's arguments and the constants are all different things."""
    constants = {c.name for c in universe.vocabulary.constants}
    return not any(x == y for x, y in combinations(step.args, 2)) and constants.isdisjoint(step.args)
