"""Situations in which an action might run: those the agent offers, and those that known actions lead to.

What happened between the offered situations may be read as the doing of one action or another (`readings`).
These hypotheses compete (`contest`): a kind of change that only one action can have made speaks for that
action, and an action that has been found takes its kinds away from the others.

Many actions also undo, or follow upon, others: the state right after a known action ran on some objects
is a good place to try an unknown one on the same objects.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import islice, permutations

from assay.core.setting import fitting
from assay.core.symbols import Atom
from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.changes import Change, Scene, explained, read_changes
from assay.strategies.contest import contested
from assay.strategies.fillings import Fillings
from assay.strategies.readings import PART, Hypothesis, Readings
from assay.strategies.wording import Wording
from assay.strategies.writing import Custom, custom_of

MOST_WAYS, AFTERMATHS, SAMPLES = 120, 6, 12

FAINT, UNSEEN = 0.02, 0.05
"""Weights of situations in which nothing that fits is known to have happened, and of not being seen at all:
then anything may be required true, and anything false."""
EXPLAINED = 0.2
"""How likely an action did what known actions explain, against not being seen at all."""


class Situations:
    """With `habits` the order in which actions are listed and their names count, too."""

    def __init__(self, knowledge: Knowledge, *, habits: bool) -> None:
        self._knowledge, self._habits = knowledge, habits
        self._constants = frozenset(c.name for c in knowledge.vocabulary.constants)
        profile = knowledge.setting.profile
        self._places = {a.name: fitting(profile, a, constants=True) for a in knowledge.vocabulary.actions}
        self._fillings = Fillings(knowledge)
        self._readers: dict[str, Readings] = {}
        self._made: dict[tuple[object, ...], list[Hypothesis]] = {}
        self._explained: dict[tuple[object, ...], set[Change]] = {}
        self._around: dict[tuple[str, int], list[Hypothesis]] = {}
        self._sampled: dict[str, set[int]] = {}
        self._shares: tuple[object, dict[str, list[Hypothesis]]] = None, {}

    @cached_property
    def changes(self) -> list[Change]:
        """What was done where one offered situation follows another."""
        return read_changes(self._knowledge)

    @cached_property
    def _first(self) -> dict[object, int]:
        """When each kind of change was first seen."""
        return {c.kind: n for n, c in reversed(list(enumerate(self.changes)))}

    def rate(self, atom: Atom) -> float:
        """How often the atom's predicate holds of objects it could hold of."""
        return self._fillings.rate(atom)

    def of(self, dossier: Dossier) -> list[Hypothesis]:
        """What the action's first example may be like."""
        dossiers = self._knowledge.dossiers.values()
        known = [d for d in dossiers if d.ran]
        unknown = [d for d in dossiers if not d.ran]
        key = (
            *((d.header.name, d.precondition.required, d.open_effects) for d in known),
            *((d.header.name, len(d.precondition.failures)) for d in unknown),
        )
        if self._shares[0] != key:
            self._shares = key, self._compete(known, unknown)
        made = self._shares[1][dossier.header.name]
        around = self._around.setdefault((dossier.header.name, len(known)), [])
        if not around:
            around += self._elsewhere(dossier, known)
        unseen = sum(h.weight for h in made if h.kind is None)
        return [*made, *around, *self._like_others(dossier, known, unseen)]

    def _compete(self, known: list[Dossier], unknown: list[Dossier]) -> dict[str, list[Hypothesis]]:
        """The hypotheses not refuted, each weighed by who else may have made that kind of change."""
        theirs: set[Change] = set()
        for dossier in known:
            theirs |= self._done_by(dossier)
        left = frozenset(n for n, c in enumerate(self.changes) if c not in theirs)
        rest = frozenset(range(len(self.changes))) - left
        rows: dict[str, list[Hypothesis]] = {}
        custom = custom_of(known)
        for dossier in unknown:
            name, failures = dossier.header.name, dossier.precondition.failures
            fresh, old = (
                [h for h in self._readings(dossier, numbers, custom) if not any(map(h.accepts, failures))]
                for numbers in (left, rest)
            )
            unseen = UNSEEN * max((h.weight for h in (*fresh, *old)), default=1.0)
            faint = EXPLAINED * unseen / (sum(h.weight for h in old) or 1)
            rows[name] = [*fresh, *(_weighed(h, h.weight * faint) for h in old)]
            rows[name].append(Hypothesis(dossier.atom_mask, dossier.atom_mask, unseen))
        shares, demand = contested(rows, self._first if self._habits else {})
        return {
            name: [
                _weighed(h, share * _divided(h, demand))
                for h, share in zip(row, shares[name], strict=True)
                if share > 0
            ]
            for name, row in rows.items()
        }

    def _done_by(self, known: Dossier) -> set[Change]:
        name, needs, effects = known.header.name, known.precondition, known.effects
        key = (name, needs.need_true, needs.need_false, effects.may_add, effects.may_delete, effects.may_keep)
        if key not in self._explained:
            self._explained[key] = explained(known, self.changes, self._places[name])
        return self._explained[key]

    def _readings(self, dossier: Dossier, numbers: frozenset[int], custom: Custom) -> list[Hypothesis]:
        key = (dossier.header.name, numbers, custom)
        if key not in self._made:
            if key[0] not in self._readers:
                wording = Wording(self._knowledge.vocabulary, key[0]) if self._habits else None
                self._readers[key[0]] = Readings(self._knowledge, dossier, self._fillings, wording)
            changes = [self.changes[n] for n in sorted(numbers)]
            self._made[key] = self._readers[key[0]].of(changes, custom)
        return self._made[key]

    def _elsewhere(self, dossier: Dossier, known: list[Dossier]) -> list[Hypothesis]:
        """Offered situations as such, and what known actions lead to: all that is left where nothing fits."""
        name = dossier.header.name
        if name not in self._sampled:
            self._sampled[name] = self._sample(dossier)
        found = set(self._sampled[name])
        for other in known:
            after_it = sorted(set(self._aftermath(other, dossier)), key=lambda v: (-v.bit_count(), v))
            found.update(after_it[:AFTERMATHS])
        full = dossier.atom_mask
        return [Hypothesis(v, full & ~v, FAINT / len(found)) for v in sorted(found)]

    def _sample(self, dossier: Dossier) -> set[int]:
        """The most striking that is offered for the action's atoms, in some of the situations."""
        offered, nobody = self._knowledge.setting.offered, (None,) * dossier.header.arity
        rng = random.Random(f"{self._knowledge.setting.seed} {dossier.header.name}")
        scenes = [Scene(s, self._constants) for s in rng.sample(offered, min(len(offered), SAMPLES))]
        return {f for scene in scenes for f in self._fillings.of(dossier, scene, nobody)[:1]}

    def _like_others(self, dossier: Dossier, known: list[Dossier], weight: float) -> list[Hypothesis]:
        """Everything true but what a known action needs false, the n-th parameter of a type here standing for
        the n-th there: for an action that is not seen to run at all."""
        index = {atom: i for i, atom in enumerate(dossier.atoms)}
        mine = {role: name for name, role in _roles(dossier).items()}
        found: set[int] = set()
        for other in known:
            binding = {name: mine[role] for name, role in _roles(other).items() if role in mine}
            forbidden = (other.atoms[i] for i in indices(other.precondition.need_false & other.atom_mask))
            alike = [index.get(atom.substitute(binding)) for atom in forbidden]
            if alike and None not in alike:
                found.add(bits_of(i for i in alike if i is not None))
        found = {f for f in found if dossier.atom_mask & ~f not in dossier.precondition.failures}
        return [Hypothesis(dossier.atom_mask & ~f, f, weight / len(found)) for f in sorted(found)]

    def _aftermath(self, known: Dossier, dossier: Dossier) -> Iterator[int]:
        """Valuations of the action's atoms on objects that a known action has just run on, all else false."""
        needs, effects = known.precondition, known.effects
        after = (
            needs.need_true & ~effects.may_delete | effects.may_add & ~effects.may_keep
        ) & known.atom_mask
        holds = {known.atoms[i] for i in indices(after)}
        theirs, fits = known.header.parameters, self._knowledge.vocabulary.fits
        for chosen in islice(permutations(theirs, dossier.header.arity), MOST_WAYS):
            pairs = list(zip(dossier.header.parameters, chosen, strict=True))
            if all(fits(t, mine.types) for mine, other in pairs for t in other.types):
                binding = {mine.name: other.name for mine, other in pairs}
                yield bits_of(i for i, atom in enumerate(dossier.atoms) if atom.substitute(binding) in holds)


def _divided(hypothesis: Hypothesis, demand: Mapping[object, float]) -> float:
    """What is left of the weight where several actions share a kind: then each made only some of it."""
    alone = 1 / max(1.0, demand[hypothesis.kind]) if hypothesis.kind else 1.0
    return 1 + (1 - alone) / PART if hypothesis.part else alone


def _roles(dossier: Dossier) -> dict[str, tuple[object, int]]:
    """Each parameter with its types and its number among those of the same types."""
    seen: Counter[object] = Counter()
    roles: dict[str, tuple[object, int]] = {}
    for parameter in dossier.header.parameters:
        seen[parameter.types] += 1
        roles[parameter.name] = (parameter.types, seen[parameter.types])
    return roles


def _weighed(hypothesis: Hypothesis, weight: float) -> Hypothesis:
    return replace(hypothesis, weight=weight)
