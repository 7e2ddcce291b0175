"""Test cases: executions in which the truth runs a capability, and such in which it refuses.

On test problems, cases are the moves of random walks of the truth. A capability that no walk comes to, or all
of them where there is no problem, gets states made up: its precondition holds, everything else is as it was
or drawn. Refused cases are cases that run with exactly one atom of the precondition turned round.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice, product
from operator import or_

from assay.core.condition import Condition
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Object, Step
from assay.core.universe import Universe, bits_of, indices
from assay.errors import InputError
from assay.pddl.reader import Problem
from assay.planning.walk import walk

PER_CAPABILITY = 50
"""Cases of each capability in the balanced set."""
TRIES = 20
"""How often a drawn state is changed, another way each time, to make a precondition hold."""
OTHERS = 2
"""Objects of each type for quantifiers to meet beside the arguments."""


@dataclass(frozen=True, slots=True)
class Case:
    """A step of one capability in a state, and what the truth makes of it."""

    truth: Execution
    bits: int
    step: Step
    after: Mapping[int, float] | None
    """The states that may follow, with their probabilities; None: refused."""


def natural_cases(truth: Model, problems: Sequence[Problem], count: int, rng: random.Random) -> list[Case]:
    """Executions as they come on the problems, the same number on each."""
    found: list[Case] = []
    for number, problem in enumerate(problems, start=1):
        chances, start = _world(truth, problem)
        wanted = count * number // len(problems) - len(found)
        moves = islice(walk(chances, [start], rng), wanted)
        found += [Case(chances, m.state, m.step, chances.after(m.state, m.step)) for m in moves]
    return found


def made_up_cases(truth: Model, action: str, count: int, rng: random.Random) -> list[Case]:
    """Executions of one capability in states drawn atom by atom, on objects just enough for any one."""
    universe = Universe(truth.vocabulary, _enough_objects(truth))
    execution = Execution(truth, universe)
    for step in (s for name in sorted(truth.action) for s in _steps(universe, name)):
        universe.positions(step)
    steps = list(_steps(universe, action))
    grounds = {step: execution.ground(step) for step in steps}
    atoms = range(universe.size)
    found = []
    for _ in range(count if steps else 0):
        step = rng.choice(steps)
        bits = bits_of(i for i in atoms if rng.random() < 0.5)
        needs = grounds[step].precondition
        bits = next((b for _ in range(TRIES) if needs.holds(b := _towards(needs, bits, rng))), -1)
        if bits >= 0:
            found.append(Case(execution, bits, step, execution.after(bits, step)))
    return found


def _towards(condition: Condition, bits: int, rng: random.Random) -> int:
    """The state with as much changed as one way to make the condition true asks for."""
    if condition.holds(bits):
        return bits
    if condition.every:
        bits = bits & ~condition.false | condition.true
        for part in condition.parts:
            bits = _towards(part, bits, rng)
        return bits
    ways = [Condition(True, 1 << i) for i in indices(condition.true)]
    ways += [Condition(True, 0, 1 << i) for i in indices(condition.false)]
    ways += condition.parts
    return _towards(rng.choice(ways), bits, rng) if ways else bits


def balanced_cases(truth: Model, natural: Sequence[Case], rng: random.Random) -> list[Case]:
    """Up to the same number of executions of each capability, made up where none came by itself."""
    found: list[Case] = []
    for name in sorted(truth.action):
        own = [case for case in natural if case.step.action == name]
        if len(own) > PER_CAPABILITY:
            own = rng.sample(own, PER_CAPABILITY)
        found += own or made_up_cases(truth, name, PER_CAPABILITY, rng)
    return found


def refused_cases(case: Case) -> list[Case]:
    """The case with each atom that the truth asks for turned round, one at a time, where it then refuses."""
    needs = case.truth.ground(case.step).precondition
    turned = (case.bits ^ 1 << index for index in indices(_mentioned(needs)))
    return [Case(case.truth, bits, case.step, None) for bits in turned if not needs.holds(bits)]


def _mentioned(condition: Condition) -> int:
    return reduce(or_, map(_mentioned, condition.parts), condition.true | condition.false)


def _world(truth: Model, problem: Problem) -> tuple[Execution, int]:
    universe = Universe(truth.vocabulary, problem.objects)
    return Execution(truth, universe), universe.bits(sorted(problem.initial))


def _enough_objects(truth: Model) -> list[Object]:
    """So many objects of every type that each capability finds different ones for its parameters, and some
    more for quantifiers, if there are any."""
    wanted: dict[str, int] = {}
    for header in truth.vocabulary.actions:
        own: dict[str, int] = {}
        for parameter in header.parameters:
            own[parameter.types[0]] = own.get(parameter.types[0], 0) + 1
        wanted |= {name: max(count, wanted.get(name, 0)) for name, count in own.items()}
    if any(action.is_quantified for action in truth.actions):
        wanted = {t: wanted.get(t, 0) + OTHERS for t in (*wanted, *(t.name for t in truth.vocabulary.types))}
    universe = Universe(truth.vocabulary)
    return [
        universe.object(universe.made_up(kind, n))
        for kind, count in sorted(wanted.items())
        for n in range(1, count + 1)
    ]


def _steps(universe: Universe, action: str) -> Iterator[Step]:
    fits = universe.vocabulary.fits
    parameters = universe.vocabulary.action[action].parameters
    for args in product(*([o.name for o in universe.objects if fits(o.type, p.types)] for p in parameters)):
        if len(set(args)) == len(args):
            yield Step(action, args)


def check_comparable(model: Model, truth: Model) -> None:
    """`InputError` unless the model speaks the truth's vocabulary; parameters are matched by position."""
    for action in model.actions:
        name, header = action.header.name, truth.vocabulary.action.get(action.header.name)
        if header is None:
            raise InputError(f"the model has a capability {name!r} that the truth does not know")
        if header.arity != action.header.arity:
            raise InputError(f"capability {name!r} has {action.header.arity} and {header.arity} parameters")
    for predicate in model.vocabulary.predicates:
        known = truth.vocabulary.predicate.get(predicate.name)
        if known is None or known.arity != predicate.arity:
            raise InputError(f"the model's predicate {predicate.name!r} is not one of the truth's")
