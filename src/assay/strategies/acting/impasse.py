"""What no reachable state can tell apart, with proof.

Suppose that in every state that one of the remaining models reaches, all of them agree: on which steps run
there, and on what comes of them. Then they reach the same states by any plan, and nothing that the agent can
be asked will ever separate them. So it is enough to look at what a single remaining model reaches, or at
any larger set of states. Two such sets are used:

- the territory, once it is closed: every state, every step (*exhaustion*);
- where there are too many states, those that the most demanding of the remaining models may reach, as far as
  pairs of facts that exclude each other tell (*mutexes*), and what becomes of each object on its own
  (*projections*).

If that leaves states that would tell, some of what is in doubt may still be proved to make no difference:
literals for which a telling state cannot be excluded must then not be relied upon to keep the agent out of
states; for the others, the proof is made again without them, until it holds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from assay.core.model import Model
from assay.core.quantity import count
from assay.core.universe import Universe, bits_of
from assay.planning.mutexes import find_mutexes
from assay.planning.projections import Projections
from assay.planning.relaxed import Reach, relaxed_reach
from assay.strategies.acting.openings import Opening, Seen, find_openings
from assay.strategies.acting.readings import Reading

MOST_STEPS = 20_000
"""Ground actions up to which mutexes are worked out."""
PAIRS, OBJECTS = "mutual exclusion of pairs of facts", "mutual exclusion of facts, object by object"


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


def alike_by_mutexes(
    universe: Universe, initial: list[int], readings: Mapping[str, Reading], free: Collection[str], seen: Seen
) -> Alike:
    """What facts that exclude each other prove; nothing if some action might do anything.

    The openings are those in states that the most demanding model may reach: where to look next. Where
    arguments are free, steps in which some are the same count too.
    """
    nothing = Alike(dict.fromkeys(readings, 0), dict.fromkeys(readings, 0))
    active = [r for r in readings.values() if r.ran]
    model = Model(universe.vocabulary, tuple(r.sure for r in active))
    reach = relaxed_reach(model, universe, initial, MOST_STEPS, None, free)
    if reach is None:
        return nothing
    openings, proof = _demanding(universe, initial, reach, active, free, seen)
    if not all(r.foreseeable or r.dossier.idle for r in readings.values()):
        return replace(nothing, openings=openings)
    if not openings:
        return replace(_all_but(active, {r.name: 0 for r in active}, nothing), proof=proof)
    partly = _partly_alike(universe, initial, active, nothing, free, seen)
    return replace(partly, openings=openings)


def _demanding(
    universe: Universe,
    initial: list[int],
    reach: Reach,
    active: list[Reading],
    free: Collection[str],
    seen: Seen,
) -> tuple[tuple[Opening, ...], str]:
    """What may tell where these ground actions lead, and by what the rest is excluded, in words.

    Projections may show that some of them never run; without these, fewer facts go together.
    """
    proof = PAIRS
    while True:
        mutexes = find_mutexes(universe, initial, reach)
        projections, found = Projections(universe, initial, reach, mutexes), list[Opening]()
        for reading in active:
            visible = bits_of({o.atom for o in find_openings(reading, mutexes, free, seen)})
            if visible:
                found += find_openings(reading, projections, free, seen, visible)
                proof = OBJECTS
        openings = tuple(found)
        narrower = projections.possible()
        if not openings or len(narrower.grounds) == len(reach.grounds):
            return openings, proof
        reach = narrower


def _partly_alike(
    universe: Universe,
    initial: list[int],
    active: list[Reading],
    nothing: Alike,
    free: Collection[str],
    seen: Seen,
) -> Alike:
    """What makes no difference even if something else does."""
    suspicious: dict[str, int] = {r.name: 0 for r in active}
    """Atoms for which the value that would tell cannot be excluded."""
    optional = {r.name: r.optional(r.dossier.atom_mask) for r in active}
    while True:
        actions = tuple(r.requiring(*_strict(r, suspicious[r.name])) for r in active)
        model = Model(universe.vocabulary, actions)
        reach = relaxed_reach(model, universe, initial, MOST_STEPS, optional, free)
        if reach is None:
            return nothing
        mutexes = find_mutexes(universe, initial, reach)
        visible = {r.name: bits_of({o.atom for o in find_openings(r, mutexes, free, seen)}) for r in active}
        if all(not visible[name] & ~known for name, known in suspicious.items()):
            return replace(_all_but(active, suspicious, nothing), proof=PAIRS)
        suspicious = {name: known | visible[name] for name, known in suspicious.items()}


def _all_but(active: list[Reading], suspicious: Mapping[str, int], nothing: Alike) -> Alike:
    """That everything in doubt makes no difference but for these atoms."""
    return replace(
        nothing,
        needs=nothing.needs | {r.name: r.dossier.precondition.open & ~suspicious[r.name] for r in active},
        effects=nothing.effects | {r.name: _effects(r) & ~suspicious[r.name] for r in active},
    )


def _effects(reading: Reading) -> int:
    return reading.add_or_keep | reading.delete_or_keep


def _strict(reading: Reading, suspicious: int) -> tuple[int, int]:
    true = reading.need_true | reading.may_true & ~suspicious
    false = reading.need_false | reading.may_false & ~suspicious
    return true, false


def alike_everywhere(states: int, readings: Mapping[str, Reading]) -> Alike:
    """That all which is in doubt makes no difference, no step telling anything in any reachable state."""
    return Alike(
        {r.name: r.dossier.precondition.open for r in readings.values()},
        {r.name: r.dossier.effects.ambiguous & ~r.dossier.void for r in readings.values()},
        frozenset(r.name for r in readings.values() if not r.ran),
        f"exhaustion of {count(states, 'state')}",
    )
