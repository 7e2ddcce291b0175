"""Situations in which an action might run: those the agent offers, and those that known actions lead to.

Many actions undo, or follow upon, others, so the state right after a known action ran on some objects is
a good place to try an unknown one on the same objects. Where one offered situation followed another, what
changed names the objects that something was done to: they are as good as arguments of the action that did
it, unless an action already known explains the change. The other arguments are chosen so that as many
atoms as possible hold among them, because actions happen to things that have to do with each other.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise, permutations

from assay.core.symbols import Atom
from assay.core.universe import State, bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge

SAMPLES, WAYS, MOST_WAYS, MOST_CHANGES = 12, 6, 120, 12

Arguments = list[str | None]


class Situations:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._found: dict[tuple[str, int], list[int]] = {}
        self._climbed: dict[tuple[str, int, tuple[str | None, ...]], int] = {}
        self._fitting = {a.name: knowledge.setting.fitting(a) for a in knowledge.vocabulary.actions}

    def of(self, dossier: Dossier) -> list[int]:
        """Valuations of the action's atoms, likelier ones more often."""
        known = [d for d in self._knowledge.dossiers.values() if d.settled]
        key = (dossier.header.name, len(known))
        if key not in self._found:
            offered = self._knowledge.setting.offered
            rng = random.Random(f"{self._knowledge.setting.seed} {dossier.header.name}")
            found: Counter[int] = Counter()
            for before, after in pairwise(offered):
                changed = before.bits ^ after.bits
                if 0 < changed.bit_count() <= MOST_CHANGES and not any(
                    self._explains(d, before, after) for d in known
                ):
                    atoms = self._knowledge.universe.atoms(changed)
                    for args in self._arguments(dossier, atoms, rng):
                        found[self._climb(dossier, before, args, rng)] += 4
            for state in rng.sample(offered, min(len(offered), SAMPLES)):
                found[self._climb(dossier, state, [None] * dossier.header.arity, rng)] += 1
            for other in known:
                connected = sorted(set(self._aftermath(other, dossier)), key=lambda v: (-v.bit_count(), v))
                found.update(connected[:WAYS])
            del found[-1]
            self._found[key] = [v for v, count in sorted(found.items()) for _ in range(count)]
        return self._found[key]

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

    def _arguments(self, dossier: Dossier, changed: list[Atom], rng: random.Random) -> list[Arguments]:
        ways = self._ways(dossier, changed)
        return rng.sample(ways, min(len(ways), WAYS))

    def _ways(self, dossier: Dossier, changed: list[Atom]) -> list[Arguments]:
        """Ways to give the objects that changed to parameters, the other parameters left open."""
        names = sorted({n for atom in changed for n in atom.args})
        names = [n for n in names if all(n != c.name for c in self._knowledge.vocabulary.constants)]
        places, arity = self._fitting[dossier.header.name], dossier.header.arity
        found: list[Arguments] = []
        if len(names) <= arity and {a.predicate for a in changed} <= {a.predicate for a in dossier.atoms}:
            for chosen in permutations(range(arity), len(names)):
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
        chosen = [name or "" for name in args]
        for number in free:
            left = [n for n in places[number] if n not in chosen]
            if not left:
                return -1
            chosen[number] = rng.choice(left)

        def truths(args: list[str]) -> int:
            binding = dossier.header.bind(tuple(args))
            get = binding.get  # plain tuples: they equal atoms and are quicker to make
            return bits_of(
                i for i, (p, terms) in enumerate(dossier.atoms) if (p, (*map(get, terms, terms),)) in holds
            )

        best, improved = truths(chosen), True
        while improved:
            improved = False
            for number in free:
                for name in places[number]:
                    if name not in chosen:
                        other = truths(trial := [*chosen[:number], name, *chosen[number + 1 :]])
                        if other.bit_count() > best.bit_count():
                            chosen, best, improved = trial, other, True
        return best
