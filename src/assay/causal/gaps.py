"""Where an action of two models behaves differently, with a smallest situation that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.causal.minimal import minimal_sets
from assay.core.condition import Condition
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Atom
from assay.core.universe import Universe
from assay.scoring.clauses import Clauses
from assay.scoring.comparison import Witness
from assay.scoring.equivalence import compare
from assay.scoring.settings import Setting, settings


@dataclass(frozen=True)
class Gap:
    """An action runs in one model and not in the other, or leads where that of the other cannot."""

    action: str
    side: int
    """The model, 0 or 1, in which it runs or leads there."""
    leads: bool
    setting: Setting
    witness: Witness
    """What the difference rests on, given that it runs."""
    situation: frozenset[Atom]
    """What is true, all else being false: fewest facts."""

    @property
    def size(self) -> tuple[int, str, bool, int]:
        return len(self.situation), self.action, self.leads, self.side


def gaps(first: Model, second: Model, name: str, equality: bool = False) -> Iterator[Gap]:
    """A gap of each kind and side in each setting; none if the actions do the same.

    Different parameters are different things; with `equality`, one thing for several is tried as well.
    """
    for setting in settings(first, second, name, equality):
        comparison = compare(first, second, setting)
        for side, model in enumerate((first, second)):
            other = (second, first)[side]
            for leads, search in ((False, comparison.runs_only), (True, comparison.leads_only)):
                if (witness := search(side)) is not None:
                    run = [model, other] if leads else [model]
                    needed = [Execution(m, setting.universe).ground(setting.step).precondition for m in run]
                    yield Gap(
                        name, side, leads, setting, witness, situation(setting.universe, needed, witness)
                    )


def situation(universe: Universe, needed: Sequence[Condition], witness: Witness) -> frozenset[Atom]:
    """Fewest facts with which the conditions hold and the witness is as it says; there is such a state."""
    clauses = Clauses(universe.size)
    clauses.clauses += [[clauses.condition(c)] for c in needed]
    clauses.clauses += [[clauses.atom(b) if v else -clauses.atom(b)] for b, v in witness.before.items()]
    atoms = {clauses.atom(bit): universe.atom(bit) for bit in range(universe.size)}
    chosen, _ = next(minimal_sets(clauses, list(atoms)))
    return frozenset(atoms[number] for number in chosen)
