"""What is at stake and not ruled out by pairs of facts that exclude each other.

Where the claim runs a step, a situation that tells is one more fact beside its precondition: it is ruled
out if some two of these facts exclude each other, or if the effects of all slots that stand for that one atom
come to the same in every model (`overlaps`). Where the claim refuses a step, another model must let
it run: the solver is asked for such a model together with values of the atoms in doubt of which no two
exclude each other. Steps of one action mostly exclude the same pairs of values, and are asked about once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from assay.proof.examination import Examination
from assay.proof.mutexes import Pairs
from assay.proof.overlaps import Overlap, Overlaps
from assay.proof.reachable import Matter
from assay.proof.slots import FORBIDDEN
from assay.proof.task import Condition, Task, Watch

Value = tuple[int, bool]
"""A slot of an action and the value of its atom."""
Excluded = frozenset[tuple[Value, ...]]
"""Values, and pairs of values, that no reachable state has."""


def not_excluded(
    examination: Examination, overlaps: Overlaps, task: Task, pairs: Pairs, matters: Collection[Matter]
) -> tuple[Matter, ...]:
    """The matters that a state not ruled out might tell."""
    found: set[Matter] = set()
    asked = _Asked(examination)
    for watch in task.watches:
        found.update(_seen_running(pairs, overlaps, watch))
        if not found.issuperset(watch.stake.optional.values()):
            found.update(_seen_refused(pairs, watch, asked))
    for each in task.tries:
        if each.step.action not in found:
            excluded = _excluded(pairs, 0, dict(enumerate(each.places)))
            if asked.runs(each.step.action, tuple(range(len(each.places))), excluded):
                found.add(each.step.action)
    return tuple(matter for matter in matters if matter in found)


def _seen_running(pairs: Pairs, overlaps: Overlaps, watch: Watch) -> Iterator[Matter]:
    """What might show where the claim runs the step."""
    if watch.condition is None:
        return
    held = pairs.together(pairs.literals(watch.condition))
    for (n, value), subjects in watch.stake.tells.items():
        if held & _literal(pairs, watch.places[n], value):
            for subject in subjects:
                company = watch.company.get(n) if subject.part == "effect" else None
                if company is None or overlaps.come_to_else(Overlap(watch.stake.action, company, value)):
                    yield subject


def _seen_refused(pairs: Pairs, watch: Watch, asked: _Asked) -> list[Matter]:
    """What might show where the claim refuses the step for want of a literal that not all models need."""
    stake, sure = watch.stake, pairs.literals(watch.sure)
    held = pairs.together(sure)
    violated = {n: n not in stake.claim.needed for n in stake.optional}
    if not any(held & _literal(pairs, watch.places[n], value) for n, value in violated.items()):
        return []
    excluded = _excluded(pairs, sure, {n: watch.places[n] for n in stake.doubtful})
    return [
        stake.optional[n]
        for n, value in violated.items()
        if asked.runs(stake.action, stake.doubtful, excluded, n, value)
    ]


def _excluded(pairs: Pairs, sure: int, places: Mapping[int, int]) -> Excluded:
    """What the atoms at these places cannot be where all that is sure holds."""
    values = {
        (n, value): _literal(pairs, place, value) for n, place in places.items() for value in (True, False)
    }
    held = pairs.together(sure)
    never = [v for v, literal in values.items() if not held & literal]
    rest = [v for v in values if v not in never]
    together = {v: pairs.together(sure | values[v]) for v in rest}
    return frozenset(
        [(v,) for v in never] + [(v, w) for v, w in combinations(rest, 2) if not together[v] & values[w]]
    )


def _literal(pairs: Pairs, place: int, value: bool) -> int:
    return pairs.literals(Condition(1 << place, 0) if value else Condition(0, 1 << place))


class _Asked:
    """Whether a model that gives the answers runs an action where none of these values are excluded."""

    def __init__(self, examination: Examination) -> None:
        self._examination = examination
        self._known: dict[tuple[str, Excluded, int | None], bool] = {}

    def runs(
        self,
        action: str,
        doubtful: tuple[int, ...],
        excluded: Excluded,
        slot: int | None = None,
        value: bool = False,
    ) -> bool:
        """Asked once for the same values; the slot's atom, if one is named, must have the value."""
        key = (action, excluded, slot)
        if key not in self._known:
            self._known[key] = self._ask(action, doubtful, excluded, slot, value)
        return self._known[key]

    def _ask(
        self, action: str, doubtful: tuple[int, ...], excluded: Excluded, slot: int | None, value: bool
    ) -> bool:
        if slot is not None and ((slot, value),) in excluded:
            return False
        examination, slots = self._examination, self._examination.variables.slots[action]
        true = {n: examination.variables.fresh() for n in doubtful}
        clauses: list[tuple[int, ...]] = [(-slots[n], true[n]) for n in doubtful]
        clauses += [(-slots[n] - FORBIDDEN, -true[n]) for n in doubtful]
        clauses += [tuple(-true[n] if v else true[n] for n, v in values) for values in excluded]
        if slot is not None:
            clauses.append((true[slot] if value else -true[slot],))
        return examination.solve(examination.selectors, examination.guard(clauses)) is not None
