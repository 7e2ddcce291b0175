"""Random hidden agents: each kind shows what it claims, and agents are what they say they are."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from assay.core.execution import Execution
from assay.core.formula import Equality, Exists, conjoin
from assay.core.model import ActionModel, Effect, Model
from assay.core.query import Invalid, PlanQuery, PlanResponse
from assay.core.symbols import Atom, Literal, Object, Parameter, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.testing.hidden import KINDS, OUTSIDE, UNSEEN, Hidden, HiddenAgent, hidden_agent, hidden_model
from assay.testing.hidden.faults import FAULTS
from assay.testing.hidden.situations import facts_where, ground_atoms, random_facts

SEEDS = range(3)
ROUNDS, TRIES = 12, 30
"""Situations that are looked at to see that an action is plain STRIPS, and neighbours of each."""
PLAIN = {"plain", "only negative", "same or fact"}
"""Kinds that with different arguments are plain STRIPS all the same."""
FAULTY = ("hidden counter", "wear", "noise", "late lies")


@pytest.mark.parametrize("kind", [*KINDS, *OUTSIDE])
def test_a_kind_and_a_seed_always_give_the_same_agent(kind: str) -> None:
    drawn = [hidden_model.__wrapped__(kind, 3) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != hidden_model(kind, 4)


@pytest.mark.parametrize("kind", [*KINDS, *OUTSIDE])
def test_the_size_of_a_hidden_agent(kind: str) -> None:
    for seed in SEEDS:
        hidden = hidden_model(kind, seed)
        words = hidden.model.vocabulary
        assert 2 <= len(words.types) <= 4
        assert 5 <= len(words.predicates) <= 12
        assert len(words.actions) == 3
        assert hidden.odd <= words.action.keys()
        assert bool(hidden.odd) == (kind not in {"plain", *FAULTY})


@pytest.mark.parametrize("kind", [*KINDS, "parity", "counting", "nested"])
def test_odd_actions_are_no_plain_strips_and_all_others_are(kind: str) -> None:
    for seed in SEEDS:
        hidden = hidden_model(kind, seed)
        for action in hidden.model.action:
            strips = _could_be_strips(hidden, action)
            assert strips == (action not in hidden.odd or kind in PLAIN), (seed, action)


def test_unseen_kinds_are_half_of_the_invented_ones() -> None:
    assert len(UNSEEN) >= 8
    assert set(UNSEEN) <= set(KINDS)


@pytest.mark.parametrize("options", [{}, {"tells": True}, {"strict": True}, {"own": True}])
def test_agents_are_deterministic(options: dict[str, bool]) -> None:
    hidden = hidden_model("several", 1)
    answers = []
    for _ in range(2):
        agent = hidden.agent(**options)
        rng = random.Random(0)
        queries = [_query(hidden, rng, agent.objects) for _ in range(30)]
        answers.append([_told(agent.ask(q)) for q in queries])
        assert agent.questions == 30
        assert agent.steps == sum(steps for steps, *_ in answers[-1])
    assert answers[0] == answers[1]


def test_states_between_are_told_on_request() -> None:
    hidden = hidden_model("toggle", 0)
    silent, telling = hidden.agent(), hidden.agent(tells=True)
    rng, ran = random.Random(0), 0
    for _ in range(30):
        query = _query(hidden, rng)
        short, long = silent.ask(query), telling.ask(query)
        assert isinstance(short, PlanResponse)
        assert isinstance(long, PlanResponse)
        assert (short.steps, short.state, short.states) == (long.steps, long.state, None)
        assert long.states is not None
        assert len(long.states) == long.steps
        assert [*long.states, long.state][long.steps] == (long.states or [query.state])[-1]
        ran += long.steps
    assert ran


def test_strict_agents_refuse_impossible_states_and_never_reach_one() -> None:
    rng, invalid = random.Random(0), 0
    for seed in range(10):
        hidden = hidden_model("several", seed)
        agent = hidden.agent(strict=True, tells=True)
        for _ in range(20):
            query = _query(hidden, rng)
            answer = agent.ask(query)
            assert isinstance(answer, Invalid) != hidden.invariant.holds(query.state)
            if isinstance(answer, PlanResponse):
                assert answer.states is not None
                assert all(map(hidden.invariant.holds, answer.states))
            else:
                invalid += 1
    assert invalid


@pytest.mark.parametrize("kind", ["plain", "forbids other", "exclusive or"])
def test_offered_states_are_valid_and_show_actions_that_run(kind: str) -> None:
    for seed in SEEDS:
        hidden = hidden_model(kind, seed)
        agent = hidden.agent(offers=True, strict=True)
        universe = Universe(agent.vocabulary, agent.objects)
        states = agent.states(100, universe)
        assert all(map(hidden.invariant.holds, states))
        ran = {
            name
            for name in hidden.model.action
            for state in states
            for step in _steps(hidden, name, agent.objects)
            if Execution(hidden.model, universe).apply(state.bits, step) is not None
        }
        assert len(ran) >= 2
        assert not hidden.agent().states(5, universe)


def test_quantifiers_range_over_the_objects_of_the_question() -> None:
    """A lamp can be lit if some other lamp is cold; lighting it warms all others."""
    words = Vocabulary.of(types=["lamp"], predicates={"warm": ["lamp"]}, actions={"light": {"x": "lamp"}})
    z = Parameter("?z", ("lamp",))
    other = Equality("?z", "?x", False)
    needed = Exists((z,), conjoin([other, Literal(Atom("warm", ("?z",)), False)]))
    effect = Effect(Literal(Atom("warm", ("?z",))), other, (z,))
    agent = HiddenAgent(Model(words, (ActionModel.adl(words.action["light"], needed, [effect]),)))
    universe = Universe(words, [])
    lamp, far = (universe.add(Object(name, "lamp")).name for name in ("lamp", "far"))
    plan = (Step("light", (lamp,)),)
    alone = agent.ask(PlanQuery(universe.state([]), plan))
    assert isinstance(alone, PlanResponse)
    assert alone.steps == 0
    beside = agent.ask(PlanQuery(universe.state([]), plan, frozenset({far})))
    assert isinstance(beside, PlanResponse)
    assert beside.steps == 1
    assert set(beside.state) == {Atom("warm", (far,))}
    home = HiddenAgent(agent._model, [Object("home", "lamp")])
    own = Universe(words, home.objects)
    own.add(Object(lamp, "lamp"))
    assert home.ask(PlanQuery(own.state([]), plan)).steps == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", [*KINDS, "parity", "counting", "nested"])
def test_agents_do_what_their_model_says(kind: str) -> None:
    """Compared with the other execution of models, which is compiled."""
    rng, ran = random.Random(0), 0
    for seed in SEEDS:
        hidden = hidden_model(kind, seed)
        agent = hidden.agent(tells=True)
        for _ in range(10):
            query = _query(hidden, rng)
            answer = agent.ask(query)
            assert isinstance(answer, PlanResponse)
            universe = Universe(hidden.model.vocabulary, query.objects)
            expected = Execution(hidden.model, universe).states(universe.state(query.state), query.plan)
            assert list(answer.states or ()) == expected
            ran += len(expected)
    assert ran


# ---- agents that no model explains


def test_a_worn_action_is_refused_for_good() -> None:
    agent = hidden_agent("wear", 0)
    query = _running_query(hidden_model("wear", 0))
    lengths = [len(query.plan) - agent.ask(query).steps for _ in range(60)]  # type: ignore[union-attr]
    assert lengths[:40] == [0] * 40
    assert lengths[40:] == [1] * 20


def test_a_noisy_agent_errs_now_and_then() -> None:
    hidden = hidden_model("noise", 0)
    query = _running_query(hidden)
    agent = hidden.agent()
    right = HiddenAgent(hidden.model).ask(query)
    wrong = sum(_told(agent.ask(query)) != _told(right) for _ in range(1000))
    assert 5 <= wrong <= 45
    again = hidden.agent()
    assert wrong == sum(_told(again.ask(query)) != _told(right) for _ in range(1000))


def test_a_liar_is_honest_at_first() -> None:
    hidden = hidden_model("late lies", 0)
    honest, liar = HiddenAgent(hidden.model), hidden.agent()
    rng = random.Random(0)
    differing = [n for n in range(300) if _told(liar.ask(q := _query(hidden, rng))) != _told(honest.ask(q))]
    assert differing
    assert differing[0] >= 60


def test_a_hidden_counter_is_not_in_the_state() -> None:
    words = Vocabulary.of(types=["lamp"], predicates={"lit": ["lamp"]}, actions={"light": {"x": "lamp"}})
    lit = Literal(Atom("lit", ("?x",)))
    model = Model(words, (ActionModel.strips(words.action["light"], [], [lit]),))
    lamps = [Object(f"lamp{n}", "lamp") for n in range(5)]
    universe = Universe(words, lamps)
    plan = tuple(Step("light", (lamp.name,)) for lamp in lamps)
    answer = FAULTS["hidden counter"](model, lamps).ask(PlanQuery(universe.state([]), plan))
    assert isinstance(answer, PlanResponse)
    assert answer.steps == 5
    assert answer.state.texts() == ["lit lamp0", "lit lamp1", "lit lamp3", "lit lamp4"]


def test_unknown_kinds_are_told() -> None:
    with pytest.raises(InputError, match="exclusive or"):
        hidden_model("sensible", 0)


# ---- helpers


def _universe(hidden: Hidden, objects: tuple[Object, ...] = ()) -> Universe:
    universe = Universe(hidden.model.vocabulary, objects)
    for t in hidden.model.vocabulary.types:
        for n in range(4):
            universe.add(Object(f"new-{t.name}-{n}", t.name))
    return universe


def _steps(hidden: Hidden, name: str, objects: tuple[Object, ...]) -> Iterator[Step]:
    """The action on different objects of the very types, or nothing if there are too few."""
    header = hidden.model.vocabulary.action[name]
    left, args = list(objects), []
    for p in header.parameters:
        chosen = next((o for o in left if o.type in p.types), None)
        if chosen is None:
            return
        left.remove(chosen)
        args.append(chosen.name)
    yield Step(name, tuple(args))


def _query(hidden: Hidden, rng: random.Random, objects: tuple[Object, ...] = ()) -> PlanQuery:
    universe = _universe(hidden, objects)
    new = tuple(o for o in universe.objects if o.name not in universe.own)
    names = [rng.choice(sorted(hidden.model.action)) for _ in range(3)]
    plan = tuple(step for name in names for step in _steps(hidden, name, new))
    header = hidden.model.action[plan[0].action]
    facts = facts_where(header.precondition, universe, header.header.bind(plan[0].args), rng)
    return PlanQuery(universe.state(facts or []), plan, frozenset(o.name for o in new))


def _running_query(hidden: Hidden) -> PlanQuery:
    """One step that runs."""
    universe = _universe(hidden)
    (step,) = _steps(hidden, "push", universe.objects)
    header = hidden.model.action["push"]
    facts = facts_where(header.precondition, universe, header.header.bind(step.args), random.Random(0))
    return PlanQuery(universe.state(facts or []), (step,))


def _told(answer: object) -> tuple[int, list[str], object]:
    if isinstance(answer, Invalid):
        return 0, [], None
    assert isinstance(answer, PlanResponse)
    between = answer.states and [s.texts() for s in answer.states]
    return answer.steps, answer.state.texts(), between


class Seen(NamedTuple):
    """One try of an action, over its parameters."""

    before: frozenset[Atom]
    after: frozenset[Atom] | None
    others_changed: bool


def _could_be_strips(hidden: Hidden, name: str) -> bool:
    """Whether a conjunction over the arguments and unconditional effects fit what the action does.

    The conjunction of all that was so whenever it ran promises least; a refusal where it holds speaks against
    any. So does an atom that changes in one run and not in another where it was as before.
    """
    rng = random.Random(0)
    atoms = frozenset(hidden.model.vocabulary.lifted_atoms(name))
    seen: list[Seen] = []
    for _ in range(ROUNDS):
        seen += [found for number in range(TRIES) for found in _tried(hidden, name, rng, crowd=number % 3)]
        if not _fits_strips(seen, atoms):
            return False
    return True


def _fits_strips(seen: list[Seen], atoms: frozenset[Atom]) -> bool:
    runs = [one for one in seen if one.after is not None]
    true = frozenset.intersection(*(one.before for one in runs))
    false = atoms - frozenset.union(*(one.before for one in runs))
    if any(true <= one.before and not false & one.before for one in seen if one.after is None):
        return False
    led: dict[tuple[Atom, bool], set[bool]] = {}
    for before, after, others_changed in runs:
        if others_changed:
            return False
        for atom in atoms:
            led.setdefault((atom, atom in before), set()).add(atom in (after or ()))
    toggled = any(led.get((a, False)) == {True} and led.get((a, True)) == {False} for a in atoms)
    return not toggled and all(len(values) == 1 for values in led.values())


def _tried(hidden: Hidden, name: str, rng: random.Random, crowd: int) -> Iterator[Seen]:
    """A situation in which it runs, if one is found, and some nearby."""
    action, words = hidden.model.action[name], hidden.model.vocabulary
    universe = Universe(words, [])
    args = [universe.add(Object(f"arg{n}", p.types[0])).name for n, p in enumerate(action.header.parameters)]
    for t in words.types:
        for n in range(crowd):
            universe.add(Object(f"{t.name}{n}", t.name))
    binding = action.header.bind(tuple(args))
    facts = facts_where(action.precondition, universe, binding, rng)
    if facts is None:
        facts = random_facts(universe, rng, None, {}) or []
    ground = {a.substitute(binding): a for a in words.lifted_atoms(name)}
    everything = ground_atoms(universe)
    for pool, share in ((everything, 0.0), (everything, 0.2), (sorted(ground), 0.1), (sorted(ground), 0.3)):
        state = set(facts) ^ {atom for atom in pool if rng.random() < share}
        bits = universe.bits(sorted(state))
        after = Execution(hidden.model, universe).apply(bits, Step(name, tuple(args)))
        before = frozenset(ground[a] for a in state if a in ground)
        if after is None:
            yield Seen(before, None, False)
        else:
            found = set(universe.atoms(after))
            changed = bool((found ^ state) - ground.keys())
            yield Seen(before, frozenset(ground[a] for a in found if a in ground), changed)
