"""Which ground actions can ever matter: those whose needs hold if nothing true ever becomes false again.

Delete-relaxed reachability, by joins over the atoms reached so far, so that the cost follows the number of
ground actions that come out and not the number of objects to the power of the arity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    free: bool = False,
) -> Reach | None:
    """What a model can do from these states, at most; None if that takes too many ground actions.

    `optional` effects, by action, may happen or not. With `free` arguments they may be the same.
    """
    atoms = 0
    for bits in initial:
        atoms |= bits
    found: dict[Step, Ground] = {}
    patterns = [
        (a, Pattern(universe, a.header, sorted(x.atom for x in a.precondition if x.positive), free))
        for a in model.actions
    ]
    while True:
        facts, news = Facts(universe, atoms), 0
        for action, pattern in patterns:
            maybe = (optional or {}).get(action.header.name, frozenset())
            for args in pattern.matches(facts):
                step = Step(action.header.name, args)
                if step not in found:
                    binding = action.header.bind(args)
                    needed, forbidden = _masks(universe, action.precondition, binding)
                    add, delete = _masks(universe, action.effects, binding)
                    may_add, may_delete = _masks(universe, maybe, binding)
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


def _masks(universe: Universe, literals: Iterable[Literal], binding: dict[str, str]) -> tuple[int, int]:
    """The atoms that are true and those that are false in a set of literals."""
    true = false = 0
    for atom, positive in literals:
        bit = 1 << universe.index(atom.substitute(binding))
        true, false = (true | bit, false) if positive else (true, false | bit)
    return true, false
