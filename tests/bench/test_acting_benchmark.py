"""`assay bench acting`: the metrics by hand, the peers' door, and a fixed part of the benchmark itself."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from textwrap import dedent

import pytest
from rich.console import Console
from typer.testing import CliRunner

from assay.bench.acting import (
    PLANS,
    Row,
    compare,
    means,
    measure,
    price,
    size,
    with_every_action,
)
from assay.bench.acting_tables import (
    disagreements,
    failures,
    judged_table,
    other_table,
    price_of_acting_table,
    reasons,
)
from assay.bench.confined import ConfinedAgent
from assay.bench.peers import PeerRun, Peers, Scores
from assay.bench.peers_files import DOMAINS, installed, instance
from assay.bench.reachable import Agreement, agreement_on_reachable
from assay.bench.syntactic import Similarity, similarity
from assay.cli.bench import bench_app
from assay.core.model import Model
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.errors import InputError
from assay.pddl.reader import read_domain, read_problem
from assay.pddl.writer import write_domain
from assay.result import Outcome

SUBSET = ("blocksworld", "ferry", "grippers", "npuzzle", "visitall")
"""Small enough for every run of the tests."""

wheel = pytest.mark.skipif(not installed(), reason="the amlgym wheel is not installed")

RADIO = """
(define (domain radio)
  (:requirements :strips :typing :negative-preconditions)
  (:types post)
  (:predicates (at ?p - post) (free ?p - post) (told ?p - post) (road ?p ?q - post))
  (:action go
    :parameters (?p ?q - post)
    :precondition (and (at ?p) (road ?p ?q))
    :effect (and (at ?q) (not (at ?p))))
  (:action tell
    :parameters (?p - post)
    :precondition (and (at ?p) (free ?p) (not (told ?p)))
    :effect (and (not (free ?p)) (free ?p) (told ?p))))
"""
PROBLEM = """
(define (problem three) (:domain radio)
  (:objects a b c - post)
  (:init (at a) (free a) (free b) (free c) (road a b) (road b a) (road b c) (road c b))
  (:goal (told c)))
"""


def radio() -> Model:
    return read_domain(RADIO, "radio")


def changed(*replacements: tuple[str, str]) -> Model:
    text = RADIO
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    return read_domain(text, "changed")


@pytest.mark.parametrize(
    ("learned", "expected"),
    [
        (radio(), Similarity(1.0, 1.0)),
        # go: 4 of 4 literals, tell: 5 of the reference's 6
        (changed((" (not (told ?p)))", ")")), Similarity(1.0, (1 + 5 / 6) / 2)),
        # an extra negative precondition counts against precision, the other sign of a literal both ways
        (changed(("(at ?p) (road ?p ?q)", "(at ?p) (not (at ?q)) (road ?p ?q)")), Similarity(0.9, 1.0)),
        (changed(("(not (told ?p)))", "(told ?p))")), Similarity((1 + 5 / 6) / 2, (1 + 5 / 6) / 2)),
        # an action that was not learned says nothing, so nothing wrong
        (Model(radio().vocabulary, radio().actions[:1]), Similarity(1.0, 0.5)),
        (Model(radio().vocabulary, ()), Similarity(1.0, 0.0)),
    ],
)
def test_precision_and_recall_by_hand(learned: Model, expected: Similarity) -> None:
    found = similarity(learned, radio())
    assert (found.precision, found.recall) == pytest.approx((expected.precision, expected.recall))


def test_actions_that_were_not_learned_are_left_blank() -> None:
    part = Model(radio().vocabulary, radio().actions[1:])
    whole = read_domain(with_every_action(write_domain(part), radio()), "whole")
    assert [a.header.name for a in whole.actions] == ["go", "tell"]
    assert similarity(whole, radio()) == similarity(part, radio())


def test_parameters_are_matched_by_position() -> None:
    renamed = changed(
        (
            "(?p ?q - post)\n    :precondition (and (at ?p) (road ?p ?q))",
            "(?x ?y - post)\n    :precondition (and (at ?x) (road ?x ?y))",
        ),
        ("(at ?q) (not (at ?p))", "(at ?y) (not (at ?x))"),
    )
    assert similarity(renamed, radio()) == Similarity(1.0, 1.0)


def test_what_is_not_a_literal_counts_against_precision() -> None:
    either = changed(("(and (at ?p) (road ?p ?q))", "(and (at ?p) (road ?p ?q) (or (told ?p) (free ?q)))"))
    assert similarity(either, radio()) == Similarity(0.9, 1.0)
    at_times = changed(("(at ?q) (not (at ?p))", "(at ?q) (when (free ?p) (not (at ?p)))"))
    assert similarity(at_times, radio()) == Similarity((1 + 3 / 4) / 2, (1 + 3 / 4) / 2)


def judged(learned: Model, limit: int = 1500) -> Agreement:
    truth = radio()
    problem = read_problem(PROBLEM, truth.vocabulary)
    start = Universe(truth.vocabulary, problem.objects).state(sorted(problem.initial))
    return agreement_on_reachable(learned, truth, start, limit=limit)


def test_the_judge_counts_what_runs_what_does_not_and_where_it_leads() -> None:
    right = judged(radio())
    assert (right.first, right.whole, right.states) == ("", True, 24)
    assert (right.applicability_precision, right.applicability_recall, right.effects) == (1, 1, 1)
    free = judged(changed(("(at ?p) (road ?p ?q)", "(at ?p)")))
    assert free.first == "(go a c) does not run"
    assert (free.applicability_recall, free.effects) == (1, 1)
    assert free.applicability_precision < 1
    strict = judged(changed(("(at ?p) (road ?p ?q)", "(at ?p) (road ?p ?q) (told ?p)")))
    assert (strict.first, strict.applicability_precision) == ("(go a b) runs", 1)
    assert strict.applicability_recall < 1
    astray = judged(changed(("(at ?q) (not (at ?p))", "(at ?q)")))
    assert (astray.first, astray.applicability_precision) == ("(go a b) leads elsewhere", 1)
    assert astray.effects < 1


def test_the_judge_walks_where_there_are_too_many_states() -> None:
    found = judged(radio(), limit=10)
    assert (found.states, found.whole, found.first) == (10, False, "")


@pytest.mark.parametrize("start", [Start.RESET, Start.VISITED])
def test_a_confined_agent_starts_where_it_may(start: Start) -> None:
    model = radio()
    agent = ConfinedAgent(model, read_problem(PROBLEM, model.vocabulary), start)
    universe = Universe(agent.vocabulary, agent.objects)
    (initial,) = agent.states(60, universe)
    first = agent.ask(PlanQuery(initial, (Step("go", ("a", "b")), Step("go", ("a", "c")))))
    assert isinstance(first, PlanResponse)
    assert first.steps == 1
    again = agent.ask(PlanQuery(first.state, (Step("tell", ("b",)),)))
    assert isinstance(again, PlanResponse if start is Start.VISITED else Invalid)


@wheel
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_domain_of_the_benchmark_is_read(domain: str) -> None:
    one = instance(domain)
    assert one.problem.initial
    sizes = size(one.model, one.problem)
    assert sizes.actions == one.reference.count("(:action")
    assert sizes.ground_atoms >= len(one.problem.initial)
    assert one.trajectories
    assert one.tests()
    assert all(Path(path).is_file() for path in one.solve())


@wheel
@pytest.mark.parametrize("domain", SUBSET)
def test_what_is_learned_by_acting_is_true_within_reach(domain: str) -> None:
    ours = measure(instance(domain), strength=1)
    assert ours.outcome is Outcome.COMPLETE
    assert ours.agreement.first == ""
    assert ours.precision > 0.9
    assert ours.recall > 0.9


def test_the_price_of_acting_only() -> None:
    row = price("gripper", size=1, strength=0)
    assert [c.start for c in row.costs] == list(PLANS)
    assert not any(c.agreement.first for c in row.costs)
    assert {c.outcome for c in row.costs} == {Outcome.COMPLETE}


def test_a_run_that_takes_too_many_questions_is_stopped_and_said_so() -> None:
    row = price("gripper", size=1, strength=0, most=5)
    assert [c.questions for c in row.costs] == [5] * len(PLANS)
    assert {c.outcome for c in row.costs} == {Outcome.BUDGET}
    shown = StringIO()
    Console(width=200, file=shown).print(price_of_acting_table([row]))
    assert shown.getvalue().count("stopped") == len(PLANS) + 1  # and in the caption


def fake_environment(folder: Path, body: str) -> Path:
    """An environment whose Python answers by itself."""
    python = folder / "environment" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\ncat > request.json\n" + dedent(body))
    python.chmod(0o755)
    return folder / "environment"


ANSWER = """
    if grep -q '"learner"' request.json
    then echo '{"model": "(m)", "steps": 7, "seconds": 1.5}' > "$2"
    else echo '{"syntactic": {"precision": 0.5, "recall": 1.0}, "predictive": null, "solving": null,
                "notes": ["solving: no"]}' > "$2"
    fi
    echo asked >> "$(dirname "$0")/log"
"""


@wheel
def test_peers_are_asked_once_and_what_they_learned_is_kept(tmp_path: Path) -> None:
    environment = fake_environment(tmp_path, ANSWER)
    peers = Peers(environment, tmp_path / "kept", 20)
    run = peers.learn("OLAM", instance("ferry"))
    scores = Scores(0.5, 1.0, None, None, ("solving: no",))
    assert run == PeerRun("OLAM", scores, 7, 1.5, "", "(m)")
    assert peers.learn("OLAM", instance("ferry")) == run
    assert (environment / "bin" / "log").read_text().count("asked") == 2  # to learn, and to measure
    assert peers.score("(define)", "(define)", instance("ferry")) == scores


@wheel
def test_our_model_is_measured_beside_theirs(tmp_path: Path) -> None:
    peers = Peers(fake_environment(tmp_path, ANSWER), tmp_path / "kept", 20)
    row = compare(instance("npuzzle"), peers, ["OLAM", "SAM"], strength=0)
    assert row.ours.scores is not None
    assert [run.learner for run in row.peers] == ["OLAM", "SAM"]
    assert len(disagreements([row])) == 1  # the package here says 0.5 of everything
    assert other_table([row], ["OLAM"]).row_count == 2


@wheel
@pytest.mark.parametrize(
    ("body", "failure"),
    [
        ("echo oh >&2; echo no constants >&2; exit 1", "no constants"),
        ("exit 3", "exit code 3"),
        ("kill -XCPU $$", "not done in 20 s of processor time"),
    ],
)
def test_a_peer_that_fails_has_no_figure(tmp_path: Path, body: str, failure: str) -> None:
    peers = Peers(fake_environment(tmp_path, body), tmp_path / "kept", 20)
    run = peers.learn("SAM", instance("ferry"))
    assert run == PeerRun("SAM", failure=failure)
    with pytest.raises(InputError, match=failure):
        peers.score("(define)", "(define)", instance("ferry"))


@wheel
def test_a_peer_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    peers = Peers(fake_environment(tmp_path, "sleep 600 & sleep 600"), tmp_path / "kept", 0.3)
    assert peers.learn("SAM", instance("ferry")).failure == "not done in 3 s"


@wheel
def test_means_count_only_domains_with_a_model() -> None:
    one = instance("npuzzle")
    ours, sizes = measure(one, strength=0), size(one.model, one.problem)
    runs = (PeerRun("OLAM", Scores(0.5, 1.0)), PeerRun("SAM", failure="no"))
    rows = [Row("npuzzle", 0, sizes, ours, runs), Row("npuzzle", 0, sizes, ours, (PeerRun("OLAM"), runs[1]))]
    own, olam, sam = means(rows, ["OLAM", "SAM"])
    assert (own.learner, own.precision, own.domains) == ("assay", ours.precision, 2)
    assert (olam.precision, olam.domains, olam.complete) == (0.5, 1, False)
    assert sam.domains == 0
    assert failures(rows) == ["npuzzle: SAM has no model: no"] * 2
    assert judged_table(rows, ["OLAM", "SAM"], [own, olam, sam]).row_count == 3
    assert reasons(rows) == []


@wheel
def test_the_command_prints_and_keeps(tmp_path: Path) -> None:
    arguments = ["acting", "--domains", "npuzzle", "--learners", "", "--no-prices", "--strength", "0"]
    result = CliRunner().invoke(bench_app, [*arguments, "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "npuzzle" in result.output
    (row,) = json.loads((tmp_path / "acting.json").read_text())["rows"]
    assert row["ours"]["model"].startswith(";")
    assert row["size"]["ground_actions"] == 48


@wheel
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--domains", "chess", "--learners", ""], "no domain 'chess'"),
        (["--learners", "AlphaZero"], "unknown learner 'AlphaZero'"),
        (["--peers", "nowhere"], "make bench-acting"),
    ],
)
def test_bad_requests_are_refused(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(bench_app, ["acting", "--no-prices", *arguments])
    assert result.exit_code == 2
    assert message in result.output
