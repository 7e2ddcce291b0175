"""The terminal: one honest line while a run goes on, and the command that is next when it has ended."""

from __future__ import annotations

from pathlib import Path

from assay.cli.console import progress_line, show_result, what_next
from assay.core.query import PlanQuery
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.session import assess
from assay.testing.hidden import hidden_agent


def test_the_line_counts_all_actions_and_foretells_nothing() -> None:
    universe = Universe(hidden_agent("plain", 1).vocabulary)
    query = PlanQuery(universe.state([]), (Step("sort", ()),))
    line = progress_line({"mend": 2, "push": 1, "sort": None}, 1214, query)
    assert line.startswith("3 actions: 1 at strength 2, 1 at strength 1, 1 at none yet | 1,214 questions")
    assert "left: unknown" in line
    assert "sort" in line


def test_what_is_next() -> None:
    told = list(what_next(assess(hidden_agent("plain", 1)), Path("results/my run")))
    assert "Surer:  assay resume 'results/my run' --strength 3" in told
    assert "Check:  assay verify 'results/my run'" in told
    cut_off = list(what_next(assess(hidden_agent("plain", 1), budget=4), Path("out")))
    assert "Go on:  assay resume out" in cut_off
    best = list(what_next(assess(hidden_agent("plain", 1), strength=3), Path("out")))
    assert not any(line.startswith("Surer") for line in best)


def test_the_last_screen_has_the_model_and_what_it_is_worth(capsys) -> None:
    show_result(assess(hidden_agent("plain", 1)), Path("out"))
    shown = " ".join(capsys.readouterr().out.split())
    assert "(define (domain hidden)" in shown
    assert "Complete: all 3 actions at strength 2." in shown
    assert "the only model at strength 2 that gives these answers" in shown
