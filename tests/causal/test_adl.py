"""Networks of random ADL models: they compute what the model does, and their causes are those by definition.

Nothing here is shared with the package but the execution of models: structural functions are truth tables of
what a step does to every state, and causes come from `brute_force`.
"""

from __future__ import annotations

import random
from itertools import product

import pytest
from brute_force import all_causes
from random_adl import OBJECTS, random_formula, random_model, steps

from assay.causal.causes import actual_causes
from assay.causal.formula import FALSE, And, Formula, Not, Or, Var, Variable, evaluate, variables
from assay.causal.network import Network, unroll
from assay.causal.structural import StructuralModel
from assay.causal.variables import Chance, Decision, Executable, Fact, Given, Refused, Static
from assay.core import formula as first_order
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Atom, Step
from assay.core.universe import Universe

NULLARY = {"p": [], "q": [], "r": []}
UNARY = {"p": [], "q": ["thing"]}
TWO = {"p": [], "q": []}


def random_network(
    rng: random.Random, predicates: dict[str, list[str]], length: int, refused: Refused, chance: bool = False
) -> tuple[Model, Network]:
    model = random_model(rng, predicates, chance=chance)
    universe = Universe(model.vocabulary, OBJECTS)
    plan = [rng.choice(steps(universe)) for _ in range(length)]
    atoms = [
        Atom(p, (o.name,) * len(a)) for p, a in predicates.items() for o in (OBJECTS if a else OBJECTS[:1])
    ]
    state = universe.state(a for a in atoms if rng.random() < 0.6)
    most = [max(len(case.outcomes) for case in model.action[step.action].cases) for step in plan]
    outcomes = [rng.randint(1, n) for n in most]
    return model, unroll(model, state, plan, refused=refused, mention=atoms, outcomes=outcomes)


def after(execution: Execution, bits: int, step: Step, network: Network, time: int) -> int | None:
    """Where the step leads with the outcome that occurred; a case with fewer outcomes has its last."""
    branches = execution.branches(bits, step)
    occurred = next((k for k in (1, 2) if network.context.get(Chance(time, k))), 1)
    return None if branches is None else branches[min(occurred, len(branches)) - 1].apply(bits)


@pytest.mark.parametrize("chance", [False, True])
@pytest.mark.parametrize("refused", list(Refused))
def test_a_network_computes_what_the_model_does(refused: Refused, chance: bool) -> None:
    rng = random.Random(3)
    ran = stopped = 0
    for _ in range(200):
        model, network = random_network(rng, UNARY, rng.randint(0, 4), refused, chance)
        execution, going = Execution(model, network.universe), True
        state = {a for a in network.atoms if network.values[network.variable(a, 0)]}
        bits = network.universe.bits(state)
        for time, step in enumerate(network.plan):
            end = after(execution, bits, step, network, time)
            expected = "not reached" if not going else "could not run" if end is None else "ran"
            assert network.courses()[time] == expected
            bits = end if going and end is not None else bits
            going = going and (end is not None or refused is Refused.SKIP)
            then = {a for a in network.atoms if network.values[network.variable(a, time + 1)]}
            assert then == set(network.universe.atoms(bits))
        ran, stopped = ran + ("could not run" not in network.courses()), stopped + (not going)
    assert ran > 20
    assert stopped > 20 or refused is Refused.SKIP


def by_execution(model: Model, network: Network) -> StructuralModel:
    """The structural functions as truth tables: what each step does to each state, by executing it."""
    execution, universe = Execution(model, network.universe), network.universe
    atoms = sorted(network.atoms)
    functions: dict[Variable, Formula] = {}
    for atom in atoms:
        if atom.predicate not in network.static:
            functions[Fact(atom, 0)] = Var(Given(Fact(atom, 0)))
    for time, step in enumerate(network.plan):
        decision, executable = Decision(step, time), Executable(step, time)
        functions[decision] = Var(Given(decision))
        can: list[Formula] = []
        true_after: dict[Atom, list[Formula]] = {a: [] for a in atoms}
        for values in product([False, True], repeat=len(atoms)):
            state = dict(zip(atoms, values, strict=True))
            here = And(tuple(_is(network.variable(a, time), v) for a, v in state.items()))
            bits = universe.bits(a for a, v in state.items() if v)
            reached = after(execution, bits, step, network, time)
            end = set(universe.atoms(bits if reached is None else reached))
            if reached is not None:
                can.append(here)
            taken = And((Var(decision), Var(executable)))
            for atom in atoms:
                true_after[atom].append(And((here, taken if atom in end else FALSE)))
                true_after[atom].append(And((here, Not(taken) if state[atom] else FALSE)))
        runs: Formula = Or((Not(Var(decision)), Or(tuple(can))))
        if time and network.refused is Refused.STOP:
            runs = And((Var(Executable(network.plan[time - 1], time - 1)), runs))
        functions[executable] = runs
        for atom in atoms:
            if atom.predicate not in network.static:
                functions[Fact(atom, time + 1)] = Or(tuple(true_after[atom]))
    return StructuralModel(network.structure.exogenous, functions)


def _is(variable: Fact | Static, value: bool) -> Formula:
    return Var(variable) if value else Not(Var(variable))


@pytest.mark.parametrize("refused", list(Refused))
@pytest.mark.parametrize(
    ("predicates", "length", "rounds", "chance"),
    [(NULLARY, 1, 60, False), (UNARY, 1, 40, False), (UNARY, 1, 40, True), (TWO, 2, 25, False)],
)
def test_causes_are_those_by_definition(
    predicates: dict[str, list[str]], length: int, rounds: int, chance: bool, refused: Refused
) -> None:
    rng = random.Random(length * 7 + len(predicates))
    done = several = 0
    while done < rounds:
        model, network = random_network(rng, predicates, length, refused, chance)
        fact = _fact(rng, model, network)
        if fact is None:
            continue
        event = network.event(fact, network.end)
        if not set(variables(event)) <= set(network.candidates):
            continue
        done += 1
        found = [
            c.variables for c in actual_causes(network.structure, network.context, event, network.candidates)
        ]
        expected = all_causes(by_execution(model, network), network.context, event, set(network.candidates))
        assert set(found) == expected
        several += any(len(c) > 1 for c in found)
    assert several > rounds / 20


def _fact(rng: random.Random, model: Model, network: Network) -> first_order.Formula | None:
    """A Boolean combination of facts that is so at the end."""
    terms = [o.name for o in OBJECTS]
    formula = random_formula(rng, model.vocabulary, terms, 2, quantifiers=False)
    event = network.event(formula, network.end)
    if not set(variables(event)) & set(network.candidates):
        return None
    return formula if evaluate(event, network.values) else first_order.negate(formula)
