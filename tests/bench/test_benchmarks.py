"""Small instances of the benchmarks: what the numbers mean, not how large they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assay.bench import adl, growth, outside, questions
from assay.bench.judging import Verdict
from assay.bench.outside_tables import failures
from assay.bench.questions import Case, Method, methods, totals
from assay.bench.subjects import domains_named, subject
from assay.cli.bench import bench_app
from assay.core.formula import leaves
from assay.errors import InputError
from assay.testing.hidden import KINDS, OUTSIDE, UNSEEN

PLAIN = Method("interrogate", 0)
SEED = 1


# ---- questions


@pytest.mark.parametrize("domain", ["gripper", "delivery"])
def test_questions_are_few_and_the_model_is_right(domain: str) -> None:
    rows = [questions.measure(Case(domain, m, 2)) for m in methods(["interrogate", "naive"], [0, 2])]
    for row in rows:
        assert [run.verdict for run in row.runs] == [Verdict.RIGHT] * 2
        assert [run.size for run in row.runs] == [1, 2]
        assert row.questions is not None
        assert row.questions.mean >= row.bound >= row.precondition_literals
        assert row.ratio == row.questions.mean / row.bound
        assert not row.complaints()
    weak, strong, naive = rows
    assert weak.bound == weak.precondition_literals < strong.bound
    assert weak.ratio is not None
    assert weak.ratio < 2
    assert naive.questions is not None
    assert weak.questions is not None
    assert weak.questions.mean < naive.questions.mean


def test_naive_is_priced_where_it_is_not_run() -> None:
    row = questions.measure(Case("freecell", Method("naive"), 1))
    assert (row.runs, row.questions, row.ratio) == ((), None, None)
    assert row.price > questions.MOST_NAIVE


def test_totals_are_over_domains_with_and_without_a_published_figure() -> None:
    rows = [questions.measure(Case(d, PLAIN, 1)) for d in ("gripper", "delivery")]
    (published,), (other,) = totals(rows, published=True), totals(rows, published=False)
    assert (published.domains, published.published, published.bound) == (1, 17, 6)
    assert (other.domains, other.published, other.right, other.runs) == (1, None, 1, 1)
    assert rows[0].questions is not None
    assert published.questions == rows[0].questions.mean


def test_published_figures_add_up() -> None:
    assert sum(p.questions for p in questions.PUBLISHED.values()) == 1672


def test_subjects_by_name() -> None:
    assert domains_named([])[:2] == ["gripper", "blocksworld"]
    assert domains_named(["ferry"]) == ["ferry"]
    assert subject("ferry", 2, 0) != subject("ferry", 3, 0)
    with pytest.raises(InputError, match="gripper"):
        domains_named(["nowhere"])
    with pytest.raises(InputError, match="naive"):
        methods(["guess"], [0])


# ---- growth


@pytest.mark.parametrize("terms", growth.TERMS)
def test_growth_of_the_smallest_size(terms: int) -> None:
    row = growth.measure(growth.Case(10, 1, terms, 2))
    assert row.verdict is Verdict.RIGHT
    assert row.literals == growth.NEEDS
    assert (row.bound is not None) == (terms == 1)
    assert row.questions_per_literal == row.questions / growth.NEEDS


def test_synthetic_models_are_what_they_say() -> None:
    model = growth.synthetic(10, 3, 4, seed=1)
    assert model == growth.synthetic(10, 3, 4, seed=1)
    assert model != growth.synthetic(10, 3, 4, seed=2)
    for action in model.actions:
        assert len(model.vocabulary.lifted_atoms(action.header.name)) == 10
        assert len(list(leaves(action.precondition))) == growth.NEEDS
        assert len(action.effects) == 2
    assert all(a.is_strips for a in growth.synthetic(10, 3, 1).actions)


# ---- hidden agents


def test_kinds_and_modes_by_name() -> None:
    assert outside.kinds_named([]) == [*KINDS, *OUTSIDE]
    assert outside.kinds_named(["unseen"]) == list(UNSEEN)
    assert outside.kinds_named(["toggle", "named"])[:2] == ["toggle", "plain"]
    assert outside.modes_named([]) == list(outside.Mode)
    with pytest.raises(InputError, match="exclusive or"):
        outside.kinds_named(["sensible"])
    with pytest.raises(InputError, match="bare-last"):
        outside.modes_named(["loud"])


@pytest.mark.parametrize("mode", ["bare-between", "bare-last", "offers-last"])
@pytest.mark.parametrize("kind", ["plain", "or instead", "exclusive or"])
def test_hidden_agents_are_learned_and_judged(kind: str, mode: str) -> None:
    row = outside.measure(outside.Case(kind, SEED, outside.Mode(mode), 2))
    assert row.verdict is Verdict.RIGHT, row
    assert row.questions
    assert row.steps
    assert [a.action for a in row.actions] == ["mend", "push", "sort"]
    assert not failures([row])


def test_summaries_count_runs_by_kind_and_by_mode() -> None:
    cases = [outside.Case("plain", n, outside.Mode.BARE_BETWEEN, 0) for n in range(2)]
    rows = [outside.measure(case) for case in cases]
    (kind,), (mode,) = outside.summaries(rows), outside.summaries(rows, by_mode=True)
    assert (kind.name, mode.name) == ("plain", "bare-between")
    assert kind.runs == mode.runs == 2
    assert sum(kind.verdicts.values()) == 2
    assert outside.within(rows) == rows


# ---- ADL


def test_a_domain_with_conditional_effects_is_learned() -> None:
    row = adl.measure(adl.Case("lights-out", 2, tells=True))
    assert row.verdict is Verdict.RIGHT, row
    assert (row.right, row.needed) == (1, 1)


# ---- commands


def test_the_questions_command(tmp_path: Path) -> None:
    options = ["--domains", "gripper,delivery", "--problems", "1", "--strengths", "0,1"]
    options += ["--strategies", "interrogate,naive"]
    data = _run(["questions", *options], tmp_path, "questions")
    assert [r["domain"] for r in data["rows"]] == ["gripper"] * 3 + ["delivery"] * 3
    assert [r["method"]["strategy"] for r in data["rows"][:3]] == ["interrogate", "interrogate", "naive"]
    assert [r["bound"] for r in data["rows"][:3]] == [6, 12, 6]
    assert data["rows"][0]["published"]["questions"] == 17
    assert data["rows"][-1]["published"] is None
    shown = CliRunner().invoke(bench_app, ["questions", *options, "--out", str(tmp_path)]).stdout
    assert "total of 1" in shown
    assert "delivery" in shown
    assert "WRONG" not in shown


def test_the_outside_command(tmp_path: Path) -> None:
    options = ["--kinds", "plain,wear", "--seeds", "1", "--modes", "bare-last", "--strength", "0"]
    data = _run(["outside", *options], tmp_path, "outside")
    assert [r["case"]["kind"] for r in data["rows"]] == ["plain", "wear"]
    assert {"verdict", "questions", "steps", "seconds", "actions"} <= data["rows"][0].keys()
    shown = CliRunner().invoke(bench_app, ["outside", *options, "--out", str(tmp_path)]).stdout
    assert "outside class" in shown
    assert "not settled" in shown


def test_the_adl_command(tmp_path: Path) -> None:
    data = _run(["adl", "--domains", "lights-out", "--strengths", "1"], tmp_path, "adl")
    assert [r["case"]["tells"] for r in data["rows"]] == [True, False]


def test_the_growth_command(tmp_path: Path) -> None:
    options = ["--atoms", "10", "--actions", "1", "--terms", "1,2", "--strengths", "0"]
    data = _run(["growth", *options], tmp_path, "growth")
    assert [r["case"]["terms"] for r in data["rows"]] == [1, 2]
    assert {"literals", "bound", "questions", "seconds"} <= data["rows"][0].keys()


def test_the_causes_command(tmp_path: Path) -> None:
    data = _run(["causes"], tmp_path, "causes")
    assert all(row["causes"] == 10 and row["all_causes"] >= 10 for row in data["rows"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["questions", "--domains", "nowhere"],
        ["questions", "--domains", "gripper", "--strategies", "guess"],
        ["questions", "--strengths", "4"],
        ["outside", "--kinds", "sensible"],
        ["outside", "--strength", "many"],
        ["adl", "--domains", "suitcase"],
        ["growth", "--atoms", "many"],
        ["growth", "--atoms", "0"],
        ["growth", "--terms", "5"],
    ],
)
def test_bad_input_is_told_in_words(arguments: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(bench_app, [*arguments, "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "assay: " in result.stderr


def _run(arguments: list[str], folder: Path, name: str) -> dict[str, Any]:
    """The JSON that a command prints, which is also what it keeps."""
    result = CliRunner().invoke(bench_app, [*arguments, "--json", "--out", str(folder)])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["benchmark"] == name
    assert json.loads((folder / f"{name}.json").read_text()) == data
    return data
