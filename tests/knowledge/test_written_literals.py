"""Which of the literals that cannot be told apart are written: the fewest, and the customary ones besides."""

from __future__ import annotations

import random
from itertools import product

import pytest

from assay.agents.model import ModelAgent
from assay.old_assessment import assess
from assay.bench.confined import ConfinedAgent
from assay.core.query import PlanQuery, PlanResponse
from assay.core.setting import Setting
from assay.core.symbols import Atom, Step
from assay.core.universe import bits_of, indices
from assay.knowledge.history import History, Known, Slot
from assay.knowledge.hitting import fewest
from assay.knowledge.knowledge import Knowledge
from assay.knowledge.reconciliation import fewest_effects, reconcile
from assay.pddl.reader import read_domain, read_problem
from assay.proof import prove
from assay.old_result import Outcome
from assay.store.journal import Entry
from hidden_models import objects_of, random_model

LIFTS = """
(define (domain lifts)
  (:requirements :strips :typing)
  (:types floor lift - object slow fast - lift)
  (:predicates (at ?l - lift ?f - floor) (next ?f ?g - floor) (serves ?l - lift ?f - floor)
    (open ?l - lift) (closed ?l - lift) (tidy ?f - floor) (charted ?f - floor))
  (:action ride :parameters (?l - slow ?f ?g - floor)
    :precondition (and (at ?l ?f) (next ?f ?g) (serves ?l ?g))
    :effect (and (not (at ?l ?f)) (at ?l ?g)))
  (:action rush :parameters (?l - fast ?f ?g - floor)
    :precondition (and (at ?l ?f) (next ?f ?g) (serves ?l ?g))
    :effect (and (not (at ?l ?f)) (at ?l ?g)))
  (:action shut :parameters (?l - lift)
    :precondition (and (open ?l) (not (closed ?l)))
    :effect (and (not (open ?l)) (closed ?l)))
  (:action clean :parameters (?f - floor)
    :precondition (charted ?f)
    :effect (tidy ?f)))
"""
PROBLEM = """
(define (problem two) (:domain lifts)
  (:objects s - slow q - fast a b c - floor)
  (:init (at s a) (at q a) (next a b) (next b a) (next b c) (next c b) (serves s a) (serves s b)
    (serves q a) (serves q b) (serves q c) (open s) (open q) (charted a) (charted b) (charted c))
  (:goal (at s b)))
"""


def by_number(index: int) -> tuple[object, ...]:
    return (index,)


def test_the_fewest_and_of_several_the_first() -> None:
    assert fewest([], by_number, 100) == 0
    assert fewest([0b011, 0b110], by_number, 100) == 0b010
    assert fewest([0b011, 0b1100], by_number, 100) == 0b0101
    assert fewest([0b011, 0b1100], lambda i: (-i,), 100) == 0b1010
    assert fewest([0b001, 0b011, 0b110, 0b100], by_number, 100) == 0b101


def test_an_atom_is_never_needed_both_true_and_false() -> None:
    # one atom true or another; that one false: 0 and 3 say the same atom is true and false
    assert fewest([0b0011, 0b1001], by_number, 3) == 0b001
    assert fewest([0b0001, 0b1010], by_number, 3) == 0b011
    chains = [0b1 << n | 0b1 << (n + 1) % 30 + 60 for n in range(30)] * 2
    found = fewest([*chains, *(0b101 << n for n in range(28))], by_number, 60)
    assert not found & found >> 60


def test_many_refusals_are_explained_even_if_not_by_the_fewest() -> None:
    clauses = [bits_of({3 * n, 3 * n + 1, (7 * n + 5) % 90}) for n in range(30)]
    clauses += [pair << 90 for pair in (0b11000, 0b11, 0b101, 0b1100, 0b10100000)]
    found = fewest(clauses, by_number, 100)
    assert all(found & clause for clause in clauses)
    for index in indices(found):  # and none of them is for nothing
        assert not all(found & ~(1 << index) & clause for clause in clauses)


def test_what_is_customary_is_written_besides() -> None:
    truth = read_domain(LIFTS, "lifts")
    result = assess(ConfinedAgent(truth, read_problem(PROBLEM, truth.vocabulary), free=True))
    assert result.outcome is Outcome.COMPLETE
    few = {name: {str(x) for x in a.needed} for name, a in result.model.action.items()}
    more = {name: {str(x) for x in a.needed} for name, a in result.customary.action.items()}
    # the fast one serves every floor, so nothing shows that it must; the slow one is proved to
    assert "(serves ?l ?g)" in few["ride"]
    assert "(serves ?l ?g)" not in few["rush"]
    assert "(serves ?l ?g)" in more["rush"]
    # every floor is charted: there is no other use for the word
    assert few["clean"] == set()
    assert more["clean"] == {"(charted ?f)"}
    # the door is open or closed; what is deleted is needed
    assert "(open ?l)" in more["shut"]
    assert all(few[name] <= more[name] for name in few)


ANYTHING = Known(lambda slot: "+-0", lambda slot: None, lambda touch, value: None)
P, Q, R = ("a", 0), ("a", 1), ("b", 0)


def in_turn(slot: Slot) -> tuple[object, ...]:
    return (slot,)


def test_the_fewest_effects_that_account_for_every_history() -> None:
    either, one = History(1, 0, ((P, Q),), 1), History(2, 0, ((Q,), (R,)), 1)
    assert fewest_effects([either], ANYTHING, in_turn) == {P: "+", Q: "0"}
    assert fewest_effects([either, one], ANYTHING, in_turn) == {P: "0", Q: "+", R: "0"}
    gone = History(3, 1, ((R,), (R,)), 0)
    assert fewest_effects([either, gone], ANYTHING, in_turn) == {P: "+", Q: "0", R: "-"}
    assert fewest_effects([History(4, 0, ((P, P),), 1), History(5, 0, ((P,),), 0)], ANYTHING, in_turn) is None


def test_many_histories_do_not_hide_the_fewest_effects() -> None:
    """Twelve atoms, each made true by one of four steps: far more orders of trying than can be tried."""
    slots = [("a", n) for n in range(48)]
    made = [History(n, 0, tuple((slot,) for slot in slots[n::12]), 1) for n in range(12)]
    joined = History(13, 1, (tuple(slots),), 1)
    found = fewest_effects([*made, joined], ANYTHING, in_turn)
    assert found is not None
    assert [slot for slot, mode in found.items() if mode != "0"] == slots[:12]


def test_effects_leave_each_refusal_a_reason() -> None:
    """An action ran three times and what it deletes is one of two things; then it was refused."""
    gone = [History(1, 1, ((P,), (P,), (R,)), 0)]
    assert reconcile(gone, [], ANYTHING, in_turn) == {P: "-", R: "0"}
    # deleted by the first step, it was false before the second, and nothing would be left to refuse the next
    assert reconcile(gone, [[(P, 1)]], ANYTHING, in_turn) == {P: "0", R: "-"}
    assert reconcile(gone, [[(P, 1), (Q, 1)]], ANYTHING, in_turn) == {P: "-", R: "0"}


@pytest.mark.parametrize("seed", range(30))
def test_whatever_was_asked_the_model_gives_the_answers(seed: int) -> None:
    rng, truth = random.Random(seed), random_model(seed, constants=1)
    things = (*objects_of(truth, 2), *truth.vocabulary.constants)
    initial = frozenset(
        Atom(p.name, args)
        for p in truth.vocabulary.predicates
        for args in product(*([o.name for o in things if o.type in x.types] for x in p.parameters))
        if rng.random() < 0.6
    )
    agent = ModelAgent(truth, objects_of(truth, 2), (initial,))
    knowledge = Knowledge(Setting.of(agent, start="reset"))
    assert knowledge.setting.profile.free_arguments
    start, entries = knowledge.universe.state(initial), list[Entry]()
    while len(entries) < 6:
        plan: tuple[Step, ...] = ()
        for _ in range(rng.randrange(1, 30)):
            header = rng.choice(truth.vocabulary.actions)
            args = [rng.choice([o.name for o in things if o.type in x.types]) for x in header.parameters]
            step = Step(header.name, tuple(args))
            query = PlanQuery(start, (*plan, step))
            response = agent.ask(query)
            assert isinstance(response, PlanResponse)
            if response.steps == len(query.plan):
                plan = query.plan
        entries.append(Entry(len(entries) + 1, query, response))
        knowledge.learn(query, response)
        knowledge.choose_effects()
        assert not prove(knowledge.setting, entries, knowledge.model()).unexplained
