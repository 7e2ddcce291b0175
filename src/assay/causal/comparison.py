"""Where an action of two models behaves differently: exact, by SAT, on things that stand for its parameters.

Both actions are unrolled over the same objects, one for each parameter and further ones for what quantifiers
speak of. Their networks are then two sets of functions of the same facts, and a MaxSAT solver finds a
smallest situation in which they differ, or that there is none. Without quantifiers this decides whether the
actions are equivalent. With them it does so where the conditions quantify one variable at a time, and there
are at most `OTHERS` quantified variables of a type: so many further objects are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from assay.causal.clauses import Clauses
from assay.causal.formula import (
    FALSE,
    TRUE,
    Formula,
    Variable,
    all_of,
    any_of,
    none_of,
    substitute,
    variables,
)
from assay.causal.minimal import minimal_sets
from assay.causal.network import Network, static_predicates, unroll
from assay.causal.variables import Chance, Decision, Executable, Fact, Given, Static
from assay.core import formula as first_order
from assay.core.formula import Exists, Forall
from assay.core.model import ActionModel, Model
from assay.core.symbols import OBJECT, ActionHeader, Atom, Object, Parameter, Predicate, Step, Type
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary

OTHERS = 3
"""Objects of a type that are no arguments, at most: each doubles the facts of a binary relation."""

RUNS, LEADS = "runs", "leads"


@dataclass(frozen=True)
class World:
    """Things for the parameters of an action, and both models' networks of it: one for each outcome."""

    step: Step
    parameters: dict[str, str]
    """Which parameter an argument stands for; the first of several."""
    first: tuple[Network, ...]
    second: tuple[Network, ...]

    def context(self, network: Network, situation: frozenset[Atom]) -> dict[Variable, bool]:
        """The network's context, with these facts at the start and no others."""
        facts: dict[Variable, bool] = {
            v: a in situation for a in network.atoms for v in (Static(a), Given(Fact(a, 0)))
        }
        return {v: facts.get(v, value) for v, value in network.context.items()}

    def lifted(self, atom: Atom) -> Atom:
        return atom.substitute(self.parameters)


@dataclass(frozen=True)
class Gap:
    """A smallest situation in which an action of two models differs."""

    action: str
    kind: str
    """Whether only one of them runs, or where they lead."""
    side: int
    """The one (0 or 1) that runs, or that has an outcome which the other has not."""
    situation: frozenset[Atom]
    """What is true; all else that they look at is false."""
    world: World


def gaps(first: Model, second: Model, name: str, equality: bool = False) -> list[Gap]:
    """Up to one smallest gap of each kind and side; none if the actions are equivalent.

    Different parameters are different things; with `equality`, one thing for several is tried as well.
    """
    found: dict[tuple[str, int], Gap] = {}
    for world in worlds(first, second, name, equality):
        for kind, side, target in _targets(world):
            known = found.get((kind, side))
            situation = _smallest(target)
            if situation is not None and (known is None or len(situation) < len(known.situation)):
                found[kind, side] = Gap(name, kind, side, situation, world)
    return list(found.values())


def running(model: Model, name: str) -> tuple[World, frozenset[Atom]] | None:
    """A smallest situation in which the action runs, if there is one."""
    found = ((w, _smallest(_executable(w.first[0]))) for w in worlds(model, model, name))
    return next(((world, situation) for world, situation in found if situation is not None), None)


# --- worlds


def worlds(first: Model, second: Model, name: str, equality: bool = False) -> Iterator[World]:
    """Ways to let things stand for the parameters, with up to so many others as quantifiers speak of."""
    header, other = first.action[name].header, second.action[name].header
    actions = [m.action[name] for m in (first, second)]
    vocabulary = _joint(first.vocabulary, second.vocabulary, header)
    models = [Model(vocabulary, (replace(a, header=_untyped(a.header)),)) for a in actions]
    static = static_predicates(first, second)
    others = _quantified_types(actions)
    named = {*others, *(t for p in header.parameters for t in p.types if equality)}
    choices = [
        _types(vocabulary, p, q, named) for p, q in zip(header.parameters, other.parameters, strict=True)
    ]
    for types in product(*choices):
        for places in _places(types, equality):
            for sizes in sorted(product(*(range(n + 1) for n in others.values())), key=sum):
                things = [Object(f"{_ARGUMENT}{i}", types[i]) for i in sorted(set(places))]
                for type_name, size in zip(others, sizes, strict=True):
                    things += [Object(f"other-{type_name}-{k}", type_name) for k in range(1, size + 1)]
                step = Step(name, tuple(f"{_ARGUMENT}{i}" for i in places))
                parameters = {f"{_ARGUMENT}{i}": header.parameters[i].name for i in sorted(set(places))}
                universe = Universe(vocabulary, things)
                yield World(step, parameters, *_networks(models, universe, step, static))


_ARGUMENT = "argument#"  # no name that people give to a constant


def _joint(first: Vocabulary, second: Vocabulary, header: ActionHeader) -> Vocabulary:
    """What both speak of. Predicates and the action take any objects, so both sides see the same facts."""
    types: dict[str, tuple[str, ...]] = {}
    for t in (*first.types, *second.types):
        types[t.name] = tuple(dict.fromkeys((*types.get(t.name, ()), *t.parents)))
    constants = {c.name: c for c in (*second.constants, *first.constants)}
    predicates = {p.name: p for p in (*second.predicates, *first.predicates)}
    return Vocabulary(
        tuple(Type(name, parents) for name, parents in types.items()),
        tuple(constants.values()),
        tuple(Predicate(p.name, _anything(p.parameters)) for p in predicates.values()),
        (_untyped(header),),
    )


def _untyped(header: ActionHeader) -> ActionHeader:
    return ActionHeader(header.name, _anything(header.parameters))


def _anything(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    return tuple(Parameter(p.name, (OBJECT,)) for p in parameters)


def _quantified_types(actions: Iterable[ActionModel]) -> dict[str, int]:
    """How many other things of each type are worth trying: one for each variable that ranges over it."""
    found: Counter[str] = Counter()
    for action in actions:
        formulas = [action.precondition, *(case.condition for case in action.cases)]
        ranges: Counter[str] = Counter()
        for case in action.cases:
            for effect in (e for outcome in case.outcomes for e in outcome.effects):
                formulas.append(effect.condition)
                ranges |= Counter(t for v in effect.variables for t in v.types)
        quantified = {q for f in formulas for q in _quantified(f)}
        found += ranges + Counter(t for q in quantified for v in q.variables for t in v.types)
    return {t: min(OTHERS, n) for t, n in sorted(found.items())}


def _quantified(formula: first_order.Formula) -> Iterator[Exists | Forall]:
    match formula:
        case first_order.And(parts) | first_order.Or(parts):
            for part in parts:
                yield from _quantified(part)
        case Exists(_, body) | Forall(_, body):
            yield formula
            yield from _quantified(body)


def _types(vocabulary: Vocabulary, first: Parameter, second: Parameter, named: Iterable[str]) -> list[str]:
    """The types that an argument may have: those declared, and finer ones that conditions speak of."""
    candidates = dict.fromkeys((*first.types, *second.types, *sorted(named)))
    fitting = [t for t in candidates if all(vocabulary.fits(t, p.types) for p in (first, second))]
    return fitting or [first.types[0]]


def _places(types: tuple[str, ...], equality: bool) -> Iterator[tuple[int, ...]]:
    """For each parameter the number of the argument it gets: its own or, with equality, an earlier one's."""
    earlier = [[i for i in range(k) if equality and types[i] == t] + [k] for k, t in enumerate(types)]
    for places in product(*earlier):
        if all(places[i] == i for i in places):
            yield places


def _networks(
    models: list[Model], universe: Universe, step: Step, static: frozenset[str]
) -> tuple[tuple[Network, ...], tuple[Network, ...]]:
    nothing = universe.state(())
    atoms = {a for m in models for a in unroll(m, nothing, [step], outcomes=[1], static=static).atoms}
    first, second = (
        tuple(
            unroll(model, nothing, [step], outcomes=[k], static=static, mention=sorted(atoms))
            for k in range(1, 1 + max(len(case.outcomes) for case in model.action[step.action].cases))
        )
        for model in models
    )
    return first, second


# --- differences


def _targets(world: World) -> Iterator[tuple[str, int, Formula]]:
    """What makes a gap, over the facts before the step."""
    runs = [_executable(side[0]) for side in (world.first, world.second)]
    if runs[0] != runs[1]:
        yield RUNS, 0, all_of([runs[0], none_of(runs[1])])
        yield RUNS, 1, all_of([runs[1], none_of(runs[0])])
    after = [[_after(network) for network in side] for side in (world.first, world.second)]
    for side in (0, 1) if max(map(len, after)) > 1 else (0,):
        for mine in after[side]:
            others = [_differ(mine, theirs) for theirs in after[1 - side]]
            yield LEADS, side, all_of([*runs, *others])


def _executable(network: Network) -> Formula:
    return network.preconditions[0]


def _after(network: Network) -> dict[Atom, Formula]:
    """Each fact after the step, if it runs, over those before it."""
    fixed: dict[Variable, Formula] = {v: TRUE for v in network.structure.functions if isinstance(v, Decision)}
    fixed |= {v: TRUE for v in network.structure.functions if isinstance(v, Executable)}
    fixed |= {v: TRUE if x else FALSE for v, x in network.context.items() if isinstance(v, Chance)}
    functions = network.structure.functions
    return {v.atom: substitute(f, fixed) for v, f in functions.items() if isinstance(v, Fact) and v.time == 1}


def _differ(mine: dict[Atom, Formula], theirs: dict[Atom, Formula]) -> Formula:
    pairs = [(mine[a], theirs[a]) for a in sorted(mine) if mine[a] != theirs[a]]
    return any_of(f for a, b in pairs for f in (all_of([a, none_of(b)]), all_of([none_of(a), b])))


def _smallest(target: Formula) -> frozenset[Atom] | None:
    """The fewest facts with which it is so, if it can be."""
    if target == FALSE:
        return None
    clauses = Clauses()
    clauses.add([clauses.literal(target)])
    facts = {v for v in variables(target) if isinstance(v, Fact | Static)}
    numbers = {clauses.number(v): v.atom for v in sorted(facts, key=str)}
    found = next(minimal_sets(clauses, list(numbers)), None)
    return None if found is None else frozenset(numbers[n] for n in found[0])
