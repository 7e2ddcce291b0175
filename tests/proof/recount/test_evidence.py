"""What counts as evidence: plain steps, in states that are known."""

from __future__ import annotations

import random
from typing import Any

import pytest

from assay.core.formula import TRUE
from assay.core.model import ActionModel, Effect, Model
from assay.core.symbols import Parameter
from assay.core.vocabulary import Vocabulary
from assay.proof.recount import (
    ActionClaim,
    ActionVerdict,
    Certificate,
    Verdict,
    coverage,
    read_questions,
    recount,
)

from .asking import Asking, Claimed
from .doors import CLAIMS, DOORS, REPAIR, VOCABULARY, action, both, lit

THINGS = {"d": "door", "e": "door", "k": "tool", "l": "tool"}


def verdict_of(asking: Asking, model: Model | None = None) -> Verdict:
    return coverage(read_questions([asking.setting, *asking.lines]), model or asking.model)


def named(verdict: Verdict, name: str) -> ActionVerdict:
    return next(a for a in verdict.actions if a.name == name)


def shown(verdict: Verdict, name: str) -> tuple[int, int]:
    """How many different situations show it running and refused."""
    found = verdict.evidence.actions[name]
    return len(found.runs), len(found.refusals)


@pytest.mark.parametrize("tells", [True, False])
def test_every_step_of_an_answer_counts(tells: bool) -> None:
    asking = Asking(DOORS, tells)
    asking.ask(THINGS, ["shut d", "card k", "broken l", "wet"], ["repair l", "open d k", "open d k"])
    found = verdict_of(asking)
    assert found.problems == ()
    assert shown(found, "repair") == (1, 0)
    assert shown(found, "open") == (1, 1)
    assert found.evidence.untold == (0 if tells else 1)


def test_a_surprise_in_the_last_state_takes_the_runs_with_it() -> None:
    """The refusal is in a state that was told; what ran before it is not known well enough."""
    asking = Asking(DOORS, tells=False)
    line = asking.ask(THINGS, ["shut d", "card k", "broken l"], ["repair l", "open d k", "repair l"])
    line["added"] = ["broken k"]
    found = verdict_of(asking)
    assert "Question 1: the plan leads to (broken k)" in found.problems[0]
    assert (shown(found, "repair"), shown(found, "open")) == ((0, 1), (0, 0))
    assert found.strength is None


def test_with_states_between_only_the_surprising_step_is_lost() -> None:
    asking = Asking(DOORS)
    line = asking.ask(THINGS, ["shut d", "card k", "broken l"], ["repair l", "open d k", "repair l"])
    line["changes"][1]["added"] = ["broken k"]
    found = verdict_of(asking)
    assert "Question 1, step 2: (open d k) leads to (broken k)" in found.problems[0]
    assert (shown(found, "repair"), shown(found, "open")) == ((1, 1), (0, 0))


PAIRS = Vocabulary.of(
    constants={"base": "object"},
    predicates={"near": ["object", "object"]},
    actions={"go": {"x": "object", "y": "object"}},
)
GO = Model(PAIRS, (action(PAIRS, "go", both("near ?x ?y"), ("near ?y ?x", TRUE)),))


@pytest.mark.parametrize("step", ["go a a", "go a base", "go base b"])
@pytest.mark.parametrize("tells", [True, False])
def test_steps_with_repeated_arguments_or_constants_are_no_evidence(step: str, tells: bool) -> None:
    """They may even run otherwise than written: nothing is claimed of them."""
    asking = Asking(GO, tells, {"a": "object", "b": "object"})
    asking.ask(
        {}, ["near a b", "near a a", "near a base", "near base b"], ["go a b", step, "go b a", "go b base"]
    )
    found = verdict_of(asking)
    assert found.problems == ()
    # with the last state only, what ran beside such a step is not known either
    assert shown(found, "go") == ((2, 0) if tells else (0, 0))
    asking.ask({}, ["near a b"], [step])
    assert shown(verdict_of(asking), "go") == ((2, 0) if tells else (0, 0))
    asking.lines[-1] |= {"steps": 1, "changes": [{"added": [], "removed": []}]}
    assert verdict_of(asking).problems == ()


def test_constants_are_features() -> None:
    asking = Asking(GO)
    asking.ask({"a": "object", "b": "object"}, ["near a b", "near a base"], ["go a b"])
    asking.ask({"a": "object", "b": "object"}, ["near a b"], ["go a b"])
    assert shown(verdict_of(asking), "go") == (2, 0)


def test_logs_count_and_are_said_to() -> None:
    asking = Asking(DOORS)
    asking.ask(THINGS, ["broken k"], ["repair k"])["source"] = "log"
    found = verdict_of(asking)
    assert (found.evidence.logged, found.evidence.answers) == (1, 0)
    assert shown(found, "repair") == (1, 0)


def test_walks() -> None:
    asking = Asking(DOORS)
    line = asking.ask(THINGS, ["broken k", "broken l"], ["repair k", "repair l"])
    del line["steps"]
    line["walk"] = 5
    assert verdict_of(asking).evidence.actions["repair"].ran == 2


def test_an_action_that_the_model_leaves_out() -> None:
    asking = Asking(DOORS)
    asking.ask(THINGS, ["shut d", "card k", "broken l"], ["open d k", "repair l"])
    found = verdict_of(asking, Model(VOCABULARY, (REPAIR,)))
    assert found.problems == ("open: the model leaves it out, and it ran.",)
    assert shown(found, "repair") == (1, 0)


def test_never_ran() -> None:
    asking = Asking(DOORS)
    for state in (["card k"], ["shut d"]):
        asking.ask(THINGS, state, ["open d k"])
    found = named(verdict_of(asking), "open")
    assert (found.status, found.ran, found.refused, found.strength) == ("never ran", 0, 2, None)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_random_questions_count_as_well(seed: int) -> None:
    """Whoever chose the questions: what they cover is counted, and no more."""
    rng, asking = random.Random(seed), Asking(DOORS)
    atoms = ["wet", "muddy"]
    atoms += [f"shut {d}" for d in "de"] + [f"{p} {t}" for p in ("card", "broken") for t in "kl"]
    atoms += [f"fits {t} {d}" for t in "kl" for d in "de"]
    steps = [f"open {d} {t}" for d in "de" for t in "kl"] + ["repair k", "repair l"]
    strengths = []
    for _ in range(4):
        for _ in range(250):
            asking.ask(THINGS, [a for a in atoms if rng.random() < 0.6], rng.choices(steps, k=4))
        found = verdict_of(asking)
        assert found.problems == ()
        strengths.append(-1 if found.strength is None else found.strength)
    assert strengths == sorted(strengths)
    assert strengths[-1] >= 2
    certified = recount(
        read_questions([asking.setting, *asking.lines]), DOORS, asking.certificate(CLAIMS, strengths[-1])
    )
    assert certified.holds, certified.problems


# ---- contradictions


def contradicted(asking: Asking, *numbers: int) -> tuple[str, ...]:
    """What is wrong if `open` is called contradicted by these questions, and `repair` is open."""
    claims: dict[str, Any] = {"repair": Claimed([["broken ?k"]])}
    found = asking.certificate(claims, 0)
    actions = {"open": ActionClaim("contradicted", contradiction=numbers), "repair": ActionClaim("open")}
    certificate = Certificate(2, found.entries, "", "", None, found.states_between, "contradiction", actions)
    return recount(read_questions([asking.setting, *asking.lines]), DOORS, certificate).problems


def test_the_same_state_and_step() -> None:
    asking = Asking(DOORS)
    for _ in range(2):
        asking.ask(THINGS, ["shut d", "card k"], ["open d k"])
    assert contradicted(asking, 1, 2) == ("open: the answers to 1 and 2 do not disagree at the same point.",)
    asking.lines[1] |= {"steps": 0, "changes": []}
    assert contradicted(asking, 1, 2) == ()
    assert contradicted(asking, 1, 1) == ("open: the answers to 1 do not disagree at the same point.",)
    assert contradicted(asking, 1, 3) == (
        "open: it is marked as contradicted, and no questions are named that show it.",
    )


def test_other_effects_at_the_same_point() -> None:
    asking = Asking(DOORS)
    asking.ask({"a": "door", "b": "tool"}, ["shut a", "card b", "wet"], ["open a b"])
    asking.ask({"x": "door", "y": "tool"}, ["shut x", "card y", "wet"], ["open x y"])
    assert contradicted(asking, 1, 2)
    asking.lines[1]["changes"][0]["added"] = []
    assert contradicted(asking, 1, 2) == ()


def test_other_objects_may_make_the_difference() -> None:
    asking = Asking(DOORS)
    asking.ask({"a": "door", "b": "tool", "c": "tool"}, ["shut a", "card b", "card c"], ["open a b"])
    asking.ask({"a": "door", "b": "tool", "c": "tool"}, ["shut a", "card b"], ["open a b"])
    asking.lines[1] |= {"steps": 0, "changes": []}
    assert contradicted(asking, 1, 2)
    # two tools of the same kind are one profile
    asking.ask(
        {"a": "door", "b": "tool", "c": "tool", "e": "tool"},
        ["shut a", "card b", "card c", "card e"],
        ["open a b"],
    )
    asking.lines[2] |= {"steps": 0, "changes": []}
    assert contradicted(asking, 1, 3) == ()


def test_what_was_only_foretold_contradicts_nothing() -> None:
    asking = Asking(DOORS, tells=False)
    asking.ask(THINGS, ["shut d", "shut e", "card k", "broken l"], ["repair l", "open d k", "repair l"])
    asking.ask(THINGS, ["shut d", "shut e", "card k"], ["open d k"])
    asking.lines[1] |= {"steps": 0, "added": [], "removed": []}
    assert contradicted(asking, 1, 2)
    asking.ask(THINGS, ["shut d", "shut e", "card k"], ["open d k", "open e k"])
    assert contradicted(asking, 2, 3) == ()


def test_steps_after_one_of_a_contradicted_action() -> None:
    """Its effects are not known: without states between, what follows is no evidence."""
    for tells in (True, False):
        asking = Asking(DOORS, tells)
        for _ in range(2):
            asking.ask(THINGS, ["shut d", "card k", "broken l"], ["open d k", "repair l"])
        asking.lines[1] |= {"steps": 0} | ({"changes": []} if tells else {"added": [], "removed": []})
        assert contradicted(asking, 1, 2) == ()


def test_a_contradiction_of_one_action_leaves_the_others() -> None:
    asking = Asking(DOORS)
    asking.cover("repair", CLAIMS["repair"], 2, random.Random(0))
    for _ in range(2):
        asking.ask(THINGS, ["shut d", "card k"], ["open d k"])
    asking.lines[-1] |= {"steps": 0, "changes": []}
    claim = asking.certificate({"repair": CLAIMS["repair"]}, 2)
    numbers = (len(asking.lines) - 1, len(asking.lines))
    actions = {**claim.actions, "open": ActionClaim("contradicted", contradiction=numbers)}
    certificate = Certificate(2, claim.entries, "", "", 2, True, "contradiction", actions)
    found = recount(read_questions([asking.setting, *asking.lines]), DOORS, certificate)
    assert found.holds, found.problems
    assert found.strength == 2


def test_conditional_effects_on_other_objects() -> None:
    opened = action(VOCABULARY, "open", lit("shut ?d"), ("not shut ?d", TRUE))
    slam = Effect(lit("shut ?o"), lit("wet"), (Parameter("?o", ("door",)),))
    slammed = ActionModel.adl(opened.header, opened.precondition, [*opened.effects, slam])
    asking = Asking(Model(VOCABULARY, (slammed, REPAIR)))
    asking.ask(THINGS, ["shut d", "wet"], ["open d k"])
    assert verdict_of(asking).problems == ()
    assert "(open d k) leads to (shut e); the model foretells (not (shut d))" in " ".join(
        verdict_of(asking, Model(VOCABULARY, (opened, REPAIR))).problems
    )


@pytest.mark.parametrize("tells", [True, False])
def test_of_an_open_action_nothing_is_claimed(tells: bool) -> None:
    """What the model says of it may be wrong; what follows it is evidence only if states between are told."""
    asking = Asking(DOORS, tells)
    asking.cover("repair", CLAIMS["repair"], 2, random.Random(0))
    before = len(asking.lines)
    asking.ask(THINGS, ["shut d", "card k", "broken l", "muddy"], ["open d k", "repair l"])
    shut = Model(VOCABULARY, (action(VOCABULARY, "open", lit("wet")), REPAIR))
    claim = asking.certificate({"repair": CLAIMS["repair"]}, 2)
    actions = {**claim.actions, "open": ActionClaim("open")}
    certificate = Certificate(2, claim.entries, "", "", None, tells, "open", actions)
    found = recount(read_questions([asking.setting, *asking.lines]), shut, certificate)
    assert found.holds, found.problems
    assert [m.question for m in found.evidence.of_open] == [before + 1]
    assert named(found, "repair").strength == 2
    assert not verdict_of(asking, shut).holds


def test_what_follows_an_open_action_is_not_blamed_on_others() -> None:
    """The model leaves the tool broken, so it seems to refuse what ran; the fault is the open action's."""
    asking = Asking(DOORS, tells=False)
    asking.ask(THINGS, ["shut d", "card l", "broken l"], ["repair l", "open d l"])
    idle = Model(VOCABULARY, (DOORS.actions[0], action(VOCABULARY, "repair", lit("broken ?k"))))
    claim = asking.certificate({"open": CLAIMS["open"]}, 0).actions["open"]
    actions = {"open": claim, "repair": ActionClaim("open")}
    certificate = Certificate(2, 1, "", "", None, False, "open", actions)
    found = recount(read_questions([asking.setting, *asking.lines]), idle, certificate)
    assert found.evidence.mismatches == []
    assert [m.question for m in found.evidence.of_open] == [1]
    assert shown(found, "open") == (0, 0)
