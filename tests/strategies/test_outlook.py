"""What an agent was seen doing foretells what its actions do to atoms that all tests share."""

from __future__ import annotations

import random

import pytest

from assay.agents.model import ModelAgent
from assay.bench.problems import load
from assay.core.model import Model
from assay.core.query import PlanQuery
from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import State, bits_of
from assay.core.vocabulary import Vocabulary
from assay.knowledge.knowledge import Knowledge
from assay.pddl.reader import read_domain, read_problem
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import literal_count
from assay.strategies.changes import read_changes
from assay.strategies.outlook import Outlook
from assay.strategies.suspicion import Rates
from hidden_models import interrogate

HAND = """
(define (domain hand) (:types ball) (:predicates (free) (busy) (tired) (down ?b - ball) (up ?b - ball))
 (:action lift :parameters (?b - ball) :precondition (and (free) (down ?b))
  :effect (and (busy) (up ?b) (not (free)) (not (down ?b))))
 (:action lower :parameters (?b - ball) :precondition (and (busy) (up ?b))
  :effect (and (free) (down ?b) (not (busy)) (not (up ?b)))))
"""
BALLS = """
(define (problem balls) (:domain hand) (:objects a b - ball) (:init (free) (down a) (down b)) (:goal (and)))
"""


def after_one_run(action: str, seen: bool) -> tuple[Knowledge, Outlook]:
    """An action has run once where all atoms were true, so that no add has been seen."""
    model = read_domain(HAND, "hand")
    problem = read_problem(BALLS, model.vocabulary, "balls")
    agent = ModelAgent(model, problem.objects, (problem.initial,) if seen else ())
    knowledge = Knowledge(Setting.of(agent))
    step = Step(action, ("a",))
    everything = bits_of(knowledge.universe.positions(step))
    query = PlanQuery(State(knowledge.universe, everything), (step,))
    knowledge.learn(query, agent.ask(query))
    return knowledge, Outlook(knowledge, read_changes(knowledge))


def modes(knowledge: Knowledge, outlook: Outlook, action: str) -> dict[str, str]:
    dossier = knowledge.dossiers[action]
    shared = knowledge.vocabulary.shared_atoms
    return {atom.predicate: outlook.of(dossier).effects.modes(i) for i, atom in enumerate(shared)}


def test_an_add_that_no_run_has_shown_is_foretold_by_what_was_seen():
    knowledge, outlook = after_one_run("lift", seen=True)
    assert modes(knowledge, outlook, "lift") == {"free": "-", "busy": "+", "tired": "0"}
    assert knowledge.dossiers["lift"].effects.modes(1) == "+0"  # which is no evidence


def test_where_nothing_was_seen_nothing_is_foretold():
    knowledge, outlook = after_one_run("lift", seen=False)
    assert modes(knowledge, outlook, "lift") == {"free": "-", "busy": "+0", "tired": "+0"}
    assert not outlook.of(knowledge.dossiers["lift"]).scenes


def test_what_did_not_hold_where_it_was_done_is_hardly_suspected():
    knowledge, outlook = after_one_run("lift", seen=True)
    dossier = knowledge.dossiers["lift"]
    rates = Rates(knowledge, outlook)
    rates.update()
    chances = dict(rates.ranked(dossier, dossier.atom_mask, dossier.atom_mask))
    assert max(chances[1], chances[2]) < chances[0] / 10  # the hand was free, never busy or tired


@pytest.mark.parametrize("seed", range(4))
def test_a_miner_whose_arm_all_actions_share(seed: int):
    """What is picked up is put down by another action, in whatever order the actions are listed."""
    model, problem = load("goldminer", 3, 0)
    actions = random.Random(seed).sample(model.actions, len(model.actions))
    words = model.vocabulary
    words = Vocabulary(
        words.types, words.constants, words.predicates, tuple(a.header for a in actions), words.name
    )
    model = Model(words, tuple(actions))
    knowledge, asked = interrogate(ModelAgent(model, problem.objects, (problem.initial,)), seed=seed)
    assert knowledge.complete
    assert differences(knowledge.model(), model) == []
    assert len(asked) <= literal_count(model) + 6  # K + 5 to K + 9 without looking
