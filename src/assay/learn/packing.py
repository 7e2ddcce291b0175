"""Many probes in one question: sure runs first, then chains of unknown outcome, then one foretold refusal.

A question ends at its first refusal, and refusals are what it is paid for; runs ride along. Every probe gets objects
of its own. What they cannot have of their own are facts without arguments, which all steps share: probes are put
in an order in which these facts have the values they want, with known runs between them that turn the facts, if
need be. Everything in a question is context for every step, so what is evidence is read from the question
afterwards; nothing here is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.core.query import PlanQuery
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import Universe
from assay.learn.action import ActionLearner
from assay.learn.features import Profile
from assay.learn.probe import Probe

MOST_OBJECTS = 600
"""Objects in one question beyond the agent's own: states stay small enough to be read at once."""
STARTS = 3
"""Values of the shared facts that a question is tried to begin with."""


@dataclass
class Pending:
    """The probes of one learner that are not answered yet, by number."""

    ordered: bool
    probes: dict[int, Probe]
    tries: Counter[int] = field(default_factory=Counter)
    """How often a probe was asked and the situation was not as wanted."""

    def packable(self) -> dict[int, Probe]:
        if self.ordered:
            first = min(self.probes)
            return (
                {}
                if self.alone(first)
                else {n: p for n, p in sorted(self.probes.items()) if not self.alone(n)}
            )
        return {n: p for n, p in sorted(self.probes.items()) if not self.alone(n)}

    def alone(self, number: int) -> bool:
        return self.probes[number].alone or self.tries[number] >= PATIENCE


PATIENCE = 2
"""A probe that packing spoilt so often is asked alone."""


@dataclass(frozen=True, slots=True)
class Item:
    """One step of a question."""

    learner: ActionLearner
    number: int | None
    """The probe's number; None for a run that only turns shared facts."""
    own: int
    others: tuple[Profile, ...]


class Packer:
    """Chooses the items of the next question."""

    def __init__(
        self, learners: Sequence[ActionLearner], tells_states: bool, most_steps: int, longest: int | None
    ) -> None:
        self.learners, self.tells_states, self.most_steps = learners, tells_states, most_steps
        self.longest = longest
        """The longest plan that the agent wants to be asked about, if it says."""
        self.room = most_steps
        """Fewer items while the agent calls packed questions impossible."""
        self.stalled = False
        """Whether the last question answered no probe: then one probe is asked alone."""

    def next(self, pending: Mapping[ActionLearner, Pending]) -> list[Item]:
        live = sorted(pending, key=lambda learner: (learner.working_on, learner.name))
        if self.stalled or self.room == 1:
            return self._single(live, pending, False)
        starts = Counter(
            probe.own & learner.features.shared
            for learner in live
            for probe in pending[learner].packable().values()
        )
        best: list[Item] = []
        best_score = (0, 0)
        for start, _ in sorted(starts.items(), key=lambda x: (-x[1], x[0]))[:STARTS]:
            question = _Question(self, live, pending, start)
            question.fill()
            while question.items and question.items[-1].number is None:
                question.items.pop()  # a run that turns shared facts for nobody
            if not question.items:
                continue
            score = (question.closing, len(question.items))
            if score > best_score:
                best, best_score = question.items, score
        if best_score[0]:
            return best
        # runs that ride along can wait until a refusal pays for the question
        return self._single(live, pending, True) or best or self._single(live, pending, False)

    def _single(
        self, live: Sequence[ActionLearner], pending: Mapping[ActionLearner, Pending], alone: bool
    ) -> list[Item]:
        """One probe in a question of its own: of those that want it, or of all."""
        for learner in live:
            waiting = pending[learner]
            for number, probe in sorted(waiting.probes.items()):
                if waiting.alone(number) or not alone:
                    return [Item(learner, number, probe.own, probe.others)]
                if waiting.ordered:
                    break
        return []

    def direct_looks(self, learner: ActionLearner) -> bool:
        """Whether the agent has to show what a run of this action does, because nothing is foretold yet."""
        return not self.tells_states and not learner.foretold


class _Question:
    """A question in the making."""

    def __init__(
        self,
        packer: Packer,
        live: Sequence[ActionLearner],
        pending: Mapping[ActionLearner, Pending],
        start: int,
    ) -> None:
        self.packer, self.live, self.pending = packer, live, pending
        self.shared = start
        self.items: list[Item] = []
        self.closing = 0
        """2 if it may end in a refusal at the lowest level, 1 at another level, 0 if nothing may be refused."""
        self._around: set[Profile] = set()
        self._objects = 0
        self._quantified = any(x.hypothesis.quantified for x in packer.learners)
        self._blind = False
        """Whether a step was added of which nothing is foretold, so that only a refusal may follow."""

    def fill(self) -> None:
        self._sure_runs()
        lowest = self.live[0].working_on
        for learner in self.live:
            if self.pending[learner].ordered:
                self._chain(learner, lowest)
        for learner in self.live:
            if not self.pending[learner].ordered and self._refusal(learner, lowest):
                return

    def _sure_runs(self) -> None:
        waiting = [
            (learner, number, probe)
            for learner in self.live
            if not self.pending[learner].ordered
            for number, probe in self.pending[learner].packable().items()
            if probe.expect
        ]
        while waiting and not self._full:
            before = len(self.items)
            rest = [job for job in waiting if not self._add(*job)]
            if len(self.items) == before and not self._turn_shared(
                rest[0][2].own & rest[0][0].features.shared
            ):
                return
            waiting = rest

    def _chain(self, learner: ActionLearner, lowest: int) -> None:
        for number, probe in self.pending[learner].packable().items():
            wanted = self._own(learner, probe) & learner.features.shared
            if wanted != self.shared and not self._turn_shared(wanted):
                return
            if len(self.items) >= 2 * self.packer.room or not self._add(learner, number, probe):
                return
            self.closing = max(self.closing, 2 if learner.working_on == lowest else 1)

    def _refusal(self, learner: ActionLearner, lowest: int) -> bool:
        for number, probe in self.pending[learner].packable().items():
            if probe.expect is not False:
                continue
            wanted = self._own(learner, probe) & learner.features.shared
            if wanted != self.shared and (self._blind or not self._turn_shared(wanted)):
                continue
            if self._add(learner, number, probe, last=True):
                self.closing = max(self.closing, 2 if learner.working_on == lowest else 1)
                return True
        return False

    def _leaves_shared(self, learner: ActionLearner, probe: Probe) -> bool:
        own = self._own(learner, probe)
        after = learner.hypothesis.predict(own, probe.others)
        return (own ^ after) & learner.features.shared == 0

    @property
    def _full(self) -> bool:
        return len(self.items) >= self.packer.room or self._objects > MOST_OBJECTS or self._blind

    def _own(self, learner: ActionLearner, probe: Probe) -> int:
        """The probe's facts, with shared ones that may be as they come as they are."""
        return probe.own & ~probe.free | self.shared & probe.free

    def _add(self, learner: ActionLearner, number: int | None, probe: Probe, last: bool = False) -> bool:
        longest = self.packer.longest
        if longest is not None and len(self.items) >= longest:
            return False
        own = self._own(learner, probe)
        if own & learner.features.shared != self.shared or (self._blind and not last):
            return False
        crowd: set[Profile] = set()
        if self._quantified:
            crowd = _crowd(learner, own, probe.others)
            if not self._undisturbed(learner, probe, crowd):
                return False
        self.items.append(Item(learner, number, own, probe.others))
        self._around |= crowd
        self._objects += len(probe.others) + len(learner.features.types)
        self._blind = self._blind or self.packer.direct_looks(learner)
        self.shared = learner.hypothesis.predict(own, probe.others) & learner.features.shared
        return True

    def _undisturbed(self, learner: ActionLearner, probe: Probe, crowd: set[Profile]) -> bool:
        """Whether the objects of other probes leave the quantified features of all as they are wanted."""
        if probe.quantified is not None and not _compatible(learner, probe.quantified, self._around):
            return False
        for item in self.items:
            if item.number is None:
                continue
            wanted = self.pending[item.learner].probes[item.number].quantified
            if wanted is not None and not _compatible(item.learner, wanted, crowd):
                return False
        return True

    def _turn_shared(self, wanted: int) -> bool:
        """Adds a known run that gives the shared facts the values wanted."""
        if self._full:
            return False
        for learner in self.packer.learners:
            hypothesis = learner.hypothesis
            if self.packer.direct_looks(learner) or learner.trouble:
                continue
            for example in hypothesis.evidence.runs:
                assert example.after is not None
                shared = learner.features.shared
                if example.point.own & shared != self.shared or example.after & shared != wanted:
                    continue
                row = hypothesis.row(example)
                others = learner.prober.surroundings(row) if hypothesis.quantified else ()
                if others is not None:
                    probe = Probe(example.point.own, others)
                    return self._add(learner, None, probe)
        return False


def _crowd(learner: ActionLearner, own: int, others: Sequence[Profile]) -> set[Profile]:
    """The unary facts of the probe's objects, as steps of other probes see them."""
    features = learner.features
    unary = features.numbering.unary
    found = {(kind, facts & ((1 << len(unary[kind])) - 1)) for kind, facts in others}
    for name, kind in zip(features.parameters, features.types, strict=True):
        facts = 0
        for place, atom in enumerate(unary[kind]):
            index = features.index.get(atom.substitute({"?z": name}))
            if index is not None and own >> index & 1:
                facts |= 1 << place
        found.add((kind, facts))
    return found


def _compatible(learner: ActionLearner, wanted: int, around: set[Profile]) -> bool:
    return not any(
        not wanted >> number & 1 and any(map(feature.fits, around))
        for number, feature in enumerate(learner.hypothesis.quantified)
    )


# ---- from items to a question


@dataclass(frozen=True)
class Question:
    query: PlanQuery
    items: tuple[Item, ...]


class Builder:
    """Makes questions of items, in a universe of their own."""

    def __init__(self, universe: Universe, new_objects: bool) -> None:
        self._vocabulary, self._new_objects = universe.vocabulary, new_objects
        constants = {c.name for c in universe.vocabulary.constants}
        self._own = tuple(o for o in universe.objects if o.name not in constants)

    def build(self, items: Sequence[Item]) -> Question | None:
        """The question; None if there are too few objects for it."""
        universe = Universe(self._vocabulary, self._own)
        free = list(self._own)
        counts: Counter[str] = Counter()
        made: list[str] = []

        def take(kind: str, exactly: bool) -> str | None:
            for place, thing in enumerate(free):
                if thing.type == kind or (not exactly and self._vocabulary.fits(thing.type, (kind,))):
                    return free.pop(place).name
            if not self._new_objects:
                return None
            counts[kind] += 1
            name = universe.made_up(kind, counts[kind])
            made.append(name)
            return name

        facts: list[Atom] = []
        plan: list[Step] = []
        for item in items:
            features = item.learner.features
            names = [take(kind, exactly=False) for kind in features.types]
            if None in names:
                return None
            objects = tuple(n for n in names if n is not None)
            facts += (a for a in features.atoms(item.own & ~features.shared, objects))
            for profile in item.others:
                name = take(profile[0], exactly=True)
                if name is None:
                    return None
                facts += features.profile_atoms(profile, name, objects)
            plan.append(features.arguments(objects))
        first = items[0]
        facts += first.learner.features.atoms(first.own & first.learner.features.shared, _places(first))
        state = universe.state(facts)
        return Question(PlanQuery.bringing(state, tuple(plan), made), tuple(items))


def _places(item: Item) -> tuple[str, ...]:
    """Shared facts name no argument, so anything may stand for them."""
    return item.learner.features.parameters


def residents(objects: Sequence[Object]) -> dict[str, int]:
    return dict(Counter(o.type for o in objects))
