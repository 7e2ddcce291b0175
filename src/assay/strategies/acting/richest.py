"""Arguments for an action that never ran: those under which the atoms it probably needs hold.

Every lifted atom has a weight. Parameters are given objects one by one, the ones with fewest objects first,
and of the tuples begun only those are kept under which most weight holds so far.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from heapq import nlargest

from assay.core.setting import Setting
from assay.core.symbols import Atom, Step
from assay.core.universe import State
from assay.knowledge.dossier import Dossier

Index = tuple[list[int | str], dict[tuple[str, ...], list[str]], float]
"""What an atom's other arguments are, which names make it true for each value of these, and its weight."""


class Richest:
    def __init__(self, setting: Setting, dossier: Dossier) -> None:
        parameters = dossier.header.parameters
        self._name, self._atoms = dossier.header.name, dossier.atoms
        self._free = self._name in setting.profile.free_arguments
        self._fitting = setting.fitting(dossier.header)
        self._order = sorted(range(len(parameters)), key=lambda n: (len(self._fitting[n]), n))
        self._number = {p.name: n for n, p in enumerate(parameters)}

    def steps(self, state: State, weights: Sequence[float], beam: int) -> list[Step]:
        """The steps with most weight, at most as many as the beam is wide."""
        rows: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for predicate, args in sorted(state):
            rows[predicate].append(args)
        begun: list[tuple[float, dict[int, str]]] = [(0.0, {})]
        known: set[int] = set()
        for place in self._order:
            known.add(place)
            indexes = [
                self._index(atom, place, rows[atom.predicate], weight)
                for atom, weight in zip(self._atoms, weights, strict=True)
                if (used := {self._number[v] for v in atom.variables}) <= known and place in used
            ]
            longer = []
            for score, chosen in begun:
                gains: dict[str, float] = defaultdict(float)
                for others, names, weight in indexes:
                    key = tuple([chosen[o] if isinstance(o, int) else o for o in others])
                    for name in names.get(key, ()):
                        gains[name] += weight
                taken = set(chosen.values())
                longer += [
                    (score + gains.get(name, 0.0), chosen, name)
                    for name in self._fitting[place]
                    if self._free or name not in taken
                ]
            best = nlargest(beam, longer, key=lambda entry: entry[0])
            begun = [(score, chosen | {place: name}) for score, chosen, name in best]
        return [Step(self._name, tuple(args[n] for n in range(len(args)))) for _, args in begun]

    def _index(self, atom: Atom, place: int, rows: list[tuple[str, ...]], weight: float) -> Index:
        numbers = [self._number.get(a, a) for a in atom.args]
        mine = [column for column, number in enumerate(numbers) if number == place]
        others = [column for column, number in enumerate(numbers) if number != place]
        names: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for row in rows:
            if len({row[column] for column in mine}) == 1:
                names[tuple([row[column] for column in others])].append(row[mine[0]])
        return [numbers[column] for column in others], names, weight
