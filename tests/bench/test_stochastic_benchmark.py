"""`assay bench stochastic` and `intervals`: the oracle by hand, and a small fixed part of both."""

from __future__ import annotations

import json
import random
import re
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean

import pytest
from typer.testing import CliRunner

from assay.bench.intervals import SMALL, needed, summary
from assay.bench.intervals import measure as measure_intervals
from assay.bench.stochastic.oracle import oracle
from assay.bench.stochastic.runs import ORACLE, Job, Point, Run, checkpoints, examiner, measure
from assay.bench.stochastic.subjects import SAMPLES, SUBJECTS, subject
from assay.bench.stochastic.summary import charts, reset_rows, rows
from assay.bench.stochastic.verdict import right
from assay.cli.bench import bench_app
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal
from assay.errors import InputError
from assay.knowledge.intervals import wilson
from assay.pddl.reader import read_ppddl

physics = pytest.mark.skipif(find_spec("mujoco") is None, reason="MuJoCo is not installed")


def test_training_problems_are_small_and_tests_are_larger():
    for name in SUBJECTS:
        agent = subject(name)
        assert len(agent.training.objects) <= 7
        assert all(len(t.objects) > len(agent.training.objects) for t in agent.tests)
        assert examiner(name).full(agent.truth) == 0
    with pytest.raises(InputError, match="there are driving"):
        subject("toaster")


def test_the_oracle_spends_its_samples_on_chance_alone():
    truth = subject("warehouse").truth
    found = oracle(truth, 10, random.Random(0))
    for action in found.actions:
        shares = [o.probability for o in action.outcomes]
        assert sum(shares) == pytest.approx(1)
        if len(shares) > 1:
            assert all((share * 5) % 1 == pytest.approx(0) or share * 5 % 1 > 0.99 for share in shares)
        else:
            assert action == truth.action[action.header.name]


def test_the_oracle_is_as_far_away_as_counting_must_be():
    """One of two capabilities is stochastic: its mean error is that of a binomial share, a quarter counts."""
    truth, n, p = subject("driving").truth, 92, 0.8
    rng = random.Random(7)
    found = fmean(examiner("driving").full(oracle(truth, n, rng)) for _ in range(200))
    expected = (2 * p * (1 - p) / (3.14159 * n)) ** 0.5 / 4
    # the mean of 200 has a relative standard deviation of about 0.75 / sqrt(200); four of them
    assert found == pytest.approx(expected, rel=4 * 0.75 / 200**0.5)


def test_right_is_the_truth_and_nothing_else():
    truth = subject("driving").truth
    for everywhere in (True, False):
        assert right(truth, "driving", everywhere)
    move = truth.action["move-car"]
    sure = ActionModel.strips(move.header, move.needed, move.outcomes[0].literals)
    careless = ActionModel.chance(move.header, [], move.outcomes)
    for wrong in (sure, careless):
        model = Model(truth.vocabulary, (wrong, truth.action["changetire"]))
        assert not right(model, "driving", everywhere=True)
        assert not right(model, "driving", everywhere=False)
    assert not right(Model(truth.vocabulary, (move,)), "driving", everywhere=False)


def test_where_it_can_be_led_a_literal_that_always_holds_there_is_not_missed():
    """Nowhere in reach is the car in two places; needing that is wrong everywhere else."""
    truth = subject("driving").truth
    move = truth.action["move-car"]
    away = Literal(Atom("vehicle-at", ("?to",)), False)
    stricter = ActionModel.chance(move.header, move.needed | {away}, move.outcomes)
    model = Model(truth.vocabulary, (stricter, truth.action["changetire"]))
    assert right(model, "driving", everywhere=False)
    assert not right(model, "driving", everywhere=True)


def test_a_run_is_judged_on_its_way():
    found = measure(Job("driving", "qace", 0))
    assert found.samples == SAMPLES["driving"]
    assert [p.samples for p in found.curve] == sorted({p.samples for p in found.curve})
    assert found.curve[-1].full == found.full
    assert found.seconds >= 0
    assert (found.settled_after is not None) == found.right
    assert len(found.curve) <= len(checkpoints(92, 1))


@physics
def test_the_cafe_is_one_of_them():
    found = measure(Job("cafe", "qace", 0))
    assert found.samples <= 130
    assert found.full < 0.2


@pytest.mark.parametrize("name", ["driving", "warehouse"])
def test_the_default_learner_is_near_the_oracle_and_the_baselines_are_not(name):
    """Eight paired seeds. The bar is 1.25 over many; the mean of eight may be off by four deviations."""
    ours = [measure(Job(name, "sampling", seed)) for seed in range(8)]
    floor = [measure(Job(name, ORACLE, seed)) for seed in range(8)]
    babble = [measure(Job(name, "random", seed)) for seed in range(4)]
    assert all(run.right for run in ours)
    mean = fmean(run.full for run in ours)
    limit = fmean(run.full for run in floor)
    assert mean <= limit * (1.25 + 4 * 0.75 / 8**0.5)
    assert mean < fmean(run.full for run in babble)


def _run(method: str, seed: int, full: float, start: str = "", settled: int | None = 5) -> Run:
    curve = (Point(5, 0.1, 2 * full), Point(10, 0.2, full))
    return Run(Job("driving", method, seed, start), 10, 4, 0.2, full, full, True, settled, curve)


def test_rows_are_paired_by_seed():
    runs = [_run(ORACLE, 0, 0.1), _run(ORACLE, 1, 0.1)]
    runs += [_run("sampling", 0, 0.1), _run("sampling", 1, 0.3), _run("qace", 1, 0.4)]
    found = {row.method: row for row in rows(runs)}
    assert found["sampling"].ratio == pytest.approx(2)
    assert (found["qace"].ours, found["qace"].wins, found["qace"].paired) == (0.3, 1, 1)
    assert found["qace"].seconds_per_sample == pytest.approx(0.02)


def test_the_price_of_resets_is_the_difference():
    runs = [_run("sampling", 0, 0.1, "any", 20), _run("sampling", 0, 0.2, "reset", 90)]
    (row,) = reset_rows(runs)
    assert row.extra == 70
    (row,) = reset_rows([runs[0], _run("sampling", 0, 0.2, "reset", None)])
    assert row.extra is None


def test_curves_have_the_oracle_as_their_floor():
    by_samples, by_seconds = charts([_run(ORACLE, 0, 0.1), _run("qace", 0, 0.4)])
    assert [line.name for line in by_samples.lines] == ["qace", ORACLE]
    assert by_samples.lines[0].points == ((5, 0.8), (10, 0.4))
    assert [line.name for line in by_seconds.lines] == ["qace"]


def test_the_command(tmp_path):
    arguments = ["stochastic", "--agents", "driving", "--methods", "qace,random", "--seeds", "2"]
    arguments += ["--reset-seeds", "0", "--workers", "2", "--out", str(tmp_path)]
    result = CliRunner().invoke(bench_app, arguments)
    assert result.exit_code == 0, result.output
    assert "Distance from the truth" in result.output
    data = json.loads((tmp_path / "stochastic.json").read_text())
    assert {(row["method"], row["runs"]) for row in data["rows"]} == {(ORACLE, 2), ("qace", 2), ("random", 2)}
    assert (tmp_path / "stochastic.svg").read_text().startswith("<svg")
    refused = CliRunner().invoke(bench_app, ["stochastic", "--methods", "guessing", "--out", str(tmp_path)])
    assert refused.exit_code != 0


def test_intervals_of_a_few_runs(tmp_path):
    trials = [measure_intervals(seed, 80, 0.1) for seed in range(10)]
    found, stopping = summary(trials, 0.1)
    assert [row.probability for row in found] == pytest.approx([0.7, 0.2, 0.1])
    assert all(row.relative_width < 1.3 for row in found)
    assert stopping.bound == max(needed(p, 0.1) for p in (0.7, 0.2, 0.1))
    assert stopping.fewest > 0
    assert sum(o.probability for o in read_ppddl(SMALL, "urn").action["draw"].outcomes) == pytest.approx(1)


@pytest.mark.parametrize("probability", [0.5, 0.9, 0.01])
def test_the_bound_is_the_least_number_of_tries(probability):
    tries = needed(probability, 0.05)

    def half(n: int) -> float:
        low, high = wilson(probability, n, 0.95)
        return (high - low) / 2

    assert half(tries) <= 0.05 < half(tries - 1)


def test_the_page_shows_commands_that_exist():
    page = (Path(__file__).parents[2] / "docs/stochastic-benchmark.md").read_text()
    commands = re.findall(r"^\$ assay bench (.*?)(?: *#.*)?$", page, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        name, *options = command.split()
        shown = CliRunner().invoke(bench_app, [name, "--help"], env={"COLUMNS": "200"}).output
        assert all(option in shown for option in options if option.startswith("--"))
