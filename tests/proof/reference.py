"""Brute force for tiny vocabularies: all models, run one by one by the core's own semantics."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, product

from assay.agents.model import ModelAgent
from assay.core.confinement import distinct_arguments
from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.query import Agent, Invalid, PlanQuery, PlanResponse, Response
from assay.core.setting import Setting
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.store.journal import Entry

MODES = ("absent", "+", "-")
OBJECTS = (Object("o1"), Object("o2"))

NULLARY = Vocabulary.of(predicates={"p": [], "q": []}, actions={"a": []})
UNARY = Vocabulary.of(predicates={"p": ["object"], "h": []}, actions={"a": ["object"]})
SHARED = Vocabulary.of(predicates={"h": [], "p": ["object"]}, actions={"a": ["object"], "b": []})
CONSTANT = Vocabulary.of(predicates={"p": ["object"]}, actions={"a": ["object"]}, constants={"c": "object"})
TWO = Vocabulary.of(predicates={"h": []}, actions={"a": [], "b": []})
PAIR = Vocabulary.of(predicates={"p": ["object"]}, actions={"a": ["object", "object"]})
PAIR_AND_SHARED = Vocabulary.of(predicates={"p": ["object"], "h": []}, actions={"a": ["object", "object"]})


def literals(atoms: Sequence[Atom], modes: Sequence[str]) -> frozenset[Literal]:
    return frozenset(Literal(a, m == "+") for a, m in zip(atoms, modes, strict=True) if m != "absent")


def never(vocabulary: Vocabulary, name: str) -> ActionModel:
    """An action that no state lets run."""
    atom = vocabulary.lifted_atoms(name)[0]
    both = frozenset({Literal(atom), Literal(atom, False)})
    return ActionModel.strips(vocabulary.action[name], both, frozenset())


def normal_actions(vocabulary: Vocabulary, name: str) -> Iterator[ActionModel]:
    """One action model per class of equivalent ones, for distinct arguments."""
    header, atoms = vocabulary.action[name], vocabulary.lifted_atoms(name)
    for needs in product(MODES, repeat=len(atoms)):
        for does in product(MODES, repeat=len(atoms)):
            if all(d == "absent" or d != n for n, d in zip(needs, does, strict=True)):
                yield ActionModel.strips(header, literals(atoms, needs), literals(atoms, does))
    yield never(vocabulary, name)


def free_actions(vocabulary: Vocabulary, name: str) -> Iterator[ActionModel]:
    """All action models that ask nothing about which arguments are the same."""
    header, atoms = vocabulary.action[name], vocabulary.lifted_atoms(name)
    for needs in product(MODES, repeat=len(atoms)):
        for does in product(MODES, repeat=len(atoms)):
            yield ActionModel.strips(header, literals(atoms, needs), literals(atoms, does))
    yield never(vocabulary, name)


def raw_actions(vocabulary: Vocabulary, name: str) -> Iterator[ActionModel]:
    """All action models, with every set of parameters that must differ."""
    header, atoms = vocabulary.action[name], vocabulary.lifted_atoms(name)
    pairs = vocabulary.mergeable(name)
    subsets = list(chain.from_iterable(combinations(pairs, n) for n in range(len(pairs) + 1)))
    for needs in product(MODES, repeat=len(atoms)):
        for does in product(MODES, repeat=len(atoms)):
            for distinct in map(frozenset, subsets):
                yield ActionModel.strips(header, literals(atoms, needs), literals(atoms, does), distinct)
    yield never(vocabulary, name)


def all_models(
    vocabulary: Vocabulary, actions: Callable[[Vocabulary, str], Iterator[ActionModel]]
) -> list[Model]:
    choices = product(*(list(actions(vocabulary, a.name)) for a in vocabulary.actions))
    return [Model(vocabulary, chosen) for chosen in choices]


def explains(model: Model, entries: Sequence[Entry]) -> bool:
    """For questions in which every step is evidence."""
    if not entries:
        return True
    execution = Execution(model, entries[0].query.state.universe)
    return all(
        execution.run(e.query.state, e.query.plan) == (e.response.steps, e.response.state)
        for e in entries
        if isinstance(e.response, PlanResponse)
    )


def explains_somehow(model: Model, entry: Entry) -> bool:
    """The same where a step with repeated arguments or constants may do anything at all."""
    universe, answer = entry.query.state.universe, entry.response
    if isinstance(answer, Invalid):
        return True
    execution = Execution(model, universe)
    everything = range(1 << len(ground_atoms(universe)))
    possible = {entry.query.state.bits}
    for step in entry.query.plan[: answer.steps]:
        if distinct_arguments(universe, step):
            possible = {after for b in possible if (after := execution.apply(b, step)) is not None}
        else:
            possible = set(everything) if possible else set()
    if answer.state.bits not in possible:
        return False
    if answer.steps == len(entry.query.plan):
        return True
    refused = entry.query.plan[answer.steps]
    return not distinct_arguments(universe, refused) or execution.apply(answer.state.bits, refused) is None


def random_model(
    rng: random.Random, vocabulary: Vocabulary, equality: bool = False, needy: float = 0.3
) -> Model:
    found = []
    for header in vocabulary.actions:
        atoms = vocabulary.lifted_atoms(header.name)
        needs = [rng.choice("+-") if rng.random() < needy else "absent" for _ in atoms]
        does = [rng.choice(MODES) for _ in atoms]
        pairs = vocabulary.mergeable(header.name) if equality else ()
        distinct = frozenset(p for p in pairs if rng.random() < 0.4)
        found.append(ActionModel.strips(header, literals(atoms, needs), literals(atoms, does), distinct))
    return Model(vocabulary, tuple(found))


class Altered(ModelAgent):
    """A hidden model whose answers are tampered with: number of the question, question, true answer."""

    def __init__(self, model: Model, alter: Callable[[int, PlanQuery, PlanResponse], Response]) -> None:
        super().__init__(model)
        self._alter, self._asked = alter, 0

    def ask(self, query: PlanQuery, /) -> Response:  # type: ignore[override]
        self._asked += 1
        return self._alter(self._asked, query, super().ask(query))


class Interview:
    """Random questions to an agent over a few objects."""

    def __init__(
        self,
        rng: random.Random,
        agent: Agent,
        objects: Sequence[Object] = OBJECTS,
        *,
        equality: bool = False,
        any_step: bool = False,
    ) -> None:
        self.rng, self.agent = rng, agent
        agent.objects = tuple(objects)  # type: ignore[attr-defined]
        self.setting = Setting.of(agent, equality=equality)
        self.universe = self.setting.universe
        self.ground = [self.universe.index(a) for a in ground_atoms(self.universe)]
        constants = {c.name for c in self.universe.vocabulary.constants}
        self.steps = [
            step
            for step in ground_steps(self.universe)
            if any_step
            or distinct_arguments(self.universe, step)
            or (equality and constants.isdisjoint(step.args))
        ]

    def entries(self, count: int, longest: int) -> list[Entry]:
        found = []
        for number in range(1, count + 1):
            bits = sum(1 << i for i in self.ground if self.rng.random() < 0.5)
            plan = tuple(self.rng.choice(self.steps) for _ in range(self.rng.randint(1, longest)))
            query = PlanQuery(State(self.universe, bits), plan)
            found.append(Entry(number, query, self.agent.ask(query)))
        return found


def ground_atoms(universe: Universe) -> list[Atom]:
    vocabulary = universe.vocabulary
    return [
        Atom(p.name, args)
        for p in vocabulary.predicates
        for args in product(
            *([o.name for o in universe.objects if vocabulary.fits(o.type, q.types)] for q in p.parameters)
        )
    ]


def ground_steps(universe: Universe) -> list[Step]:
    vocabulary = universe.vocabulary
    return [
        Step(a.name, args)
        for a in vocabulary.actions
        for args in product(
            *([o.name for o in universe.objects if vocabulary.fits(o.type, q.types)] for q in a.parameters)
        )
    ]


def behaviour(model: Model, universe: Universe) -> tuple[int | None, ...]:
    """What the model does in every state of a tiny universe: equal iff functionally equivalent."""
    execution = Execution(model, universe)
    for atom in ground_atoms(universe):
        universe.index(atom)
    states = range(1 << len(ground_atoms(universe)))
    return tuple(execution.apply(bits, step) for step in ground_steps(universe) for bits in states)


def flip(query: PlanQuery, response: PlanResponse, rng: random.Random) -> PlanResponse:
    """The answer with one atom of its final state turned round, or stopping a step early."""
    if rng.random() < 0.5 and response.steps == len(query.plan) == 1:
        return PlanResponse(0, query.state)
    universe = query.state.universe
    bit = 1 << rng.randrange(len(ground_atoms(universe)))
    return PlanResponse(response.steps, State(universe, response.state.bits ^ bit))
