"""Knowledge: the fold of a journal.

Every answer says three things. Each step that ran passed its precondition where it ran; the step that was
refused failed it in the state the agent reports; and every atom's value at the end follows from its
value at the start and the effects of the steps over it. An atom that one step alone may have changed was
observed right before and right after that step, whatever else the plan did. Atoms that several steps
may have changed are kept as histories and explained again whenever something new is known about effects.

Guarantee: what is concluded holds in every model of the class that gives these answers; `Contradiction` is
raised when there is none that the deductions here can see. Answers about steps that bind two parameters
to one object are used only if equality is learned or arguments are free, those that bind a parameter to a
constant only if they are free. There, what becomes of an atom that several slots stand for is a history, too,
and what they made of it together, once it is known, counts in all other histories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.core.model import Model
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response
from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import State, bits_of, indices
from assay.errors import Contradiction
from assay.knowledge.conjunction import Evidence
from assay.knowledge.dossier import Claim, Dossier
from assay.knowledge.history import History, Known, Slot, Touch
from assay.knowledge.reconciliation import Choice, reconcile, values_before


class Knowledge:
    def __init__(self, setting: Setting) -> None:
        self.setting, self.universe = setting, setting.universe
        self.vocabulary = setting.profile.vocabulary
        self._free = setting.profile.free_arguments
        self.dossiers = {
            a.name: Dossier.blank(self.vocabulary, a.name, setting.equality, a.name in self._free)
            for a in self.vocabulary.actions
        }
        common = Counter(atom.predicate for state in setting.offered[:1] for atom in state)
        for dossier in self.dossiers.values():
            dossier.common = common
        self._constants = {c.name for c in self.vocabulary.constants}
        self._histories: list[_Unexplained] = []
        self._told: set[tuple[int, tuple[tuple[Slot, ...], ...], int]] = set()
        self._results: dict[tuple[Touch, int], tuple[int, Evidence]] = {}
        """What several slots that stood for one atom made of it together, by its value before."""
        self._seen_together: Counter[str] = Counter()
        """How many of these there are by action."""
        self._known = Known(self._modes, self._needs, self._result)
        self._mergers: list[Merger] = []
        self.entries = 0
        self.searches = 0
        """Questions that ended at an action that had never run, or that left the plan to the agent: spent on
        finding a first example."""
        self.walked = False
        """Whether the agent has shown what it does when it is left to itself."""
        self.rejected: list[PlanQuery] = []
        """Questions the agent called impossible."""
        self.proof = ""
        """How it was shown that no state within reach tells what is left in doubt, if it was."""
        self.forbidden_proof = ""
        """How it was shown that only steps that might lead into forbidden states tell more, if it was."""

    @property
    def complete(self) -> bool:
        return all(d.settled for d in self.dossiers.values())

    def slots_settled(self) -> tuple[int, int]:
        """How many slots are settled or indistinguishable, and how many there are."""
        done = total = 0
        for d in self.dossiers.values():
            size = d.precondition.size + len(d.atoms)
            left = (
                d.open_needs.bit_count() + d.open_effects.bit_count() if d.ran else size * (not d.never_runs)
            )
            done, total = done + size - left, total + size
        return done, total

    @property
    def histories(self) -> list[History]:
        """Those with something left to conclude."""
        return [unexplained.history for unexplained in self._histories]

    def claims(self) -> list[Claim]:
        return [claim for dossier in self.dossiers.values() for claim in dossier.claims()]

    def model(self) -> Model:
        """The model as far as it is settled; actions never seen to run are left out."""
        return Model(self.vocabulary, tuple(d.model() for d in self.dossiers.values() if d.ran))

    def choose_effects(self) -> None:
        """Decide what is written where the answers do not tell which of several effects it was.

        Be it that it makes no difference, or that no question has told yet.
        """
        for dossier in self.dossiers.values():
            dossier.choice = Choice()
        ran = [d for d in self.dossiers.values() if d.ran]
        if not any(d.alike_effects & d.effects.ambiguous | d.open_effects for d in ran):
            return

        def rank(slot: Slot) -> tuple[object, ...]:
            dossier = self.dossiers[slot[0]]
            return not dossier.in_order(dossier.atoms[slot[1]]), slot

        histories = self.histories
        refusals = [
            [((d.header.name, i), value) for value, mask in ((1, true), (0, false)) for i in indices(mask)]
            for d in ran
            for true, false in d.refusals
        ]
        chosen = reconcile(histories, refusals, self._known, rank)
        if chosen is None:
            return
        for (action, index), mode in chosen.items():
            if self.dossiers[action].alike_effects >> index & 1:
                self.dossiers[action].choice.effect(index, mode)
        for (action, index), mode in chosen.items():  # what is open depends on how the others are written
            if self.dossiers[action].open_effects >> index & 1:
                self.dossiers[action].choice.effect(index, mode)
        for (action, index), value in values_before(histories, chosen, self._known):
            self.dossiers[action].choice.ran_with(index, value)
        for history in histories:
            for action, index in (slot for touch in history.touches if len(touch) > 1 for slot in touch):
                self.dossiers[action].choice.together |= 1 << index

    @property
    def needed(self) -> int:
        """K as far as it is settled: the literals proved to be needed, each worth a question at least."""
        return sum(d.precondition.required.bit_count() for d in self.dossiers.values())

    @property
    def equivalent_models(self) -> int:
        """How many models behave alike without normalisation (AIA-20, Table 1)."""
        void = sum(d.void.bit_count() for d in self.dossiers.values() if d.ran)
        return 1 << void

    def learn(self, query: PlanQuery, response: Response, states: Sequence[State] | None = None) -> None:
        """Take in the next answer; with the state after each step if it was left to the agent what to do."""
        self.entries += 1
        if isinstance(response, Invalid):
            if states is None:
                self.rejected.append(query)
            for name in {step.action for step in query.plan}:
                self.dossiers[name].rejected[response.reason] += 1
            return
        try:
            if states is None:
                self._learn(query, response)
            else:
                self._learn_walk(query, states)
            self._explain()
        except Contradiction:
            raise Contradiction(f"the answer to question {self.entries} fits no model") from None

    def _learn(self, query: PlanQuery, response: PlanResponse) -> None:
        entry, evidence = self.entries, frozenset({self.entries})
        before, after = set(indices(query.state.bits)), set(indices(response.state.bits))
        executed = query.plan[: response.steps]
        touches = Counter(p for step in executed for p in set(self.universe.positions(step)))
        if (before ^ after) - touches.keys():
            raise Contradiction
        once = {p for p, count in touches.items() if count == 1}
        merged = {p for step in executed if step.action in self._free for p in self._clouded(step)}
        lost = {p for step in executed if step.action not in self._free for p in self._clouded(step)}
        clouded, told = merged | lost, (touches.keys() - once | merged) - lost
        several: dict[int, list[Touch]] = {p: [] for p in sorted(told)}
        for step in executed:
            positions = self.universe.positions(step)
            for p, slots in _slots_at(positions, several).items() if several else ():
                several[p].append(tuple([(step.action, index) for index in slots]))
            if self._usable(step):
                self._passed(step, positions, before, after, once, clouded, evidence)
                self._mergers += [
                    Merger(entry, step.action, together, int(p in after))
                    for p, together in _together(positions).items()
                    if p in once and p in before and step.action not in self._free
                ]
        for p in sorted(several, key=lambda p: self.universe.atom(p).text):
            self._remember(History(entry, int(p in before), tuple(several[p]), int(p in after)))
        if response.steps < len(query.plan):
            self._failed(query.plan[response.steps], after, entry)

    def _learn_walk(self, query: PlanQuery, states: Sequence[State]) -> None:
        """Step by step: all that happened is seen."""
        self.searches += 1
        self.walked = True
        for step, (before, after) in zip(query.plan, pairwise((query.state, *states)), strict=True):
            self._learn(PlanQuery(before, (step,)), PlanResponse(1, after))
            if not self._usable(step):
                positions = enumerate(self.universe.positions(step))
                valuation = bits_of(i for i, p in positions if before.bits >> p & 1)
                self.dossiers[step.action].hints.append(valuation)

    def _remember(self, history: History) -> None:
        """Keep a history, unless one like it is known: plans often begin alike."""
        key = (history.initial, history.touches, history.final)
        if key not in self._told:
            self._told.add(key)
            self._histories.append(_Unexplained(history))

    def _usable(self, step: Step) -> bool:
        """Whether what happens at the step is evidence about its action."""
        if step.action in self._free:
            return True
        if not self._constants.isdisjoint(step.args):
            return False
        return self.setting.equality or len(set(step.args)) == len(step.args)

    def _clouded(self, step: Step) -> tuple[int, ...]:
        """Atoms whose change at the step cannot be told slot by slot, because two slots fell together."""
        if step.action in self._free:
            return tuple(_together(self.universe.positions(step)))
        if not self._constants.isdisjoint(step.args):
            return self.universe.positions(step)
        if len(set(step.args)) < len(step.args):
            return self.universe.positions(step)[len(self.vocabulary.shared_atoms) :]
        return ()

    def _passed(
        self,
        step: Step,
        positions: tuple[int, ...],
        before: set[int],
        after: set[int],
        once: set[int],
        clouded: set[int],
        evidence: Evidence,
    ) -> None:
        dossier = self.dossiers[step.action]
        dossier.first_run = dossier.first_run or self.entries
        first = bits_of(i for i, p in enumerate(positions) if p in before)
        last = bits_of(i for i, p in enumerate(positions) if p in after)
        seen = bits_of(i for i, p in enumerate(positions) if p in once)
        clear = seen & ~bits_of(i for i, p in enumerate(positions) if p in clouded) if clouded else seen
        pairs = (1 << dossier.precondition.size) - 1 & ~dossier.atom_mask
        dossier.precondition.passed(seen | pairs, first & seen | dossier.merged(step.args), evidence)
        dossier.effects.observe(clear, first, last, evidence)

    def _failed(self, step: Step, state: set[int], entry: int) -> None:
        if not self._usable(step):
            return
        dossier = self.dossiers[step.action]
        values = bits_of(i for i, p in enumerate(self.universe.positions(step)) if p in state)
        if not dossier.ran:
            dossier.tried += 1
            self.searches += 1
        dossier.precondition.failed(values | dossier.merged(step.args), entry)

    def _explain(self) -> None:
        """Conclude what can be from the histories, until nothing new comes of it."""
        news = True
        while news:
            news = False
            remaining = []
            known = {name: self._state_of(dossier) for name, dossier in self.dossiers.items()}
            for unexplained in self._histories:
                history = unexplained.history
                if not unexplained.concerned(known):
                    remaining.append(unexplained)
                    continue
                explanation = history.explain(self._known)
                if explanation is None:
                    raise Contradiction
                evidence = self._sources(history)
                for (action, index), modes in explanation.modes.items():
                    news |= self.dossiers[action].effects.restrict(index, modes, evidence)
                for touch, (value, after) in zip(history.touches, pairwise(explanation.values), strict=True):
                    if value is None:
                        continue
                    for action, index in touch:
                        needs = self.dossiers[action].precondition
                        news |= needs.passed(1 << index, value << index, evidence)
                    if after is not None:
                        news |= self._note_result(touch, value, after, evidence)
                if None in explanation.values or any(len(self._modes(s)) > 1 for s in history.slots):
                    remaining.append(unexplained)
            self._histories = remaining
            for merger in self._mergers:
                news |= self._settle(merger)

    def _note_result(self, touch: Touch, value: int, after: int, evidence: Evidence) -> bool:
        """What slots did together they do again; tells if it was news. Of one slot its modes say as much."""
        if len(touch) == 1 or (touch, value) in self._results:
            return False
        self._results[touch, value] = after, evidence
        self._seen_together[touch[0][0]] += 1
        return True

    def _state_of(self, dossier: Dossier) -> tuple[int, ...]:
        """What explanations of histories go by."""
        needs, effects = dossier.precondition, dossier.effects
        modes = effects.may_add, effects.may_delete, effects.may_keep
        return needs.need_true, needs.need_false, *modes, self._seen_together[dossier.header.name]

    def _settle(self, merger: Merger) -> bool:
        """What became of an atom that was true, that one slot deletes, and that another may add again."""
        dossier, together = self.dossiers[merger.action], merger.together
        effects = dossier.effects
        certain = together & ~effects.ambiguous
        doubtful = indices(together & effects.ambiguous & effects.may_add)
        if not certain & effects.may_delete or certain & effects.may_add:
            return False
        if merger.final and len(doubtful) > 1:  # one of them saved it: which one may not matter
            if not dossier.interchangeable(doubtful):
                return False
            doubtful = doubtful[:1]
        evidence = frozenset({merger.entry}.union(*(effects.evidence(i) for i in indices(together))))
        news = False
        for index in doubtful:
            news |= effects.restrict(index, "+" if merger.final else "-0", evidence)
        return news

    def _modes(self, slot: Slot) -> str:
        action, index = slot
        return self.dossiers[action].effects.modes(index)

    def _needs(self, slot: Slot) -> int | None:
        action, index = slot
        needs = self.dossiers[action].precondition
        return 1 if needs.need_true >> index & 1 else 0 if needs.need_false >> index & 1 else None

    def _result(self, touch: Touch, value: int) -> int | None:
        found = self._results.get((touch, value))
        return None if found is None else found[0]

    def _sources(self, history: History) -> Evidence:
        """The history's own entry and whatever is known of the effects and needs in it."""
        found: set[int] = {history.entry}
        for touch in history.touches:
            found = found.union(*(self._results[touch, v][1] for v in (0, 1) if (touch, v) in self._results))
        for action, index in history.slots:
            dossier = self.dossiers[action]
            found |= dossier.effects.evidence(index)
            if dossier.precondition.required >> index & 1:
                found |= dossier.precondition.evidence(index)
        return frozenset(found)


class _Unexplained:
    """A history with something left to conclude, and what was known when it was last looked at."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._actions = tuple(dict.fromkeys(action for action, _ in history.slots))
        self._seen: tuple[tuple[int, ...], ...] = ()

    def concerned(self, known: Mapping[str, tuple[int, ...]]) -> bool:
        """Whether more is known since."""
        seen = tuple([known[action] for action in self._actions])
        if seen == self._seen:
            return False
        self._seen = seen
        return True


@dataclass(frozen=True, slots=True)
class Merger:
    """An atom, true before, that several slots of a step stood for, two arguments being one object."""

    entry: int
    action: str
    together: int
    final: int


def _slots_at(positions: tuple[int, ...], wanted: Container[int]) -> dict[int, list[int]]:
    """For those of the wanted atoms that the step is about, the slots that stand for each."""
    found: dict[int, list[int]] = {}
    for index, p in enumerate(positions):
        if p in wanted:
            found.setdefault(p, []).append(index)
    return found


def _together(positions: tuple[int, ...]) -> dict[int, int]:
    """The atoms that more than one slot stands for, with those slots."""
    slots: dict[int, int] = {}
    if len(set(positions)) < len(positions):
        for index, p in enumerate(positions):
            slots[p] = slots.get(p, 0) | 1 << index
    return {p: mask for p, mask in slots.items() if mask.bit_count() > 1}
