"""Small instances of the benchmarks: what the numbers mean, not how large they are."""

from __future__ import annotations

import json
import random
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from assay.agents.model import ModelAgent
from assay.old_assessment import assess
from assay.bench import growth, observational, questions
from assay.bench.accuracy import Curve, Point, Truth, checkpoints, interrogation_curve, random_traces
from assay.bench.observational import Trace, learn
from assay.bench.plot import Chart, Line, draw
from assay.bench.problems import load
from assay.bench.questions import Verdict, judge
from assay.cli.bench import bench_app
from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.errors import InputError
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import normalised, normalised_action

INSTALLED = find_spec("offlam") is not None


@pytest.fixture(autouse=True)
def _without_offlam(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the optional learner out, as if it were not installed; tests of it say so."""
    if "real_learner" not in request.fixturenames:
        monkeypatch.setattr(observational, "import_module", _missing)


def _missing(name: str) -> None:
    raise ImportError(name)


@pytest.fixture
def real_learner() -> None:
    if not INSTALLED:
        pytest.skip("OffLAM is not installed")


@pytest.mark.parametrize("domain", ["gripper", "miconic", "delivery"])
def test_questions_are_few_and_the_model_is_right(domain: str) -> None:
    row = questions.measure(domain, size=2, seed=0, methods=("chain", "chain-own", "naive"), problems=1)
    for run in row.runs:
        assert run.verdict is Verdict.CORRECT, run
        assert not run.open
        assert not run.faults
        assert run.steps >= run.questions >= run.search
    assert row.slots == 2 * row.lifted_atoms
    chain, own, naive = row.runs
    assert chain.questions <= row.precondition_literals + 2
    assert max(chain.questions, own.questions) <= naive.questions
    assert chain.equivalent_models == naive.equivalent_models
    assert row.spread is not None
    assert row.spread.sizes == (1,)
    assert row.spread.verdicts == (Verdict.CORRECT,)


def test_naive_is_priced_where_it_is_not_run() -> None:
    row = questions.measure("freecell", size=1, seed=0, methods=("naive",), problems=0)
    run = row.run("naive")
    assert run is not None
    assert run.verdict is Verdict.NOT_RUN
    assert run.questions > 2**row.most_lifted_atoms
    assert run.steps == 0


def test_totals_are_over_the_domains_with_a_published_figure() -> None:
    rows = [
        questions.measure(d, size=1, seed=0, methods=("chain",), problems=0) for d in ("gripper", "delivery")
    ]
    total = questions.totals(rows)
    assert total.domains == 1
    assert total.published == 17
    assert total.questions == {"chain": rows[0].runs[0].questions}
    assert total.per_published["chain"] == total.questions["chain"] / 17
    assert questions.totals(rows[1:]).per_published == {}


def test_published_figures_add_up() -> None:
    assert sum(p.questions for p in questions.PUBLISHED.values()) == 1672


def test_a_strategy_nobody_knows() -> None:
    with pytest.raises(InputError, match="chain-own"):
        questions.measure("gripper", size=1, seed=0, methods=("guess",), problems=0)


def test_open_is_not_wrong_and_wrong_is_not_open() -> None:
    model, problem = load("gripper", 1, 0)
    agent = ModelAgent(model, problem.objects, (problem.initial,))
    partial = assess(agent, budget=3)
    assert judge(partial, model) == (Verdict.INCOMPLETE, ())
    complete = assess(agent)
    assert judge(complete, model) == (Verdict.CORRECT, ())
    other = _without_a_precondition(model)
    verdict, faults = judge(complete, other)
    assert verdict is Verdict.WRONG
    assert len(faults) == 1


def test_scores_count_slots() -> None:
    model, problem = load("gripper", 1, 0)
    truth = Truth(model)
    whole = truth.score_model(model)
    assert (whole.correct, whole.wrong, whole.open) == (20, 0, 0)
    assert truth.score_model(normalised(model)).accuracy == 1
    assert truth.score_model(_without_a_precondition(model)).wrong == 1
    nothing = truth.score_model(Model(model.vocabulary, ()))
    literals = sum(len(a.needed) + len(a.plain_effects) for a in normalised(model).actions)
    assert nothing.wrong == literals
    unasked = assess(ModelAgent(model, problem.objects, (problem.initial,)), budget=0)
    assert truth.score(unasked.knowledge).open == whole.total


@pytest.mark.parametrize("strategy", ["chain", "aia"])
def test_accuracy_rises_to_one(strategy: str) -> None:
    curve = interrogation_curve("gripper", strategy, 2, 0)
    accuracies = [p.accuracy for p in curve.points]
    assert [p.questions for p in curve.points] == list(range(1, len(accuracies) + 1))
    assert accuracies == sorted(accuracies)
    assert curve.last == 1
    assert curve.perfect_after is not None
    assert curve.perfect_after <= len(accuracies)
    assert not any(p.wrong for p in curve.points)
    assert curve.at(0) == 0
    assert curve.at(10_000) == 1


def test_a_curve_that_falls_back_was_never_perfect() -> None:
    points = (Point(1, 1.0, 0), Point(2, 0.9, 1), Point(5, 1.0, 0), Point(6, 1.0, 0))
    assert Curve("d", "x", points).perfect_after == 5
    assert Curve("d", "x", points[:2]).perfect_after is None
    assert Curve("d", "x", points).at(4) == 0.9


def test_checkpoints_reach_the_end_without_repeating() -> None:
    assert checkpoints(0) == []
    assert checkpoints(3) == [1, 2, 3]
    found = checkpoints(200)
    assert found == sorted(set(found))
    assert found[-1] == 200
    assert len(found) < 60


def test_random_traces_follow_the_model() -> None:
    model, traces = _traces("blocksworld", 5)
    assert len(traces) == 5
    again = _traces("blocksworld", 5)[1]
    assert [t.steps for t in traces] == [t.steps for t in again]
    for trace in traces:
        assert len(trace.steps) == 3
        assert len(trace.states) == 4
        for before, step, after in zip(trace.states, trace.steps, trace.states[1:], strict=False):
            assert Execution(model, trace.universe).apply(before, step) == after


def test_the_missing_learner_says_how_to_get_it() -> None:
    model, traces = _traces("gripper", 1)
    with pytest.raises(InputError, match=r"pip install .*\[bench\]"):
        learn(model.vocabulary, traces)


@pytest.mark.parametrize("domain", ["gripper", "blocksworld", "logistics"])
def test_the_real_learner_learns(real_learner: None, domain: str) -> None:
    model, traces = _traces(domain, 60)
    learned = learn(model.vocabulary, traces)
    assert not differences(learned, model)


def test_what_the_learner_writes_comes_back_in_our_names(monkeypatch: pytest.MonkeyPatch) -> None:
    model, traces = _traces("blocksworld", 2)

    def copy(domain: str, paths: list[str]) -> str:
        assert "(not (" in Path(paths[0]).read_text()
        return Path(domain).read_text()

    monkeypatch.setattr(observational, "_algorithm", lambda: copy)
    learned = learn(model.vocabulary, traces)
    assert learned.vocabulary == model.vocabulary
    assert [a.header for a in learned.actions] == list(model.vocabulary.actions)
    assert not any(a.needed or a.plain_effects for a in learned.actions)


@pytest.mark.parametrize("fault", [ValueError("no"), SystemExit(), "(define (domain watched))", ""])
def test_a_learner_that_fails_is_an_error_in_words(
    fault: BaseException | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, traces = _traces("gripper", 1)

    def fail(domain: str, paths: list[str]) -> str:
        if isinstance(fault, str):
            return fault
        raise fault

    monkeypatch.setattr(observational, "_algorithm", lambda: fail)
    with pytest.raises(InputError, match="OffLAM"):
        learn(model.vocabulary, traces)


def test_growth_of_the_smallest_size() -> None:
    row = growth.measure(10, 1)
    assert row.verdict is Verdict.CORRECT
    assert row.slots == 20
    assert row.precondition_literals == growth.NEEDS
    assert row.questions <= row.precondition_literals + 2
    assert row.questions_per_literal == row.questions / 5
    short = growth.measure(100, 1, max_plan=16)
    long = growth.measure(100, 1)
    assert short.verdict is long.verdict is Verdict.CORRECT
    assert short.steps < long.steps
    assert short.questions >= long.questions


def test_synthetic_models_are_what_they_say() -> None:
    model = growth.synthetic(10, 3, seed=1)
    assert model == growth.synthetic(10, 3, seed=1)
    assert model != growth.synthetic(10, 3, seed=2)
    for action in model.actions:
        assert len(model.vocabulary.lifted_atoms(action.header.name)) == 10
        assert len(action.needed) == growth.NEEDS
        assert len(normalised_action(action).plain_effects) == 2


def test_a_plot_is_xml_with_a_line_per_learner() -> None:
    lines = (Line("one <&>", ((1.0, 0.0), (10.0, 1.0))), Line("two", ((1.0, 0.5), (300.0, 0.75))))
    charts = [Chart(f"chart {n}", "x", "y", lines, log_x=n == 0, y_range=(0.0, 1.0)) for n in range(3)]
    text = draw(charts, columns=2)
    assert text == draw(charts, columns=2)
    root = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    drawn = root.findall(f".//{name}polyline")
    assert len(drawn) == 6
    for line in drawn:
        for pair in line.attrib["points"].split():
            x, y = map(float, pair.split(","))
            assert 0 <= x <= 420
            assert 0 <= y <= 290
    texts = [t.text for t in root.iter(f"{name}text")]
    assert {"chart 0", "one <&>", "0.2", "1", "300"} <= set(texts)
    ElementTree.fromstring(draw([]))
    ElementTree.fromstring(draw([Chart("empty", "x", "y", ())]))


def test_the_questions_command(tmp_path: Path) -> None:
    options = ["--domains", "gripper,delivery", "--problems", "1", "--strategies", "chain,naive"]
    data = _run(["questions", *options], tmp_path, "questions")
    assert [r["domain"] for r in data["rows"]] == ["gripper", "delivery"]
    assert {"questions", "search", "steps", "seconds", "verdict", "open"} <= data["rows"][0]["runs"][0].keys()
    assert data["rows"][0]["published"]["questions"] == 17
    assert data["rows"][1]["published"] is None
    assert data["totals"]["published"] == 17
    result = CliRunner().invoke(bench_app, ["questions", *options, "--out", str(tmp_path)])
    assert result.stderr == "questions: gripper (1 of 2)\nquestions: delivery (2 of 2)\n"
    shown = result.stdout
    assert "total of 1" in shown
    assert "delivery" in shown
    assert "WRONG" not in shown


def test_the_accuracy_command_without_the_optional_learner(tmp_path: Path) -> None:
    data = _run(["accuracy", "--domains", "gripper", "--size", "1"], tmp_path, "accuracy")
    assert [c["learner"] for c in data["curves"]] == ["chain", "aia"]
    assert all(c["points"][-1]["accuracy"] == 1 for c in data["curves"])
    assert "[bench]" in data["notes"][0]
    ElementTree.fromstring((tmp_path / "accuracy.svg").read_text())


def test_the_causes_command(tmp_path: Path) -> None:
    data = _run(["causes"], tmp_path, "causes")
    assert all(row["causes"] == 10 and row["all_causes"] >= 10 for row in data["rows"])


def test_the_growth_command(tmp_path: Path) -> None:
    data = _run(["growth", "--atoms", "10", "--actions", "1"], tmp_path, "growth")
    assert [r["max_plan"] for r in data["rows"]] == [None, 16]
    assert {"slots", "precondition_literals", "questions", "microseconds_per_slot"} <= data["rows"][0].keys()


@pytest.mark.parametrize(
    "arguments",
    [
        ["questions", "--domains", "nowhere"],
        ["questions", "--domains", "gripper", "--strategies", "guess"],
        ["growth", "--atoms", "many"],
        ["growth", "--atoms", "0"],
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


def _traces(domain: str, count: int) -> tuple[Model, tuple[Trace, ...]]:
    model, problem = load(domain, 2, 0)
    agent = ModelAgent(model, problem.objects, (problem.initial,))
    return model, random_traces(model, agent, random.Random(0), count)


def _without_a_precondition(model: Model) -> Model:
    """The model with one precondition literal less, one that no effect of its action is about."""
    for number, action in enumerate(model.actions):
        touched = {e.atom for e in action.plain_effects}
        if spare := sorted(x for x in action.needed if x.atom not in touched):
            fewer = ActionModel.strips(action.header, action.needed - {spare[0]}, action.plain_effects)
            return Model(model.vocabulary, (*model.actions[:number], fewer, *model.actions[number + 1 :]))
    raise AssertionError("every precondition literal is touched by an effect")
