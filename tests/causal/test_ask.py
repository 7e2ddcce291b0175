"""Can it ever: shortest plans, proofs that there is none, and what those rest on."""

from __future__ import annotations

import pytest

from assay.causal.ask import Answer, ask, read_question
from assay.causal.reading import read_formula
from assay.causal.scope import Scope
from assay.core.model import Model
from assay.core.symbols import Atom, Step
from assay.errors import InputError
from assay.language.english import English
from assay.pddl.reader import read_domain
from assay.planning.search import GaveUp, Plan, Unsolvable
from worlds import coin, delivery, door, start

STATE = "(truck t) (package p) (at t depot) (at p depot) (road depot market) (road market depot)"


def can(state: str, question: str, model: Model | None = None, **options: object) -> Answer:
    model = model or delivery()
    goal, _ = read_question(question)
    begin = start(model, state, facts=question.removeprefix("can ").partition(" hold")[0])
    return ask(model, begin, goal, **options)  # type: ignore[arg-type]


def test_ask_answers_with_a_shortest_plan() -> None:
    found = can(STATE, "can (at p market) hold from this state?")
    assert found.possible
    assert isinstance(found.outcome, Plan)
    assert len(found.outcome.steps) == 3


def test_ask_proves_that_it_cannot() -> None:
    found = can("(truck t) (package p) (at t depot) (at p depot)", "can (at p market) and not (in p t) hold")
    assert found.possible is False
    assert isinstance(found.outcome, Unsolvable)


def test_ask_says_when_it_gave_up() -> None:
    found = can(STATE, "can (at p market) hold", max_states=1)
    assert found.possible is None
    assert isinstance(found.outcome, GaveUp)


def test_an_impossibility_rests_on_the_certificate_and_on_actions_not_known() -> None:
    model = delivery()
    words = English(model.vocabulary, mark="")
    question = "can (at t market) hold"
    unsettled = {"fly": "it was never seen to run"}
    lines = can("(truck t) (at t depot)", question, unsettled=unsettled).lines(words)
    assert lines[1:] == ["That is so of this model.", "It rests on fly, and it was never seen to run."]
    lines = can("(truck t) (at t depot)", question, strength=2).lines(words)
    assert lines[1:] == ["That is so as far as strength 2 tells."]
    found = can(STATE, question, strength=2, unsettled=unsettled)
    assert not found.unsettled, "a plan leans on what it is made of alone"
    found = can(STATE, question, unsettled={"drive": "its answers contradict each other"})
    assert found.lines(words)[-1] == "It rests on drive, and its answers contradict each other."


def test_disjunctions_conditions_and_quantifiers_are_searched_through() -> None:
    people = "(person ann) (person bob) (door d) (door e) (wet) (watching bob) "
    found = can(people, "can (open d) and (open e) and not (muddy ann) hold", door())
    assert isinstance(found.outcome, Plan)
    assert [s.action for s in found.outcome.steps[1:]] == ["unlock", "unlock"]  # by bob
    assert can(people, "can (open d) and not ((muddy ann) or (muddy bob)) hold", door()).possible is False
    shut = can(people + "(open e) (key)", "can (open d) and not (open e) hold", door())
    assert isinstance(shut.outcome, Plan)
    assert [s.action for s in shut.outcome.steps] == ["slam", "unlock"]


def test_what_only_other_steps_lead_to_is_a_guess() -> None:
    """Learned from different things alone, a model says nothing of giving to oneself."""
    gifts = read_domain(
        """(define (domain gifts) (:predicates (has ?x) (glad ?x))
        (:action give :parameters (?x ?y) :precondition (has ?x) :effect (glad ?y)))"""
    )
    found = can("(has ann)", "can (glad ann) hold", gifts, scope=Scope())
    assert (found.possible, found.guess) == (None, (Step("give", ("ann", "ann")),))
    assert can("(has ann)", "can (glad ann) hold", gifts, scope=Scope(equality=True)).possible
    assert can("(has ann)", "can (glad ann) hold", gifts).possible


def test_chance_is_refused() -> None:
    with pytest.raises(InputError, match="a search needs one outcome, and 'toss' may have several"):
        can("", "can (won) hold", coin())


def test_questions_are_read() -> None:
    assert read_question("can (a) hold from this state") == (read_formula("(a)"), None)
    assert read_question("(a) and not (b x)?") == (read_formula("(and (a) (not (b x)))"), None)
    assert read_question("Can (a) or (b) ever hold from (b) (c)?") == (
        read_formula("(or (a) (b))"),
        [Atom("b"), Atom("c")],
    )
    for text in ("", "can it fly", "can (a hold", "can (a) hold from Mars", "can (a) or hold"):
        with pytest.raises(InputError):
            read_question(text)
