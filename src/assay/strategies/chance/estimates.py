"""What is estimated of every capability, and what one more run of it would be worth.

A capability of which several outcomes are known gains accuracy by a run: the expected error of its
probabilities falls with the square root of its runs. One that has always done the same gains certainty that
it does: the chance that an outcome is yet unseen falls with the number of its runs. That chance is taken for
larger while some predicate is *unexplained*: a capability needs it to be so (or, as far as is known, may
need it), it is so of everything in the situation the agent begins in, and no outcome known changes it.
Something then should, or the capability would not have to ask. None of this decides what is concluded, only
where samples go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from math import ceil, log, pi, prod, sqrt
from statistics import NormalDist

from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import Literal
from assay.core.universe import indices
from assay.knowledge.experience import Capability, Experience
from assay.knowledge.intervals import Interval, interval, remainder, wilson
from assay.knowledge.outcomes import Branch, Outcomes, outcomes
from assay.strategies.chance.revealing import told_apart

UNSEEN = 0.0054
"""What the first run tells about outcomes yet unseen, against an error in a probability. It fades as that
does: a capability that always did the same gets about a tenth of the runs of one with two outcomes."""
UNEXPLAINED, MISSED = 10.0, 300.0
"""How many times more it counts to find an outcome that would explain a predicate: of any capability that has
to do with it, and of one that needs it, for what a capability needs is mostly what it changes."""

BATCH = 20
"""Runs are asked for in batches: one for every so many there are already."""

CONTRARY = 8
"""Runs with each value of an atom that outcomes change: so many, and one for every so many there are."""


class Estimates:
    def __init__(self, experience: Experience) -> None:
        assert experience.setting.aims is not None
        self._experience, self._aims = experience, experience.setting.aims
        self._found: dict[str, tuple[int, Outcomes]] = {}

    def outcomes(self, name: str) -> Outcomes:
        capability = self._experience.capabilities[name]
        tries = capability.tries
        if self._found.get(name, (-1, None))[0] != tries:
            self._found[name] = tries, outcomes(capability.runs, len(capability.dossier.atoms))
        return self._found[name][1]

    def sensible(self) -> Iterator[tuple[str, Capability]]:
        """The capabilities whose answers fit together."""
        for name, capability in self._experience.capabilities.items():
            if not capability.contradicted:
                yield name, capability

    def most_wanted(self, names: Iterable[str]) -> str | None:
        """The capability, of these, of which a run does most; None if all are known as well as wanted."""
        unexplained = self.unexplained()
        best, most = None, 0.0
        for name in names:
            capability = self._experience.capabilities[name]
            if capability.tries and not capability.contradicted and not self.precise(name):
                worth = self.worth(name, unexplained)
                if worth > most:
                    best, most = name, worth
        return best

    def worth(self, name: str, unexplained: set[tuple[str, bool]]) -> float:
        """How much one more run is expected to take off the error, and off the risk of a missing outcome."""
        capability = self._experience.capabilities[name]
        runs, dossier = capability.tries, capability.dossier
        branches = self.outcomes(name).branches
        chances = [(b.probability * runs + 0.5) / (runs + 0.5 * len(branches)) for b in branches]
        error = sum(p * sqrt(2 / pi * p * (1 - p)) for p in chances) if len(chances) > 1 else 0.0
        risk = UNSEEN
        if unexplained & set(_needed(capability)):
            risk *= MISSED
        elif {atom.predicate for atom in dossier.atoms} & {predicate for predicate, _ in unexplained}:
            risk *= UNEXPLAINED
        return (error / 2 + risk) / (runs * sqrt(runs))

    def precise(self, name: str) -> bool:
        """Whether every probability is known as well as wanted.

        Its interval must be narrow enough, and stay so if the share that was counted happened to be one
        standard error too far from one half: whoever goes by the share alone stops early when it is extreme.
        """
        precision, confidence = self._aims.precision, self._aims.confidence
        if precision is None:
            return False
        branches = self.outcomes(name).branches
        counted = [b for b in branches if b.tries]
        if not all(
            _half(interval(b.hits, b.tries, confidence)) <= precision
            and _half(wilson(_cautious(b), b.tries, confidence)) <= precision
            for b in counted
        ):
            return False
        hits = [(b.hits, b.tries) for b in counted]
        return len(branches) - len(counted) != 1 or _half(remainder(hits, confidence)) <= precision

    def batch(self, name: str, valuation: int) -> int:
        """How many runs to ask for at once. With a precision in view not more than seem to be lacking, and
        only one where outcomes look alike."""
        branches = self.outcomes(name).branches
        most = max(1, self._experience.capabilities[name].tries // BATCH)
        if (precision := self._aims.precision) is None or most == 1:
            return most
        if told_apart(branches, valuation) < 1:
            return 1
        z = NormalDist().inv_cdf((1 + self._aims.confidence) / 2)
        shares = ((b, _cautious(b)) for b in branches if b.tries)
        lacking = max(((z / precision) ** 2 * p * (1 - p) - b.tries for b, p in shares), default=most)
        if lacking <= 0 and not all(b.tries for b in branches):
            return most
        return max(1, min(most, round(lacking)))

    def seldom_shown(self, name: str) -> dict[int, tuple[bool, int]]:
        """Atoms that outcomes change and that are not needed, with the value they seldom had, and how many
        runs with it are lacking: without them an outcome that works the other way round would never show."""
        capability = self._experience.capabilities[name]
        free = capability.dossier.atom_mask & ~capability.dossier.precondition.suspects
        changed = 0
        for branch in self.outcomes(name).branches:
            changed |= branch.add | branch.delete
        precision, confidence = self._aims.precision, self._aims.confidence
        wanted = min(CONTRARY, capability.tries // CONTRARY)
        if precision is not None:  # so many that what never showed is below twice the precision
            wanted = ceil(log(1 - confidence) / log(1 - 2 * precision)) if precision < 0.5 else 0
            wanted = max(wanted, 3 * CONTRARY)
        found = {}
        for index in indices(free & changed):
            high = sum(ends.total() for before, ends in capability.runs.items() if before >> index & 1)
            rare = min((high, True), (capability.tries - high, False))
            if rare[0] < wanted:
                found[index] = rare[1], wanted - rare[0]
        return found

    def unexplained(self) -> set[tuple[str, bool]]:
        """What something needs, is so of everything at first, and is never changed as far as known."""
        if not self._experience.setting.offered:
            return set()
        changed: set[tuple[str, bool]] = set()
        needed: set[tuple[str, bool]] = set()
        for name, capability in self.sensible():
            atoms = capability.dossier.atoms
            needed |= {*_needed(capability), *_suspected(capability)}
            for branch in self.outcomes(name).branches:
                changed |= {(atoms[i].predicate, False) for i in indices(branch.add)}
                changed |= {(atoms[i].predicate, True) for i in indices(branch.delete)}
        return {need for need in needed - changed if self._everywhere[need]}

    @cached_property
    def _everywhere(self) -> dict[tuple[str, bool], bool]:
        """Whether a predicate holds of everything, or of nothing, where the agent begins."""
        setting = self._experience.setting
        fits, found = setting.profile.vocabulary.fits, {}
        for predicate in setting.profile.vocabulary.predicates:
            holding = sum(atom.predicate == predicate.name for atom in setting.offered[0])
            every = prod(
                sum(fits(o.type, p.types) for o in setting.profile.objects) for p in predicate.parameters
            )
            found[predicate.name, True] = holding == every
            found[predicate.name, False] = holding == 0
        return found

    def model(self) -> Model:
        found = []
        for name, capability in self.sensible():
            if capability.dossier.ran:
                found.append(self._action(name, capability))
        return Model(self._experience.vocabulary, tuple(found))

    def _action(self, name: str, capability: Capability) -> ActionModel:
        atoms, written = capability.dossier.atoms, capability.dossier.model()
        guessed = _likely(capability, written)
        branches = self.outcomes(name).branches
        whole = sum(b.probability for b in branches)
        return ActionModel.chance(
            written.header,
            written.needed | guessed,
            [
                Outcome.plain(
                    [Literal(atoms[i]) for i in indices(b.add)]
                    + [Literal(atoms[i], False) for i in indices(b.delete)],
                    b.probability / whole,
                )
                for b in branches
            ],
            written.distinct,
        )


def _half(interval: Interval) -> float:
    return (interval[1] - interval[0]) / 2


def _cautious(branch: Branch) -> float:
    """The share of an outcome, one standard error nearer to one half."""
    if not branch.tries:
        return 0.5
    share = branch.hits / branch.tries
    error = sqrt(share * (1 - share) / branch.tries)
    return min(0.5, share + error) if share < 0.5 else max(0.5, share - error)


def _needed(capability: Capability) -> Iterator[tuple[str, bool]]:
    """The predicates that it needs, and whether true or false."""
    dossier = capability.dossier
    for mask, sign in ((dossier.precondition.need_true, True), (dossier.precondition.need_false, False)):
        yield from ((dossier.atoms[i].predicate, sign) for i in indices(mask & dossier.atom_mask))


def _suspected(capability: Capability) -> Iterator[tuple[str, bool]]:
    """The predicates that it may need, as far as is known."""
    dossier = capability.dossier
    needs, open_needs = dossier.precondition, dossier.precondition.open & dossier.atom_mask
    if dossier.ran:
        for mask, sign in ((needs.may_true & open_needs, True), (needs.may_false & open_needs, False)):
            yield from ((dossier.atoms[i].predicate, sign) for i in indices(mask))


def _likely(capability: Capability, written: ActionModel) -> frozenset[Literal]:
    """Few further literals that explain the refusals which those written do not: a guess, no claim."""
    atoms, needs = capability.dossier.atoms, capability.dossier.precondition
    found: set[Literal] = set()
    clauses = [
        {Literal(atoms[i]) for i in indices(c.true)} | {Literal(atoms[i], False) for i in indices(c.false)}
        for c in needs.clauses
    ]
    while left := [c for c in clauses if not c & (found | written.needed)]:
        found.add(
            min(
                set().union(*left),
                key=lambda x: (-sum(x in c for c in left), not x.positive, -len(set(x.atom.args)), x),
            )
        )
    return frozenset(found)
