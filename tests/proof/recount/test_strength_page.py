"""What docs/strength.md shows is so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from assay.core.formula import TRUE, Formula
from assay.core.model import Model
from assay.core.vocabulary import Vocabulary
from assay.proof.recount import LEVELS, Verdict, coverage, read_questions
from assay.proof.recount.report import rows

from .asking import Asking, Claimed
from .doors import action, both, either

PAGE = (Path(__file__).parents[3] / "docs" / "strength.md").read_text()
FACTS = ("shut ?d", "fits ?k ?d", "card ?k", "wet")
DOOR = Vocabulary.of(
    types=["door", "tool"],
    predicates={"shut": ["door"], "fits": ["tool", "door"], "card": ["tool"], "wet": []},
    actions={"open": {"d": "door", "k": "tool"}},
)
Answers = list[tuple[str, bool]]


def tables() -> Iterator[Answers]:
    """The tables of answers: situations, and whether the action ran."""
    for table in re.findall(r"\| shut \| fits \| card \| wet \| answer \|\n.*\n((?:\|.*\n)+)", PAGE):
        lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
        yield [("".join(cells[:4]), cells[4] == "runs") for cells in lines]


KEY_ALONE, ANYTHING, STAND_IN = tables()
FITS = both("shut ?d", "fits ?k ?d")
OR_CARD = both("shut ?d", either("fits ?k ?d", "card ?k"))
OR_CARD_IN_THE_WET = both("shut ?d", either("fits ?k ?d", both("card ?k", "wet")))


def model(needs: Formula) -> Model:
    return Model(DOOR, (action(DOOR, "open", needs, ("not shut ?d", TRUE)),))


def recounted(answers: Answers, truth: Formula, needs: Formula) -> Verdict:
    """What answers of an agent show of a model; they are as the page has them."""
    asking = Asking(model(truth))
    for row, ran in answers:
        line = asking.ask_row("open", Claimed([]), {f: c == "1" for f, c in zip(FACTS, row, strict=True)})
        assert line is not None
        assert line["steps"] == ran
    return coverage(read_questions([asking.setting, *asking.lines]), model(needs))


def strength(answers: Answers, truth: Formula, needs: Formula) -> int | None:
    found = recounted(answers, truth, needs)
    assert found.holds
    return found.strength


def test_three_answers() -> None:
    assert len(KEY_ALONE) == 3
    assert strength(KEY_ALONE, OR_CARD, FITS) == 0


def test_eleven_answers_of_which_none_can_be_left_out() -> None:
    assert len(ANYTHING) == 11
    assert strength(ANYTHING, OR_CARD, OR_CARD) == 2
    for left_out in ANYTHING:
        fewer = [a for a in ANYTHING if a != left_out]
        assert strength(fewer, OR_CARD, OR_CARD) in (None, 0, 1)
    assert not recounted(ANYTHING, OR_CARD, FITS).holds


def test_what_verify_prints() -> None:
    (printed,) = re.findall(r"```text\naction.*\n(.*)\n```", PAGE)
    (row,) = rows(recounted(ANYTHING, OR_CARD, OR_CARD))
    assert re.split(r"\s{2,}", printed) == [cell for cell in row if cell]


def test_two_facts_that_stand_in_together() -> None:
    assert len(STAND_IN) == 9
    assert strength(STAND_IN, OR_CARD_IN_THE_WET, FITS) == 2
    assert strength(STAND_IN, FITS, FITS) == 2
    surprise = recounted([*STAND_IN, ("1011", True)], OR_CARD_IN_THE_WET, FITS)
    assert not surprise.holds


def test_the_levels() -> None:
    shown = re.findall(r"^\| (\d) \| \((\d), (\d), (\d)\) \|", PAGE, re.MULTILINE)
    assert [tuple(map(int, row)) for row in shown] == [(n, *level) for n, level in enumerate(LEVELS)]
