"""The benchmark of capabilities, on the smallest grids."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.bench import games
from assay.bench.answers import Asked, Bound, Denials, Told
from assay.bench.examination import Score
from assay.bench.games_bars import missed
from assay.cli import app
from assay.cli.bench.presentation import measured
from assay.discovery.atlas import Atlas
from assay.discovery.quantified import Facts
from assay.discovery.schema import Places, Schema
from assay.discovery.shape import Lifter
from assay.games.opening import open_game


def test_the_table_and_its_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LARGEST", "4x4")
    command = "bench games --games escape --agents search --sizes 3x3 --seeds 1 --situations 20 --workers 1"
    result = CliRunner().invoke(app, [*command.split(), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    data = json.loads((tmp_path / "games.json").read_text())
    (run,) = data["runs"]
    assert run["theorem"]
    assert run["agent_questions"] <= games.PUBLISHED["escape", "3x3"] / 2
    assert run["score"]["wrong"] == run["score"]["missed"] == 0
    assert data["few_shot"]["escape search"][0]["wrong"] == 0
    assert data["bars_missed"] == []
    assert "Every bar is held." in result.output


def test_the_number_of_processes_makes_no_difference() -> None:
    jobs = [games.Job("escape", "3x3", "search"), games.Job("escape", "3x3", "policy-hand")]
    measure = partial(games.measure, seeds=2, situations=20)
    alone, together = (measured(measure, jobs, workers, chunk=1) for workers in (1, 2))
    for one, other in zip(alone, together, strict=True):
        assert (one.job, one.score, one.bound) == (other.job, other.score, other.bound)
        assert [timeless(r) for r in one.runs] == [timeless(r) for r in other.runs]


def timeless(run: games.Run) -> games.Run:
    return replace(run, seconds=0, agent_seconds=0)


def test_bars_that_are_not_held_are_said() -> None:
    run = games.Run("zelda", "3x4", "search", 0, 6, 0, 0, 100, 120, 1.0, 0.1, True, False, Score())
    job, bound = games.Job("zelda", "3x4", "search"), Bound(3, 2, 1.0, 0)
    small = games.Measured(job, (run,), Score(right=9, wrong=1, situations=10), bound)
    large = games.Measured(
        job._replace(size="8x8"),
        (replace(run, size="8x8", agent_questions=241, seconds=200, theorem=True),),
        Score(),
        Bound(0, 0, 1.0, 0),
    )
    assert missed([small, large]) == [
        "zelda 3x4 search: precision 0.9000, recall 1.0000",
        "zelda 3x4 search: 1 of 3 errors are not shown to be inexpressible",
        "zelda 3x4 search: a change that was observed is no instance of a capability",
        "zelda 3x4 search: 120 questions, more than 1/2 of 235",
        "zelda 8x8 search: a run took 200 s",
        "zelda 8x8 search: 241 questions, more than twice the 120 on the smallest grid",
    ]


@pytest.fixture
def told() -> Told:
    agent = open_game("escape:3x3:search")
    derived = frozenset(agent.static | agent.derived)
    facts = Facts(agent.universe, derived)
    region = Atlas(agent).region(agent.starts(1)[0])
    lifted = Lifter(agent.universe, agent.derived).lift(region.bits, next(iter(region.ways)))
    assert lifted is not None
    return Told.about(Schema(*lifted, None, facts, Places(facts, derived)))


def test_a_refusal_is_unavoidable_if_it_has_all_that_successes_have_in_common(told: Told) -> None:
    """Three atoms; two successes have the first in common, and that the third does not hold."""
    told.asked += [Asked(0, 0, value, False) for value in (0b011, 0b101, 0b001)]
    told.promised += [0b011, 0b101]
    told.succeeded(0b011)
    assert (told.unavoidable, told.shown) == (1, 1)
    assert told.wanted() == [0b110]
    told.succeeded(0b001)
    assert (told.unavoidable, told.shown) == (2, 1)
    assert told.wanted() == [0b100]


def test_successes_denied_are_excused_by_as_many_refusals_that_the_best_conjunction_promises(
    told: Told,
) -> None:
    told.succeeded(0b011)
    told.succeeded(0b001)
    told.missed[0] = 1
    told.denials[0] = Denials(2, [0b101, 0b011])
    assert told.shown == 0
    assert told.wanted() == [0b100]
    told.succeeded(0b101)
    assert told.shown == 1
    assert told.wanted() == []


def test_a_wrong_description_is_seen_to_be_wrong() -> None:
    from assay.core.model import Model
    from assay.discovery.study import study

    right = study(open_game("escape:3x3:search", 0)).description.model
    less = Model(right.vocabulary, tuple(a for a in right.actions if a.header.name != "move"))
    assert games.examine(less, "escape:3x3:search", 0, 30).recall < 1
    bolder = next(a for a in right.actions if a.header.name == "move")
    weakened = type(bolder).strips(
        bolder.header,
        frozenset(x for x in bolder.needed if x.atom.predicate != "clear"),
        bolder.plain_effects,
    )
    more = Model(right.vocabulary, (weakened,))
    assert games.examine(more, "escape:3x3:search", 0, 30).precision < 1


def test_unknown_names_are_said() -> None:
    result = CliRunner().invoke(app, ["bench", "games", "--games", "chess"])
    assert result.exit_code == 2
    assert "there is no game 'chess'" in result.output
