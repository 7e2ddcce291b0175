"""Can any run of an agent that only acts tell the claimed model from the others that give the answers?

Suppose that in every state the claimed model can reach, at every step, all models that give the answers do
as the claim does: they run it or not, with the same effect. Then, by induction on the length of a run,
they all have the same runs, and no question from an initial state tells any of them from the claim. So
it is enough to look at the states that *one* model reaches: all of them, one by one, or, where they are
too many, a larger set that leaves out pairs of facts which exclude each other. If that does not do, the
model that needs most of all that give the answers is looked at in place of the claim, for it reaches fewest
states, and every object is followed on its own (`projections`).

Visiting all states decides. Facts that exclude each other can only prove, never refute. Either way a limit
that was hit is said to be one, and what was not proved is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from assay.core.confinement import UNCONFINED, Confinement, lacks_objects
from assay.core.model import Model
from assay.core.quantity import count
from assay.core.query import PlanQuery, Start
from assay.core.setting import Setting
from assay.core.universe import State
from assay.proof.claims import Alternative
from assay.proof.examination import Examination
from assay.proof.exclusion import all_excluded, not_excluded
from assay.proof.mutexes import MOST_WORK, Pairs
from assay.proof.overlaps import Overlaps
from assay.proof.projections import follow
from assay.proof.reachable import MOST_LOOKS, MOST_STATES, Matter, Sightings, exhaust
from assay.proof.slots import FORBIDDEN, SlotAction, slot_actions
from assay.proof.stakes import Stake, demanding, stakes
from assay.proof.task import Task, TooLarge
from assay.proof.verdict import Verdict, examine, examine_slots
from assay.store.journal import Entry


@dataclass(frozen=True, slots=True)
class Limits:
    states: int = MOST_STATES
    looks: int = MOST_LOOKS
    work: int = MOST_WORK


@dataclass(frozen=True, slots=True)
class ActingVerdict:
    """Whether the models that give the answers can be told apart by acting."""

    matters: tuple[Matter, ...]
    """Literals in which they differ, and actions that never ran."""
    method: Literal["exhaustion", "mutexes", "projections"] | None = None
    """How it was proved that no reachable state tells; None if it was not."""
    states: int = 0
    """How many reachable states were visited."""
    shown: Mapping[Matter, PlanQuery] = field(default_factory=dict)
    """What can be told after all, each with a question that would tell."""
    unproved: tuple[Matter, ...] = ()
    """What is neither shown nor proved to be indistinguishable."""
    reason: str = ""
    """Why nothing more could be proved."""
    confinement: Confinement = UNCONFINED
    """By what steps states are reachable."""
    lacking: frozenset[str] = frozenset()
    """Actions that there are not enough objects to try with."""

    @property
    def proved(self) -> bool:
        return self.method is not None

    def sentences(self) -> list[str]:
        if not self.proved:
            return [f"Not proved that acting cannot tell models apart: {self.reason}."] if self.reason else []
        how = {
            "exhaustion": f"exhausting {count(self.states, 'state')}",
            "mutexes": "mutual exclusion of pairs of facts",
            "projections": "mutual exclusion of facts, object by object",
        }[self.method or "exhaustion"]
        found = []
        if literals := sum(not isinstance(matter, str) for matter in self.matters):
            found.append(
                f"{count(literals, 'literal')} cannot be told apart on reachable states: proved by {how}."
            )
        for name in (matter for matter in self.matters if isinstance(matter, str)):
            if name in self.lacking:
                found.append(f"{name} was never tried: there are not enough objects to try it with.")
            else:
                found.append(f"{name} never runs on reachable states: proved by {how}.")
        if found and self.confinement:
            found.append(f"Reachable means{self.confinement.by_steps}; others were not tried.")
        return found


def reachable_verdict(
    setting: Setting, entries: Sequence[Entry], model: Model, limits: Limits | None = None
) -> ActingVerdict:
    """Checks that acting cannot tell the model from any other that gives the answers."""
    examination = Examination(setting, entries)
    try:
        verdict = examine(examination, setting, model)
        return examine_acting(examination, setting, model, verdict, limits)
    finally:
        examination.close()


def examine_acting(
    examination: Examination,
    setting: Setting,
    model: Model,
    verdict: Verdict,
    limits: Limits | None = None,
) -> ActingVerdict:
    """The same, with the verdict on the model already at hand."""
    matters: tuple[Matter, ...] = (*(d.subject for d in verdict.unproved), *verdict.never_ran)
    if verdict.contradiction or verdict.unexplained or verdict.left_out:
        return ActingVerdict(matters, unproved=matters, reason="the model does not give the answers")
    if not matters:
        return ActingVerdict((), "exhaustion")
    if setting.profile.start is Start.ANY:
        return ActingVerdict(matters, unproved=matters, reason="the agent accepts any state to start from")
    if setting.equality:
        reason = "this is not checked where one object may fill two parameters (--equality)"
        return ActingVerdict(matters, unproved=matters, reason=reason)
    initial = _initial_states(setting, examination)
    if not initial:
        return ActingVerdict(matters, unproved=matters, reason="the journal names no initial state")
    found = _Proof(examination, setting, model, verdict, matters, initial).by(limits or Limits())
    lacking = frozenset(name for name in verdict.never_ran if lacks_objects(setting, name))
    return replace(found, confinement=Confinement.of(setting), lacking=lacking)


def _initial_states(setting: Setting, examination: Examination) -> list[State]:
    """The states that the agent offers, and those in which it was when it accepted a question.

    A log may have begun anywhere: its states are not known to be within reach.
    """
    accepted = [t.entry.query for t in examination.testimony.values() if not t.entry.logged]
    return [*setting.offered, *(query.state for query in accepted if not query.new_objects)]


class _Proof:
    def __init__(
        self,
        examination: Examination,
        setting: Setting,
        model: Model,
        verdict: Verdict,
        matters: tuple[Matter, ...],
        initial: Sequence[State],
    ) -> None:
        self._examination, self._setting, self._matters = examination, setting, matters
        self._verdict, self._never_ran, self._initial = verdict, verdict.never_ran, initial
        vocabulary = setting.profile.vocabulary
        self._claimed = slot_actions(model, vocabulary)
        self._stakes = stakes(verdict, self._claimed, vocabulary)
        self._overlaps = Overlaps(examination, self._claimed)

    def by(self, limits: Limits) -> ActingVerdict:
        matters = self._matters
        try:
            task = self._task(self._claimed, self._stakes)
        except TooLarge:
            return ActingVerdict(matters, unproved=matters, reason="the model has too many ground steps")
        first = self._visit(task, limits.states, limits.looks // 10)
        if first.proved or first.shown:
            return first
        pairs = Pairs(task, limits.work)
        rest: tuple[Matter, ...] = matters
        if pairs.finished:
            rest = not_excluded(self._examination, self._overlaps, task, pairs, matters)
        if not rest:
            return ActingVerdict(matters, "mutexes", first.states)
        if self._demanding(limits.work):
            return ActingVerdict(matters, "projections", first.states)
        found = self._visit(task, limits.states, limits.looks) if first.states < limits.states else first
        if found.proved or found.shown:
            return found
        why = f"does not rule out {_some(rest)}" if pairs.finished else "takes too long to work out"
        reason = f"{found.reason}, and mutual exclusion of facts {why}"
        return replace(found, unproved=rest, reason=reason)

    def _task(self, claimed: Mapping[str, SlotAction], at_stake: Iterable[Stake]) -> Task:
        setting, grounding = self._setting, self._examination.grounding
        return Task(setting, grounding, claimed, at_stake, self._never_ran, self._initial)

    def _demanding(self, most_work: int) -> bool:
        """Whether everything is ruled out in states that the most demanding model reaches."""
        vocabulary = self._setting.profile.vocabulary
        strict = demanding(self._verdict, self._claimed, vocabulary)
        verdict = examine_slots(self._examination, self._setting, strict)
        if verdict.unexplained:
            return False
        try:
            task = self._task(strict, stakes(verdict, strict, vocabulary))
        except TooLarge:
            return False
        projections = follow(task, most_work)
        if projections is None:
            return False
        return all_excluded(self._examination, Overlaps(self._examination, strict), task, projections)

    def _visit(self, task: Task, most_states: int, most_looks: int) -> ActingVerdict:
        """By visiting the reachable states, as far as the limits allow."""
        sightings = exhaust(task, self._refusals, most_states, most_looks)
        shown = sightings.shown | self._let_run(sightings) | self._come_to_else(sightings)
        states, rest = sightings.states, tuple(m for m in self._matters if m not in shown)
        if shown:
            reason = f"other things can still be told apart, {_some(shown)}" if rest else ""
            return ActingVerdict(self._matters, None, states, shown, rest, reason)
        if sightings.complete:
            return ActingVerdict(self._matters, "exhaustion", states)
        reason = f"there are more than {count(states, 'reachable state')}"
        return ActingVerdict(self._matters, None, states, {}, self._matters, reason)

    @cached_property
    def _refusals(self) -> dict[str, set[int]]:
        """The valuations at which actions that never ran were refused."""
        found: dict[str, set[int]] = {name: set() for name in self._never_ran}
        for testimony in self._examination.testimony.values():
            if (step := testimony.refused) is not None and step.action in found:
                keys = self._examination.grounding.keys(step)
                found[step.action].add(sum(1 << n for n, key in enumerate(keys) if key in testimony.final))
        return found

    def _let_run(self, sightings: Sightings) -> dict[Matter, PlanQuery]:
        """What is shown where the claim refuses a step: a model that gives the answers lets it run."""
        slots = self._examination.variables.slots
        asked: dict[Alternative, tuple[Stake, int, PlanQuery]] = {}
        for refusal, (stake, question) in sightings.refused.items():
            values = {n: refusal.valuation >> place & 1 for place, n in enumerate(stake.doubtful)}
            violated = stake.violated(refusal.valuation)
            literals = tuple(-slots[stake.action][n] - (FORBIDDEN if values[n] else 0) for n in values)
            runs = Alternative(stake.optional[violated[0]], "absent", literals)
            asked[runs] = (stake, refusal.valuation, question)
        found: dict[Matter, PlanQuery] = {}
        for runs in self._examination.surviving(asked, self._examination.selectors):
            stake, valuation, question = asked[runs]
            for n in stake.violated(valuation):
                found.setdefault(stake.optional[n], question)
        return found

    def _come_to_else(self, sightings: Sightings) -> dict[Matter, PlanQuery]:
        """What is shown where several slots stand for one atom: a model that gives the answers changes it."""
        found: dict[Matter, PlanQuery] = {}
        for where, questions in sightings.overlaps.items():
            if self._overlaps.come_to_else(where):
                found |= questions
        return found


def _some(matters: Sequence[Matter] | Mapping[Matter, PlanQuery]) -> str:
    """The first few."""
    names = [str(matter) for matter in matters]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return "; ".join(names[:3]) + more
