"""What is needed of an agent with chance, decided in every state that it can be led to.

Some literals make no difference where an agent that is only reset, or put where it has been, can come. Then
every model that explains the journal behaves alike there, and this is checked by looking: from the initial
states through all outcomes of the model, state by state. In a state a capability runs for certain if it lacks
nothing that all runs of the journal have in common, and is refused for certain if it lacks all that was
lacking in some refusal of the journal. Outcomes that were never seen may lead elsewhere; no journal rules
that out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from assay.core.model import ActionModel, Model
from assay.core.setting import Setting
from assay.core.symbols import Atom, Literal, Step

MOST_STATES = 20_000

Values = frozenset[Atom]
"""The lifted atoms of a capability that held."""


class TooMany(Exception):
    """There are more states than are looked at."""


def undecided(
    setting: Setting,
    model: Model,
    ran: Mapping[str, Iterable[Values]],
    refused: Mapping[str, Iterable[Values]],
    most: int = MOST_STATES,
) -> tuple[set[str], int]:
    """Capabilities that might or might not run in some state within reach, or of which the model says the
    wrong thing there; and the number of these states. `TooMany` if they are not all looked at."""
    vocabulary = setting.profile.vocabulary
    rulings = {
        a.name: _Ruling(vocabulary.lifted_atoms(a.name), ran.get(a.name, ()), refused.get(a.name, ()))
        for a in vocabulary.actions
    }
    steps = [_Ground(setting, model, step) for step in _steps(setting)]
    reached = {frozenset(state) for state in setting.offered}
    todo, found = list(reached), set[str]()
    while todo:
        state = todo.pop()
        for step in steps:
            held = frozenset(lifted for lifted, ground in step.atoms.items() if ground in state)
            runs = step.action is not None and all((x.atom in held) == x.positive for x in step.action.needed)
            if rulings[step.name].says(held) is not runs:
                found.add(step.name)
            if not runs:
                continue
            for added, deleted in step.outcomes:
                after = state - deleted | added
                if after not in reached:
                    if len(reached) >= most:
                        raise TooMany
                    reached.add(after)
                    todo.append(after)
    return found, len(reached)


class _Ruling:
    """What the journal decides about one capability."""

    def __init__(self, atoms: Iterable[Atom], ran: Iterable[Values], refused: Iterable[Values]) -> None:
        runs = list(ran)
        self._common = [
            Literal(atom, positive)
            for atom in atoms
            for positive in (True, False)
            if all((atom in held) == positive for held in runs)
        ]
        self._refusals = {self._lacking(held) for held in refused}
        self._ran = bool(runs)
        self._known: dict[Values, bool | None] = {}

    def says(self, held: Values) -> bool | None:
        """Whether it runs with these atoms; None if the journal does not decide that."""
        if held not in self._known:
            lacking = self._lacking(held)
            refused = any(known <= lacking for known in self._refusals)
            self._known[held] = False if refused else True if self._ran and not lacking else None
        return self._known[held]

    def _lacking(self, held: Values) -> frozenset[Literal]:
        return frozenset(x for x in self._common if (x.atom in held) != x.positive)


class _Ground:
    """A step with what it touches."""

    def __init__(self, setting: Setting, model: Model, step: Step) -> None:
        vocabulary = setting.profile.vocabulary
        binding = vocabulary.action[step.action].bind(step.args)
        self.name = step.action
        self.action: ActionModel | None = model.action.get(step.action)
        self.atoms = {atom: atom.substitute(binding) for atom in vocabulary.lifted_atoms(step.action)}
        self.outcomes = [
            tuple(
                frozenset(x.atom.substitute(binding) for x in outcome.literals if x.positive is positive)
                for positive in (True, False)
            )
            for outcome in (self.action.outcomes if self.action else ())
        ]


def _steps(setting: Setting) -> Iterable[Step]:
    """Every capability with the agent's own objects, all different."""
    for header in setting.profile.vocabulary.actions:
        for args in product(*setting.fitting(header)):
            if len(set(args)) == len(args):
                yield Step(header.name, args)
