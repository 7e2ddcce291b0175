"""What no reachable state can tell apart, with proof.

Suppose that in every state that one of the remaining models reaches, all of them agree: on which steps run
there, and on what comes of them. Then they reach the same states by any plan, and nothing that the agent can
be asked will ever separate them. So it is enough to look at what a single remaining model reaches, or at
any larger set of states. Two such sets are used:

- the territory, once it is closed: every state, every step (*exhaustion*);
- all states without a pair of facts that excludes itself (*mutexes*), where there are too many states.

Literals for which a telling state cannot be excluded stay in doubt. They must then not be relied upon to
keep the agent out of states: for the others, the proof is made again without them, until it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from assay.core.model import Model
from assay.core.symbols import Step
from assay.core.universe import Universe, bits_of, indices
from assay.planning.applicable import Facts
from assay.planning.mutexes import Mutexes, find_mutexes
from assay.planning.pattern import Pattern
from assay.planning.relaxed import relaxed_reach
from assay.strategies.acting.readings import Reading

MOST_STEPS = 20_000
"""Ground actions up to which mutexes are worked out."""
ENOUGH = 3
"""Openings kept for one atom."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Per action, the literals and the effects in doubt that are proved to make no difference."""

    needs: dict[str, int]
    effects: dict[str, int]
    idle: frozenset[str] = frozenset()
    """Actions that are refused everywhere."""
    proof: str = ""
    """By what it is proved, in words."""
    openings: tuple[Opening, ...] = ()
    """Facts that would settle something of the rest and are not known to exclude each other."""


class Opening(NamedTuple):
    action: str
    atom: int
    """Of the action's atoms, the one that would be settled."""
    true: int
    false: int
    step: Step | None = None
    """With which it would be, if one was looked at."""


def alike_by_mutexes(
    universe: Universe, initial: list[int], readings: Mapping[str, Reading], free: bool
) -> Alike:
    """What pairs of facts that exclude each other prove; nothing if some action might do anything.

    The openings are then those for what the other actions do, where that is sure: a hint where to look. If
    arguments are free, steps in which some are the same count too.
    """
    nothing = Alike(dict.fromkeys(readings, 0), dict.fromkeys(readings, 0))
    foreseen = all(r.foreseeable or r.dossier.idle for r in readings.values())
    active = [r for r in readings.values() if r.ran]
    suspicious: dict[str, int] = {r.name: 0 for r in active}
    """Atoms for which the value that would tell cannot be excluded."""
    while True:
        model = Model(
            universe.vocabulary, tuple(r.requiring(*_strict(r, suspicious[r.name])) for r in active)
        )
        optional = {r.name: r.optional(r.dossier.atom_mask) for r in active}
        reach = relaxed_reach(model, universe, initial, MOST_STEPS, optional, free)
        if reach is None:
            return nothing
        mutexes = find_mutexes(universe, initial, reach)
        found = {r.name: _openings(r, universe, mutexes, free) for r in active}
        openings = tuple(o for each in found.values() for o in each)
        if not foreseen:
            return replace(nothing, openings=openings)
        visible = {name: bits_of({o.atom for o in each}) for name, each in found.items()}
        if all(not visible[name] & ~known for name, known in suspicious.items()):
            return Alike(
                nothing.needs | {r.name: r.dossier.precondition.open & ~suspicious[r.name] for r in active},
                nothing.effects | {r.name: _effects(r) & ~suspicious[r.name] for r in active},
                proof="mutual exclusion of pairs of facts",
                openings=openings,
            )
        suspicious = {name: known | visible[name] for name, known in suspicious.items()}


def _effects(reading: Reading) -> int:
    return reading.add_or_keep | reading.delete_or_keep


def _strict(reading: Reading, suspicious: int) -> tuple[int, int]:
    true = reading.need_true | reading.may_true & ~suspicious
    false = reading.need_false | reading.may_false & ~suspicious
    return true, false


def _openings(reading: Reading, universe: Universe, mutexes: Mutexes, free: bool) -> list[Opening]:
    """Facts under which the action may run and some atom has the value that tells, for every such atom."""
    doubtful = reading.may_true & ~reading.need_true, reading.may_false & ~reading.need_false
    in_doubt = doubtful[0] | doubtful[1] | reading.add_or_keep | reading.delete_or_keep
    count: Counter[int] = Counter()
    found: list[Opening] = []
    atoms = [reading.dossier.atoms[i] for i in indices(reading.need_true)]
    pattern = Pattern(universe, reading.dossier.header, atoms, free)
    steps = pattern.matches(Facts(universe, mutexes.reached))
    for number, args in enumerate(steps):
        step = Step(reading.name, args)
        positions = universe.positions(step)
        needed = [positions[i] for i in indices(reading.need_true)]
        forbidden = [positions[i] for i in indices(reading.need_false)]
        beside = mutexes.together(needed, forbidden)
        if beside is None:
            continue
        may_true = bits_of(n for n, place in enumerate(positions) if beside[0] >> place & 1)
        may_false = bits_of(
            n for n, place in enumerate(positions) if (beside[1] | ~mutexes.reached) >> place & 1
        )
        reasons = _reasons(reading, may_true, may_false)
        base_true, base_false = bits_of(needed), bits_of(forbidden)
        hidden, saving = reading.overlap(positions)
        telling_false = doubtful[0] | reading.add_or_keep & ~hidden
        telling_true = doubtful[1] | reading.delete_or_keep & ~hidden | saving
        wanted = [i for i in indices(in_doubt) if count[i] < ENOUGH]
        for i in wanted if reasons is not None else ():
            for value, telling, may in ((True, telling_true, may_true), (False, telling_false, may_false)):
                if (telling & may) >> i & 1:
                    excuses = _excuses(reasons or [], mutexes, positions, i, value)
                    if excuses is not None:
                        true, false = excuses
                        found.append(Opening(reading.name, i, base_true | true, base_false | false, step))
                        count[i] += 1
        if not wanted or number == MOST_STEPS:
            break
    if next(steps, None) is not None:  # not all were looked at, so nothing is excluded
        found += [Opening(reading.name, i, 0, 0) for i in indices(in_doubt) if not count[i]]
    return found


def _reasons(reading: Reading, may_true: int, may_false: int) -> list[tuple[int, int]] | None:
    """For each refusal not explained yet, the literals that may explain it and may hold here.

    One of them is required, so one must hold for the action to run; None if for some refusal none can. Left
    out are refusals of which some literal always holds here.
    """
    found = []
    for true, false in reading.clauses:
        if not (true & ~may_false or false & ~may_true):
            if not (true & may_true or false & may_false):
                return None
            found.append((true & may_true, false & may_false))
    return found


def _excuses(
    reasons: list[tuple[int, int]], mutexes: Mutexes, positions: tuple[int, ...], index: int, value: bool
) -> tuple[int, int] | None:
    """Facts that keep all earlier refusals from being repeated beside this value; None if none can.

    Of several, such as do not exclude those chosen before; that is no more than a hint where to look.
    """
    chosen: dict[int, bool] = {positions[index]: value}
    for may_true, may_false in reasons:
        if (may_true if value else may_false) >> index & 1:
            continue
        ways = [
            (positions[j], holds)
            for holds, literals in ((True, may_true), (False, may_false))
            for j in indices(literals & ~(1 << index))
        ]
        ways = [way for way in ways if mutexes.both((positions[index], value), way)]
        if not ways:
            return None
        if all(chosen.get(place) != holds for place, holds in ways):
            fitting = (w for w in ways if all(mutexes.both(w, other) for other in chosen.items()))
            place, holds = next(fitting, ways[0])
            chosen.setdefault(place, holds)
    return bits_of(p for p, holds in chosen.items() if holds), bits_of(
        p for p, holds in chosen.items() if not holds
    )


def alike_everywhere(states: int, readings: Mapping[str, Reading]) -> Alike:
    """That all which is in doubt makes no difference, no step telling anything in any reachable state."""
    return Alike(
        {r.name: r.dossier.precondition.open for r in readings.values()},
        {r.name: _effects(r) for r in readings.values()},
        frozenset(r.name for r in readings.values() if not r.ran),
        f"exhaustion of {states} states",
    )
