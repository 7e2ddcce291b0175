"""BabyAI's bot in the real simulator: what it does, what it refuses, and that refusals leave no trace."""

from __future__ import annotations

import pytest

pytest.importorskip("minigrid")

from assay.agents.babyai import BabyAISimulator, open_babyai
from assay.agents.open import open_agent
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Step
from assay.core.universe import State, Universe
from assay.errors import InputError

# World 0: in room-1 a yellow ball, a red key and a grey box; a closed green door to room-2, where a green
# ball and a purple box are; a locked purple door to room-3.


@pytest.fixture(scope="module")
def agent():
    return open_babyai("vault:0")


@pytest.fixture(scope="module")
def initial(agent) -> State:
    (state,) = agent.states(9, Universe(agent.vocabulary, agent.objects))
    return state


def ask(agent, state: State, *plan: str) -> PlanResponse:
    answer = agent.ask(PlanQuery(state, tuple(Step.parse(text) for text in plan)))
    assert isinstance(answer, PlanResponse)
    return answer


def changed(before: State, after: State) -> set[str]:
    gone, come = set(before) - set(after), set(after) - set(before)
    return {f"-{a.text}" for a in gone} | {f"+{a.text}" for a in come}


def test_it_opens_doors_on_its_way(agent, initial):
    answer = ask(agent, initial, "fetch green-ball green-door room-1 room-2")
    assert answer.steps == 1
    assert changed(initial, answer.state) == {
        *("+carrying green-ball", "-hand-empty", "-in green-ball room-2"),
        *("+robot-at room-2", "-robot-at room-1", "+open green-door"),
    }


def test_it_does_nothing_with_a_full_hand_but_walk_and_open(agent, initial):
    carrying = ask(agent, initial, "pick-up red-key room-1").state
    assert Atom("carrying", ("red-key",)) in carrying
    for refused in ("pick-up yellow-ball room-1", "put-next red-key grey-box room-1", "go-to red-key room-1"):
        assert ask(agent, carrying, refused) == PlanResponse(0, carrying, ())
    assert ask(agent, carrying, "go-to grey-box room-1", "open green-door room-1").steps == 2


def test_a_door_without_a_key_stays_shut(agent, initial):
    assert ask(agent, initial, "open purple-door room-1").steps == 0
    assert ask(agent, initial, "go-over-to red-ball purple-door room-1 room-3").steps == 0


def test_instructions_that_are_wrong_about_places_are_refused(agent, initial):
    assert ask(agent, initial, "go-to green-ball room-1").steps == 0
    assert ask(agent, initial, "go-to green-ball room-2").steps == 0
    assert ask(agent, initial, "go-over-to green-ball purple-door room-1 room-2").steps == 0


def test_the_same_plan_ends_the_same_way(agent, initial):
    plan = ("put-next yellow-ball grey-box room-1", "bring red-key purple-box green-door room-1 room-2")
    first = ask(agent, initial, *plan)
    assert first.steps == 2
    assert ask(open_babyai("vault:0"), initial, *plan) == first == ask(agent, initial, *plan)


def test_it_goes_back_to_where_it_was_and_nowhere_else(agent, initial):
    assert agent.start is Start.VISITED
    known = ask(agent, initial, "go-to yellow-ball room-1").state
    assert ask(agent, known, "pick-up yellow-ball room-1").steps == 1
    never = initial.change(add=[Atom("open", ("purple-door",))], delete=[Atom("locked", ("purple-door",))])
    assert isinstance(agent.ask(PlanQuery(never, ())), Invalid)


def test_a_refusal_leaves_every_cell_as_it_was():
    simulator = BabyAISimulator()
    simulator.reset(0)
    simulator.step(Step.parse("pick-up red-key room-1"))
    before = simulator.picture()
    assert simulator.step(Step.parse("pick-up yellow-ball room-1")) is None
    assert simulator.refusal.startswith("the bot raised AssertionError")
    assert simulator.picture() == before


def test_the_world_has_a_picture(agent, initial):
    picture = agent.picture(initial)
    assert picture.startswith(b"\x89PNG")
    assert picture != agent.picture(ask(agent, initial, "go-to grey-box room-1").state)


def test_other_levels_open_by_name_and_bad_names_are_explained():
    with open_agent("babyai:UnlockPickup:0", timeout=None) as guard:
        assert {o.type for o in guard.objects} == {"box", "door", "key", "room"}
    with pytest.raises(InputError, match="there is no BabyAI level 'Nowhere'"):
        open_babyai("Nowhere")
    with pytest.raises(InputError, match="the seed 'x' is not a number"):
        open_babyai("vault:x")
    with pytest.raises(InputError, match="two things called"):
        open_babyai("GoToRedBall:2")
