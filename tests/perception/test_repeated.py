"""Looking again: how often, how sure, and when it is given up."""

from __future__ import annotations

import random

import pytest

from assay.core.symbols import Atom
from assay.errors import AgentError, InputError
from assay.perception.repeated import PATIENCE, Repeated
from assay.perception.validity import Unfit, follow, in_one_place, not_in_two_places, one_each

ATOMS = [Atom("at", (f"c{n}",)) for n in range(60)]
TRUE = frozenset(ATOMS[:20])


def reader(error: float, rng: random.Random):
    return lambda: TRUE ^ {a for a in ATOMS if rng.random() < error}


def test_a_classifier_without_errors_is_asked_once():
    repeated = Repeated(len(ATOMS))
    assert repeated.settle(lambda: TRUE) == TRUE
    assert (repeated.looks, repeated.frames, repeated.repeats) == (1, 1, 0)


@pytest.mark.parametrize("error", [0.001, 0.02, 0.1])
def test_errors_are_outvoted(error):
    repeated, rng = Repeated(len(ATOMS), error), random.Random(1)
    assert all(repeated.settle(reader(error, rng)) == TRUE for _ in range(150))
    assert repeated.repeats > 0


def test_less_certainty_costs_fewer_frames():
    frames = []
    for risk in (1e-6, 1e-2):
        repeated = Repeated(len(ATOMS), 0.02, risk)
        repeated.settle(lambda: TRUE)
        frames.append(repeated.frames)
    assert frames[0] > frames[1] > 1


def test_the_chance_of_a_wrong_atom_is_what_was_promised():
    """With a large risk it can be measured: each look may be wrong with at most its share of it."""
    rng, wrong, looks = random.Random(2), 0, 2000
    for _ in range(looks):
        wrong += (
            Repeated(1, 0.3, 0.2).settle(lambda: TRUE ^ {a for a in ATOMS[:1] if rng.random() < 0.3}) != TRUE
        )
    share = 0.2 * 6 / 3.14159**2
    assert 0 < wrong / looks < share + 4 * (share / looks) ** 0.5


def test_bad_frames_are_taken_again_and_then_reported():
    frames = iter([Unfit("two players"), TRUE])
    repeated = Repeated(len(ATOMS))

    def look():
        frame = next(frames)
        if isinstance(frame, Unfit):
            raise frame
        return frame

    assert repeated.settle(look) == TRUE
    assert repeated.repeats == 1

    def never():
        raise Unfit("no player is seen")

    with pytest.raises(
        AgentError, match=f"{PATIENCE} frames in a row fit no valid state; the last: no player"
    ):
        repeated.settle(never)


def test_what_stays_in_doubt_is_reported():
    coin = random.Random(3)
    with pytest.raises(
        AgentError, match=r"\(at c0\) is seen in \d+ of \d+ readings: .* more often than the 2\.0%"
    ):
        Repeated(1, 0.02).settle(lambda: frozenset(a for a in ATOMS[:1] if coin.random() < 0.5))
    with pytest.raises(InputError, match=r"below 0\.5"):
        Repeated(1, 0.5)


def test_things_that_look_alike_are_followed():
    before = {"a": "c1", "b": "c2"}
    assert follow("stone", before, ["c1", "c3"]) == {"a": "c1", "b": "c3"}
    assert follow("key", before, ["c2"], may_vanish=True) == {"b": "c2"}
    with pytest.raises(Unfit, match="several stones have moved"):
        follow("stone", before, ["c3", "c4"])
    with pytest.raises(Unfit, match=r"1 stone\(s\) are seen and there must be 2"):
        follow("stone", before, ["c1"])


def test_constraints_say_what_is_wrong():
    where = [("a", "c1"), ("a", "c2"), ("b", "c1")]
    assert in_one_place(where, ["a", "b", "c"]) == ["a is in 2 places", "c is nowhere"]
    assert not_in_two_places(where) == ["a is in 2 places"]
    assert one_each(where) == ["a and b are all in c1"]
