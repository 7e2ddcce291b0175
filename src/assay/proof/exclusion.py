"""What is at stake and not ruled out by facts that exclude each other.

Where the claim runs a step, a situation that tells is one more fact beside its precondition: it is ruled
out if these facts exclude each other, or if the effects of all slots that stand for that one atom come to
the same in every model (`overlaps`). Where the claim refuses a step, another model must let it run: the
solver is asked for such a model together with values of the atoms in doubt of which no two exclude each
other; if more of them do, that is added and the solver asked again. Steps of one action mostly exclude the
same values, and are asked about once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from assay.proof.examination import Examination
from assay.proof.mutexes import Pairs
from assay.proof.overlaps import Overlap, Overlaps
from assay.proof.projections import Projections
from assay.proof.reachable import Matter
from assay.proof.slots import FORBIDDEN
from assay.proof.task import Condition, Task, Watch

Value = tuple[int, bool]
"""A slot of an action and the value of its atom."""
Excluded = frozenset[tuple[Value, ...]]
"""Values, and values together, that no reachable state has."""


def not_excluded(
    examination: Examination,
    overlaps: Overlaps,
    task: Task,
    pairs: Pairs | Projections,
    matters: Collection[Matter],
) -> tuple[Matter, ...]:
    """The matters that a state not ruled out might tell."""
    found = set(_matters(examination, overlaps, task, pairs))
    return tuple(matter for matter in matters if matter in found)


def all_excluded(
    examination: Examination, overlaps: Overlaps, task: Task, pairs: Pairs | Projections
) -> bool:
    """Whether there is no such matter."""
    return next(_matters(examination, overlaps, task, pairs), None) is None


def _matters(
    examination: Examination, overlaps: Overlaps, task: Task, pairs: Pairs | Projections
) -> Iterator[Matter]:
    found: set[Matter] = set()
    asked = _Asked(examination)
    for watch in task.watches:
        told = set(_seen_running(pairs, overlaps, watch))
        if not (found | told).issuperset(watch.stake.optional.values()):
            told.update(_seen_refused(pairs, watch, asked))
        yield from told
        found |= told
    for each in task.tries:
        if each.step.action not in found:
            situations = _Situations(pairs, 0, dict(enumerate(each.places)))
            if situations.allow(asked, each.step.action):
                found.add(each.step.action)
                yield each.step.action


def _seen_running(pairs: Pairs | Projections, overlaps: Overlaps, watch: Watch) -> Iterator[Matter]:
    """What might show where the claim runs the step."""
    if watch.condition is None:
        return
    runs = pairs.literals(watch.condition)
    held = pairs.together(runs)
    for (n, value), subjects in watch.stake.tells.items():
        telling = _literal(pairs, watch.places[n], value)
        if held & telling and pairs.together(runs | telling):
            for subject in subjects:
                company = watch.company.get(n) if subject.part == "effect" else None
                if company is None or overlaps.come_to_else(Overlap(watch.stake.action, company, value)):
                    yield subject


def _seen_refused(pairs: Pairs | Projections, watch: Watch, asked: _Asked) -> list[Matter]:
    """What might show where the claim refuses the step for want of a literal that not all models need."""
    stake, sure = watch.stake, pairs.literals(watch.sure)
    held = pairs.together(sure)
    violated = {n: n not in stake.claim.needed for n in stake.optional}
    if not any(held & _literal(pairs, watch.places[n], value) for n, value in violated.items()):
        return []
    situations = _Situations(pairs, sure, {n: watch.places[n] for n in stake.doubtful})
    values = tuple(violated.items())
    if not situations.allow(asked, stake.action, values):
        return []
    return [stake.optional[v[0]] for v in values if situations.allow(asked, stake.action, (v,))]


class _Situations:
    """What the atoms at some places can be where all that is sure holds."""

    def __init__(self, pairs: Pairs | Projections, sure: int, places: Mapping[int, int]) -> None:
        self._pairs, self._sure, self._places = pairs, sure, tuple(places)
        self._literals = {
            (n, value): _literal(pairs, place, value)
            for n, place in places.items()
            for value in (True, False)
        }
        held = pairs.together(sure)
        never = [v for v, literal in self._literals.items() if not held & literal]
        rest = [v for v in self._literals if v not in never]
        together = {v: pairs.together(sure | self._literals[v]) for v in rest}
        self._excluded: Excluded = frozenset(
            [(v,) for v in never]
            + [(v, w) for v, w in combinations(rest, 2) if not together[v] & self._literals[w]]
        )

    def allow(self, asked: _Asked, action: str, some: tuple[Value, ...] = ()) -> bool:
        """Whether a model that gives the answers runs the action in one of them, with one of some values."""
        while (values := asked.runs(action, self._places, self._excluded, some)) is not None:
            if self._possible(values):
                return True
            for value in values:
                if not self._possible(fewer := tuple(v for v in values if v != value)):
                    values = fewer
            self._excluded |= {values}
        return False

    def _possible(self, values: tuple[Value, ...]) -> bool:
        literals = self._sure
        for value in values:
            literals |= self._literals[value]
        return not literals or bool(self._pairs.together(literals))


def _literal(pairs: Pairs | Projections, place: int, value: bool) -> int:
    return pairs.literals(Condition(1 << place, 0) if value else Condition(0, 1 << place))


class _Asked:
    """Where a model that gives the answers runs an action, none of some values being excluded."""

    def __init__(self, examination: Examination) -> None:
        self._examination = examination
        self._known: dict[tuple[str, Excluded, tuple[Value, ...]], tuple[Value, ...] | None] = {}

    def runs(
        self, action: str, doubtful: tuple[int, ...], excluded: Excluded, some: tuple[Value, ...]
    ) -> tuple[Value, ...] | None:
        """The values of the doubtful slots there, one of some among them; asked once for the same."""
        key = (action, excluded, some)
        if key not in self._known:
            self._known[key] = self._ask(action, doubtful, excluded, some)
        return self._known[key]

    def _ask(
        self, action: str, doubtful: tuple[int, ...], excluded: Excluded, some: tuple[Value, ...]
    ) -> tuple[Value, ...] | None:
        if some and all((value,) in excluded for value in some):
            return None
        examination, slots = self._examination, self._examination.variables.slots[action]
        true = {n: examination.variables.fresh() for n in doubtful}
        clauses: list[tuple[int, ...]] = [(-slots[n], true[n]) for n in doubtful]
        clauses += [(-slots[n] - FORBIDDEN, -true[n]) for n in doubtful]
        clauses += [tuple(-true[n] if v else true[n] for n, v in values) for values in excluded]
        if some:
            clauses.append(tuple(true[n] if v else -true[n] for n, v in some))
        solution = examination.solve(examination.selectors, examination.guard(clauses))
        return None if solution is None else tuple((n, true[n] in solution) for n in doubtful)
