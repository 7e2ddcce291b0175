"""Finding out what players can do: capabilities, questions, three kinds of no, what words cannot say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from players import Blind, Odd, gives_up, honest, moody, never_looking_up, superstitious

from assay import KeyAgent, predicate
from assay.bench.games import examine, explained
from assay.core.reach import Cannot, Reached
from assay.core.symbols import Atom, Literal
from assay.discovery.discover import Discovery, Limits
from assay.discovery.questions import shakiest
from assay.discovery.study import Study, study
from assay.errors import AgentError, InputError
from assay.games.opening import open_game

FEW = Limits(starts=10, regions=60, deep=2, deep_regions=300)


def found(spec: str, seed: int = 3, **options: object) -> Study:
    return study(open_game(spec, seed), name=spec, seed=seed, limits=FEW, **options)


def needs(of: Study, name: str) -> set[str]:
    action = of.description.model.action[name]
    return {str(x) for x in action.needed}


@pytest.fixture(scope="module")
def zelda() -> Study:
    return found("zelda:3x4:search")


def test_the_capabilities_of_zelda_have_names_parameters_and_exact_conditions(zelda: Study) -> None:
    kill = zelda.description.model.action["kill_monster"]
    assert [p.name for p in kill.header.parameters] == ["?player", "?monster", "?here", "?there"]
    assert needs(zelda, "kill_monster") == {
        "(at ?player ?here)",
        "(at ?monster ?there)",
        "(adjacent ?there ?here)",
        "(monster_alive ?monster)",
    }
    assert Literal(Atom("monster_alive", ("?monster",)), False) in kill.plain_effects
    assert {"(has_key)", "(not (some_monster_alive))"} < needs(zelda, "escape")
    assert zelda.complete


def test_questions_do_not_grow_with_the_grid(zelda: Study) -> None:
    large = found("zelda:8x8:search")
    assert large.questions <= 2 * zelda.questions
    assert zelda.questions <= 235 / 2
    assert large.questions <= 2423 / 5
    assert {c.name for c in large.description.capabilities} == {
        c.name for c in zelda.description.capabilities
    }


@pytest.mark.parametrize("spec", ["zelda:3x4:search", "escape:3x3:search", "escape:4x4:policy-hand"])
@pytest.mark.parametrize("seed", range(3))
def test_every_observed_change_is_an_instance_of_a_capability(spec: str, seed: int) -> None:
    assert explained(found(spec, seed))


@settings(max_examples=5, deadline=None, derandomize=True)
@given(spec=st.sampled_from(["zelda:3x4:search", "escape:3x3:search"]), seed=st.integers(0, 9_999))
def test_every_change_of_an_erratic_agent_is_an_instance_too(spec: str, seed: int) -> None:
    assert explained(study(Odd(spec, seed, moody), seed=seed, limits=FEW))


def test_a_description_that_lacks_a_capability_does_not_explain_what_was_observed(zelda: Study) -> None:
    fewer = tuple(c for c in zelda.description.capabilities if c.name != "move")
    assert explained(zelda)
    assert not explained(replace(zelda, description=replace(zelda.description, capabilities=fewer)))


@pytest.mark.parametrize("spec", ["zelda:3x4:search", "escape:3x3:search"])
def test_descriptions_come_true_in_instances_never_seen(spec: str) -> None:
    score = examine(found(spec).description.model, spec, 0, 60)
    assert (score.precision, score.recall, score.derived_wrong) == (1, 1, 0)
    assert score.right > 50


def test_what_was_learned_on_a_small_grid_holds_on_a_large_one(zelda: Study) -> None:
    score = examine(zelda.description.model, "zelda:7x7:search", 0, 40)
    assert (score.precision, score.recall) == (1, 1)


def test_a_habit_of_a_policy_is_a_condition() -> None:
    assert "(has_key)" in needs(found("zelda:4x5:policy-hand"), "kill_monster")


def test_what_a_policy_never_does_is_told_with_a_refusal() -> None:
    of = found("escape:4x4:policy-hand")
    (missing,) = of.description.missing
    assert missing.name == "push_block"
    assert missing.refusals


def test_only_changes_that_have_a_realisation_are_put_to_the_agent() -> None:
    player = Odd("zelda:3x4:search", 1, honest)
    discovery = Discovery(player, player.reach, limits=FEW)
    discovery.run()
    assert player.asked
    for low, target in player.asked:
        assert isinstance(open_game("zelda:3x4:search", 1).reach(low, target), Reached)


def test_giving_up_is_never_evidence() -> None:
    of = study(Odd("zelda:3x4:search", 1, gives_up), limits=FEW)
    assert not of.description.capabilities
    assert not any(case.failures for case in of.findings.cases.values())
    assert of.gave_up == of.questions
    assert not of.complete


def test_realisations_that_differ_are_told() -> None:
    of = study(Odd("zelda:4x4:search", 1, never_looking_up), limits=FEW)
    assert any(c.uneven for c in of.description.capabilities)


def test_what_no_conjunction_can_say_is_shown_and_not_called_complete() -> None:
    of = study(Odd("zelda:4x4:search", 1, superstitious), limits=FEW)
    odd = [c for c in of.description.capabilities if not c.expressible]
    assert "move" in {c.name for c in odd}
    assert all(c.wrong for c in odd)
    assert not of.complete
    case = next(c for c in of.findings.cases.values() if c.contradicted and c.held)
    true, false = -1, -1
    for value in case.passes:
        true, false = true & value, false & ~value
    assert any(v & true == true & (1 << len(case.schema.atoms)) - 1 and not v & false for v in case.failures)


def test_one_refusal_of_an_erratic_agent_convicts_nothing() -> None:
    steady, erratic = (study(Odd("zelda:3x4:search", 2, mood), seed=2) for mood in (honest, moody))
    assert erratic.findings.erratic
    needed = {c.action.plain_effects: c.action.needed for c in steady.description.capabilities}
    for capability in erratic.description.capabilities:
        assert capability.action.needed <= needed[capability.action.plain_effects], capability.name


def test_what_a_description_denies_an_erratic_agent_rests_on_several_refusals() -> None:
    player = Odd("zelda:4x4:search", 1, superstitious)
    discovery = Discovery(player, player.reach, limits=FEW)
    cases = [case for case in discovery.run().cases.values() if case.held]
    assert discovery.findings.erratic
    assert any(case.asked < FEW.most for case in cases)
    for case in cases:
        left = [v for v, same in case.candidates.items() if case.tried[v] < len(same)]
        shaky = shakiest(case.schema, case.passes, case.failures, left, FEW.enough)
        assert not shaky or case.asked >= FEW.most


def test_a_way_through_other_situations_is_a_plan_and_its_parts_are_evidence() -> None:
    player = open_game("zelda:3x4:search", 3)
    discovery = Discovery(player, player.reach, limits=FEW)
    start = player.starts(1)[0]
    far = discovery._wander(start, 4)
    assert discovery._put(start, far).value == "plan"
    assert len(discovery.findings.observed) > 1
    assert all(case.passes for case in discovery.findings.cases.values())


def test_only_what_is_of_interest_is_asked_about() -> None:
    few = found("zelda:3x4:search", interest=(Atom("monster_alive"),))
    everything = found("zelda:3x4:search")
    assert few.questions < everything.questions
    case = {c.shape: c for c in few.findings.cases.values()}
    asked = [shape for shape, c in case.items() if c.asked]
    assert all("monster_alive" in {a.predicate for a in (*s.added, *s.removed)} for s in asked)
    with pytest.raises(InputError, match="no predicate 'treasure'"):
        found("zelda:3x4:search", interest=(Atom("treasure"),))


@pytest.mark.parametrize(
    ("wish", "names"),
    [
        ("(at monster1 cell_0_0)", {"kill_monster"}),
        ("(at key1 cell_0_0)", {"pick_up_key"}),
        ("next_to_monster", {"kill_monster", "move", "move_off_key", "move_onto_key"}),
    ],
    ids=str,
)
def test_interest_is_in_things_of_a_type_and_in_derived_facts_through_what_changes_them(
    wish: str, names: set[str]
) -> None:
    of = found("zelda:3x4:search", interest=(Atom.parse(wish),))
    assert {c.name for c in of.description.capabilities} == names


@pytest.mark.parametrize(
    ("wish", "said"), [("(at nobody cell_0_0)", "no thing 'nobody'"), ("(at key1)", "about 2 things")]
)
def test_interest_in_what_there_is_not_is_said(wish: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        found("zelda:3x4:search", interest=(Atom.parse(wish),))


def test_an_agent_without_a_simulator_is_described_by_what_always_held() -> None:
    of = study(Blind("zelda:3x4:search", 3), limits=Limits(starts=30, tasks=12))
    assert not of.complete
    assert explained(of)
    assert "(at ?player ?here)" in needs(of, "move")


def test_answers_to_other_questions_are_refused() -> None:
    player = Odd("zelda:3x4:search", 1, lambda low, target, reach: Reached((), (low,)))
    with pytest.raises(AgentError, match="does not lead from the state to the target"):
        study(player, limits=FEW)
    player = Odd("zelda:3x4:search", 1, lambda low, target, reach: None)
    with pytest.raises(AgentError, match="neither Reached nor Cannot nor GaveUp"):
        study(player, limits=FEW)


def test_a_way_that_the_simulator_does_not_go_is_refused() -> None:
    def lies(low: Any, target: Any, reach: Any) -> Any:
        way = reach(low, target)
        return Reached(("E",) * len(way.keys), way.states)

    with pytest.raises(AgentError, match="the simulator says otherwise"):
        study(Odd("zelda:3x4:search", 1, lies), limits=FEW)


def test_what_an_agent_raises_names_the_question() -> None:
    def breaks(low: Any, target: Any, reach: Any) -> Any:
        raise KeyError("lost")

    with pytest.raises(AgentError, match="question 1: reach raised KeyError"):
        study(Odd("zelda:3x4:search", 1, breaks), limits=FEW)


def test_an_agent_that_cannot_do_anything_has_no_capabilities() -> None:
    of = study(Odd("escape:3x3:search", 1, lambda low, target, reach: Cannot("never")), limits=FEW)
    assert not of.description.capabilities
    assert {m.name for m in of.description.missing} >= {"move", "push_block"}


def test_words_too_coarse_for_the_ways_out_are_reported() -> None:
    @predicate
    def bright(state: int) -> bool:
        return state >= 3

    def press(state: int, key: str) -> int:
        return min(state + 1, 3) if state < 3 else 0

    agent = KeyAgent(starts=[0, 2], keys=["on"], press=press, predicates=[bright], objects={})
    of = study(agent)
    assert {v.kind for v in of.findings.atlas.violations} == {"connectivity"}
    assert of.summary()["violations_count"] > 0


def ring(size: int) -> KeyAgent:
    """Rooms in a circle, with doors that open one way; there is no word for that."""

    @predicate
    def at(state: int, robot: robot, room: room) -> bool:  # type: ignore[name-defined]  # noqa: F821
        return room == f"room{state}"

    rooms = {f"room{n}": "room" for n in range(size)}
    return KeyAgent(
        starts=[0],
        keys=["go"],
        press=lambda state, key: (state + 1) % size,
        predicates=[at],
        objects={"robot1": "robot"} | rooms,
    )


def test_a_promise_of_what_is_impossible_is_admitted_where_no_word_tells_it_apart() -> None:
    of = study(ring(3))
    assert [c.impossible for c in of.description.capabilities] == [1]
    assert not of.complete
    assert "no word tells apart" in of.verdict
    assert study(ring(2)).complete, "there is only one other room"


def test_a_simulator_that_is_not_deterministic_is_found_out() -> None:
    agent, times = ring(3), iter(range(1000))
    agent.press = lambda state, key: (state + next(times) % 2) % 3
    with pytest.raises(AgentError, match="not deterministic: go leads from 0 to 0, and the next time to 1"):
        study(agent)


def test_states_that_cannot_be_told_apart_by_hash_are_refused() -> None:
    agent = ring(3)
    agent.starts = lambda count: [[0]]
    with pytest.raises(AgentError, match="must be hashable"):
        study(agent)
