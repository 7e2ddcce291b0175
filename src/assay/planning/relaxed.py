"""Which ground actions can ever matter: those whose needs hold if nothing true ever becomes false again.

Delete-relaxed reachability, by joins over the atoms reached so far, so that the cost follows the number of
ground actions that come out and not the number of objects to the power of the arity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from assay.core.model import Model
from assay.core.symbols import Literal, Step
from assay.core.universe import Universe
from assay.planning.applicable import Facts
from assay.planning.pattern import Pattern


@dataclass(frozen=True, slots=True)
class Ground:
    """A ground action as sets of atoms."""

    step: Step
    needed: int
    forbidden: int
    add: int
    delete: int
    may_add: int = 0
    """What it may or may not do besides."""
    may_delete: int = 0

    def after(self, bits: int) -> int | None:
        """The state after it, or None if it does not run."""
        if bits & self.needed != self.needed or bits & self.forbidden:
            return None
        return bits & ~self.delete | self.add


@dataclass(frozen=True, slots=True)
class Reach:
    grounds: tuple[Ground, ...]
    atoms: int
    """Every atom that may ever be true."""


def relaxed_reach(
    model: Model,
    universe: Universe,
    initial: Iterable[int],
    most: int,
    optional: Mapping[str, frozenset[Literal]] | None = None,
    free: Collection[str] = (),
) -> Reach | None:
    """What a model can do from these states, at most; None if that takes too many ground actions.

    `optional` effects, by action, may happen or not. The arguments of `free` actions may be the same.
    """
    atoms = 0
    for bits in initial:
        atoms |= bits
    found: dict[Step, Ground] = {}
    lifted = [
        (
            a.header.name,
            Pattern(
                universe,
                a.header,
                sorted(x.atom for x in a.needed if x.positive),
                a.header.name in free,
            ),
            _slots(
                universe, a.header.name, a.needed, a.plain_effects, (optional or {}).get(a.header.name, ())
            ),
        )
        for a in model.actions
    ]
    while True:
        facts, news = Facts(universe, atoms), 0
        for name, pattern, slots in lifted:
            for args in pattern.matches(facts):
                step = Step(name, args)
                if step not in found:
                    positions = universe.positions(step)
                    needed, forbidden, add, delete, may_add, may_delete = [
                        _mask(positions, numbers) for numbers in slots
                    ]
                    ground = Ground(
                        step, needed, forbidden, add, delete, may_add & ~add, may_delete & ~(add | delete)
                    )
                    found[step] = ground
                    if len(found) > most:
                        return None
                    news |= ground.add | ground.may_add
        if not news & ~atoms:
            return Reach(tuple(found.values()), atoms)
        atoms |= news


def _slots(universe: Universe, action: str, *parts: Iterable[Literal]) -> list[list[int]]:
    """For each set of literals, the slots of its positive atoms and those of its negative ones."""
    number = {atom: n for n, atom in enumerate(universe.vocabulary.lifted_atoms(action))}
    return [
        [number[literal.atom] for literal in part if literal.positive is positive]
        for part in parts
        for positive in (True, False)
    ]


def _mask(positions: tuple[int, ...], numbers: list[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << positions[number]
    return mask
