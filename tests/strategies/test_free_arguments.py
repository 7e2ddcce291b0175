"""Steps with one object in two places, or a constant, where the agent says that it does not mind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from assay.agents.model import ModelAgent
from assay.old_assessment import assess
from assay.bench.confined import ConfinedAgent
from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.query import Start
from assay.core.setting import Setting
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.pddl.reader import Problem, read_domain, read_problem
from assay.proof import reachable_verdict
from assay.proof.acting import Limits
from assay.proof.folder import verify_folder
from assay.report.findings import read_findings
from assay.report.html import report_html
from assay.report.reach import Reach
from assay.old_result import Outcome, Result

SNACK = """
(define (domain snack)
  (:requirements :strips :typing)
  (:types tray place)
  (:constants kitchen - place)
  (:predicates (at ?t - tray ?p - place) (full ?t - tray) (served ?p - place))
  (:action go :parameters (?t - tray ?p ?q - place)
    :precondition (at ?t ?p) :effect (and (not (at ?t ?p)) (at ?t ?q)))
  (:action fill :parameters (?t - tray)
    :precondition (at ?t kitchen) :effect (full ?t))
  (:action serve :parameters (?t - tray ?p - place)
    :precondition (and (at ?t ?p) (full ?t)) :effect (and (not (full ?t)) (served ?p))))
"""
SNACK_PROBLEM = """
(define (problem one) (:domain snack)
  (:objects t - tray a b - place) (:init (at t kitchen)) (:goal (served a)))
"""
LEVELS = """
(define (domain levels)
  (:requirements :strips :typing)
  (:types level)
  (:predicates (next ?l ?m - level) (shop ?l - level) (bag ?l - level))
  (:action buy :parameters (?a ?b ?c ?d - level)
    :precondition (and (shop ?a) (bag ?c) (next ?a ?b) (next ?d ?c))
    :effect (and (not (shop ?a)) (shop ?b) (not (bag ?c)) (bag ?d))))
"""
LEVELS_PROBLEM = """
(define (problem two) (:domain levels) (:objects l0 l1 l2 - level)
  (:init (next l1 l0) (next l2 l1) (shop l2) (bag l0)) (:goal (bag l2)))
"""
WORLDS = {"snack": (SNACK, SNACK_PROBLEM), "levels": (LEVELS, LEVELS_PROBLEM)}


def world(name: str) -> tuple[Model, Problem]:
    domain, problem = WORLDS[name]
    model = read_domain(domain, name)
    return model, read_problem(problem, model.vocabulary)


def agrees_everywhere(result: Result, truth: Model, problem: Problem, model: Model | None = None) -> bool:
    """Whether what was learned, or another model, does as the truth in every state that can be reached."""
    setting = result.knowledge.setting
    universe = setting.universe
    steps = [
        Step(header.name, args)
        for header in truth.vocabulary.actions
        for args in product(*setting.fitting(header))
        if header.name in setting.profile.free_arguments or len(set(args)) == len(args)
    ]
    model = result.model if model is None else model
    ours, theirs = Execution(model, universe), Execution(truth, universe)
    todo = [universe.bits(sorted(problem.initial))]
    seen = set(todo)
    while todo:
        bits = todo.pop()
        for step in steps:
            after = theirs.apply(bits, step)
            if after != (ours.apply(bits, step) if step.action in model.action else None):
                return False
            if after is not None and after not in seen:
                seen.add(after)
                todo.append(after)
    return True


def listed_models(result: Result) -> Iterator[Model]:
    """The model with each alternative that is listed in the place of what it is an alternative to."""
    for name, found in Reach.of(result.knowledge).alternatives.items():
        action = result.model.action[name]
        needs, effects = action.needed, action.plain_effects
        others = [(needs | {literal}, effects) for literal in found.besides]
        others += [(needs, effects | {literal}) for literal in found.effects]
        for literal, groups in found.instead:
            others += [(needs - {literal} | {*chosen}, effects) for chosen in product(*groups)]
        for precondition, results in others:
            other = ActionModel.strips(action.header, precondition, results)
            actions = tuple(other if a.header == action.header else a for a in result.model.actions)
            yield Model(result.knowledge.vocabulary, actions)


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("start", [Start.RESET, Start.VISITED])
def test_what_needs_one_object_twice_or_a_constant_is_learned(
    name: str, start: Start, tmp_path: Path
) -> None:
    truth, problem = world(name)
    result = assess(ConfinedAgent(truth, problem, start, free=True), out=tmp_path / "run")
    assert not result.never_ran
    assert result.outcome is Outcome.COMPLETE
    assert agrees_everywhere(result, truth, problem)
    assert reachable_verdict(result.knowledge.setting, result.entries, result.model).proved
    assert verify_folder(tmp_path / "run").proved


@pytest.mark.parametrize("name", WORLDS)
def test_pairs_of_facts_prove_it_where_slots_stand_for_one_atom(name: str) -> None:
    """And from too few answers they prove nothing that visiting all states refutes."""
    truth, problem = world(name)
    result = assess(ConfinedAgent(truth, problem, free=True))
    setting, entries, by_pairs = result.knowledge.setting, result.entries, Limits(states=0)
    assert reachable_verdict(setting, entries, result.model, by_pairs).method == "mutexes"
    for count in range(0, len(entries), 7):
        proved = reachable_verdict(setting, entries[:count], truth, by_pairs).proved
        assert not proved or reachable_verdict(setting, entries[:count], truth).proved


@pytest.mark.parametrize("name", WORLDS)
def test_an_agent_that_does_not_say_so_is_not_asked(name: str) -> None:
    truth, problem = world(name)
    result = assess(ConfinedAgent(truth, problem))
    assert result.never_ran
    constants = {c.name for c in truth.vocabulary.constants}
    for entry in result.entries:
        for step in entry.query.plan:
            assert len(set(step.args)) == len(step.args)
            assert constants.isdisjoint(step.args)


def test_the_setting_remembers_it_and_equality_comes_before_it() -> None:
    truth, problem = world("snack")
    agent = ConfinedAgent(truth, problem, free=True)
    setting = Setting.of(agent)
    assert setting.profile.free_arguments
    assert Setting.from_dict(setting.to_dict()).profile == setting.profile
    assert not Setting.of(agent, equality=True).profile.free_arguments
    assert ["kitchen" in names for names in setting.fitting(truth.vocabulary.action["go"])] == [
        False,
        True,
        True,
    ]


MAILROOM = """
(define (domain mailroom)
  (:requirements :strips :typing)
  (:types room clerk)
  (:constants office vault - room)
  (:predicates (in ?c - clerk ?r - room) (open ?r - room) (done))
  (:action walk :parameters (?c - clerk ?a ?b - room)
    :precondition (and (in ?c ?a) (open ?b)) :effect (and (in ?c ?b) (not (in ?c ?a))))
  (:action unlock :parameters (?c - clerk) :precondition (in ?c office) :effect (open vault))
  (:action finish :parameters (?c - clerk) :precondition (in ?c vault) :effect (done)))
"""
MAILROOM_PROBLEM = """
(define (problem m) (:domain mailroom) (:objects ann - clerk hall - room)
  (:init (in ann hall) (open hall) (open office)) (:goal (done)))
"""


@pytest.mark.parametrize("start", [Start.RESET, Start.VISITED])
def test_a_pddl_file_is_acted_in_with_constants_too(start: Start, tmp_path: Path) -> None:
    truth = read_domain(MAILROOM)
    problem = read_problem(MAILROOM_PROBLEM, truth.vocabulary)
    agent = ModelAgent(truth, problem.objects, (problem.initial,))
    result = assess(agent, start=start, out=tmp_path / "run")
    assert result.outcome is Outcome.COMPLETE
    assert agrees_everywhere(result, truth, problem)
    assert verify_folder(tmp_path / "run").proved
    assert "name no" not in result.describe()


def test_a_pddl_file_does_not_declare_it_of_an_action_that_asks_for_different_objects() -> None:
    truth = read_domain(MAILROOM.replace("(open ?b))", "(open ?b) (not (= ?a ?b)))"))
    assert ModelAgent(truth).free_arguments == {"unlock", "finish"}
    assert ModelAgent(read_domain(MAILROOM)).free_arguments == {"walk", "unlock", "finish"}


SWAP = """  (:action swap :parameters (?p ?q - place)
    :precondition (and (served ?p) (not (= ?p ?q))) :effect (and (not (served ?p)) (served ?q))))
"""


@pytest.mark.parametrize("start", [Start.RESET, Start.VISITED])
def test_an_action_that_asks_for_different_objects_keeps_only_itself_from_others(
    start: Start, tmp_path: Path
) -> None:
    """The tray gets away from the kitchen by a step that names a constant, and is served."""
    truth = read_domain(SNACK.rstrip()[:-1] + SWAP)
    problem = read_problem(SNACK_PROBLEM, truth.vocabulary)
    agent = ModelAgent(truth, problem.objects, (problem.initial,))
    result = assess(agent, start=start, out=tmp_path / "run")
    assert result.outcome is Outcome.COMPLETE
    assert not result.never_ran
    assert agrees_everywhere(result, truth, problem)
    assert all(agrees_everywhere(result, truth, problem, other) for other in listed_models(result))
    swaps = [s for e in result.entries for s in e.query.plan if s.action == "swap"]
    assert swaps
    assert all(len(set(s.args)) == 2 and "kitchen" not in s.args for s in swaps)
    assert "two of them may stand for the same thing, but not in swap." in result.describe()
    verdict = verify_folder(tmp_path / "run")
    assert verdict.proved
    limits = (
        "Reachable means by steps that name no thing twice and no constant in swap; others were not tried."
    )
    assert limits in verdict.sentences()


def test_what_is_not_tried_is_said_wherever_it_limits_a_claim(tmp_path: Path) -> None:
    truth = read_domain(MAILROOM)
    problem = read_problem(MAILROOM_PROBLEM, truth.vocabulary)
    result = assess(ConfinedAgent(truth, problem), out=tmp_path / "run")
    limits = "by steps that name no thing twice and no constant"
    assert result.outcome is Outcome.COMPLETE
    text = result.describe()
    assert f"in any situation within reach {limits}: it is refused in all of them" in text
    assert "The agent was never asked to walk (clerk C, room A, room B): there are not enough objects" in text
    assert f"; Within reach is what the agent gets into {limits}." in result.to_pddl()
    assert "; Left out, not enough objects to try it with: walk" in result.to_pddl()
    assert result.summary()["confined"] == "that name no thing twice and no constant"
    assert f"Everything a question can settle {limits} is settled." in report_html(
        read_findings(tmp_path / "run")
    )
    told = verify_folder(tmp_path / "run").sentences()
    assert "walk was never tried: there are not enough objects to try it with." in told
    assert f"Reachable means {limits}; others were not tried." in told


@pytest.mark.parametrize("budget", [0, 3, None])
def test_a_run_by_some_steps_only_is_in_order_wherever_it_ends(budget: int | None, tmp_path: Path) -> None:
    truth, problem = world("snack")
    assess(ConfinedAgent(truth, problem), budget=budget, out=tmp_path / "run")
    assert verify_folder(tmp_path / "run").in_order


def test_acting_does_not_learn_which_parameters_must_differ() -> None:
    truth, problem = world("levels")
    with pytest.raises(InputError, match="which parameters must differ"):
        assess(ConfinedAgent(truth, problem), equality=True)


PEGS = """
(define (domain pegs) (:types peg)
  (:predicates (loose ?p - peg) (oiled ?p - peg) (tight ?p - peg) (done))
  (:action turn :parameters (?p ?q - peg)
    :precondition (and (loose ?p) (oiled ?q)) :effect (and (tight ?p) (not (loose ?p))))
  (:action finish :parameters (?p - peg) :precondition (tight ?p) :effect (done)))
"""
PEGS_PROBLEM = """
(define (problem p) (:domain pegs) (:objects a b - peg) (:init (loose a) (oiled a)) (:goal (done)))
"""


def test_one_of_several_effects_is_written_where_none_can_be_told(tmp_path: Path) -> None:
    """Only `turn a a` ever runs: something becomes tight, be it the first argument or the second."""
    truth = read_domain(PEGS)
    problem = read_problem(PEGS_PROBLEM, truth.vocabulary)
    result = assess(ModelAgent(truth, problem.objects, (problem.initial,)), start="reset", out=tmp_path / "r")
    assert result.outcome is Outcome.COMPLETE
    assert agrees_everywhere(result, truth, problem)
    assert verify_folder(tmp_path / "r").proved
    assert "(tight ?p)" in result.to_pddl()
    assert "(tight ?q)" not in result.to_pddl()
    told = "so it cannot be told what is done to which: whether afterwards"
    assert told in result.describe()
    assert told in report_html(read_findings(tmp_path / "r"))
    assert "(tight ?q)" in result.summary()["alternatives"]["turn"]["others"]


TINY = {
    "constant": Vocabulary.of(
        predicates={"p": ["object"]}, actions={"a": ["object"]}, constants={"c": "object"}
    ),
    "pair": Vocabulary.of(predicates={"p": ["object"], "h": []}, actions={"a": ["object", "object"]}),
    "relation": Vocabulary.of(
        predicates={"r": ["object", "object"], "m": ["object"]},
        actions={"a": ["object", "object"], "b": ["object"]},
    ),
    "both": Vocabulary.of(
        predicates={"m": ["object"], "n": ["object"]},
        actions={"a": ["object", "object"], "b": ["object"]},
        constants={"c": "object"},
    ),
}
THINGS = (Object("o1"), Object("o2"))


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("seed", range(12))
def test_random_models_are_learned_wherever_they_lead(name: str, seed: int, tmp_path: Path) -> None:
    vocabulary, rng = TINY[name], random.Random(seed)
    truth = _random_model(rng, vocabulary)
    atoms = [
        Atom(p.name, args)
        for p in vocabulary.predicates
        for args in product([o.name for o in (*THINGS, *vocabulary.constants)], repeat=len(p.parameters))
    ]
    problem = Problem("p", "tiny", THINGS, frozenset(a for a in atoms if rng.random() < 0.5))
    agent = ModelAgent(truth, problem.objects, (problem.initial,))
    result = assess(agent, start=rng.choice(["reset", "visited"]), out=tmp_path / "run")
    assert result.outcome is Outcome.COMPLETE
    assert agrees_everywhere(result, truth, problem)
    assert all(agrees_everywhere(result, truth, problem, other) for other in listed_models(result))
    verdict = verify_folder(tmp_path / "run")
    assert verdict.proved
    told = [] if verdict.acting is None else [m for m in verdict.acting.matters if not isinstance(m, str)]
    assert result.summary()["out_of_reach"] == len(told)


PORTER = """
(define (domain porter)
 (:requirements :strips :typing :negative-preconditions)
 (:types place box)
 (:constants home - place)
 (:predicates (robot ?p - place) (at ?b - box ?p - place) (held ?b - box) (free) (link ?a ?b - place)
  (tidy))
 (:action go :parameters (?a ?b - place) :precondition (and (robot ?a) (link ?a ?b))
  :effect (and (not (robot ?a)) (robot ?b)))
 (:action pick :parameters (?b - box ?p - place) :precondition (and (robot ?p) (at ?b ?p) (free))
  :effect (and (held ?b) (not (free)) (not (at ?b ?p))))
 (:action drop :parameters (?b - box ?p - place) :precondition (and (robot ?p) (held ?b))
  :effect (and (not (held ?b)) (free) (at ?b ?p)))
 (:action finish :parameters (?b - box) :precondition (and (robot home) (at ?b home) (not (tidy)))
  :effect (tidy))
 (:action mess :precondition (and (tidy) (not (robot home))) :effect (not (tidy))))
"""
PORTER_PROBLEM = """
(define (problem p) (:domain porter) (:objects shed - place crate - box)
 (:init (robot shed) (at crate shed) (free) (link shed home) (link home shed) (link home home)))
"""


def test_no_alternative_is_listed_that_an_answer_rules_out(tmp_path: Path) -> None:
    """A box is dropped at home, which has a link to itself: that the place has none is not needed."""
    truth = read_domain(PORTER)
    problem = read_problem(PORTER_PROBLEM, truth.vocabulary)
    agent = ModelAgent(truth, problem.objects, (problem.initial,))
    result = assess(agent, start="reset", out=tmp_path / "run")
    assert result.outcome is Outcome.COMPLETE
    models = list(listed_models(result))
    assert len(models) > 20
    assert all(agrees_everywhere(result, truth, problem, other) for other in models)
    told = result.summary()["out_of_reach"]
    assert f"; {told} literals cannot be told apart on reachable states" in result.to_pddl()
    assert f"On {told} points, no situation" in result.describe()
    said = f"{told} literals cannot be told apart on reachable states: proved by exhausting 12 states."
    assert said in verify_folder(tmp_path / "run").sentences()


def _random_model(rng: random.Random, vocabulary: Vocabulary) -> Model:
    needy, actions = rng.choice([0.1, 0.3]), []
    for header in vocabulary.actions:
        atoms = vocabulary.lifted_atoms(header.name)
        needs = frozenset(Literal(a, rng.random() < 0.5) for a in atoms if rng.random() < needy)
        effects = frozenset(Literal(a, rng.random() < 0.5) for a in atoms if rng.random() < 0.66)
        actions.append(ActionModel.strips(header, needs, effects))
    return Model(vocabulary, tuple(actions))
