"""The world of examples/protocol, as an agent in this process: lamps and one power switch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assay.agents.model import ModelAgent
from assay.core.model import ActionModel, Model
from assay.core.query import PlanQuery
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary

Ask = Callable[..., PlanQuery]


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary.of(
        types={"lamp": "object"},
        predicates={"power": [], "on": ["lamp"]},
        actions={"connect": [], "disconnect": [], "light": ["lamp"], "douse": ["lamp"]},
    )


@pytest.fixture
def lamps(vocabulary: Vocabulary) -> ModelAgent:
    power, lit = Atom("power"), Atom("on", ("?x1",))
    world = {
        "connect": ({Literal(power, False)}, {Literal(power)}),
        "disconnect": ({Literal(power)}, {Literal(power, False)}),
        "light": ({Literal(power), Literal(lit, False)}, {Literal(lit)}),
        "douse": ({Literal(lit)}, {Literal(lit, False)}),
    }
    actions = tuple(
        ActionModel.strips(vocabulary.action[name], frozenset(needs), frozenset(does))
        for name, (needs, does) in world.items()
    )
    objects = (Object("desk", "lamp"), Object("hall", "lamp"))
    initial = (frozenset[Atom](), frozenset({power, Atom("on", ("hall",))}))
    return ModelAgent(Model(vocabulary, actions), objects, initial)


@pytest.fixture
def universe(lamps: ModelAgent) -> Universe:
    return Universe(lamps.vocabulary, lamps.objects)


@pytest.fixture
def question(universe: Universe) -> Ask:
    """A question from text: `question("power, on desk", "douse desk, light desk")`."""

    def make(state: str = "", plan: str = "") -> PlanQuery:
        atoms = [Atom.parse(text) for text in state.split(",") if text.strip()]
        steps = tuple(Step.parse(text) for text in plan.split(",") if text.strip())
        return PlanQuery(universe.state(atoms), steps)

    return make
