"""Learning by acting: right about all that is within reach, and honest about the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import PlanQuery, PlanResponse, Start
from assay.core.setting import Setting
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.learn.acting import Acting
from assay.learn.finding import Finding, Status
from assay.testing.hidden.draw import hidden_model

WIDTH = 4
PITS = (5, 7, 11, 12)
GOAL = 15
KEYS = {"west": -1, "east": 1, "north": -WIDTH, "south": WIDTH}


class Grid:
    """A grid with pits and a goal, where it ends. One action per key; it always begins in the first cell."""

    start = Start.RESET

    def __init__(self, *, tells: bool = True, start: Start = Start.RESET) -> None:
        self.tells_states, self.start = tells, start
        self.questions = 0
        self.asked: list[PlanQuery] = []
        self.vocabulary = Vocabulary.of(
            types=["cell"],
            predicates={
                "at": ["cell"],
                "east-of": ["cell", "cell"],
                "south-of": ["cell", "cell"],
                "pit": ["cell"],
                "goal": ["cell"],
                "over": [],
            },
            actions={key: ["cell", "cell"] for key in KEYS},
        )
        self.objects = [Object(f"c{n}", "cell") for n in range(WIDTH * WIDTH)]

    def fixed(self) -> Iterator[Atom]:
        for n in range(WIDTH * WIDTH):
            if n % WIDTH < WIDTH - 1:
                yield Atom("east-of", (f"c{n + 1}", f"c{n}"))
            if n + WIDTH < WIDTH * WIDTH:
                yield Atom("south-of", (f"c{n + WIDTH}", f"c{n}"))
        yield from (Atom("pit", (f"c{n}",)) for n in PITS)
        yield Atom("goal", (f"c{GOAL}",))

    def states(self, count: int, universe: Universe) -> list[State]:
        return [universe.state([*self.fixed(), Atom("at", ("c0",))])]

    def ask(self, query: PlanQuery, /) -> PlanResponse:
        self.questions += 1
        self.asked.append(query)
        universe, facts = query.state.universe, set(query.state)
        states = []
        memory: list[str] = []
        for step in query.plan:
            if not self.runs(step, facts, memory):
                break
            memory.append(step.action)
            self.move(step, facts)
            states.append(universe.state(sorted(facts)))
        last = states[-1] if states else query.state
        return PlanResponse(len(states), last, tuple(states) if self.tells_states else None)

    def runs(self, step: Step, facts: set[Atom], memory: list[str]) -> bool:
        here, there = (int(name[1:]) for name in step.args)
        if Atom("at", (f"c{here}",)) not in facts or Atom("over", ()) in facts:
            return False
        if here + KEYS[step.action] != there:
            return False
        return step.action in ("north", "south") or here // WIDTH == there // WIDTH

    def move(self, step: Step, facts: set[Atom]) -> None:
        here, there = step.args
        facts.discard(Atom("at", (here,)))
        facts.add(Atom("at", (there,)))
        if int(there[1:]) in (*PITS, GOAL):
            facts.add(Atom("over", ()))


class TiredGrid(Grid):
    """After ten moves to the east it will not go there again: no fact says so."""

    def runs(self, step: Step, facts: set[Atom], memory: list[str]) -> bool:
        return super().runs(step, facts, memory) and (step.action != "east" or memory.count("east") < 10)


def learned(agent: object, level: int = 2, **options: object) -> tuple[Acting, tuple[Finding, ...]]:
    setting = Setting.of(agent, **options)  # type: ignore[arg-type]  # options of any kind
    acting = Acting(setting, bool(getattr(agent, "tells_states", False)))
    for each in range(level + 1):
        asking = acting.questions(each)
        response = None
        while True:
            try:
                query = asking.send(response)  # type: ignore[arg-type]  # None starts it
            except StopIteration:
                break
            response = agent.ask(query)  # type: ignore[attr-defined]
    return acting, acting.findings()


def model_of(vocabulary: Vocabulary, findings: Iterable[Finding]) -> Model:
    return Model(vocabulary, tuple(f.model for f in findings if f.model is not None))


def all_steps(vocabulary: Vocabulary, objects: list[Object]) -> list[Step]:
    def filled(types: list[tuple[str, ...]], names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if not types:
            yield names
            return
        for thing in objects:
            if thing.name not in names and vocabulary.fits(thing.type, types[0]):
                yield from filled(types[1:], (*names, thing.name))

    return [
        Step(header.name, names)
        for header in vocabulary.actions
        for names in filled([p.types for p in header.parameters], ())
    ]


def check_grid(agent: Grid, findings: tuple[Finding, ...]) -> None:
    """Every step from every state that is within reach."""
    universe = Universe(agent.vocabulary, agent.objects)
    execution = Execution(model_of(agent.vocabulary, findings), universe)
    (first,) = agent.states(1, universe)
    order, seen = [first.bits], {first.bits}
    for bits in order:
        for step in all_steps(agent.vocabulary, agent.objects):
            facts = set(State(universe, bits))
            runs = Grid.runs(agent, step, facts, [])
            after = execution.apply(bits, step)
            assert runs == (after is not None), (step, State(universe, bits))
            if after is not None:
                Grid.move(agent, step, facts)
                assert after == universe.bits(facts), step
                if after not in seen:
                    seen.add(after)
                    order.append(after)


def test_learns_a_grid_with_one_action_per_key() -> None:
    agent = Grid()
    _, findings = learned(agent)
    assert [(f.action, f.status, f.strength) for f in findings] == [
        (name, Status.LEARNED, 2) for name in sorted(KEYS)
    ]
    check_grid(agent, findings)
    assert agent.questions < 180


def test_all_questions_begin_where_the_agent_begins() -> None:
    agent = Grid()
    acting, _ = learned(agent, 1)
    assert {query.state for query in agent.asked} == set(acting.setting.offered)


def test_may_begin_where_it_has_been() -> None:
    agent = Grid(start=Start.VISITED)
    _, findings = learned(agent)
    check_grid(agent, findings)
    assert len({query.state for query in agent.asked}) > 1


def test_is_right_where_only_the_last_state_is_told() -> None:
    agent = Grid(tells=False)
    _, findings = learned(agent)
    check_grid(agent, findings)


def test_keeps_to_the_longest_plan() -> None:
    agent = Grid()
    _, findings = learned(agent, max_plan=7)
    assert max(len(query.plan) for query in agent.asked) <= 7
    assert all(f.status is Status.LEARNED for f in findings)
    assert any(
        m.why == "not met" or m.why == "no reachable state shows it" for f in findings for m in f.not_realised
    )


def test_never_enters_a_forbidden_state() -> None:
    agent = Grid()
    _, findings = learned(agent, never="(at c5)")
    questions = list(agent.asked)
    for query in questions:
        for state in agent.ask(query).states or ():
            assert Atom("at", ("c5",)) not in state
    assert all(f.runs for f in findings)


def test_finds_hidden_state() -> None:
    _, findings = learned(TiredGrid())
    status = {f.action: f.status for f in findings}
    assert status == {
        "east": Status.CONTRADICTED,
        "north": Status.LEARNED,
        "south": Status.LEARNED,
        "west": Status.LEARNED,
    }
    (east,) = (f for f in findings if f.action == "east")
    assert east.conflict is not None


def test_says_what_no_reachable_state_shows() -> None:
    _, findings = learned(Grid(), 1)
    assert {m.why for f in findings for m in f.not_realised} == {"no reachable state shows it"}
    assert any("within reach" in note for f in findings for note in f.notes)


def test_takes_evidence_from_elsewhere() -> None:
    agent, other = Grid(), Grid()
    setting = Setting.of(agent)
    acting = Acting(setting, True)
    plan = (Step("east", ("c0", "c1")), Step("east", ("c1", "c2")), Step("south", ("c2", "c6")))
    query = PlanQuery(setting.offered[0], plan)
    response = other.ask(query)
    acting.take(query, response, response.states)
    assert {f.action for f in acting.findings() if f.runs} == {"east", "south"}


def test_wants_an_initial_state() -> None:
    agent = Grid()
    agent.states = lambda count, universe: []  # type: ignore[method-assign]
    with pytest.raises(InputError, match="initial state"):
        Acting(Setting.of(agent), True)


def test_same_answers_same_questions() -> None:
    first, second = Grid(), Grid()
    learned(first)
    learned(second)
    assert [q.plan for q in first.asked] == [q.plan for q in second.asked]


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        ("or instead", 1),
        ("extra or", 0),
        ("when one fact", 0),
        ("when two facts", 2),
        ("toggle", 2),
        ("needs other", 1),
        ("forbids other", 1),
        ("changes others", 1),
        ("swap", 1),
    ],
)
def test_is_right_about_every_reachable_state(kind: str, seed: int) -> None:
    hidden = hidden_model(kind, seed)
    agent = hidden.agent(offers=True, tells=True, own=True)
    agent.start, agent.new_objects = Start.RESET, False
    acting, findings = learned(agent)
    universe = Universe(agent.vocabulary, agent.objects)
    truth = Execution(hidden.model, universe)
    model = Execution(model_of(agent.vocabulary, findings), universe)
    known = {f.action for f in findings if f.model is not None}
    steps = all_steps(agent.vocabulary, list(agent.objects))
    order = [universe.bits(state) for state in acting.setting.offered]
    seen = set(order)
    for bits in order:
        for step in steps:
            after = truth.apply(bits, step)
            assert (model.apply(bits, step) if step.action in known else None) == after
            if after is not None and after not in seen:
                seen.add(after)
                order.append(after)
