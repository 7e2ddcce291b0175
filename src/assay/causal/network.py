"""Dynamic causal decision networks: one action between two moments, and a plan unrolled over a state.

Times count what has been done: facts at time 0 are the start, the step taken at time t leads to time t + 1.
Facts are endogenous, those at time 0 take their values from the context; facts of predicates that no
action changes are exogenous and have no time. Each step has a *decision* to take it and an *executability*:

    executable[t]  =  executable[t-1] and (not decision[t] or precondition[t])
    p[t+1]         =  (decision[t] and executable[t] and added)
                      or (p[t] and not (decision[t] and executable[t] and deleted))

So a step that is decided on and cannot run ends the plan, and a step that is not decided on is skipped.
Where an action has several outcomes, the one that occurred is exogenous and held fixed. The network of one
action is the same thing over its lifted atoms. Ground effects that the step's own precondition makes void
are left out, so equivalent models have the same network.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from assay.causal.formula import FALSE, And, Formula, Not, Or, Var, Variable, event
from assay.causal.structural import StructuralModel
from assay.core.model import ActionModel, Model
from assay.core.quantity import count
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import State, Universe
from assay.errors import InputError


@dataclass(frozen=True, slots=True)
class Fact:
    """An atom at a time."""

    atom: Atom
    time: int

    def __str__(self) -> str:
        return f"{self.atom} at {self.time}"


@dataclass(frozen=True, slots=True)
class Static:
    """An atom that no action changes."""

    atom: Atom

    def __str__(self) -> str:
        return str(self.atom)


@dataclass(frozen=True, slots=True)
class Decision:
    """To take the step, at a time."""

    step: Step
    time: int

    def __str__(self) -> str:
        return f"the decision to {self.step} at {self.time}"


@dataclass(frozen=True, slots=True)
class Executable:
    """That nothing has stopped the plan up to and including this step."""

    step: Step
    time: int

    def __str__(self) -> str:
        return f"that {self.step} can run at {self.time}"


@dataclass(frozen=True, slots=True)
class Given:
    """The context's value for an endogenous variable that nothing in the network determines."""

    variable: Fact | Decision

    def __str__(self) -> str:
        return f"the given value of {self.variable}"


@dataclass(frozen=True, slots=True)
class Chance:
    """That this outcome (numbered from 1) is the one that occurs at the time."""

    time: int
    outcome: int

    def __str__(self) -> str:
        return f"outcome {self.outcome} at {self.time}"


@dataclass(frozen=True)
class GroundStep:
    """A step with its literals filled in; `needs` is None if its arguments alone rule it out."""

    step: Step
    needs: frozenset[Literal] | None
    outcomes: tuple[frozenset[Literal], ...]

    @classmethod
    def of(cls, action: ActionModel, args: tuple[str, ...]) -> GroundStep:
        binding = action.header.bind(args)
        step = Step(action.header.name, args)
        if any(binding[x] == binding.get(y, y) for x, y in action.distinct):
            return cls(step, None, tuple(frozenset() for _ in action.outcomes))

        def ground(literals: Iterable[Literal]) -> frozenset[Literal]:
            return frozenset(Literal(a.substitute(binding), sign) for a, sign in literals)

        needs = ground(action.precondition)
        outcomes = []
        for outcome in action.outcomes:
            effects = ground(outcome.effects)
            added = {a for a, sign in effects if sign}
            outcomes.append(frozenset(e for e in effects - needs if e.positive or e.atom not in added))
        return cls(step, needs, tuple(outcomes))

    @classmethod
    def lifted(cls, action: ActionModel) -> GroundStep:
        """The action over its own parameters, different parameters being different things."""
        return cls.of(action, tuple(p.name for p in action.header.parameters))

    @property
    def atoms(self) -> set[Atom]:
        return {a for part in (self.needs or (), *self.outcomes) for a, _ in part}


@dataclass(frozen=True)
class Network:
    """A structural model, the context it is looked at in, and the plan that it is unrolled over."""

    structure: StructuralModel
    context: dict[Variable, bool]
    atoms: tuple[Atom, ...]
    static: frozenset[str]
    """Predicates that no action changes."""
    plan: tuple[GroundStep, ...]

    @cached_property
    def values(self) -> dict[Variable, bool]:
        """What happened."""
        return self.structure.evaluate(self.context)

    @property
    def end(self) -> int:
        """The time after the last step."""
        return len(self.plan)

    @property
    def steps(self) -> int:
        """How many steps ran before one could not."""
        done = [self.values[Executable(g.step, t)] for t, g in enumerate(self.plan)]
        return done.index(False) if False in done else len(done)

    def variable(self, atom: Atom, time: int) -> Fact | Static:
        """The variable for the atom at the time, checked."""
        if not 0 <= time <= self.end:
            raise InputError(f"time {time} is outside the plan: times go from 0 to {self.end}")
        if atom not in self.atoms:
            raise InputError(f"{atom} is not part of this network")
        return Static(atom) if atom.predicate in self.static else Fact(atom, time)

    def decision(self, time: int) -> Decision:
        """The decision at the time, checked."""
        if not self.plan:
            raise InputError("the plan has no steps")
        if not 0 <= time < self.end:
            raise InputError(f"no step is taken at time {time}: steps are taken from 0 to {self.end - 1}")
        return Decision(self.plan[time].step, time)

    @property
    def candidates(self) -> list[Variable]:
        """What may be a cause: facts at times, and decisions."""
        return [v for v in self.structure.functions if isinstance(v, Fact | Decision)]


def static_predicates(model: Model) -> frozenset[str]:
    """Predicates that no action of the model changes."""
    changed = {x.atom.predicate for a in model.normalised().actions for o in a.outcomes for x in o.effects}
    return frozenset(p.name for p in model.vocabulary.predicates if p.name not in changed)


def two_slices(model: Model, action: str, state: Collection[Atom] | None = None) -> Network:
    """The network of one action over its lifted atoms, by default where what it needs to be true is true."""
    found = model.action.get(action)
    if found is None:
        known = ", ".join(sorted(model.action)) or "none"
        raise InputError(f"the model does not describe action {action!r}; it describes: {known}")
    step = GroundStep.lifted(found)
    if state is None:
        state = {a for a, sign in step.needs or () if sign}
    return build([step], state, step.atoms, static_predicates(model), [0] if len(step.outcomes) > 1 else None)


def unroll(
    model: Model,
    state: State,
    plan: Sequence[Step],
    *,
    outcomes: Sequence[int] | None = None,
    mention: Iterable[Atom] = (),
) -> Network:
    """The network of the plan from the state. `mention` brings in atoms that neither of them names.

    `outcomes` says, for models with chance, which outcome occurred at each step (numbered from 1).
    """
    universe = state.universe
    for atom in (mention := tuple(mention)):
        universe.index(atom)  # raises for what cannot be
    steps = ground_plan(model, universe, plan)
    atoms = set(state).union(mention, *(s.atoms for s in steps))
    chosen = None if outcomes is None else [number - 1 for number in outcomes]
    return build(steps, set(state), atoms, static_predicates(model), chosen)


def ground_plan(model: Model, universe: Universe, plan: Sequence[Step]) -> list[GroundStep]:
    steps = []
    for step in plan:
        universe.check_step(step)
        action = model.action.get(step.action)
        if action is None:
            raise InputError(f"the model does not describe action {step.action!r}: it was never seen to run")
        steps.append(GroundStep.of(action, step.args))
    return steps


def build(
    plan: Sequence[GroundStep],
    state: Collection[Atom],
    atoms: Iterable[Atom],
    static: frozenset[str],
    outcomes: Sequence[int] | None = None,
) -> Network:
    """The structural model of ground steps. Atoms are only names here, so lifted ones will do."""
    context: dict[Variable, bool] = {}
    functions: dict[Variable, Formula] = {}
    ordered = tuple(sorted(set(atoms)))
    moving = [a for a in ordered if a.predicate not in static]
    for atom in ordered:
        if atom.predicate in static:
            context[Static(atom)] = atom in state
    for atom in moving:
        _root(Fact(atom, 0), atom in state, context, functions)
    occurred = _occurred(plan, outcomes)
    for time, ground in enumerate(plan):
        decision, executable = Decision(ground.step, time), Executable(ground.step, time)
        _root(decision, True, context, functions)
        if len(ground.outcomes) > 1:
            context |= {Chance(time, k + 1): k == occurred[time] for k in range(len(ground.outcomes))}
        functions[executable] = _executable(plan, time, static)
        runs = And((Var(decision), Var(executable)))
        for atom in moving:
            functions[Fact(atom, time + 1)] = _next(ground, atom, time, runs)
    structure = StructuralModel(frozenset(context), functions)
    return Network(structure, context, ordered, static, tuple(plan))


def _root(
    variable: Fact | Decision,
    value: bool,
    context: dict[Variable, bool],
    functions: dict[Variable, Formula],
) -> None:
    context[Given(variable)] = value
    functions[variable] = Var(Given(variable))


def _occurred(plan: Sequence[GroundStep], outcomes: Sequence[int] | None) -> Sequence[int]:
    if outcomes is None:
        for ground in plan:
            if len(ground.outcomes) > 1:
                raise InputError(
                    f"{ground.step} has {len(ground.outcomes)} possible outcomes: say which one occurred"
                )
        return [0] * len(plan)
    if len(outcomes) != len(plan):
        raise InputError(f"{count(len(outcomes), 'outcome')} for a plan of {count(len(plan), 'step')}")
    for ground, outcome in zip(plan, outcomes, strict=True):
        if not 0 <= outcome < len(ground.outcomes):
            raise InputError(f"{ground.step} has outcomes 1 to {len(ground.outcomes)}, not {outcome + 1}")
    return outcomes


def _executable(plan: Sequence[GroundStep], time: int, static: frozenset[str]) -> Formula:
    ground = plan[time]
    if ground.needs is None:
        possible: Formula = FALSE
    else:
        possible = And(
            tuple(
                event(Static(a) if a.predicate in static else Fact(a, time), sign)
                for a, sign in sorted(ground.needs)
            )
        )
    here = Or((Not(Var(Decision(ground.step, time))), possible))
    if not time:
        return here
    return And((Var(Executable(plan[time - 1].step, time - 1)), here))


def _next(ground: GroundStep, atom: Atom, time: int, runs: Formula) -> Formula:
    before = Var(Fact(atom, time))
    added = _occasions(ground, Literal(atom), time, runs)
    deleted = _occasions(ground, Literal(atom, False), time, runs)
    kept: Formula = before if deleted is None else And((before, Not(deleted)))
    return kept if added is None else Or((added, kept))


def _occasions(ground: GroundStep, effect: Literal, time: int, runs: Formula) -> Formula | None:
    """When the step has this effect; None for never."""
    having = [k for k, effects in enumerate(ground.outcomes) if effect in effects]
    if not having:
        return None
    if len(having) == len(ground.outcomes):
        return runs
    return And((runs, Or(tuple(Var(Chance(time, k + 1)) for k in having))))
