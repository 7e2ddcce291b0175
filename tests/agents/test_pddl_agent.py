from __future__ import annotations

import time
import warnings
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.agents.model import ModelAgent
from assay.agents.pddl import open_pddl
from assay.bench.problems import DOMAINS, domain_text, load, problem
from assay.cli import app
from assay.core.query import PlanQuery, Profile, Start
from assay.core.setting import OFFERED, Setting
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import Universe
from assay.errors import InputError, InputWarning, PddlError
from assay.pddl.reader import read_domain


@pytest.fixture
def domain(tmp_path: Path) -> Path:
    path = tmp_path / "domain.pddl"
    path.write_text(domain_text("gripper"), encoding="utf-8")
    return path


@pytest.fixture
def situation(tmp_path: Path) -> Path:
    path = tmp_path / "problem.pddl"
    path.write_text(problem("gripper", 2, 0), encoding="utf-8")
    return path


def test_it_answers_as_the_domain_says(domain: Path) -> None:
    agent = open_pddl(domain, None)
    universe = Universe(agent.vocabulary, [Object("a", "room"), Object("b", "room"), Object("c", "ball")])
    state = universe.state([Atom("at-robby", ("a",)), Atom("at", ("c", "b"))])
    there, back = Step("move", ("a", "b")), Step("move", ("b", "a"))
    answer = agent.ask(PlanQuery(state, (there, back, back)))
    assert (answer.steps, answer.state) == (2, state)


def test_without_a_problem_it_has_no_objects_and_offers_nothing(domain: Path) -> None:
    agent = open_pddl(domain, None)
    free = frozenset(agent.vocabulary.action)
    assert Profile.of(agent) == Profile(
        agent.vocabulary, (), Start.ANY, True, free_arguments=free, tells_states=True
    )
    assert Setting.of(agent).offered == ()


def test_with_a_problem_it_offers_the_initial_state_and_others_like_it(domain: Path, situation: Path) -> None:
    agent = open_pddl(domain, situation, seed=3)
    assert len(agent.objects) == 8
    offered = Setting.of(agent).offered
    assert len(offered) == OFFERED
    assert Atom("free", ("left",)) in offered[0]
    assert len({str(s) for s in offered}) > 15
    assert all(sum(a.predicate == "at-robby" for a in state) == 1 for state in offered)


def test_the_walk_depends_on_the_seed_alone(domain: Path, situation: Path) -> None:
    def walk(seed: int) -> list[str]:
        return [str(s) for s in Setting.of(open_pddl(domain, situation, seed)).offered]

    assert walk(1) == walk(1) != walk(2)


def test_the_walk_does_not_depend_on_how_atoms_are_numbered(domain: Path, situation: Path) -> None:
    agent = open_pddl(domain, situation)
    fresh, used = Universe(agent.vocabulary, agent.objects), Universe(agent.vocabulary, agent.objects)
    for hand in ("right", "left"):
        for ball in ("ball3", "ball1"):
            used.index(Atom("carry", (ball, hand)))
    assert [str(s) for s in agent.states(30, fresh)] == [str(s) for s in agent.states(30, used)]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_no_more_states_than_asked_for(domain: Path, situation: Path, count: int) -> None:
    agent = open_pddl(domain, situation)
    assert len(list(agent.states(count, Universe(agent.vocabulary, agent.objects)))) == count


@pytest.mark.parametrize("name", DOMAINS)
def test_the_walk_is_fast_on_large_problems(name: str) -> None:
    model, large = load(name, 10, 0)
    agent = ModelAgent(model, large.objects, (large.initial,))
    began = time.perf_counter()
    offered = list(agent.states(60, Universe(model.vocabulary, large.objects)))
    # Typically below a tenth of a second; the margin is for busy machines.
    assert time.perf_counter() - began < 1.5
    assert len({s.bits for s in offered}) > 20


def test_the_walk_comes_to_actions_that_chance_does_not() -> None:
    """A row of places to be crossed in the dark, back at the first after each look at the map."""
    model = read_domain("""(define (domain row) (:predicates (at ?x) (next ?x ?y) (first ?x) (last ?x))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
       :effect (and (at ?y) (not (at ?x))))
      (:action look :parameters (?x ?y) :precondition (and (at ?x) (first ?y))
       :effect (and (at ?y) (not (at ?x))))
      (:action dig :parameters (?x) :precondition (and (at ?x) (last ?x)) :effect (not (last ?x))))""")
    places = [Object(f"p{n}") for n in range(80)]
    facts = {Atom("next", (a.name, b.name)) for a, b in pairwise(places)}
    facts |= {Atom("at", ("p0",)), Atom("first", ("p0",)), Atom("last", ("p79",))}
    agent = ModelAgent(model, tuple(places), (frozenset(facts),))
    offered = list(agent.states(OFFERED, Universe(model.vocabulary, places)))
    assert not any(Atom("at", ("p79",)) in state for state in offered[:60])
    assert any(Atom("last", ("p79",)) not in state for state in offered)


def test_where_nothing_can_be_done_the_walk_stays(tmp_path: Path) -> None:
    path = tmp_path / "d.pddl"
    path.write_text("(define (domain d) (:predicates (p)) (:action a :precondition (not (p)) :effect (p)))")
    situation = tmp_path / "p.pddl"
    situation.write_text("(define (problem p) (:domain d) (:init (p)))")
    agent = open_pddl(path, situation)
    assert [str(s) for s in agent.states(3, Universe(agent.vocabulary))] == ["(p)"] * 3


def test_missing_and_unreadable_files(domain: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*nowhere\.pddl: No such file"):
        open_pddl(tmp_path / "nowhere.pddl", None)
    with pytest.raises(InputError, match=r"cannot read .*nowhere\.pddl: No such file"):
        open_pddl(domain, tmp_path / "nowhere.pddl")
    with pytest.raises(InputError, match="cannot read"):
        open_pddl(tmp_path, None)
    (tmp_path / "binary.pddl").write_bytes(b"(define \xff)")
    with pytest.raises(InputError, match=r"binary\.pddl: not UTF-8 text \(byte 8\)"):
        open_pddl(tmp_path / "binary.pddl", None)


def test_errors_name_the_file(domain: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.pddl"
    path.write_text(
        "\ufeff(define (problem p)\n(:domain gripper)\n(:init (at moon room1)))", encoding="utf-8"
    )
    with pytest.raises(PddlError, match=r"bad\.pddl:3:12: unknown object 'moon'"):
        open_pddl(domain, path)


def test_a_problem_of_another_domain_is_warned_of(domain: Path, situation: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        open_pddl(domain, situation)
    situation.write_text(situation.read_text().replace("(:domain gripper)", "(:domain Grabber)"))
    with pytest.warns(InputWarning, match="a problem of the domain 'grabber', and is used with 'gripper'"):
        open_pddl(domain, situation)
    told = CliRunner().invoke(app, ["check", f"pddl:{domain},{situation}", "--questions", "1"])
    assert told.exit_code == 0
    assert told.stderr.startswith("assay: warning: ")
    assert told.stderr.count("\n") == 1
    assert "warning" not in told.stdout
