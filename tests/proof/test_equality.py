"""What a run with --equality claims must be what the checker re-derives, pairs of parameters included."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assay import assess
from assay.agents.model import ModelAgent
from assay.core.model import Model
from assay.pddl.reader import read_domain
from assay.proof import read_certificate, verify_folder, write_certificate
from hidden_models import objects_of, random_model

LINK = """(define (domain link) (:requirements :strips :typing :equality :negative-preconditions)
 (:types node) (:predicates (linked ?x ?y - node))
 (:action bend :parameters (?x ?y - node) :precondition (and {needs}) :effect (and {effects})))"""


def folder_of(model: Model, path: Path) -> Path:
    result = assess(ModelAgent(model, objects_of(model, 3)), out=path / "result", equality=True)
    assert result.complete
    return path / "result"


@pytest.mark.parametrize(
    ("needs", "effects"),
    [
        # the same node twice would have to be linked to itself and not
        ("(linked ?x ?y) (not (linked ?y ?x))", "(linked ?y ?x)"),
        # with the same node twice, one atom is deleted and saved by an add: which one adds it is all the same
        (
            "(linked ?x ?x) (linked ?x ?y) (linked ?y ?x) (linked ?y ?y)",
            "(not (linked ?y ?x)) (linked ?y ?y)",
        ),
    ],
)
def test_what_makes_no_difference_when_parameters_are_one_is_in_order(
    tmp_path: Path, needs: str, effects: str
) -> None:
    folder = folder_of(read_domain(LINK.format(needs=needs, effects=effects)), tmp_path)
    verdict = verify_folder(folder)
    assert verdict.proved, verdict.sentences()
    assert not verdict.trusted


def test_a_pair_is_not_hidden_by_needs_that_are_in_doubt_themselves(tmp_path: Path) -> None:
    folder = folder_of(
        read_domain(LINK.format(needs="(linked ?x ?y) (not (linked ?y ?x))", effects="")), tmp_path
    )
    certificate = read_certificate(folder / "certificate.json")
    doubted = tuple(
        msgspec.structs.replace(claim, status="indistinguishable") if claim.part == "precondition" else claim
        for claim in certificate.claims
    )
    write_certificate(folder / "certificate.json", msgspec.structs.replace(certificate, claims=doubted))
    said = "bend: precondition (= ?x ?y) is absent: called indistinguishable, but the answers settle it."
    assert f"certificate.json: {said}" in verify_folder(folder).problems


@pytest.mark.parametrize("seed", range(12))
def test_random_models_are_proved(tmp_path: Path, seed: int) -> None:
    folder = folder_of(random_model(seed, constants=1, distinct=0.3), tmp_path)
    verdict = verify_folder(folder)
    assert verdict.proved, verdict.sentences()
    assert not verdict.trusted
