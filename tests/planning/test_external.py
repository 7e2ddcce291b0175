"""The optional planner: same questions, same verdicts as the built-in search."""

from __future__ import annotations

import importlib.util
from itertools import combinations
from pathlib import Path

import pytest
from planning_cases import MODES, random_case

from assay.errors import InputError
from assay.planning import external
from assay.planning.distinguish import separates
from assay.planning.planners import PLANNERS, builtin, planner
from assay.planning.search import GaveUp, Plan, TimedOut, Unsolvable, solve
from assay.planning.separation_pddl import SeparationText

INSTALLED = importlib.util.find_spec("up_fast_downward") is not None
needs_it = pytest.mark.skipif(not INSTALLED, reason="the extra 'fast-downward' is not installed")


def test_planners_have_names():
    assert planner("builtin") is builtin
    assert set(PLANNERS) == {"builtin", "fast-downward"}
    with pytest.raises(InputError, match="unknown planner 'fd'; there are builtin, fast-downward"):
        planner("fd")


def test_a_missing_package_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install .*\[fast-downward\]"):
        planner("fast-downward")


@pytest.mark.parametrize("seed", range(20))
def test_the_text_names_every_step_both_ways(seed):
    task = random_case(seed).task(("+", "0"))
    text = SeparationText(task)
    assert text.domain().count("(") == text.domain().count(")")
    assert text.problem().count("(") == text.problem().count(")")
    for line, step in (("(a o0)", ("a", ("o1",))), ("(b o1)", ("b", ("o2",))), ("(c)", ("c", ()))):
        assert text.step(line) == step


@pytest.mark.parametrize(
    ("code", "result"),
    [
        (10, Unsolvable()),
        (11, Unsolvable()),
        (12, GaveUp("the search was incomplete")),
        (13, Unsolvable()),
        (20, GaveUp("out of memory")),
        (21, TimedOut()),
        (22, GaveUp("out of memory")),
        (23, TimedOut()),
        (-9, GaveUp("ended by signal 9")),
    ],
)
def test_exit_codes(monkeypatch, code, result):
    monkeypatch.setattr(external, "require_fast_downward", lambda: Path("downward"))
    monkeypatch.setattr(external, "_run", lambda command, place, stdin=None: code)
    assert external.fast_downward(random_case(1).task(("+", "0"))) == result


def test_a_plan_that_does_not_separate_is_not_believed(monkeypatch):
    def lie(command, place, stdin=None):
        (place / "plan").write_text("(c)\n(c)\n; cost = 2 (unit cost)\n", encoding="utf-8")
        return 0

    monkeypatch.setattr(external, "require_fast_downward", lambda: Path("downward"))
    monkeypatch.setattr(external, "_run", lie)
    assert isinstance(external.fast_downward(random_case(1).task(("+", "0"))), GaveUp)


@needs_it
@pytest.mark.parametrize("seed", range(25))
def test_fast_downward_agrees_with_the_built_in_search(seed):
    decided = ((0.7, 0.7), (1.0, 0.5))[seed % 2]
    for pair in list(combinations(MODES, 2))[seed % 3 :: 2]:
        task = random_case(seed, decided).task(pair)
        ours, theirs = solve(task, max_nodes=10**6), external.fast_downward(task)
        assert type(ours) is type(theirs)
        if isinstance(theirs, Plan):
            assert separates(task, theirs.steps)
            assert isinstance(ours, Plan)
            assert len(theirs.steps) == len(ours.steps)


@needs_it
def test_a_bound_on_the_length_is_kept():
    found = 0
    for seed in range(200):
        task = random_case(seed, (1.0, 0.8)).task(("+", "0"))
        plan = solve(task, max_nodes=10**6)
        if isinstance(plan, Plan) and len(plan.steps) == 2:
            assert external.fast_downward(task, 1) == Unsolvable()
            longer = external.fast_downward(task, 2)
            assert isinstance(longer, Plan)
            assert len(longer.steps) == 2
            found += 1
        if found == 3:
            break
    assert found


@needs_it
def test_a_time_limit_is_a_time_out(monkeypatch):
    monkeypatch.setattr(external, "SECONDS", 0.001)
    assert external.fast_downward(random_case(1).task(("+", "0"))) == TimedOut()
