"""Atoms that all objects of a question share: who needs them, and who changes them."""

from __future__ import annotations

import pytest

from assay.agents.model import ModelAgent
from assay.core.model import Model
from assay.core.setting import Setting
from assay.knowledge.knowledge import Knowledge
from assay.pddl.reader import read_domain, read_problem
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import literal_count
from assay.strategies.changes import explained, read_changes
from assay.strategies.sightings import Reading, Watch, readings, told
from hidden_models import interrogate

WORKSHOP = """
(define (domain workshop)
 (:constants hammer saw glue lathe)
 (:predicates (have ?x) (on ?x ?y) (plank ?x) (sawn ?x) (glued ?x ?y) (nailed ?x ?y) (open ?x) (turned ?x))
 (:action fetch :parameters (?x ?box)
  :precondition (and (on ?x ?box) (open ?box)) :effect (and (have ?x) (not (on ?x ?box))))
 (:action return :parameters (?x ?box)
  :precondition (and (have ?x) (open ?box)) :effect (and (on ?x ?box) (not (have ?x))))
 (:action cut :parameters (?x)
  :precondition (and (plank ?x) (have saw) (have ?x)) :effect (and (sawn ?x) (not (plank ?x))))
 (:action nail :parameters (?x ?y)
  :precondition (and (sawn ?x) (sawn ?y) (have hammer)) :effect (nailed ?x ?y))
 (:action stick :parameters (?x ?y)
  :precondition (and (sawn ?x) (plank ?y) (have glue)) :effect (glued ?x ?y))
 (:action turn :parameters (?x)
  :precondition (and (sawn ?x) (open lathe)) :effect (and (turned ?x) (not (sawn ?x)))))
"""
SHOP = """
(define (problem shop) (:domain workshop) (:objects a b c d box)
 (:init (open box) (open lathe) (on hammer box) (on saw box) (on glue box) (on a box) (have b) (plank a)
        (plank b) (plank c) (sawn d))
 (:goal (and)))
"""
ERRANDS = f"""
(define (domain errands)
 (:predicates {" ".join(f"(ready{i} ?x) (done{i})" for i in range(8))} (spare) (other))
 {
    " ".join(
        f"(:action do{i} :parameters (?x) :precondition (ready{i} ?x)"
        f" :effect (and (done{i}) (not (done{(3 * i + 1) % 8}))))"
        for i in range(8)
    )
})
"""


def hidden(domain: str) -> Model:
    return read_domain(domain, "domain")


def test_a_needed_thing_with_a_name_is_found_where_the_agent_has_been_seen_with_it():
    """Some sixty atoms are about the tools; the few that ever hold are told apart by halving."""
    model = hidden(WORKSHOP)
    problem = read_problem(SHOP, model.vocabulary, "problem")
    knowledge, asked = interrogate(ModelAgent(model, problem.objects, (problem.initial,)))
    assert knowledge.complete
    assert differences(knowledge.model(), model) == []
    assert len(asked) <= literal_count(model) + 10


def test_effects_of_many_actions_on_many_shared_atoms_are_watched_together():
    """Eight actions, ten atoms, sixteen effects: who makes what true, and who makes it false again?"""
    model = hidden(ERRANDS)
    knowledge, asked = interrogate(ModelAgent(model))
    assert knowledge.complete
    assert differences(knowledge.model(), model) == []
    assert len(asked) <= literal_count(model) + 12


def test_a_step_with_a_constant_explains_what_it_changed():
    model = hidden(WORKSHOP)
    problem = read_problem(SHOP, model.vocabulary, "problem")
    knowledge, _ = interrogate(ModelAgent(model, problem.objects, (problem.initial,)))
    changes = read_changes(knowledge)
    header = model.vocabulary.action["fetch"]
    own = knowledge.setting.fitting(header)
    constants = {c.name for c in model.vocabulary.constants}
    everything = [[*place, *sorted(constants)] for place in own]
    fetched = knowledge.dossiers["fetch"]
    more = explained(fetched, changes, everything) - explained(fetched, changes, own)
    assert more
    assert all(constants & {name for atom, _ in change.effects for name in atom.args} for change in more)


def test_before_anything_ran_there_is_one_reading():
    knowledge = Knowledge(Setting.of(ModelAgent(hidden(ERRANDS))))
    assert readings(knowledge, 0) == [Reading(1.0, {})]


def test_the_last_run_that_changes_an_atom_decides():
    watch = Watch([Reading(0.5, {"do0": "+"}), Reading(0.5, {"do1": "-"})])
    watch.run("do0")
    assert told(watch.shares, 0) == pytest.approx(1.0)  # true in the end, or still false
    assert told(watch.shares, 1) == pytest.approx(0.0)
    watch.run("do1")
    assert told(watch.shares, 1) == pytest.approx(1.0)
