"""Changes read as the doing of an action: hypotheses about its effects, and so about where it ran.

Giving the objects of a change to the parameters of an action turns the change into a hypothesis about the
action's effects; every change that reads the same way supports the same hypothesis, and if it is true the
action ran in all of those situations, so its precondition is made of what they have in common. Parameters
that the change does not name are filled so that as much as possible holds in all of those situations,
above all what seldom holds: actions happen to things that have to do with each other. Which of several
parameters of the same types is which makes no difference to any of this (`symmetry`); there the order in
which people write them is all there is to go by (`writing`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import nlargest

from assay.core.setting import fitting
from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.changes import Change, Effects, ways
from assay.strategies.fillings import Arguments, Fillings
from assay.strategies.symmetry import Exchanges
from assay.strategies.wording import Wording
from assay.strategies.writing import Custom, orderly

FEW, LOOKED_AT = 3, 36
"""Changes that make a hypothesis credible, and how many of a kind are looked at."""
MOST_HYPOTHESES = 2000
"""The likeliest that are thought of, for one action."""
ADRIFT = 0.1
"""Weight of a parameter that nothing links to the others."""
LINKED = 2.0
"""What is enough to link a parameter to the others, in bits."""
PART, BARRED = 0.3, 0.3
"""Weights of the case that the action made only some of the changes that read alike, and then of those where
something does not hold, against those where it does."""

Examples = list[tuple[Change, Arguments]]
Instance = tuple[Change, tuple[Arguments, ...]]
"""A change and the ways in which it reads alike: where effects are the same for two parameters, it does so
with their objects exchanged, too, and only one of these is how it came about."""


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


@dataclass(frozen=True, slots=True)
class _Agreement:
    """What is true and what is false in all situations of a reading, filled in one way."""

    true: int
    false: int
    linked: float
    """How well the parameters that the changes do not name are linked to the others."""
    parts: dict[tuple[int, int], float]
    """The same for some of the situations, with its share: other actions may have made the other changes."""


@dataclass(frozen=True, slots=True)
class _Cast:
    """An agreement with parameters exchanged, and how likely that is, given the effects that it makes."""

    exchange: int
    effects: Effects
    agreement: _Agreement
    weight: float


@dataclass(frozen=True, slots=True)
class _Sketch:
    """A hypothesis not yet written down: most are too unlikely for that."""

    weight: float
    cast: _Cast
    kind: object
    common: tuple[int, int]
    part: bool


class Readings:
    """All that changes may say about one action."""

    def __init__(
        self, knowledge: Knowledge, dossier: Dossier, fillings: Fillings, wording: Wording | None
    ) -> None:
        self._dossier, self._fillings, self._wording = dossier, fillings, wording
        self._places = fitting(knowledge.setting.profile, dossier.header, constants=True)
        self._exchanges = Exchanges(dossier)
        self._index = {atom: i for i, atom in enumerate(dossier.atoms)}
        self._casts: dict[tuple[Effects, tuple[Instance, ...]], list[_Cast]] = {}

    def of(self, changes: list[Change], custom: Custom) -> list[Hypothesis]:
        """The likeliest ways to read the changes as this action's effects."""
        sketches = nlargest(MOST_HYPOTHESES, self._sketches(changes, custom), key=lambda s: s.weight)
        return [self._written(sketch) for sketch in sketches]

    def _written(self, sketch: _Sketch) -> Hypothesis:
        effects = sketch.cast.effects
        true, false = (self._exchanges.valuation(sketch.cast.exchange, each) for each in sketch.common)
        risen = bits_of(self._index[atom] for atom, sign in effects if sign)
        fallen = bits_of(self._index[atom] for atom, sign in effects if not sign)
        return Hypothesis(true, false, sketch.weight, risen, fallen, sketch.kind, sketch.part)

    def _sketches(self, changes: list[Change], custom: Custom) -> Iterator[_Sketch]:
        order: dict[Effects, float] = {}
        for weight, effects, examples in self._apart(self._support(changes)):
            kind = examples[0][0].kind
            for cast in self._cast(effects, examples):
                if cast.effects not in order:
                    order[cast.effects] = orderly(self._dossier, cast.effects, custom)
                    order[cast.effects] *= self._wording.fits(cast.effects) if self._wording else 1.0
                whole, likely = cast.agreement, weight * cast.weight * order[cast.effects]
                yield _Sketch(likely, cast, kind, (whole.true, whole.false), part=False)
                likely *= PART / (sum(whole.parts.values()) or 1)
                for common, share in whole.parts.items():
                    yield _Sketch(likely * share, cast, kind, common, part=True)

    def _support(self, changes: list[Change]) -> dict[Effects, Examples]:
        """Every way to read the changes as this action's effects, and what speaks for it."""
        support: defaultdict[Effects, Examples] = defaultdict(list)
        for change in changes:
            for args in ways(self._dossier, change, self._places):
                names = {a: p.name for p, a in zip(self._dossier.header.parameters, args, strict=True) if a}
                effects = frozenset((atom.substitute(names), sign) for atom, sign in change.effects)
                if {atom for atom, _ in effects} <= self._index.keys():
                    support[effects].append((change, tuple(args)))
        return support

    def _apart(self, support: dict[Effects, Examples]) -> Iterator[tuple[float, Effects, Examples]]:
        """The readings that are more than others with parameters exchanged, and their weights."""
        alike: set[Effects] = set()
        for effects, (examples, absorbed) in _united(self._dossier, support).items():
            if effects in alike:
                continue
            alike.update(self._exchanges.effects(n, effects) for n in range(len(self._exchanges)))
            weight = min(1.0, len(examples) / FEW)
            weight *= 0.7 ** examples[0][1].count(None) * (PART if absorbed else 1)
            own = support[effects]
            if len(own) < len(examples):
                weight /= 2
                yield weight, effects, own
            yield weight, effects, examples

    def _cast(self, effects: Effects, examples: Examples) -> list[_Cast]:
        """What the situations have in common, for every exchange of parameters."""
        spread = _spread(_by_change(examples), LOOKED_AT)
        key = (effects, tuple(spread))
        if key not in self._casts:
            self._casts[key] = list(self._exchanged(effects, list(self._in_common(spread))))
        return self._casts[key]

    def _exchanged(self, effects: Effects, agreements: list[_Agreement]) -> Iterator[_Cast]:
        best: dict[Effects, float] = {}
        seen: set[tuple[Effects, int, int]] = set()
        every = [(n, self._exchanges.effects(n, effects)) for n in range(len(self._exchanges))]
        for agreement in agreements:
            casts = []
            for number, made in every:
                true, false = (
                    self._exchanges.valuation(number, each) for each in (agreement.true, agreement.false)
                )
                if (made, true, false) not in seen:
                    seen.add((made, true, false))
                    casts.append((self._fillings.evidence(self._dossier, true, false), number, made))
            for evidence, _, made in casts:
                best[made] = max(best.get(made, evidence), evidence)
            for evidence, number, made in casts:
                linked = min(1.0, 2 ** ((evidence - best[made]) / 2))  # not all of it is independent
                yield _Cast(number, made, agreement, agreement.linked * linked)

    def _in_common(self, instances: list[Instance]) -> Iterator[_Agreement]:
        """What is true and what is false in all of the situations, and how well all parameters are linked.

        Other actions with the same effects may have done some of it: so also for the part of the situations
        in which an atom holds, and for that in which it does not.
        """
        dossier, full = self._dossier, self._dossier.atom_mask
        looked = [
            list(dict.fromkeys(f for args in alike for f in self._fillings.of(dossier, change.before, args)))
            for change, alike in instances
        ]
        if not all(looked):
            return
        open_places = [number for number, name in enumerate(instances[0][1][0]) if name is None]
        for matched in self._fillings.matched(dossier, looked):
            true, false = _agreement(matched, full)
            parts: dict[tuple[int, int], float] = {}
            for i in indices(full & ~true & ~false):
                for value, share in ((0, BARRED), (1, 1.0)):
                    common = _agreement([v for v in matched if v >> i & 1 == value], full)
                    parts[common] = max(parts.get(common, 0.0), share)
            yield _Agreement(true, false, self._linked(true, false, open_places), parts)

    def _linked(self, true: int, false: int, places: list[int]) -> float:
        """How well what is true, and what is not, links the parameters in these places to the others."""
        linked = 1.0
        for place in places:
            name = self._dossier.header.parameters[place].name
            own = bits_of(i for i, atom in enumerate(self._dossier.atoms) if name in atom.args)
            told = self._fillings.surprise(self._dossier, true & own, false & own)
            linked *= min(1.0, max(ADRIFT, told / LINKED))
        return linked


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


def _by_change(examples: Examples) -> list[Instance]:
    found: defaultdict[Change, list[Arguments]] = defaultdict(list)
    for change, args in examples:
        found[change].append(args)
    return [(change, tuple(several)) for change, several in found.items()]


def _spread(instances: list[Instance], count: int) -> list[Instance]:
    """Some of them, from all over the walk."""
    step = max(1, len(instances) // max(1, count))
    return instances[::step][:count]


def _agreement(valuations: list[int], full: int) -> tuple[int, int]:
    """What is true in all of them, and what in none."""
    true, ever = full, 0
    for valuation in valuations:
        true &= valuation
        ever |= valuation
    return true, full & ~ever
