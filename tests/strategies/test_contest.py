"""Who made which kind of change, where several actions may have made the same."""

from __future__ import annotations

from assay.strategies.contest import contested
from assay.strategies.readings import Hypothesis


def row(*kinds: str) -> list[Hypothesis]:
    return [Hypothesis(0, 0, 1.0, kind=kind) for kind in kinds]


def test_actions_listed_one_after_the_other_made_what_was_seen_one_after_the_other():
    kinds = ("put in", "washed", "taken out")
    rows = {name: row(*kinds) for name in ("load", "wash", "unload")}
    shares, demand = contested(rows, {kind: number for number, kind in enumerate(kinds)})
    for number, name in enumerate(rows):
        assert shares[name][number] == max(shares[name]) > 0.5
    assert all(0.5 < demand[kind] < 1.5 for kind in kinds)


def test_what_one_action_alone_can_have_made_is_left_to_it_whatever_the_order():
    rows = {"first": row("early", "late"), "second": row("early")}
    shares, _ = contested(rows, {"early": 0, "late": 1})
    assert shares["first"][1] > shares["first"][0]


def test_where_several_made_the_same_there_is_no_order_to_go_by():
    rows = {name: [*row("moved"), Hypothesis(0, 0, 0.2, kind="built")] for name in ("go", "climb", "descend")}
    in_turn, _ = contested(rows, {"moved": 0, "built": 1})
    anyhow, _ = contested(rows, {})
    assert in_turn == anyhow
