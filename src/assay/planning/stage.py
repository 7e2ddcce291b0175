"""Situations made up for one action: a tuple of objects, and any valuation of the action's atoms on it.

The objects are new ones if the agent accepts them, else its own; new ones are the same in every question,
so their number grows only as far as the widest action needs (AIA-20 section 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.core.matching import all_different
from assay.core.query import Profile
from assay.core.symbols import Step
from assay.core.universe import State, Universe, bits_of, indices
from assay.core.vocabulary import Vocabulary
from assay.planning.grounding import Situation


def staged_step(universe: Universe, profile: Profile, action: str) -> Step | None:
    """The action on objects all different, or None if the agent has too few and accepts no others."""
    if profile.new_objects:
        return Step(action, tuple(_new_objects(universe, action)))
    args = _own_objects(profile, [p.types for p in universe.vocabulary.action[action].parameters])
    return None if args is None else Step(action, args)


def staged(universe: Universe, step: Step, valuation: int, backdrop: int = 0) -> Situation:
    """The step's atoms valued so, every other atom as in the backdrop."""
    positions = universe.positions(step)
    touched, true = bits_of(positions), bits_of(positions[index] for index in indices(valuation))
    return Situation(
        State(universe, backdrop & ~touched | true), tuple(universe.object(name) for name in step.args)
    )


def valuation(universe: Universe, step: Step, bits: int) -> int:
    """The values of the action's lifted atoms when the step is done in this state."""
    return bits_of([n for n, place in enumerate(universe.positions(step)) if bits >> place & 1])


def _new_objects(universe: Universe, action: str) -> Iterator[str]:
    count: Counter[str] = Counter()
    for parameter in universe.vocabulary.action[action].parameters:
        type_name = parameter.types[0]
        count[type_name] += 1
        yield universe.made_up(type_name, count[type_name])


def _own_objects(profile: Profile, places: list[tuple[str, ...]]) -> tuple[str, ...] | None:
    """A matching of the agent's objects to the places, if there is one."""
    vocabulary: Vocabulary = profile.vocabulary
    constants = {c.name for c in vocabulary.constants}
    fitting = [
        [o.name for o in profile.objects if o.name not in constants and vocabulary.fits(o.type, types)]
        for types in places
    ]
    return all_different(fitting)
