"""From an action learned by acting to its finding: what no situation showed, why, and what cannot be told
apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from assay.learn.coverage import Missing
from assay.learn.covering import Pattern, missing_patterns
from assay.learn.dnf import Term, bits
from assay.learn.exploration import Exploration
from assay.learn.finding import LEVELS, Finding, Level, NotRealised, OtherObject, Status
from assay.learn.formulation import action_model
from assay.learn.harvest import found_term, literal_text, spelled
from assay.learn.observed import ObservedAction
from assay.learn.reach_coverage import ReachCoverage

UNREACHABLE, NOT_MET = "no reachable state shows it", "not met"


def finding_of(action: ObservedAction, coverage: ReachCoverage, exploration: Exploration) -> Finding:
    hypothesis, status = action.hypothesis, action.status
    learned = status is Status.LEARNED and action.level is not None
    level = LEVELS[action.level] if learned and action.level is not None else None
    if level is not None:
        level = level._replace(run=min(level.run, coverage.strength))
    return Finding(
        action=action.name,
        status=status,
        model=action_model(hypothesis) if hypothesis.terms else None,
        strength=action.level if learned else None,
        level=level,
        others=tuple(
            OtherObject(f.type, tuple(hypothesis.features.spelled(f))) for f in hypothesis.quantified
        ),
        terms=tuple(found_term(hypothesis, term) for term in hypothesis.terms),
        not_realised=tuple(_not_realised(action, level, exploration.complete)) if level else (),
        trouble=action.trouble,
        conflict=action.conflict,
        runs=len(hypothesis.evidence.runs),
        refusals=len(hypothesis.evidence.refusals),
        notes=tuple(_notes(action, coverage, exploration)),
    )


# ---- what was not shown


def _not_realised(action: ObservedAction, level: Level, complete: bool) -> Iterator[NotRealised]:
    """The least patterns of the level that no answer shows: larger ones are not shown either."""
    hypothesis = action.hypothesis
    why = UNREACHABLE if complete else NOT_MET
    for number, term in enumerate(hypothesis.terms):
        for missing in _missing(action, term, level):
            yield spelled(hypothesis, number, missing, why)


def _missing(action: ObservedAction, term: Term, level: Level) -> Iterator[Missing]:
    hypothesis, (mask, value) = action.hypothesis, term
    free = [p for p in range(hypothesis.width) if not mask >> p & 1]
    rows = list(dict.fromkeys(action.rows_by_outcome()))
    running = [row for row, ran in rows if ran and row & mask == value]
    for pattern in _least(running, free, level.run):
        yield Missing(term, (), pattern)
    refused = [row for row, ran in rows if not ran]
    for count in range(1, level.turned + 1):
        beside = level.refused if count == 1 else max(0, level.refused - 1)
        for turned in combinations(bits(mask), count):
            wanted = value ^ sum(1 << p for p in turned)
            shown = [row for row in refused if row & mask == wanted]
            for pattern in _least(shown, free, beside):
                yield Missing(term, turned, pattern)


def _least(rows: list[int], places: list[int], strength: int) -> list[Pattern]:
    """The patterns of up to so many places that no row shows, without those that contain a smaller one."""
    if not rows:
        return [((), ())]
    found: list[Pattern] = []
    known: set[frozenset[tuple[int, int]]] = set()
    for size in range(1, min(strength, len(places)) + 1):
        for pattern in missing_patterns(rows, places, size):
            literals = list(zip(*pattern, strict=True))
            if not any(frozenset(c) in known for n in range(1, size) for c in combinations(literals, n)):
                known.add(frozenset(literals))
                found.append(pattern)
    return found


# ---- notes


def _notes(action: ObservedAction, coverage: ReachCoverage, exploration: Exploration) -> Iterator[str]:
    points, tried = coverage.reachable, action.outcome
    states = len(exploration.order)
    scope = (
        f"all {states} states" if exploration.complete else f"{states} states that were looked at, not all"
    )
    seen = sum(1 for pid in points if pid in tried)
    if points and seen == len(points) and exploration.complete:
        yield f"every situation of it in all {states} states was tried: {seen} of {seen}"
    elif points:
        yield f"{seen} of {len(points)} situations in {scope} within reach were tried"
    if not action.ran:
        if action.exhausted and exploration.complete:
            yield "no reachable state lets it run, as far as single facts tell"
        return
    if exploration.precaution:
        forbidden = sum(1 for pid in points if pid in coverage.given_up)
        if forbidden:
            why = "a forbidden state could not be ruled out, or no walk led there"
            yield f"{forbidden} situations were not tried: {why}"
    for left, right in _alike(action, points):
        yield f"no state within reach tells `{left}` from `{right}` in what it needs: either is right"


def _alike(action: ObservedAction, points: Iterable[int]) -> Iterator[tuple[str, str]]:
    """A literal of a term and another one that could stand in its place, for all that is within reach."""
    hypothesis = action.hypothesis
    rows = list(dict.fromkeys(action.row(pid) for pid in points))
    every = (1 << len(rows)) - 1
    columns = [0] * hypothesis.width
    for number, row in enumerate(rows):
        for place in bits(row):
            columns[place] |= 1 << number

    def holds(place: int, bit: int) -> int:
        return columns[place] if bit else every & ~columns[place]

    def where(term: Term, without: int = -1) -> int:
        found = every
        for place in bits(term[0]):
            if place != without:
                found &= holds(place, term[1] >> place & 1)
        return found

    truth = 0
    for term in hypothesis.terms:
        truth |= where(term)
    for term in hypothesis.terms:
        rest = 0
        for alternative in hypothesis.terms:
            rest |= where(alternative) if alternative != term else 0
        for place in bits(term[0]):
            around = where(term, place)
            for other, bit in product(range(hypothesis.width), (1, 0)):
                if not term[0] >> other & 1 and around & holds(other, bit) | rest == truth:
                    value = term[1] >> place & 1
                    yield literal_text(hypothesis, place, value), literal_text(hypothesis, other, bit)
