"""Counting coverage against counting by hand, and what follows from it against all rival models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.vocabulary import Vocabulary
from assay.proof.recount.coverage import Class, Counter
from assay.proof.recount.features import Cube, Features, Other
from assay.proof.recount.levels import LEVELS, lowered
from assay.proof.recount.listing import Listing
from assay.proof.recount.logic import Logic


def propositions(count: int) -> Features:
    """An action that sees so many facts without arguments."""
    vocabulary = Vocabulary.of(predicates={f"p{n}": [] for n in range(count)}, actions={"go": []})
    return Features(vocabulary, vocabulary.action["go"])


def cubes(size: int, least: int = 0) -> st.SearchStrategy[Cube]:
    named = st.integers(0, 2**size - 1).filter(lambda n: n.bit_count() >= least)
    return st.tuples(named, st.integers(0, 2**size - 1)).map(lambda x: Cube(x[0], x[0] & x[1]))


def bits(mask: int) -> list[int]:
    return [1 << n for n in range(mask.bit_length()) if mask >> n & 1]


def patterns(free: int, size: int) -> Iterator[Cube]:
    singles = bits(free)
    for chosen in combinations(singles, min(size, len(singles))):
        for values in product((0, 1), repeat=len(chosen)):
            yield Cube(sum(chosen), sum(b * v for b, v in zip(chosen, values, strict=True)))


def by_hand(
    size: int,
    base: Cube,
    rows: Iterable[int],
    terms: Sequence[Cube],
    beside: int,
    listed: Sequence[Cube] = (),
    refused: bool = True,
) -> tuple[int, int, int]:
    """Covered, required and excused patterns, one by one over all points."""
    covered = required = excused = 0
    rows = set(rows)
    every = range(2**size)
    for pattern in patterns((2**size - 1) & ~base.named, beside):
        shown = base.join(pattern)
        points = [x for x in every if shown.covers(x)]
        if refused and all(any(t.covers(x) for t in terms) for x in points):
            continue
        required += 1
        if not rows.isdisjoint(points):
            covered += 1
        elif any(pattern.implies(item) for item in listed):
            excused += 1
    return covered, required, excused


SIZE = 6


@settings(max_examples=200, deadline=None)
@given(
    st.lists(cubes(SIZE, 1), min_size=1, max_size=3, unique=True),
    st.sets(st.integers(0, 2**SIZE - 1), max_size=40),
    st.integers(0, 3),
    st.lists(cubes(SIZE), max_size=3),
    st.data(),
)
def test_counts_like_counting_by_hand(
    terms: list[Cube], rows: set[int], size: int, listed: list[Cube], data: st.DataObject
) -> None:
    runs = {r for r in rows if any(t.covers(r) for t in terms)}
    number = data.draw(st.integers(0, len(terms) - 1))
    turned = data.draw(st.sampled_from([0, *bits(terms[number].named)]))
    base = terms[number].turned(turned)
    listed = [c for c in listed if not c.named & base.named]
    counter = Counter(propositions(SIZE), terms, runs, rows - runs, {(number, turned): Listing(listed)})
    if turned:
        found = [counter.refusals(1, size)]
        expected = [
            by_hand(SIZE, t.turned(b), rows - runs, terms, size, listed if (n, b) == (number, turned) else ())
            for n, t in enumerate(terms)
            for b in bits(t.named)
        ]
    else:
        found = [counter.runs(size)]
        expected = [
            by_hand(SIZE, t, runs, terms, size, listed if n == number else (), False)
            for n, t in enumerate(terms)
        ]
    counter.close()
    tally = found[0]
    assert (tally.covered, tally.required, tally.excused) == tuple(map(sum, zip(*expected, strict=True)))
    assert tally.complete == (not tally.missing)


# ---- what follows from coverage


def points_of(base: Cube, size: int) -> list[int]:
    return [x for x in range(2**size) if base.covers(x)]


def runs_somewhere_throughout(
    rival: Sequence[bool], model: Sequence[bool], terms: Sequence[Cube], covered: Class, size: int
) -> bool:
    """Whether the rival differs from the model throughout a case of the class."""
    turned, beside, runs = covered
    for term in terms:
        for pattern in patterns((2**size - 1) & ~term.named, runs):
            if not any(rival[x] for x in points_of(term.join(pattern), size)):
                return True
        for count in range(1, turned + 1):
            for chosen in combinations(bits(term.named), count):
                base = term.turned(sum(chosen))
                for pattern in patterns(
                    (2**size - 1) & ~term.named, beside if count == 1 else max(0, beside - 1)
                ):
                    where = points_of(base.join(pattern), size)
                    wanted = [x for x in where if not model[x]]
                    if wanted and all(rival[x] for x in where):
                        return True
    return False


@settings(max_examples=100, deadline=None)
@given(
    st.lists(cubes(4, 1), min_size=1, max_size=2, unique=True),
    st.sampled_from(LEVELS),
    st.randoms(use_true_random=False),
    st.lists(st.integers(0, 2**16 - 1), min_size=30, max_size=30),
)
def test_no_rival_of_the_class_gives_answers_that_cover_it(
    terms: list[Cube], covered: Class, rng: object, rivals: list[int]
) -> None:
    size = 4
    model = [any(t.covers(x) for t in terms) for x in range(2**size)]
    order = list(range(2**size))
    rng.shuffle(order)  # type: ignore[attr-defined]
    asked: list[int] = []
    for x in order:  # answers in any order, until they cover the class
        asked.append(x)
        if covers(terms, model, asked, covered, size):
            break
    for number in rivals:
        rival = [bool(number >> x & 1) for x in range(2**size)]
        for x in asked:
            rival[x] = model[x]
        if runs_somewhere_throughout(rival, model, terms, covered, size):
            pytest.fail(f"{rival} gives the answers to {asked} and is of the class {covered}")


def covers(
    terms: Sequence[Cube], model: Sequence[bool], asked: Sequence[int], covered: Class, size: int
) -> bool:
    runs, refusals = [x for x in asked if model[x]], [x for x in asked if not model[x]]
    counter = Counter(propositions(size), terms, runs, refusals, {})
    turned, beside, most = covered
    tallies = [counter.runs(most), counter.refusals(1, beside)]
    tallies += [counter.refusals(2, max(0, beside - 1))] if turned > 1 else []
    counter.close()
    return all(t.complete for t in tallies)


# ---- other objects


TOOLS = Vocabulary.of(
    types={"tool": "object", "card": "tool"},
    predicates={"sharp": ["tool"], "red": ["tool"], "near": ["tool", "tool"]},
    actions={"cut": {"k": "tool"}},
)


def other(type_name: str, *literals: str) -> Other:
    split = [(tuple(x.removeprefix("not ").split()), not x.startswith("not ")) for x in literals]
    return Other(type_name, tuple(sorted(split)))


def logic_of(*others: Other) -> tuple[Features, Logic]:
    features = Features(TOOLS, TOOLS.action["cut"], others)
    return features, Logic(features, ())


def test_profiles_that_imply_each_other() -> None:
    features, logic = logic_of(
        other("tool", "sharp ?z"), other("tool", "sharp ?z", "red ?z"), other("card", "sharp ?z")
    )
    possible = {
        values: logic.possible(
            features.cube([("" if v else "not ") + f"some {n}" for n, v in enumerate(values)])
        )
        for values in product((False, True), repeat=3)
    }
    assert {v for v, can_be in possible.items() if not can_be} == {
        (False, True, False),
        (False, True, True),
        (False, False, True),
    }


def test_profiles_that_leave_nothing_out() -> None:
    """A tool is sharp or not: where there is a tool, one of the two is so."""
    features, logic = logic_of(other("tool", "sharp ?z"), other("tool", "not sharp ?z"), other("tool"))
    assert not logic.possible(features.cube(["not some 0", "not some 1", "some 2"]))
    assert logic.possible(features.cube(["not some 0", "not some 1", "not some 2"]))
    assert not logic.possible(features.cube(["some 0", "not some 2"]))


def test_patterns_that_no_state_shows_are_not_required() -> None:
    features = Features(
        TOOLS, TOOLS.action["cut"], [other("tool", "sharp ?z"), other("tool", "sharp ?z", "red ?z")]
    )
    counter = Counter(features, [features.cube(["sharp ?k"])], [], [], {})
    free = 4  # red ?k, near ?k ?k and two of others
    assert counter.runs(2).required == 4 * 6 - 1
    assert counter.runs(1).required == 2 * free
    counter.close()


def test_fewer_features_in_runs_only_where_there_are_many() -> None:
    level = LEVELS[2]
    assert lowered(level, [100], 2) == level
    assert lowered(level, [400], 3) == level
    assert lowered(level, [400], 2) == Class(2, 1, 2)
    assert lowered(level, [400], 1) == Class(2, 1, 2)
