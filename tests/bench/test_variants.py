from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.bench.problems import load
from assay.bench.questions import Verdict
from assay.bench.variants import CROWD, SIZE, Case, Kind, measure, variant
from assay.cli.bench import bench_app
from assay.core.execution import Execution
from assay.core.universe import Universe
from assay.planning.applicable import applicable_steps
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import literal_count


@pytest.mark.parametrize("kind", Kind)
def test_a_variant_depends_on_its_seed_alone(kind: Kind) -> None:
    assert variant(Case("grid", kind, 3)) == variant(Case("grid", kind, 3))
    if kind is not Kind.PLAIN:
        assert variant(Case("grid", kind, 3)) != variant(Case("grid", kind, 4))


@pytest.mark.parametrize("seed", [0, 1])
def test_one_action_forbids_more_and_nothing_else_changes(seed: int) -> None:
    before, _ = load("depots", SIZE, seed)
    drawn = variant(Case("depots", Kind.FORBIDDING, seed))
    assert drawn is not None
    after, _, (name,) = drawn
    assert all(name in difference for difference in differences(before, after))
    more = after.action[name].needed - before.action[name].needed
    assert 2 <= len(more) <= 3
    assert not any(literal.positive for literal in more)
    added = {e.atom for e in before.action[name].plain_effects if e.positive}
    if seed == 0:
        assert added & {literal.atom for literal in more}


def test_half_of_the_actions() -> None:
    before, _ = load("depots", SIZE, 0)
    drawn = variant(Case("depots", Kind.HALF, 0))
    assert drawn is not None
    after, _, names = drawn
    assert len(names) == len(before.actions) // 2
    assert literal_count(after) == literal_count(before) + 2 * len(names)


def test_a_crowd_of_predicates_holds_of_some_things() -> None:
    drawn = variant(Case("gripper", Kind.CROWDED, 0))
    assert drawn is not None
    model, problem, _ = drawn
    assert len(model.vocabulary.predicates) == CROWD
    extra = [p.name for p in model.vocabulary.predicates if p.name.startswith("extra")]
    told = {atom.predicate for atom in problem.initial}
    assert told & set(extra)


def test_an_opposite_behaves_as_before() -> None:
    """The same steps run, however the predicate is told."""
    before, problem = load("blocksworld", SIZE, 5)
    drawn = variant(Case("blocksworld", Kind.OPPOSITE, 5))
    assert drawn is not None
    after, told, (chosen,) = drawn
    assert {a.predicate for a in problem.initial ^ told.initial} == {chosen}
    worlds = []
    for model, situation in ((before, problem), (after, told)):
        universe = Universe(model.vocabulary, situation.objects)
        execution, state = Execution(model, universe), universe.state(sorted(situation.initial))
        first = sorted(applicable_steps(model, universe, state.bits))
        second = execution.run(state, (first[0],))[1]
        worlds.append((first, sorted(applicable_steps(model, universe, second.bits))))
    assert worlds[0] == worlds[1]


def test_new_names_for_everything() -> None:
    before, _ = load("driverlog", SIZE, 0)
    drawn = variant(Case("driverlog", Kind.RENAMED, 0))
    assert drawn is not None
    model, problem, _ = drawn
    assert literal_count(model) == literal_count(before)
    assert not {a.name for a in model.vocabulary.actions} & {a.name for a in before.vocabulary.actions}
    assert not {p.name for p in model.vocabulary.predicates} & set(before.vocabulary.predicate)
    assert all(o.name.startswith("w") for o in problem.objects)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("domain", ["gripper", "hanoi", "delivery"])
def test_the_right_model_in_few_questions(domain: str, kind: Kind) -> None:
    row = measure(Case(domain, kind, 1))
    assert row is not None
    assert row.verdict is Verdict.CORRECT
    assert row.excess == row.questions - row.precondition_literals
    assert 0 <= row.excess <= (10 if kind is Kind.HALF else 4)


def test_the_command(tmp_path: Path) -> None:
    options = ["variants", "--domains", "gripper,visitall", "--kinds", "plain,half", "--out", str(tmp_path)]
    result = CliRunner().invoke(bench_app, options)
    assert result.exit_code == 0, result.output
    assert "two more negative preconditions" in result.stdout
    data = json.loads((tmp_path / "variants.json").read_text())
    assert len(data["rows"]) + len(data["no_such_variant"]) == 8
    assert data["rows"][0]["case"] == {"domain": "gripper", "kind": "plain", "seed": 0, "walks": True}


@pytest.mark.parametrize("bad", [["--domains", "nowhere"], ["--kinds", "odd"]])
def test_bad_input_is_told_in_words(bad: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(bench_app, ["variants", *bad, "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "assay: unknown" in result.stderr
