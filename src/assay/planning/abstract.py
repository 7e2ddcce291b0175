"""Abstract models: some slots decided, the others not (AIA-21 Def. 1, DCDN Def. 9).

A node of the papers' lattice of models is a set of slots with their modes. Here it is six bitmasks per
action over its lifted atoms. A refinement is one more slot and the two modes in which two models that
are otherwise equal have it: M_i and M_j of Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from assay.core.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class AbstractAction:
    """What is decided of one action. A precondition slot decided to be absent is in none of the masks."""

    need_true: int = 0
    need_false: int = 0
    blank: int = 0
    """Precondition slots of which no mode has been ruled out."""
    add: int = 0
    delete: int = 0
    unknown: int = 0
    """Effect slots that are not decided."""


AbstractModel = Mapping[str, AbstractAction]


def empty_model(vocabulary: Vocabulary) -> dict[str, AbstractAction]:
    """The top of the lattice: nothing is decided."""
    full = {a.name: (1 << len(vocabulary.lifted_atoms(a.name))) - 1 for a in vocabulary.actions}
    return {name: AbstractAction(blank=mask, unknown=mask) for name, mask in full.items()}


@dataclass(frozen=True, slots=True)
class Refinement:
    """A slot (the papers' pal tuple) and two of the modes "+", "-" and "0" (absent)."""

    action: str
    atom: int
    """The slot's number among the action's lifted atoms."""
    effect: bool
    modes: tuple[str, str]


def refinements(action: str, atom: int, effect: bool, modes: str) -> list[Refinement]:
    """Every pair of the modes left."""
    return [Refinement(action, atom, effect, pair) for pair in combinations(modes, 2)]


def holds(mode: str, value: int) -> bool:
    """Whether a precondition slot in this mode accepts the value of its atom."""
    return mode == "0" or value == (mode == "+")


def outcome(mode: str, value: int) -> int:
    """The value that an effect slot in this mode leaves."""
    return value if mode == "0" else int(mode == "+")
