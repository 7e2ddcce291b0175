from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from importlib.resources import files

import pytest

from assay.bench.problems import DOMAINS, EXTRA, SIZES, domain_text, load, problem
from assay.core.execution import Execution
from assay.core.formula import conjuncts
from assay.core.universe import Universe
from assay.errors import InputError
from assay.pddl.reader import read_domain, read_problem
from assay.planning.applicable import Applicable
from assay.scoring.normal_form import literal_count

ALL = (*DOMAINS, *EXTRA)

SHAPE = {
    "gripper": (6, 3),
    "blocksworld": (9, 4),
    "miconic": (9, 4),
    "parking": (14, 4),
    "logistics": (12, 6),
    "satellite": (14, 5),
    "termes": (33, 7),
    "rovers": (45, 9),
    "barman": (52, 12),
    "freecell": (61, 10),
}
"""Precondition literals and actions of the ten domains."""


def test_the_ten_domains_have_the_sizes_they_are_known_for() -> None:
    found = {name: read_domain(domain_text(name)) for name in DOMAINS}
    assert {n: (literal_count(m), len(m.actions)) for n, m in found.items()} == SHAPE
    termes = found["termes"]
    assert sum(not x.positive for a in termes.actions for x in a.needed) == 3
    assert termes.vocabulary.predicate["has-block"].arity == 0
    logistics = found["logistics"].vocabulary
    assert sum(len(logistics.lifted_atoms(a.name)) for a in logistics.actions) == 18


def test_every_bundled_file_is_listed() -> None:
    bundled = {f.name.removesuffix(".pddl") for f in files("assay.bench").joinpath("domains").iterdir()}
    assert bundled == {*ALL, "delivery-problem", "adl"}
    assert len(set(ALL)) == len(ALL)


@pytest.mark.parametrize("name", ALL)
def test_a_domain_says_what_it_is(name: str) -> None:
    assert domain_text(name).startswith("; ")
    assert read_domain(domain_text(name)).vocabulary.name == name


def test_the_hand_written_problem() -> None:
    model = read_domain(domain_text("delivery"))
    text = files("assay.bench").joinpath("domains", "delivery-problem.pddl").read_text(encoding="utf-8")
    written = read_problem(text, model.vocabulary)
    assert written.domain == "delivery"
    assert written.goal


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("size", [2, 3])
def test_random_walks_execute_every_action(name: str, size: int) -> None:
    model, situation = load(name, size, 0)
    universe = Universe(model.vocabulary, situation.objects)
    applicable, rng = Applicable(Execution(model, universe)), random.Random(0)
    start = bits = universe.bits(sorted(situation.initial))
    waiting = set(model.action)
    for number in range(2000):
        drawn = applicable.draw(bits, rng) if number % 200 else applicable.draw(start, rng)
        if drawn is None:
            bits = start
            continue
        step, bits = drawn
        waiting.discard(step.action)
        if not waiting:
            break
    assert not waiting


@pytest.mark.parametrize("name", ALL)
def test_every_size_can_be_read_and_larger_ones_are_larger(name: str) -> None:
    counts = []
    for size in (SIZES[0], SIZES[4], SIZES[-1]):
        _, situation = load(name, size, 1)
        assert situation.name == f"{name}-{size}-1"
        assert situation.goal
        assert not {x.atom for x in conjuncts(situation.goal)} <= situation.initial
        counts.append(len(situation.objects) + len(situation.initial))
    assert counts == sorted(set(counts))


def test_seeds_differ() -> None:
    assert problem("logistics", 3, 0) != problem("logistics", 3, 1)


DIGEST = """
import hashlib
from assay.bench.problems import DOMAINS, EXTRA, problem
text = "".join(problem(name, 2, 0) for name in (*DOMAINS, *EXTRA))
print(hashlib.sha256(text.encode()).hexdigest())
"""


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_problems_are_the_same_in_every_process(hash_seed: str) -> None:
    text = "".join(problem(name, 2, 0) for name in ALL)
    run = subprocess.run(
        [sys.executable, "-c", DIGEST],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
    )
    assert run.stdout.strip() == hashlib.sha256(text.encode()).hexdigest()


def test_unknown_names_and_sizes() -> None:
    with pytest.raises(InputError, match="no bundled domain 'chess'; there are barman, blocksworld"):
        domain_text("chess")
    with pytest.raises(InputError, match="no bundled domain"):
        problem("delivery-problem", 1, 0)
    with pytest.raises(InputError, match="sizes go from 1 to 10, not 11"):
        problem("ferry", 11, 0)
