"""Situations in which an action might run: those the agent offers, and those that known actions lead to.

Giving the objects of a change to the parameters of an action turns the change into a hypothesis about the
action's effects; every change that reads the same way supports the same hypothesis, and if it is true the
action ran in all of those situations, so its precondition is made of what they have in common. Parameters
that the change does not name are filled so that as much as possible holds in all of those situations,
above all what seldom holds: actions happen to things that have to do with each other.

Hypotheses compete. Each kind of change was probably made by one of the actions, and each action probably
made one of the kinds, so a kind that only one action can have made speaks for that action, and an action
that has been found takes its kinds away from the others. Names mean nothing here; the order of parameters
does a little: people write them as in the atoms, and what is left before what is reached.

Many actions also undo, or follow upon, others: the state right after a known action ran on some objects
is a good place to try an unknown one on the same objects.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, permutations

from assay.core.setting import fitting
from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.changes import Change, Effects, Scene, explained, read_changes, ways
from assay.strategies.fillings import Arguments, Fillings
from assay.strategies.writing import Custom, custom_of, orderly

FEW, LOOKED_AT = 3, 36
"""Changes that make a hypothesis credible, and how many of a kind are looked at."""
READINGS = 100
"""Readings of the changes as an action's doing that are looked into."""
MOST_WAYS, AFTERMATHS, SAMPLES, ROUNDS = 120, 6, 12, 6

FAINT, UNSEEN = 0.02, 0.05
"""Weights of situations in which nothing that fits is known to have happened, and of not being seen at all:
then anything may be required true, and anything false."""
EXPLAINED = 0.2
"""How likely an action did what known actions explain, against not being seen at all."""
ADRIFT = 0.1
"""Weight of a parameter that nothing links to the others."""

LINKED = 2.0
"""What is enough to link a parameter to the others, in bits."""
PART, BARRED = 0.3, 0.3
"""Weights of the case that the action made only some of the changes that read alike, and then of those where
something does not hold, against those where it does."""

Examples = list[tuple[Change, Arguments]]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What holds, and what does not, wherever the action ran, if the hypothesis is true."""

    true: int
    false: int
    weight: float
    risen: int = 0
    fallen: int = 0
    """What the action is then seen to make true, and false."""
    kind: object = None
    """The kind of change that it then makes."""
    part: bool = False
    """Whether the action is then thought to have made only some of the changes that read this way."""

    def accepts(self, valuation: int) -> bool:
        """Whether the action is certain to run there, if the hypothesis is true."""
        return not (self.true & ~valuation or self.false & valuation)


class Situations:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._constants = frozenset(c.name for c in knowledge.vocabulary.constants)
        self._fitting = {a.name: knowledge.setting.fitting(a) for a in knowledge.vocabulary.actions}
        profile = knowledge.setting.profile
        self._places = {a.name: fitting(profile, a, constants=True) for a in knowledge.vocabulary.actions}
        self._fillings = Fillings(knowledge)
        self._made: dict[tuple[object, ...], list[Hypothesis]] = {}
        self._explained: dict[tuple[object, ...], set[Change]] = {}
        self._around: dict[tuple[str, int], list[Hypothesis]] = {}
        self._shares: tuple[object, dict[str, list[Hypothesis]]] = None, {}

    @cached_property
    def changes(self) -> list[Change]:
        """What was done where one offered situation follows another."""
        return read_changes(self._knowledge)

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
        start = {name: [h.weight for h in row] for name, row in rows.items()}
        shares = {name: _normal(weights) for name, weights in start.items()}
        for _ in range(ROUNDS):
            demand: Counter[object] = Counter()
            for name, row in rows.items():
                for h, share in zip(row, shares[name], strict=True):
                    demand[h.kind] += share  # type: ignore[assignment]
            for name, row in rows.items():
                owned: Counter[object] = Counter()
                for h, share in zip(row, shares[name], strict=True):
                    owned[h.kind] += share  # type: ignore[assignment]
                claims = {kind: share / (demand[kind] or 1) for kind, share in owned.items() if kind}
                claims[None] = max(claims.values(), default=1.0)  # who shares a kind is no likelier unseen
                shares[name] = _normal(
                    [weight * claims[h.kind] for h, weight in zip(row, start[name], strict=True)]
                )
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
            changes = [self.changes[n] for n in sorted(numbers)]
            self._made[key] = list(self._hypotheses(dossier, changes, custom))
        return self._made[key]

    def _hypotheses(self, dossier: Dossier, changes: list[Change], custom: Custom) -> Iterator[Hypothesis]:
        """Every way to read the changes as this action's effects."""
        support: defaultdict[Effects, Examples] = defaultdict(list)
        atoms = set(dossier.atoms)
        for change in changes:
            for args in ways(dossier, change, self._fitting[dossier.header.name]):
                names = {a: p.name for p, a in zip(dossier.header.parameters, args, strict=True) if a}
                effects = frozenset((atom.substitute(names), sign) for atom, sign in change.effects)
                if {atom for atom, _ in effects} <= atoms:
                    support[effects].append((change, tuple(args)))
        index = {atom: i for i, atom in enumerate(dossier.atoms)}
        readings = []
        for effects, (examples, absorbed) in _united(dossier, support).items():
            weight = orderly(dossier, effects, custom) * min(1.0, len(examples) / FEW)
            weight *= 0.7 ** examples[0][1].count(None) * (PART if absorbed else 1)
            own = support[effects]
            if len(own) < len(examples):
                weight /= 2
                readings.append((weight, effects, own))
            readings.append((weight, effects, examples))
        readings.sort(key=lambda reading: -reading[0])
        for weight, effects, examples in readings[:READINGS]:
            risen = bits_of(index[atom] for atom, sign in effects if sign)
            fallen = bits_of(index[atom] for atom, sign in effects if not sign)
            kind = examples[0][0].kind
            for true, false, linked, part in self._in_common(dossier, examples):
                yield Hypothesis(true, false, weight * linked, risen, fallen, kind, part)

    def _in_common(
        self, dossier: Dossier, examples: list[tuple[Change, Arguments]]
    ) -> Iterator[tuple[int, int, float, bool]]:
        """What is true and what is false in all of the situations, and how well all parameters are linked.

        Other actions with the same effects may have done some of it: so also for the part of the situations
        in which an atom holds, and for that in which it does not.
        """
        spread = _spread(examples, LOOKED_AT)
        looked = [self._fillings.of(dossier, c.before, args, len(spread)) for c, args in spread]
        if not all(looked):
            return
        best = None
        for matched in self._fillings.matched(dossier, looked):
            true, false = _agreement(matched, dossier.atom_mask)
            evidence = self._fillings.evidence(dossier, true)
            best = evidence if best is None else best
            linked = min(1.0, 2 ** ((evidence - best) / 2))  # not all of it is independent
            for number, parameter in enumerate(dossier.header.parameters):
                if examples[0][1][number] is None:
                    own = bits_of(i for i in indices(true) if parameter.name in dossier.atoms[i].args)
                    linked *= min(1.0, max(ADRIFT, self._fillings.surprise(dossier, own) / LINKED))
            yield true, false, linked, False
            parts: dict[tuple[int, int], float] = {}
            for i in indices(dossier.atom_mask & ~true & ~false):
                for value, share in ((0, BARRED), (1, 1.0)):
                    common = _agreement([v for v in matched if v >> i & 1 == value], dossier.atom_mask)
                    parts[common] = max(parts.get(common, 0.0), share)
            for (true, false), share in parts.items():
                yield true, false, linked * PART * share / sum(parts.values()), True

    def _elsewhere(self, dossier: Dossier, known: list[Dossier]) -> list[Hypothesis]:
        """Offered situations as such, and what known actions lead to: all that is left where nothing fits."""
        offered = self._knowledge.setting.offered
        rng = random.Random(f"{self._knowledge.setting.seed} {dossier.header.name}")
        found: set[int] = set()
        for state in rng.sample(offered, min(len(offered), SAMPLES)):
            nobody: Arguments = (None,) * dossier.header.arity
            found.update(self._fillings.of(dossier, Scene(state, self._constants), nobody)[:1])
        for other in known:
            after_it = sorted(set(self._aftermath(other, dossier)), key=lambda v: (-v.bit_count(), v))
            found.update(after_it[:AFTERMATHS])
        full = dossier.atom_mask
        return [Hypothesis(v, full & ~v, FAINT / len(found)) for v in sorted(found)]

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


def _united(dossier: Dossier, support: Mapping[Effects, Examples]) -> dict[Effects, tuple[Examples, bool]]:
    """The readings, with changes in which some of the effects had nothing left to change; and whether all
    that speaks for a reading also speaks for a larger one."""
    united = {effects: list(examples) for effects, examples in support.items()}
    absorbed = set()
    for part, examples in support.items():
        for whole in support:
            if (
                part < whole
                and _named(part) == _named(whole)
                and all(
                    (atom.substitute(dossier.header.bind(args)) in change.before.state) == sign  # type: ignore[arg-type]
                    for change, args in examples
                    for atom, sign in whole - part
                )
            ):
                united[whole] += examples
                absorbed.add(part)
    return {effects: (examples, effects in absorbed) for effects, examples in united.items()}


def _named(effects: Effects) -> set[str]:
    return {variable for atom, _ in effects for variable in atom.variables}


def _spread(examples: Examples, count: int) -> Examples:
    """Some of them, from all over the walk."""
    step = max(1, len(examples) // max(1, count))
    return examples[::step][:count]


def _agreement(valuations: list[int], full: int) -> tuple[int, int]:
    """What is true in all of them, and what in none."""
    true, ever = full, 0
    for valuation in valuations:
        true &= valuation
        ever |= valuation
    return true, full & ~ever


def _weighed(hypothesis: Hypothesis, weight: float) -> Hypothesis:
    return replace(hypothesis, weight=weight)


def _normal(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [w / total for w in weights] if total else weights
