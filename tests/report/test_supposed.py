"""What is written only because it would explain an answer is never presented as settled."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from assay import assess
from assay.agents.model import ModelAgent
from assay.core.query import PlanQuery
from assay.core.setting import Setting
from assay.core.symbols import Atom, Object, Step
from assay.knowledge.dossier import Part, Status
from assay.knowledge.knowledge import Knowledge
from assay.pddl.reader import read_domain, read_problem
from assay.proof.folder import verify_folder
from assay.report.retelling import retelling_problems
from assay.report.supposed import settled_part
from assay.old_result import Costs, Outcome, Result
from assay.scoring.normal_form import literal_count, satisfiable
from assay.store.journal import Entry
from hidden_models import objects_of, random_model

WARD = """(define (domain ward) (:requirements :strips :typing) (:types animal)
 (:predicates (ill ?a - animal) (rain))
 (:action cure :parameters (?a - animal) :precondition (ill ?a) :effect (not (ill ?a))))"""


@pytest.fixture
def half_known() -> Result:
    """It ran where two things held, and was refused where neither did."""
    agent = ModelAgent(read_domain(WARD), (Object("a", "animal"),))
    knowledge = Knowledge(Setting.of(agent))
    entries: list[Entry] = []
    for atoms in ([Atom("ill", ("a",)), Atom("rain")], []):
        query = PlanQuery(knowledge.universe.state(atoms), (Step("cure", ("a",)),))
        entries.append(Entry(len(entries) + 1, query, agent.ask(query)))
        knowledge.learn(query, entries[-1].response)
    return Result(knowledge, tuple(entries), Outcome.BUDGET, Costs(questions=2))


def test_the_model_marks_it(half_known: Result) -> None:
    text = half_known.to_pddl()
    assert "what is open is left out, but for what is marked" in text
    note = "  ; Open, and written because it would explain refusals: (ill ?a)\n  (:action cure"
    assert note in text
    assert read_domain(text).action["cure"].needed == half_known.model.action["cure"].needed


def test_the_description_does_not_claim_it(half_known: Result) -> None:
    text = half_known.describe()
    assert "can do `cure` (animal A) in some situations; in which ones is open." in text
    assert "The model supposes that it needs that `ill` holds for A: not settled" in text
    assert "- before" not in text
    assert "no longer" not in text


def test_it_is_no_reason_for_a_question(half_known: Result) -> None:
    assert literal_count(half_known.model) == 1
    assert half_known.summary()["lower_bound"] == 0


PEGS = """(define (domain pegs) (:requirements :strips :typing) (:types peg)
 (:predicates (loose ?p - peg) (oiled ?p - peg) (tight ?p - peg))
 (:action turn :parameters (?p ?q - peg)
  :precondition (and (loose ?p) (oiled ?q)) :effect (and (tight ?p) (not (loose ?p)))))"""
PEGS_PROBLEM = """(define (problem p) (:domain pegs) (:objects a b - peg)
 (:init (loose a) (oiled a) (oiled b)))"""


@pytest.fixture
def cut_off(tmp_path: Path) -> Result:
    """It ran once, with one peg for both arguments: one of them became tight, and one is no longer loose."""
    truth = read_domain(PEGS)
    problem = read_problem(PEGS_PROBLEM, truth.vocabulary)
    agent = ModelAgent(truth, problem.objects, (problem.initial,))
    return assess(agent, start="reset", budget=1, out=tmp_path / "run")


def test_an_effect_that_an_answer_asks_for_is_written_and_marked(cut_off: Result) -> None:
    assert [str(step) for e in cut_off.entries for step in e.query.plan] == ["(turn a a)"]
    note = "  ; Open, and written because it would explain what changed: (not (loose ?p)) (tight ?p)\n"
    assert note + "  (:action turn" in cut_off.to_pddl()
    assert read_domain(cut_off.to_pddl()).action["turn"].outcomes == cut_off.model.action["turn"].outcomes
    text = cut_off.describe()
    supposed = "afterwards P is not loose and P is tight"
    assert f"What this changes is open. The model supposes that {supposed}: not settled," in text
    assert "- afterwards" not in text
    modes = {(c.atom.text, c.mode) for c in cut_off.evidence if c.part is Part.EFFECT and c.mode != "absent"}
    assert modes == {("tight ?p", "+"), ("loose ?p", "-")}
    assert all(c.status is Status.OPEN for c in cut_off.evidence if c.part is Part.EFFECT)


def test_a_folder_with_a_supposed_effect_is_in_order_unless_it_is_taken_out(
    cut_off: Result, tmp_path: Path
) -> None:
    assert cut_off.outcome is Outcome.BUDGET
    folder = tmp_path / "run"
    assert verify_folder(folder).in_order
    assert not [*retelling_problems(folder)]
    model, certificate = folder / "model.pddl", folder / "certificate.json"
    before = hashlib.sha256(model.read_bytes()).hexdigest()
    model.write_text(model.read_text().replace("\n      (tight ?p)", ""))
    assert "model.pddl is not the file that the certificate is about." in verify_folder(folder).problems
    after = hashlib.sha256(model.read_bytes()).hexdigest()
    assert before != after
    certificate.write_text(certificate.read_text().replace(before, after))
    found = verify_folder(folder)
    assert not found.in_order
    assert "The model does not give the answer to question 1." in found.sentences()


@pytest.mark.parametrize("seed", range(6))
def test_partial_models_mark_all_that_is_open(seed: int) -> None:
    truth = random_model(seed, constants=1, distinct=0.3)
    for budget in range(12):
        agent = ModelAgent(truth, objects_of(truth, 3))
        result = assess(agent, budget=budget, equality=True)
        open_ = {
            (c.action, c.atom)
            for c in result.evidence
            if c.part is Part.PRECONDITION and c.status is Status.OPEN
        }
        for action in result.model.actions:
            assert satisfiable(action)
            settled, supposed = settled_part(action, result.evidence)
            needs = {x.atom for x in settled.needed} | {Atom("=", pair) for pair in settled.distinct}
            assert not any((action.header.name, atom) in open_ for atom in needs)
            written = result.to_pddl().partition(f"(:action {action.header.name}")[0].splitlines()[-3:]
            assert all(str(x) in " ".join(written) for x in (*supposed.needs, *supposed.effects))
        if result.complete:
            break
