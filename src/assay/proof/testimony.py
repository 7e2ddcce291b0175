"""What one answer says about the model, as clauses over its slots.

A step that ran had its precondition satisfied. A refused step had one literal violated in the state that
the answer shows. In the end every touched atom has the value the answer shows, and no other atom changed.

Atoms touched by no earlier step have a known value, and the last step to touch an atom must fit its final
value: that much is said at once. What an atom is worth in between depends on the effects of the steps so
far. To say it for all atoms and all times would take a formula as large as all questions together, nearly
all of it never needed; instead a *candidate* model is run through the question, and wherever it disagrees
with the answer `objections` gives a clause that every model which gives the answer satisfies and the
candidate does not. A candidate without objections gives the answer.

After a step that is no evidence (see `Grounding.tells`) nothing is known: every atom may have any value.
What came before, the end, and a refusal remain evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from assay.core.query import PlanResponse
from assay.core.symbols import Step
from assay.proof.grounding import Grounding, Key, before_and_changed, merged_pairs
from assay.proof.slots import ADDED, DELETED, FORBIDDEN, SlotAction, Variables
from assay.store.journal import Entry

Clause = tuple[int, ...]


class Source(NamedTuple):
    """The part of an answer that says something."""

    kind: str
    """ran, refused, ended, or jumped (an atom that no step touched changed); answer for all of it."""
    place: int | Key = 0
    """Which step, or which atom."""
    step: int = 0
    """On a walk, whose steps are answers each, which of them."""


Belief = tuple[bool, int, Clause]
"""The value of an atom in a candidate's run, the first step that could have changed it again (none did), and
literals of which one would be true if the value had not come about. A plain tuple: millions are made."""


class Touched:
    """The atoms that the steps touched, since the last step that is no evidence."""

    def __init__(self, known: bool) -> None:
        self.known = known
        """Whether the others have the values they started with."""
        self.last: dict[Key, int] = {}
        """The slot that touched an atom last."""
        self.shared: dict[Key, list[int]] = {}
        """All of them, where there were several at once."""
        self.again: set[Key] = set()
        """Atoms touched by several steps."""

    def touch(self, keys: list[Key], slots: range, merged: bool) -> None:
        if not self.last.keys().isdisjoint(keys):
            self.again |= self.last.keys() & keys
        self.last.update(zip(keys, slots, strict=True))
        if self.shared:
            for key in keys:
                self.shared.pop(key, None)
        if merged:
            groups: dict[Key, list[int]] = {}
            for key, slot in zip(keys, slots, strict=True):
                groups.setdefault(key, []).append(slot)
            self.shared |= {key: group for key, group in groups.items() if len(group) > 1}


class Said:
    """Clauses by the part of the answer that says them, or all together."""

    def __init__(self, split: bool) -> None:
        self._split = split
        self._literals: dict[Source, set[int]] = {}
        self._clauses: dict[Source, list[Clause]] = {}

    def literals(self, kind: str, place: int | Key) -> set[int]:
        return self._literals.setdefault(Source(kind, place) if self._split else Source("answer"), set())

    def clauses(self, kind: str, place: int | Key) -> list[Clause]:
        return self._clauses.setdefault(Source(kind, place) if self._split else Source("answer"), [])

    def ended(self, literals: Mapping[Key, int]) -> None:
        if self._split:
            for key, literal in literals.items():
                self.literals("ended", key).add(literal)
        else:
            self.literals("ended", 0).update(literals.values())

    def items(self) -> Iterator[tuple[Source, Clause]]:
        for source, literals in self._literals.items():
            yield from ((source, (literal,)) for literal in sorted(literals))
        for source, clauses in self._clauses.items():
            yield from ((source, clause) for clause in clauses)


class Testimony:
    """The answer to one question."""

    def __init__(
        self, grounding: Grounding, variables: Variables, entry: Entry, answer: PlanResponse
    ) -> None:
        self.entry, self._grounding, self._variables = entry, grounding, variables
        self.plan, self.steps = entry.query.plan, answer.steps
        self.start, self.changed = before_and_changed(entry.query.state, answer.state)
        self.final = self.start ^ self.changed
        self._changed = sorted(self.changed, key=str)
        self._telling = [grounding.tells(step) for step in self.plan]
        self._merged = [grounding.shares(step) for step in self.plan]

    @property
    def parts(self) -> Sequence[Testimony]:
        """Plans between whose ends nothing is shown: this one, unless it is a walk."""
        return (self,)

    @property
    def ran(self) -> set[str]:
        """The actions that are seen to run."""
        return {step.action for place, step in enumerate(self.plan[: self.steps]) if self._telling[place]}

    @property
    def refused(self) -> Step | None:
        """The step that did not run, if it is evidence."""
        if self.steps == len(self.plan) or not self._telling[self.steps]:
            return None
        return self.plan[self.steps]

    def sources(self) -> list[Source]:
        """All parts of the answer that say something."""
        found = {Source("ran", place): None for place in range(self.steps) if self._telling[place]}
        found |= dict.fromkeys(source for source, _ in self.plain(split=True))
        return list(found)

    def plain(self, split: bool = False) -> Iterator[tuple[Source, Clause]]:
        """What is said at once: by the whole answer, or by each of its parts."""
        said, touched = Said(split), Touched(known=True)
        for place, step in enumerate(self.plan[: self.steps]):
            if not self._telling[place]:
                touched = Touched(known=False)
                continue
            keys, slots = self._grounding.keys(step), self._variables.slots[step.action]
            if touched.known:
                seen, start = touched.last, self.start
                said.literals("ran", place).update(
                    [
                        -slot - FORBIDDEN if key in start else -slot
                        for key, slot in zip(keys, slots, strict=True)
                        if key not in seen
                    ]
                )
            if self._merged[place]:
                pairs = self._variables.pairs[step.action]
                said.literals("ran", place).update(-pairs[p] for p in merged_pairs(step) if p in pairs)
            touched.touch(keys, slots, self._merged[place])
        self._say_end(said, touched)
        if self.refused is not None:
            said.clauses("refused", self.steps).append(self._refusal(self.refused))
        return said.items()

    def _say_end(self, said: Said, touched: Touched) -> None:
        final, last = self.final, touched.last
        for key, group in touched.shared.items():
            del last[key]
            adds = tuple(s + ADDED for s in group)
            said.clauses("ended", key).extend(
                (-s - DELETED, *adds) if key in final else (-s - ADDED,) for s in group
            )
        said.ended({k: -s - DELETED if k in final else -s - ADDED for k, s in last.items()})
        for key in self._changed if touched.known else ():
            group = touched.shared.get(key) or ([last[key]] if key in last else [])
            if not group:
                said.clauses("jumped", key).append(())
            elif key not in touched.again:
                effect = ADDED if key in final else DELETED
                said.clauses("ended", key).append(tuple(s + effect for s in group))

    def _refusal(self, step: Step) -> Clause:
        slots, pairs = self._variables.slots[step.action], self._variables.pairs[step.action]
        keys = self._grounding.keys(step)
        blamed = [s + FORBIDDEN if k in self.final else s for k, s in zip(keys, slots, strict=True)]
        return (*blamed, *(pairs[pair] for pair in merged_pairs(step) if pair in pairs))

    def objections(self, candidate: Mapping[str, SlotAction]) -> Iterator[tuple[Source, Clause]]:
        """Clauses that follow from the answer and are false of the candidate; none iff it gives the answer.

        The candidate must satisfy all that is said at once. Of all the times when a precondition literal
        fails, the one is chosen whose atom was touched least between getting its value and being needed.
        """
        beliefs: dict[Key, Belief] = {}
        start, known = self.start, True
        failures: dict[int, tuple[int, int, Key, Belief]] = {}
        for place, step in enumerate(self.plan[: self.steps]):
            if not self._telling[place]:
                beliefs, known = {}, False
                continue
            action, slots = candidate[step.action], self._variables.slots[step.action]
            pick, terms = self._grounding.picks(step.action), self._grounding.terms(step)
            for wanted, part, numbers in ((True, 0, action.needed), (False, FORBIDDEN, action.forbidden)):
                for n in numbers:
                    key = pick[n](terms)
                    belief = beliefs.get(key)
                    if belief is None:
                        if not known:
                            beliefs[key] = (wanted, place, (-slots[n] - part,))
                            continue
                        belief = (key in start, 0, ())
                    if belief[0] != wanted:
                        literal, length = -slots[n] - part, place - belief[1]
                        if literal not in failures or length < failures[literal][0]:
                            failures[literal] = (length, place, key, belief)
            for n in action.deleted:
                key = pick[n](terms)
                reason: Clause = (-slots[n] - DELETED,)
                if self._merged[place]:
                    reason += tuple(slots[k] + ADDED for k in self._grounding.slots_at(step, key) if k != n)
                beliefs[key] = (False, place + 1, reason)
            for n in action.added:
                beliefs[pick[n](terms)] = (True, place + 1, (-slots[n] - ADDED,))
        for literal, (_, place, key, belief) in failures.items():
            yield Source("ran", place), (literal, *self._clause(key, belief, place))
        if known:
            beliefs |= {key: (key in start, 0, ()) for key in self._changed if key not in beliefs}
        for key, belief in beliefs.items():
            if belief[0] != (key in self.final):
                yield Source("ended", key), self._clause(key, belief, self.steps)

    def _clause(self, key: Key, belief: Belief, now: int) -> Clause:
        """The value came about otherwise, or has changed since."""
        value, since, reason = belief
        effect = DELETED if value else ADDED
        found = dict.fromkeys(reason)
        for step in self.plan[since:now]:
            slots = self._variables.slots[step.action]
            for n in self._grounding.slots_at(step, key):
                found[slots[n] + effect] = None
        return tuple(found)
