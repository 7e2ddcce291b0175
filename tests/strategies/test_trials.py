"""Trials of many actions from one start, and how likely flips are to do no harm."""

from __future__ import annotations

import random
from itertools import product
from math import prod

import pytest

from assay.agents.model import ModelAgent
from assay.pddl.reader import read_domain
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import literal_count
from assay.strategies.doubt import Doubt
from assay.strategies.trials import Sequel, Trial, best_round
from hidden_models import interrogate


@pytest.mark.parametrize("seed", range(20))
def test_what_flips_do_is_as_likely_as_among_all_preconditions_that_explain_the_refusals(seed):
    rng = random.Random(seed)
    chances = [rng.uniform(0.01, 0.9) for _ in range(7)]
    clauses = [rng.randrange(1, 1 << 7) for _ in range(rng.randrange(4))]
    flips = rng.randrange(1 << 7)
    explaining = harmless = 0.0
    for required in product((0, 1), repeat=7):
        bits = sum(bit << i for i, bit in enumerate(required))
        if all(bits & clause for clause in clauses):
            weight = prod(c if r else 1 - c for c, r in zip(chances, required, strict=True))
            explaining += weight
            harmless += weight * (not bits & flips)
    doubt = Doubt(dict(enumerate(chances)), clauses)
    assert doubt.harmless(flips) == pytest.approx(harmless / explaining)


def test_flipping_all_that_a_refusal_accuses_is_sure_to_be_refused():
    clauses = [0b11 << i for i in range(8)]
    assert Doubt(dict.fromkeys(range(9), 0.1), clauses).harmless(0b11 << 7) == 0.0


def trial(chances: dict[int, float], example: int = 0b1111) -> Trial:
    return Trial(example, 0b1111, 0b1111, 0, Doubt(chances, []), lambda shared: shared, singly=True)


def test_one_start_serves_the_doubts_about_several_actions():
    first, second = trial({0: 0.3, 1: 0.3, 2: 0.01, 3: 0.01}), trial({0: 0.01, 1: 0.01, 2: 0.3, 3: 0.3})
    best = best_round([first, second], [], [0b1111])
    assert {t for t, _, _ in best.runs} == {first, second}
    alone = best_round([first], [], [0b1111])
    assert best.told > alone.told > 0.99


def test_nothing_is_flipped_that_would_spoil_what_is_to_follow():
    doubted = trial(dict.fromkeys(range(4), 0.1))
    other = Sequel(0b1111, 0b1111, 1.0, None)
    assert best_round([doubted], [other], [0b1111]).runs == ()
    own = Sequel(0b1111, 0b1111, 1.0, doubted)
    assert best_round([doubted], [own], [0b1111]).runs != ()


STATIONS = 8


def launch_pad() -> str:
    """Switches that are thrown once, each if a lamp is lit; no lamp is ever lit again, nor put out."""
    flags = " ".join(f"(lamp{i}) (armed{i})" for i in range(STATIONS))
    actions = "".join(
        f"(:action throw{i} :parameters () :precondition (and (lamp{(2 * i) % STATIONS}) (armed{i}))"
        f" :effect (not (armed{i})))"
        for i in range(STATIONS)
    )
    return f"(define (domain pad) (:predicates {flags}) {actions})"


def test_switches_that_are_thrown_once_are_tried_side_by_side():
    model = read_domain(launch_pad(), "pad.pddl")
    knowledge, asked = interrogate(ModelAgent(model))
    assert knowledge.complete
    assert not differences(knowledge.model(), model)
    assert len(asked) <= 2.25 * literal_count(model)


def test_refusals_beyond_those_weighed_exactly_count_too():
    """One literal that all of many refusals share is the likely reason for them."""
    chances = dict.fromkeys(range(40), 0.05)
    refusals = [1 | 0b111 << 3 * number + 1 for number in range(12)]
    few, many = Doubt(chances, refusals[:6]), Doubt(chances, refusals)
    assert many.harmless(1) < few.harmless(1) < 0.2
