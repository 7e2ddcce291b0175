"""What a strength is said to mean: the class is in it, and so is what it leaves open."""

from __future__ import annotations

from assay.language.strength import as_far_as, claim, leaves_open, limit_sentence, rules_out, tried
from assay.learn.finding import LEVELS, Level


def test_every_level_says_what_would_not_have_been_found() -> None:
    said = [leaves_open(level) for level in LEVELS]
    assert "another fact that can stand in for a needed one" in said[0]
    assert "two other facts that together stand in for a needed one" in said[1]
    assert said[1] != said[2]
    assert "once two needed facts are changed" in said[1]
    assert "once three needed facts are changed" in said[2]
    assert "three other facts that together stand in for a needed one" in said[3]
    assert all("whatever no fact of the vocabulary shows" in text for text in said)


def test_without_runs_nothing_is_said_of_other_situations() -> None:
    assert "anything more that it needs or does" in leaves_open(Level(1, 0, 0))
    assert "nothing else is claimed" in rules_out(Level(1, 0, 0))


def test_a_lowered_class_says_so() -> None:
    lowered = Level(2, 1, 2)
    assert "any two other facts" in tried(lowered)
    assert "no two other facts or fewer change" in rules_out(lowered)
    assert "three other facts that only together change" in leaves_open(lowered)


def test_short_forms() -> None:
    assert claim(2) == "This is the only model at strength 2 that gives these answers."
    assert "nothing is claimed" in claim(None)
    assert limit_sentence(2) == f"That is so {as_far_as(2)}."
    assert limit_sentence(None) == "That is so of this model."
