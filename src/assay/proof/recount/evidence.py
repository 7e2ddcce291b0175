"""What the answers show of each action, and where they are not as the model foretells.

Every step of every valid answer is compared with the model: that it runs or is refused, and all that it
changes. A step is *evidence* if it is plain (its arguments are different objects, and no constants) and the
state before it is known:

- an agent that tells the states between: every step is compared with the state that it told before;
- one that tells only the last state: the states between are taken as foretold, and steps that ran are
  evidence only if the last state is then as foretold. A refusal happens in the last state, which was told:
  it is evidence by itself.

Of an action that is called open nothing is claimed, so where the model is wrong about it this is no fault.
Steps that are not plain, steps of actions that the model leaves out, and steps of those that contradict
themselves are not compared; where states between are not told, they make what ran in that question no
evidence. Invalid answers are never evidence; what they were about is kept to check why patterns are missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from assay.proof.recount.facts import Change, Fact, Facts
from assay.proof.recount.features import Features
from assay.proof.recount.foretelling import Foretelling
from assay.proof.recount.others import Parts
from assay.proof.recount.questions import Question
from assay.proof.recount.surroundings import Scene


class Mismatch(NamedTuple):
    """A step whose answer is not what the model foretells."""

    question: int
    step: int
    """Its place in the plan, from 1; 0 if it is not known which."""
    text: str

    def __str__(self) -> str:
        where = f", step {self.step}" if self.step else ""
        return f"Question {self.question}{where}: {self.text}."


@dataclass
class ActionEvidence:
    """The rows in which an action ran and was refused, each with the first question that shows it."""

    runs: dict[int, int] = field(default_factory=dict)
    refusals: dict[int, int] = field(default_factory=dict)
    invalid: dict[int, int] = field(default_factory=dict)
    """Rows of states that the agent called invalid."""
    runs_among: set[tuple[int, int]] = field(default_factory=set)
    """Rows in which it ran, each with the parts of profiles that other objects had."""
    refusals_among: set[tuple[int, int]] = field(default_factory=set)
    ran: int = 0
    """How many steps ran, evidence or not."""
    refused: int = 0


@dataclass
class Evidence:
    actions: dict[str, ActionEvidence]
    mismatches: list[Mismatch] = field(default_factory=list)
    of_open: list[Mismatch] = field(default_factory=list)
    """The same where an action is involved of which nothing is claimed."""
    answers: int = 0
    """Valid answers to questions that were asked."""
    invalid: int = 0
    logged: int = 0
    untold: int = 0
    """Answers in which two or more steps ran and the states between were not told."""
    kinds: set[str] = field(default_factory=set)
    """The types of all objects."""


class _State(NamedTuple):
    """A row that becomes evidence once the states between are confirmed."""

    action: str
    row: int
    parts: int


class Collector:
    """Goes through the questions one by one."""

    def __init__(
        self,
        features: Mapping[str, Features],
        foretelling: Foretelling,
        contradicted: Collection[str] = (),
        unclaimed: Collection[str] = (),
        others: bool = False,
    ) -> None:
        self._features, self._foretelling = features, foretelling
        self._contradicted, self._unclaimed = frozenset(contradicted), frozenset(unclaimed)
        self._parts = {name: Parts(f) for name, f in features.items()} if others else {}
        self._constants = sorted({name for f in features.values() for name in f.constants})
        self.evidence = Evidence({name: ActionEvidence() for name in features})

    def add_all(self, questions: Iterable[Question]) -> Evidence:
        for question in questions:
            self.add(question)
        return self.evidence

    def add(self, question: Question) -> None:
        found = self.evidence
        found.kinds.update(question.objects.types.values())
        found.logged += question.logged
        if question.invalid:
            found.invalid += 1
            self._add_invalid(question)
            return
        found.answers += not question.logged
        for step in question.plan[: question.ran]:
            found.actions[step[0]].ran += 1
        if question.told is not None:
            last = self._follow_told(question, question.told)
        else:
            last = self._follow_foretold(question)
        if question.refused:
            found.actions[question.plan[question.ran][0]].refused += 1
            self._add_refusal(question, last)

    def _scene(self, question: Question) -> Scene:
        return Scene(question.objects, question.state, self._constants)

    def _add_invalid(self, question: Question) -> None:
        facts = Facts(question.objects, question.state)
        for step in question.plan:
            if self._features[step[0]].is_plain(step):
                row = self._features[step[0]].row(facts, step)
                self.evidence.actions[step[0]].invalid.setdefault(row, question.number)

    def _follow_told(self, question: Question, told: tuple[Change, ...]) -> Scene:
        scene = self._scene(question)
        for place, (step, change) in enumerate(zip(question.plan, told, strict=False), start=1):
            facts = scene.facts
            change = Change(change.added - facts.all, change.removed & facts.all)
            if self._speaks_of(step) and self._as_foretold(question, place, step, facts, change):
                self._add_run(question, self._state(step, scene))
            scene.change(change)
        return scene

    def _as_foretold(self, question: Question, place: int, step: Fact, facts: Facts, change: Change) -> bool:
        foretold = self._foretelling.step(facts, step)
        if foretold == change:
            return True
        what = f"the model refuses ({' '.join(step)}), which ran"
        if foretold is not None:
            what = f"({' '.join(step)}) {_difference(foretold, change)}"
        self._differs(question, place, what, step)
        return False

    def _follow_foretold(self, question: Question) -> Scene:
        """The last state, as told; what ran is evidence if the last state is foretold from the first."""
        assert question.whole is not None
        self.evidence.untold += question.ran > 1
        last = self._scene(question)
        last.change(question.whole)
        for state in self._foretold(question, last.facts):
            self._add_run(question, state)
        return last

    def _foretold(self, question: Question, last: Facts) -> list[_State]:
        """The states in which steps ran, as foretold; none if the last one is not as it was told."""
        scene = self._scene(question)
        found: list[_State] = []
        for place, step in enumerate(question.plan[: question.ran], start=1):
            if not self._speaks_of(step):
                return []
            found.append(self._state(step, scene))
            change = self._foretelling.step(scene.facts, step)
            if change is None:
                what = f"the model refuses ({' '.join(step)}), which ran"
                self._differs(question, place, what, *question.plan[:place])
                return []
            scene.change(change)
        reached = scene.facts.all
        if reached == last.all:
            return found
        foretold = Change(frozenset(reached - question.state), frozenset(question.state - reached))
        told = Change(frozenset(last.all - question.state), frozenset(question.state - last.all))
        place = 1 if question.ran == 1 else 0
        what = f"the plan {_difference(foretold, told)}"
        self._differs(question, place, what, *question.plan[: question.ran])
        return []

    def _differs(self, question: Question, place: int, what: str, *steps: Fact) -> None:
        """An answer is not as foretold, because of one of these steps."""
        open_ones = not self._unclaimed.isdisjoint(step[0] for step in steps)
        found = self.evidence.of_open if open_ones else self.evidence.mismatches
        found.append(Mismatch(question.number, place, what))

    def _speaks_of(self, step: Fact) -> bool:
        """Whether the model says anything about such a step."""
        name = step[0]
        known = self._foretelling.knows(name) and name not in self._contradicted
        return known and self._features[name].is_plain(step)

    def _state(self, step: Fact, scene: Scene) -> _State:
        features, parts = self._features[step[0]], self._parts.get(step[0])
        around = parts.of_all(scene.around(step, features.parameters)) if parts is not None else 0
        return _State(step[0], features.row(scene.facts, step), around)

    def _add_run(self, question: Question, state: _State) -> None:
        found = self.evidence.actions[state.action]
        found.runs.setdefault(state.row, question.number)
        found.runs_among.add((state.row, state.parts))

    def _add_refusal(self, question: Question, scene: Scene) -> None:
        step = question.plan[question.ran]
        if not self._speaks_of(step):
            return
        if self._foretelling.step(scene.facts, step) is not None:
            what = f"the model runs ({' '.join(step)}), which was refused"
            self._differs(question, question.ran + 1, what, step)
            return
        state, found = self._state(step, scene), self.evidence.actions[step[0]]
        found.refusals.setdefault(state.row, question.number)
        found.refusals_among.add((state.row, state.parts))


def _difference(foretold: Change, told: Change) -> str:
    return f"leads to {_words(told)}; the model foretells {_words(foretold)}"


def _words(change: Change) -> str:
    return ", ".join(_parts(change)) or "no change"


def _parts(change: Change) -> Iterator[str]:
    yield from (f"({' '.join(fact)})" for fact in sorted(change.added))
    yield from (f"(not ({' '.join(fact)}))" for fact in sorted(change.removed))
