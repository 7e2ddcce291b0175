"""First examples of actions with negative preconditions: few questions on top of the bound."""

from __future__ import annotations

import random
from itertools import islice, product

import pytest

from assay.agents.model import ModelAgent
from assay.bench.problems import load
from assay.core.model import ActionModel, Model
from assay.core.setting import Setting
from assay.core.symbols import ActionHeader, Atom, Literal, Object, Parameter, Predicate
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.knowledge.knowledge import Knowledge
from assay.pddl.reader import read_domain, read_problem
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import literal_count
from assay.strategies.changes import explained, read_changes
from assay.strategies.fillings import Fillings
from assay.strategies.first_example import FirstExample
from hidden_models import interrogate

World = tuple[Model, tuple[Object, ...], frozenset[Atom]]


def the(domain: str) -> World:
    model, problem = load(domain, 3, 0)
    return model, problem.objects, problem.initial


def instances(vocabulary: Vocabulary, predicate: Predicate, objects: tuple[Object, ...]) -> set[Atom]:
    things = (*objects, *vocabulary.constants)
    return {
        Atom(predicate.name, tuple(o.name for o in chosen))
        for chosen in product(things, repeat=predicate.arity)
        if all(vocabulary.fits(o.type, p.types) for o, p in zip(chosen, predicate.parameters, strict=True))
    }


def opposed(world: World, *names: str) -> World:
    """The same world told with opposites: 'busy' for 'handempty', 'covered' for 'clear'."""
    model, objects, initial = world
    vocabulary = model.vocabulary
    for name in names:
        initial = initial ^ instances(vocabulary, vocabulary.predicate[name], objects)

    def flip(literals: frozenset[Literal]) -> frozenset[Literal]:
        return frozenset(Literal(a, sign != (a.predicate in names)) for a, sign in literals)

    actions = [
        ActionModel.strips(a.header, flip(a.needed), flip(a.plain_effects), a.distinct) for a in model.actions
    ]
    return Model(vocabulary, tuple(actions)), objects, initial


def forbidding(world: World, per_action: int, seed: int = 0) -> World:
    """Nothing is done twice: some of what an action makes true must be false before."""
    model, objects, initial = world
    rng = random.Random(seed)
    actions = []
    for action in model.actions:
        needed = {x.atom for x in action.needed}
        added = sorted(e.atom for e in action.plain_effects if e.positive and e.atom not in needed)
        picked = rng.sample(added, min(per_action, len(added)))
        needs = action.needed | {Literal(atom, False) for atom in picked}
        actions.append(ActionModel.strips(action.header, needs, action.plain_effects, action.distinct))
    return Model(model.vocabulary, tuple(actions)), objects, initial


def refusing(world: World, name: str, *atoms: str) -> World:
    """One action does not run where one of these holds."""
    model, objects, initial = world
    by_text = {atom.text: atom for atom in model.vocabulary.lifted_atoms(name)}
    more = {Literal(by_text[atom], False) for atom in atoms}
    actions = [
        ActionModel.strips(a.header, a.needed | more, a.plain_effects, a.distinct)
        if a.header.name == name
        else a
        for a in model.actions
    ]
    return Model(model.vocabulary, tuple(actions)), objects, initial


def renamed(world: World, seed: int = 0) -> World:
    """Names that say nothing, and another order of everything declared."""
    model, objects, initial = world
    vocabulary, rng = model.vocabulary, random.Random(seed)
    numbers = rng.sample(range(100, 999), 200)
    new = {name: f"n{numbers.pop()}" for name in sorted(p.name for p in vocabulary.predicates)}
    new |= {name: f"n{numbers.pop()}" for name in sorted(o.name for o in objects)}

    def rename(atom: Atom) -> Atom:
        return Atom(new[atom.predicate], tuple(new.get(a, a) for a in atom.args))

    actions = []
    for action in model.actions:
        header = ActionHeader(f"n{numbers.pop()}", action.header.parameters)
        literals = [
            frozenset(Literal(rename(a), sign) for a, sign in part)
            for part in (action.needed, action.plain_effects)
        ]
        actions.append(ActionModel.strips(header, *literals, action.distinct))
    actions.sort(key=lambda a: a.header.name)
    predicates = sorted((Predicate(new[p.name], p.parameters) for p in vocabulary.predicates), key=str)
    told = Vocabulary(
        vocabulary.types, vocabulary.constants, tuple(predicates), tuple(a.header for a in actions)
    )
    things = sorted((Object(new[o.name], o.type) for o in objects), key=lambda o: o.name)
    return Model(told, tuple(actions)), tuple(things), frozenset(map(rename, initial))


def crowded(world: World, predicates: int, seed: int = 0) -> World:
    """Predicates that no action mentions, some of them true, until there are so many."""
    model, objects, initial = world
    vocabulary, rng = model.vocabulary, random.Random(seed)
    types = sorted({t for a in vocabulary.actions for p in a.parameters for t in p.types})
    more, facts = list(vocabulary.predicates), set(initial)
    while len(more) < predicates:
        places = tuple(Parameter(f"?x{i}", (rng.choice(types),)) for i in range(rng.choice([1, 1, 2])))
        more.append(Predicate(f"idle-{len(more)}", places))
        facts |= {a for a in sorted(instances(vocabulary, more[-1], objects)) if rng.random() < 0.3}
    told = Vocabulary(vocabulary.types, vocabulary.constants, tuple(more), vocabulary.actions)
    return Model(told, model.actions), objects, frozenset(facts)


WORLDS = {
    "blocksworld, busy and covered": lambda: opposed(the("blocksworld"), "clear", "handempty"),
    "the same, renamed": lambda: renamed(opposed(the("blocksworld"), "clear", "handempty")),
    "gripper, not free": lambda: opposed(the("gripper"), "free"),
    "hanoi, covered": lambda: opposed(the("hanoi"), "clear"),
    "parking, not clear": lambda: opposed(the("parking"), "car-clear", "curb-clear"),
    "depots, covered and busy": lambda: opposed(the("depots"), "clear", "available"),
    "sokoban, occupied": lambda: opposed(the("sokoban"), "clear"),
    "logistics, nothing twice": lambda: forbidding(the("logistics"), 2),
    "zenotravel, nothing twice, renamed": lambda: renamed(forbidding(the("zenotravel"), 2)),
    "childsnack, nothing twice": lambda: forbidding(the("childsnack"), 2),
    "hanoi, discs only go down": lambda: refusing(
        the("hanoi"), "move", "on ?from ?disc", "smaller ?from ?to"
    ),
    "sokoban, onto nobody": lambda: refusing(the("sokoban"), "move", "at ?p ?to", "clear ?from"),
    "rovers, no rock twice, crowded": lambda: crowded(
        refusing(the("rovers"), "sample_rock", "full ?s", "have_rock_analysis ?r ?w"), 40
    ),
    "miconic, served once, crowded": lambda: crowded(
        refusing(the("miconic"), "depart", "served ?p", "origin ?p ?f"), 40
    ),
    "driverlog, nothing twice, crowded": lambda: crowded(forbidding(the("driverlog"), 2), 40),
}


@pytest.mark.parametrize("name", WORLDS)
def test_negative_preconditions_take_at_most_four_questions_more_than_the_bound(name):
    model, objects, initial = WORLDS[name]()
    assert any(not x.positive for a in model.actions for x in a.needed)
    knowledge, asked = interrogate(ModelAgent(model, objects, (initial,)))
    assert knowledge.complete
    assert differences(knowledge.model(), model) == []
    assert len(asked) <= literal_count(model) + 4


def test_an_action_that_undoes_a_known_one_is_taken_to_name_its_things_in_the_same_order():
    """Stacking says which of two blocks comes first in unstacking: one guess less."""
    model, objects, initial = refusing(the("blocksworld"), "unstack", "ontable ?y", "on ?y ?x")
    knowledge, asked = interrogate(ModelAgent(model, objects, (initial,)))
    assert knowledge.complete
    assert len(asked) <= literal_count(model) + 3


def test_changes_of_one_kind_differ_in_names_alone():
    model, objects, initial = the("gripper")
    changes = read_changes(Knowledge(Setting.of(ModelAgent(model, objects, (initial,)))))
    assert len({c.kind for c in changes}) == 3  # move, pick and drop
    for change in changes:
        assert {n for atom, _ in change.effects for n in atom.args} == set(change.names)


class Teller:
    """Offers what it is told to."""

    def __init__(self, agent: ModelAgent, told: list[frozenset[Atom]]) -> None:
        self.vocabulary, self.objects, self.ask = agent.vocabulary, agent.objects, agent.ask
        self._told = told

    def states(self, count: int, universe: Universe) -> list[State]:
        return [universe.state(sorted(atoms)) for atoms in self._told[:count]]


def test_nothing_was_done_from_the_end_of_one_walk_to_the_next():
    model, objects, initial = the("gripper")
    agent = ModelAgent(model, objects, (initial,))
    universe = Setting.of(agent).universe
    first, second, third = (frozenset(state) for state in islice(agent.states(3, universe), 3))
    changes = read_changes(Knowledge(Setting.of(Teller(agent, [first, second, third]))))
    assert [frozenset(c.before.state) for c in changes] == [first, second]
    changes = read_changes(Knowledge(Setting.of(Teller(agent, [first, second, second, third]))))
    assert [frozenset(c.before.state) for c in changes] == [first]


def test_a_known_action_explains_its_own_changes_and_no_others():
    model, objects, initial = the("gripper")
    agent = ModelAgent(model, objects, (initial,))
    knowledge, _ = interrogate(agent)
    changes = read_changes(knowledge)
    places = {a.name: knowledge.setting.fitting(a) for a in model.vocabulary.actions}
    parts = [explained(d, changes, places[name]) for name, d in sorted(knowledge.dossiers.items())]
    assert all(parts)
    assert sum(map(len, parts)) == len(set().union(*parts))
    assert len(changes) == sum(map(len, parts))


def test_a_known_action_explains_only_changes_for_which_its_open_parameters_have_objects():
    """Moving on the level and moving up change the same atoms; what tells them apart is about heights."""
    model, objects, initial = the("termes")
    knowledge, _ = interrogate(ModelAgent(model, objects, (initial,)))
    changes = read_changes(knowledge)
    places = {a.name: knowledge.setting.fitting(a) for a in knowledge.vocabulary.actions}
    moves = [explained(knowledge.dossiers[n], changes, places[n]) for n in ("move", "move-up", "move-down")]
    assert all(moves)
    assert len(set.union(*moves)) == sum(map(len, moves))


MIXING = """
(define (domain mixing) (:types drink mug recipe)
 (:predicates (first ?r - recipe ?d - drink) (second ?r - recipe ?d - drink) (in ?d - drink ?m - mug)
  (is ?m - mug ?r - recipe) (dirty ?m - mug) (cold ?m - mug))
 (:action pour :parameters (?d - drink ?m - mug) :precondition (not (dirty ?m)) :effect (in ?d ?m))
 (:action mix :parameters (?r - recipe ?x - drink ?y - drink ?m - mug)
  :precondition (and (first ?r ?x) (second ?r ?y) (in ?x ?m) (in ?y ?m) (not (cold ?m)) (not (first ?r ?y)))
  :effect (and (is ?m ?r) (dirty ?m) (not (in ?x ?m)) (not (in ?y ?m))))
 (:action clean :parameters (?r - recipe ?m - mug) :precondition (and (is ?m ?r) (dirty ?m))
  :effect (and (not (is ?m ?r)) (not (dirty ?m)))))
"""
KITCHEN = """
(define (problem kitchen) (:domain mixing) (:objects rum ale gin tea - drink one two - mug q r s - recipe)
 (:init (first q rum) (second q ale) (first r gin) (second r tea) (first s ale) (second s gin)) (:goal (and)))
"""


def test_two_parameters_to_which_the_same_happens_are_told_apart_by_what_else_holds():
    """Each change reads both ways round; taken for two examples it would hide who is first and who second."""
    model = read_domain(MIXING, "mixing")
    problem = read_problem(KITCHEN, model.vocabulary, "kitchen")
    knowledge, asked = interrogate(ModelAgent(model, problem.objects, (problem.initial,)))
    assert knowledge.complete
    assert differences(knowledge.model(), model) == []
    assert len(asked) <= literal_count(model) + 4


LAUNDRY = """
(define (domain laundry) (:types machine garment) (:constants washer dryer - machine)
 (:predicates (open ?m - machine) (running ?m - machine) (faulty ?m - machine) (full ?m - machine)
  (in ?g - garment ?m - machine) (dirty ?g - garment))
 (:action open-up :parameters (?m - machine)
  :precondition (and (not (open ?m)) (not (running ?m))) :effect (open ?m))
 (:action put :parameters (?g - garment ?m - machine)
  :precondition (and (open ?m) (dirty ?g) (not (full ?m)) (not (running ?m)))
  :effect (and (in ?g ?m) (full ?m) (not (dirty ?g))))
 (:action start :parameters (?g - garment ?m - machine)
  :precondition (and (in ?g ?m) (open ?m) (not (running ?m)) (not (faulty ?m)))
  :effect (and (running ?m) (not (open ?m))))
 (:action finish :parameters (?g - garment ?m - machine) :precondition (and (in ?g ?m) (running ?m))
  :effect (and (not (running ?m)) (not (in ?g ?m)) (not (full ?m)) (dirty ?g)))
 (:action repair :parameters (?m - machine)
  :precondition (and (faulty ?m) (not (full ?m)) (not (running ?m))) :effect (not (faulty ?m))))
"""
HOME = """
(define (problem home) (:domain laundry) (:objects shirt sock - garment)
 (:init (dirty shirt) (dirty sock) (faulty dryer) (open washer)) (:goal (and)))
"""
TANKS = """
(define (domain tanks) (:types tank level)
 (:predicates (holds ?t - tank ?l - level) (next ?a ?b - level) (sealed ?t - tank) (hot ?t - tank))
 (:action pour :parameters (?s ?t - tank ?a ?b ?c ?d - level)
  :precondition (and (holds ?s ?b) (holds ?t ?c) (next ?a ?b) (next ?c ?d) (not (sealed ?s)) (not (hot ?t)))
  :effect (and (holds ?s ?a) (holds ?t ?d) (not (holds ?s ?b)) (not (holds ?t ?c))))
 (:action seal :parameters (?t - tank) :precondition (not (sealed ?t)) :effect (sealed ?t))
 (:action cool :parameters (?t - tank) :precondition (and (hot ?t) (sealed ?t)) :effect (not (hot ?t)))
 (:action unseal :parameters (?t - tank) :precondition (and (sealed ?t) (not (hot ?t)))
  :effect (not (sealed ?t))))
"""
CELLAR = """
(define (problem cellar) (:domain tanks) (:objects x y z - tank none half - level)
 (:init (next none half) (holds x half) (holds y none) (holds z half) (hot z)) (:goal (and)))
"""


@pytest.mark.parametrize(
    ("domain", "situation", "more"),
    [
        pytest.param(LAUNDRY, HOME, 5, id="done to constants alone"),
        pytest.param(TANKS, CELLAR, 8, id="too few objects for all to be different"),
    ],
)
def test_what_an_action_was_done_to_is_found(domain, situation, more):
    model = read_domain(domain, "domain")
    problem = read_problem(situation, model.vocabulary, "problem")
    knowledge, asked = interrogate(ModelAgent(model, problem.objects, (problem.initial,)))
    assert knowledge.complete
    assert differences(knowledge.model(), model) == []
    assert len(asked) <= literal_count(model) + more


def test_a_known_action_explains_changes_for_which_an_object_was_given_twice():
    model = read_domain(TANKS, "domain")
    problem = read_problem(CELLAR, model.vocabulary, "problem")
    knowledge, _ = interrogate(ModelAgent(model, problem.objects, (problem.initial,)))
    changes = read_changes(knowledge)
    header = model.action["pour"].header
    poured = explained(knowledge.dossiers["pour"], changes, knowledge.setting.fitting(header))
    assert poured
    assert poured == {c for c in changes if {a.predicate for a, _ in c.effects} == {"holds"}}


GATES = """
(define (domain gates)
  (:predicates (open ?x) (wet ?x))
  (:action go :parameters (?from ?to) :precondition (and (open ?to) (not (wet ?to))) :effect (wet ?to))
  (:action stay :parameters (?to ?from) :precondition (and (open ?to) (not (open ?to)))
    :effect (not (wet ?to))))
"""


def test_parameters_of_the_same_name_tell_what_an_action_needs():
    """Of an action that never runs, what a known one needs of parameters so named is expected."""
    model = read_domain(GATES, "domain")
    knowledge, _ = interrogate(ModelAgent(model))
    dossier = knowledge.dossiers["stay"]
    assert not dossier.ran
    true, false = (
        dict(zip(dossier.atoms, chances, strict=True)) for chances in FirstExample(knowledge).chances(dossier)
    )
    assert true[Atom("open", ("?to",))] > true[Atom("open", ("?from",))]
    assert false[Atom("wet", ("?to",))] > false[Atom("wet", ("?from",))]


def test_objects_are_chosen_also_by_what_holds_of_none_of_them():
    """Of two hands that may have done it, the free one agrees with the other times."""
    model, objects, initial = the("gripper")
    knowledge, _ = interrogate(ModelAgent(model, objects, (initial,)))
    dossier = knowledge.dossiers["pick"]
    holding, free, at = (
        1 << dossier.atoms.index(Atom(name, args))
        for name, args in (("carry", ("?b", "?g")), ("free", ("?g",)), ("at-robby", ("?r",)))
    )
    chosen = Fillings(knowledge).matched(dossier, [[at | free | holding, at | free], [at | free]])
    assert chosen == [[at | free, at | free]]
