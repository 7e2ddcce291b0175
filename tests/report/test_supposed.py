"""What is written only because it would explain a refusal is never presented as settled."""

from __future__ import annotations

import pytest

from assay import assess
from assay.agents.model import ModelAgent
from assay.core.query import PlanQuery
from assay.core.setting import Setting
from assay.core.symbols import Atom, Object, Step
from assay.knowledge.dossier import Part, Status
from assay.knowledge.knowledge import Knowledge
from assay.pddl.reader import read_domain
from assay.report.supposed import settled_part
from assay.result import Costs, Outcome, Result
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
    assert read_domain(text).action["cure"].precondition == half_known.model.action["cure"].precondition


def test_the_description_does_not_claim_it(half_known: Result) -> None:
    text = half_known.describe()
    assert "can do `cure` (animal A) in some situations; in which ones is open." in text
    assert "The model supposes that it needs that `ill` holds for A: not settled" in text
    assert "- before" not in text
    assert "no longer" not in text


def test_it_is_no_reason_for_a_question(half_known: Result) -> None:
    assert half_known.model.precondition_count == 1
    assert half_known.summary()["lower_bound"] == 0


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
            assert action.satisfiable
            settled, supposed = settled_part(action, result.evidence)
            needs = {x.atom for x in settled.precondition} | {Atom("=", pair) for pair in settled.distinct}
            assert not any((action.header.name, atom) in open_ for atom in needs)
            written = result.to_pddl().partition(f"(:action {action.header.name}")[0].splitlines()[-2:]
            assert all(str(x) in " ".join(written) for x in supposed)
        if result.complete:
            break
