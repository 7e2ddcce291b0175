"""Situations in which an action might run: those the agent offers, and those that known actions lead to.

Where one offered situation followed another, something was done, and what changed names the objects it was
done to. Giving these objects to the parameters of an action turns the change into a hypothesis about the
action's effects; every change that reads the same way supports the same hypothesis, and if it is true the
action ran in all of those situations, so its precondition is made of what they have in common. Changes
that a known action explains are left out. Many actions also undo, or follow upon, others: the state
right after a known action ran on some objects is a good place to try an unknown one on the same objects.

Parameters that no change names are filled so that as many atoms as possible hold among the objects, because
actions happen to things that have to do with each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise, permutations

from assay.core.symbols import Atom
from assay.core.universe import State, bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge

SAMPLES, CLIMBS, MOST_WAYS, MOST_CHANGES, AFTERMATHS = 12, 4, 120, 12, 6

FAINT = 0.05
"""Weight of a situation in which nothing that fits is known to have happened, if there are others."""

Arguments = list[str | None]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Valuations in which the action may have run; if it did, in all of them."""

    valuations: tuple[int, ...]
    full: int
    weight: float

    @property
    def true(self) -> int:
        """What holds in all of them, and so may be required."""
        common = self.full
        for valuation in self.valuations:
            common &= valuation
        return common

    @property
    def false(self) -> int:
        """What holds in none of them, and so may be forbidden."""
        common = self.full
        for valuation in self.valuations:
            common &= ~valuation
        return common


class Situations:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._found: dict[tuple[str, int], list[Hypothesis]] = {}
        self._climbed: dict[tuple[str, int, tuple[str | None, ...]], int] = {}
        self._fitting = {a.name: knowledge.setting.fitting(a) for a in knowledge.vocabulary.actions}

    def of(self, dossier: Dossier) -> list[Hypothesis]:
        """What the action's first example may be like."""
        known = [d for d in self._knowledge.dossiers.values() if d.settled]
        key = (dossier.header.name, len(known))
        if key not in self._found:
            self._found[key] = list(self._hypotheses(dossier, known))
        return self._found[key]

    def _hypotheses(self, dossier: Dossier, known: list[Dossier]) -> Iterator[Hypothesis]:
        offered, full = self._knowledge.setting.offered, dossier.atom_mask
        rng = random.Random(f"{self._knowledge.setting.seed} {dossier.header.name}")
        supported: dict[frozenset[tuple[Atom, bool]], dict[int, None]] = {}
        for before, after in pairwise(offered):
            changed = before.bits ^ after.bits
            if 0 < changed.bit_count() <= MOST_CHANGES and not any(
                self._explains(d, before, after) for d in known
            ):
                for args in self._ways(dossier, self._knowledge.universe.atoms(changed)):
                    effects = self._lifted(dossier, args, before, changed)
                    valuation = self._climb(dossier, before, args, rng)
                    if effects and valuation >= 0:
                        supported.setdefault(effects, {})[valuation] = None
        for valuations in supported.values():
            yield Hypothesis(tuple(valuations), full, 1.0)
            if len(valuations) > 1:  # or another action with the same effects did some of it
                for valuation in valuations:
                    yield Hypothesis((valuation,), full, 1 / len(valuations))
        single = {
            self._climb(dossier, state, [None] * dossier.header.arity, rng)
            for state in rng.sample(offered, min(len(offered), SAMPLES))
        }
        for other in known:
            after_it = sorted(set(self._aftermath(other, dossier)), key=lambda v: (-v.bit_count(), v))
            single.update(after_it[:AFTERMATHS])
        for valuation in sorted(single - {-1}):
            yield Hypothesis((valuation,), full, FAINT if supported else 1.0)

    def _lifted(
        self, dossier: Dossier, args: Arguments, before: State, changed: int
    ) -> frozenset[tuple[Atom, bool]]:
        """The change as effects of the action, if it can be written with its parameters."""
        names = {a: p.name for p, a in zip(dossier.header.parameters, args, strict=True) if a is not None}
        lifted = {
            (atom.substitute(names), atom not in before) for atom in self._knowledge.universe.atoms(changed)
        }
        return frozenset(lifted) if {atom for atom, _ in lifted} <= set(dossier.atoms) else frozenset()

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

    def _explains(self, dossier: Dossier, before: State, after: State) -> bool:
        """Whether the action, applied to some of what changed, would have changed just that."""
        universe = self._knowledge.universe
        rose = set(universe.atoms(after.bits & ~before.bits))
        fell = set(universe.atoms(before.bits & ~after.bits))
        effects = dossier.effects
        adds = [dossier.atoms[i] for i in indices(effects.may_add & ~effects.may_keep)]
        deletes = [dossier.atoms[i] for i in indices(effects.may_delete & ~effects.may_keep)]
        touched = {v for atom in (*adds, *deletes) for v in atom.variables}
        for args in self._ways(dossier, [*rose, *fell]):
            binding = {p.name: a for p, a in zip(dossier.header.parameters, args, strict=True) if a}
            if (
                touched <= binding.keys()
                and {b for a in adds if (b := a.substitute(binding)) not in before} == rose
                and {b for a in deletes if (b := a.substitute(binding)) in before} == fell
            ):
                return True
        return False

    def _ways(self, dossier: Dossier, changed: list[Atom]) -> list[Arguments]:
        """Ways to give the objects that changed to parameters, the other parameters left open."""
        names = sorted({n for atom in changed for n in atom.args})
        names = [n for n in names if all(n != c.name for c in self._knowledge.vocabulary.constants)]
        places, arity = self._fitting[dossier.header.name], dossier.header.arity
        found: list[Arguments] = []
        if len(names) <= arity and {a.predicate for a in changed} <= {a.predicate for a in dossier.atoms}:
            for chosen in islice(permutations(range(arity), len(names)), MOST_WAYS):
                if all(n in places[p] for n, p in zip(names, chosen, strict=True)):
                    args: Arguments = [None] * arity
                    for n, p in zip(names, chosen, strict=True):
                        args[p] = n
                    found.append(args)
        return found

    def _climb(self, dossier: Dossier, state: State, args: Arguments, rng: random.Random) -> int:
        """The valuation with the open arguments chosen well; -1 if there are not enough objects."""
        key = (dossier.header.name, state.bits, tuple(args))
        if key not in self._climbed:
            self._climbed[key] = self._climb_afresh(dossier, state, args, rng)
        return self._climbed[key]

    def _climb_afresh(self, dossier: Dossier, state: State, args: Arguments, rng: random.Random) -> int:
        holds, places = set(state), self._fitting[dossier.header.name]
        free = [number for number, name in enumerate(args) if name is None]

        def truths(args: list[str]) -> int:
            get = dossier.header.bind(tuple(args)).get  # plain tuples equal atoms and are quicker to make
            return bits_of(
                i for i, (p, terms) in enumerate(dossier.atoms) if (p, (*map(get, terms, terms),)) in holds
            )

        best = -1
        for _ in range(CLIMBS if free else 1):
            chosen = [name or "" for name in args]
            for number in free:
                left = [n for n in places[number] if n not in chosen]
                if not left:
                    return -1
                chosen[number] = rng.choice(left)
            top, improved = truths(chosen), True
            while improved:
                improved = False
                for number in free:
                    for name in places[number]:
                        if name not in chosen:
                            other = truths(trial := [*chosen[:number], name, *chosen[number + 1 :]])
                            if other.bit_count() > top.bit_count():
                                chosen, top, improved = trial, other, True
            if best < 0 or top.bit_count() > best.bit_count():
                best = top
        return best
