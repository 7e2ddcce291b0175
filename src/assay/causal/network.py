"""Dynamic causal decision networks (DCDN section 5.2.2): a plan unrolled over a state.

Times count what has been done: facts at time 0 are the start, the step taken at time t leads to time t + 1.
Facts are endogenous, those at time 0 take their values from the context; facts of predicates that no
action changes are exogenous and have no time. Each step has a *decision* to take it and an *executability*:

    executable[t]  =  executable[t-1] and (not decision[t] or precondition[t])
    p[t+1]         =  (decision[t] and executable[t] and gained[t])
                      or (p[t] and not (decision[t] and executable[t] and lost[t]))

A step that is decided on and cannot run ends the plan; where refused steps are passed over,
executable[t-1] is left out. A step that is not decided on is skipped. `gained` says that the precondition
holds and that the condition of some effect that adds p does, `lost` the same of deletes. They are formulas
over the facts at time t, with quantifiers over all objects of the question. The precondition stands in
`gained` and `lost`, too, because conditions mean nothing where a step does not run: so the functions follow
from behaviour alone, and models that behave alike have the same causes, however they are written.

Where an action has several outcomes, the number of the one that occurred is exogenous and held fixed; a case
with fewer outcomes then has its last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from operator import or_

from assay.causal.formula import Formula, Not, Var, Variable, all_of, any_of, event, none_of
from assay.causal.structural import StructuralModel, Values
from assay.causal.variables import Chance, Decision, Executable, Fact, Given, Refused, Static
from assay.core import formula as first_order
from assay.core.condition import Condition
from assay.core.execution import Execution, GroundAction, GroundCase
from assay.core.model import Model
from assay.core.quantity import count
from assay.core.symbols import Atom, Step
from assay.core.universe import State, Universe, indices
from assay.errors import InputError

RAN, REFUSED, LEFT_OUT, NOT_REACHED = "ran", "could not run", "left out", "not reached"


@dataclass(frozen=True)
class Network:
    """A structural model, the context it is looked at in, and the plan that it is unrolled over."""

    structure: StructuralModel
    context: dict[Variable, bool]
    universe: Universe
    atoms: frozenset[Atom]
    static: frozenset[str]
    """Predicates that no action changes."""
    plan: tuple[Step, ...]
    preconditions: tuple[Formula, ...]
    refused: Refused = Refused.STOP

    @cached_property
    def values(self) -> dict[Variable, bool]:
        """What happened."""
        return self.structure.evaluate(self.context)

    @property
    def end(self) -> int:
        """The time after the last step."""
        return len(self.plan)

    def courses(self, values: Values | None = None) -> tuple[str, ...]:
        """What became of each step: it ran, could not run, was left out or was not reached."""
        values, found, reached = self.values if values is None else values, [], True
        for time, step in enumerate(self.plan):
            passed = values[Executable(step, time)]
            decided = RAN if passed else REFUSED
            found.append((decided if values[Decision(step, time)] else LEFT_OUT) if reached else NOT_REACHED)
            reached = passed or self.refused is Refused.SKIP
        return tuple(found)

    @property
    def steps(self) -> int:
        """How many steps were dealt with before one could not run."""
        return next((t for t, course in enumerate(self.courses()) if course == REFUSED), self.end)

    def variable(self, atom: Atom, time: int) -> Fact | Static:
        """The variable for the atom at the time, checked."""
        if not 0 <= time <= self.end:
            raise InputError(f"time {time} is outside the plan: times go from 0 to {self.end}")
        if atom not in self.atoms:
            raise InputError(f"{atom} is not part of this network")
        return Static(atom) if atom.predicate in self.static else Fact(atom, time)

    def event(self, formula: first_order.Formula, time: int) -> Formula:
        """That a formula without free variables holds at the time."""
        condition = first_order.ground(formula, self.universe, {})
        return formula_of(condition, lambda bit: self.variable(self.universe.atom(bit), time))

    def decision(self, time: int) -> Decision:
        """The decision at the time, checked."""
        if not self.plan:
            raise InputError("the plan has no steps")
        if not 0 <= time < self.end:
            raise InputError(f"no step is taken at time {time}: steps are taken from 0 to {self.end - 1}")
        return Decision(self.plan[time], time)

    @property
    def candidates(self) -> list[Variable]:
        """What may be a cause: facts at times, and decisions."""
        return [v for v in self.structure.functions if isinstance(v, Fact | Decision)]


def static_predicates(*models: Model) -> frozenset[str]:
    """Predicates that no action of the models changes."""
    changed = {
        effect.literal.atom.predicate
        for model in models
        for action in model.actions
        for case in action.cases
        for outcome in case.outcomes
        for effect in outcome.effects
    }
    return frozenset(p.name for m in models for p in m.vocabulary.predicates) - changed


def unroll(
    model: Model,
    state: State,
    plan: Sequence[Step],
    *,
    refused: Refused = Refused.STOP,
    outcomes: Sequence[int] | None = None,
    mention: Iterable[Atom] = (),
    static: frozenset[str] | None = None,
) -> Network:
    """The network of the plan from the state. `mention` brings in atoms that neither of them names.

    `outcomes` says, for models with chance, which outcome occurred at each step (numbered from 1). `static`
    are the predicates taken to be exogenous, by default those that no action changes.
    """
    universe, plan = state.universe, tuple(plan)
    bits = state.bits | universe.bits(mention)  # raises for what cannot be
    execution = Execution(model, universe)
    actions = [execution.ground(step) for step in plan]
    for action in actions:
        bits |= _mask(action)
    fixed = static_predicates(model) if static is None else static
    unrolling = _Unrolling(universe, fixed, plan, refused)
    unrolling.start(sorted(indices(bits), key=universe.atom), state)
    for time, (action, number) in enumerate(zip(actions, _occurred(plan, actions, outcomes), strict=True)):
        unrolling.add(time, action, number)
    return unrolling.network(frozenset(universe.atoms(bits)))


class _Unrolling:
    """A network in the making."""

    def __init__(
        self, universe: Universe, static: frozenset[str], plan: tuple[Step, ...], refused: Refused
    ) -> None:
        self._universe, self._static, self._plan, self._refused = universe, static, plan, refused
        self._context: dict[Variable, bool] = {}
        self._functions: dict[Variable, Formula] = {}
        self._preconditions: list[Formula] = []
        self._moving: list[int] = []

    def network(self, atoms: frozenset[Atom]) -> Network:
        structure = StructuralModel(frozenset(self._context), self._functions)
        context, needed = self._context, tuple(self._preconditions)
        return Network(
            structure, context, self._universe, atoms, self._static, self._plan, needed, self._refused
        )

    def start(self, bits: Iterable[int], state: State) -> None:
        for bit in bits:
            variable, value = self._variable(bit, 0), bool(state.bits >> bit & 1)
            if isinstance(variable, Static):
                self._context[variable] = value
            else:
                self._root(variable, value)
                self._moving.append(bit)

    def add(self, time: int, action: GroundAction, occurred: int) -> None:
        """The step at the time, and the facts after it."""
        decision, executable = Decision(self._plan[time], time), Executable(self._plan[time], time)
        self._root(decision, True)
        most = _outcomes(action)
        if most > 1:
            self._context |= {Chance(time, k): k == occurred for k in range(1, most + 1)}
        now = partial(self._variable, time=time)
        needed = formula_of(action.precondition, now)
        self._preconditions.append(needed)
        passed = any_of([Not(Var(decision)), needed])
        if time and self._refused is Refused.STOP:
            passed = all_of([Var(Executable(self._plan[time - 1], time - 1)), passed])
        self._functions[executable] = passed
        runs = all_of([Var(decision), Var(executable), needed])
        gained, lost = _changes(action, time, now, most)
        for bit in self._moving:
            gain, lose = (all_of([runs, any_of(part.get(bit, ()))]) for part in (gained, lost))
            kept = all_of([Var(now(bit)), none_of(lose)])
            self._functions[Fact(self._universe.atom(bit), time + 1)] = any_of([gain, kept])

    def _variable(self, bit: int, time: int) -> Fact | Static:
        atom = self._universe.atom(bit)
        return Static(atom) if atom.predicate in self._static else Fact(atom, time)

    def _root(self, variable: Fact | Decision, value: bool) -> None:
        self._context[Given(variable)] = value
        self._functions[variable] = Var(Given(variable))


def _occurred(
    plan: tuple[Step, ...], actions: list[GroundAction], outcomes: Sequence[int] | None
) -> Sequence[int]:
    """The number of the outcome of each step, from 1."""
    if outcomes is not None and len(outcomes) != len(plan):
        raise InputError(f"{count(len(outcomes), 'outcome')} for a plan of {count(len(plan), 'step')}")
    for step, action, number in zip(plan, actions, outcomes or [1] * len(plan), strict=True):
        most = _outcomes(action)
        if outcomes is None and most > 1:
            raise InputError(f"{step} has {most} possible outcomes: say which one occurred")
        if not 1 <= number <= most:
            raise InputError(f"{step} has outcomes 1 to {most}, not {number}")
    return outcomes or [1] * len(plan)


def _outcomes(action: GroundAction) -> int:
    return max((len(case.branches) for case in action.cases), default=1)


def _changes(
    action: GroundAction, time: int, variable: Callable[[int], Variable], most: int
) -> tuple[dict[int, list[Formula]], dict[int, list[Formula]]]:
    """On what occasions, if it runs, the step adds and deletes each atom."""
    gained: dict[int, list[Formula]] = {}
    lost: dict[int, list[Formula]] = {}
    earlier: list[Formula] = []
    for case in action.cases:
        applies = formula_of(case.condition, variable)
        for number, branch in enumerate(case.branches, start=1):
            chosen = [applies, *earlier, _occurs(case, number, time, most)]
            for condition, add, delete in branch.effects:
                occasion = all_of([*chosen, formula_of(condition, variable)])
                for mask, part in ((add, gained), (delete, lost)):
                    for bit in indices(mask):
                        part.setdefault(bit, []).append(occasion)
        earlier.append(none_of(applies))
    return gained, lost


def _occurs(case: GroundCase, number: int, time: int, most: int) -> Formula:
    last = len(case.branches)
    if last == 1:
        return all_of(())
    numbers = range(number, most + 1) if number == last else (number,)
    return any_of([Var(Chance(time, k)) for k in numbers])


def formula_of(condition: Condition, variable: Callable[[int], Variable]) -> Formula:
    """The condition as a formula over the variables that stand for its atoms."""
    parts = [event(variable(bit), True) for bit in indices(condition.true)]
    parts += [event(variable(bit), False) for bit in indices(condition.false)]
    parts += [formula_of(part, variable) for part in condition.parts]
    return (all_of if condition.every else any_of)(parts)


def _mask(action: GroundAction) -> int:
    """All atoms that a ground action looks at or changes."""
    found = mentioned(action.precondition)
    for case in action.cases:
        found |= mentioned(case.condition)
        for branch in case.branches:
            for condition, add, delete in branch.effects:
                found |= mentioned(condition) | add | delete
    return found


def mentioned(condition: Condition) -> int:
    """The atoms that the condition speaks of."""
    return reduce(or_, map(mentioned, condition.parts), condition.true | condition.false)
