"""A contradiction in words: what each question showed, side by side.

First the answers are cut into their smallest parts (this step ran, that one was refused, this atom ended
so) and all parts are dropped that the contradiction does not need. What is left is told in the words of
the action: situations are written with its parameters, so that two of them can be compared even if they
are about different objects, and only atoms over its arguments are mentioned.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from assay.core.quantity import count
from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.proof.contradiction import shrink
from assay.proof.examination import Examination
from assay.proof.grounding import Grounding, Key, atom_of
from assay.proof.testimony import Source, Testimony
from assay.store.journal import Entry

LONGEST = 12
"""Atoms, or parts of one answer, that are listed before "and so many more"."""

TRIES = 100
"""Parts tried for being dispensable; a contradiction that needs more is beyond telling anyway."""


def explain_contradiction(setting: Setting, entries: Sequence[Entry], numbers: Sequence[int]) -> str:
    """Why no model gives these answers together."""
    chosen = [e for e in entries if e.number in set(numbers)]
    examination = Examination(setting, chosen, split=True)
    try:
        items = shrink(examination, list(examination.selectors), TRIES)
        if items is None:
            raise InputError(f"a model explains {_questions(numbers)}: there is nothing to explain")
        parts = sorted((item for item in items if not isinstance(item, int)), key=_order)
        teller = _Teller(setting.profile.vocabulary, examination.grounding)
        return "\n".join(teller.tell(examination.testimony, parts))
    finally:
        examination.close()


def _order(item: tuple[int, Source]) -> tuple[int, int, int, str]:
    """Steps by their place in the question, atoms after them."""
    number, source = item
    place = source.place if isinstance(source.place, int) else sys.maxsize
    return number, source.step, place, str(source.place)


@dataclass(frozen=True, slots=True)
class Sight:
    """A step in its situation, as far as the answer shows it, and what became of it."""

    number: int
    place: int
    step: Step
    values: dict[str, bool | None]
    """The action's lifted atoms; None where earlier steps may have changed the atom."""
    outcome: str
    """What the step did, as the end of a sentence."""
    about: str
    """The lifted atom whose fate is told, or nothing if it is whether the step ran."""

    @property
    def where(self) -> str:
        held = [f"({atom})" for atom, value in self.values.items() if value]
        unknown = [f"({atom})" for atom, value in self.values.items() if value is None]
        if len(unknown) == len(self.values) > 0:
            return "nothing can be told of the atoms over its arguments"
        text = f"{_listed(held)} held" if held else "no atom over its arguments held"
        return text + (f"; {_listed(unknown)} cannot be told" if unknown else "")

    def contradicts(self, other: Sight) -> bool:
        """Whether the two would be at odds if the situations were the same."""
        if (self.step.action, self.about) != (other.step.action, other.about):
            return False
        comparable = not self.values or any(None not in (v, other.values[x]) for x, v in self.values.items())
        return comparable and self.outcome != other.outcome

    def differences(self, other: Sight) -> list[str]:
        """Atoms known to have been otherwise."""
        return [x for x, value in self.values.items() if {value, other.values[x]} == {True, False}]


@dataclass(frozen=True, slots=True)
class Course:
    """An atom from start to end, and how the steps touched it."""

    number: int
    atom: str
    start: bool
    touches: tuple[tuple[int, Step, str], ...]
    """Which step, and as which of its lifted atoms."""
    final: bool

    @property
    def told(self) -> str:
        course = f"{self.atom} was {_value(self.start)} at first and {_value(self.final)} in the end"
        if not self.touches:
            return f"{course}, though no step that ran has it among its atoms"
        touching = [f"step {place + 1} {step} as {lifted}" for place, step, lifted in self.touches]
        return f"{course}; it is touched by {_listed(touching)}"

    def contradicts(self, other: Course) -> bool:
        """Whether the same was done to both atoms, and they ended otherwise."""
        mine, theirs = ([(s.action, lifted) for _, s, lifted in c.touches] for c in (self, other))
        return mine == theirs and self.start == other.start and self.final != other.final


class _Teller:
    def __init__(self, vocabulary: Vocabulary, grounding: Grounding) -> None:
        self._vocabulary, self._grounding = vocabulary, grounding

    def tell(self, answers: dict[int, Testimony], parts: Sequence[tuple[int, Source]]) -> Iterator[str]:
        numbers = list(dict.fromkeys(number for number, _ in parts))
        together = "" if len(numbers) == 1 else " together"
        yield f"No model of the class gives the {_answers(numbers)}{together}."
        sights: list[Sight] = []
        courses: list[Course] = []
        for number in numbers:
            answer = answers[number]
            logged = " (from a log)" if answer.entry.logged else ""
            yield f"Question {number}{logged}: {_summary(answer)}"
            sources = [source for n, source in parts if n == number]
            for source in sources[:LONGEST]:
                place, part = source.place, answer.parts[source.step]
                if isinstance(place, int):
                    sights.append(sight := self._sight(part, place))
                    bound, step = self._binding(sight.step), source.step + place + 1
                    yield f"  Step {step}, {sight.step}, {sight.outcome}{bound}, where {sight.where}."
                    continue
                courses.append(course := self._course(part, place, source.step))
                yield f"  {f'Step {source.step + 1}: ' if answer.entry.walk else ''}{course.told}."
                if len(course.touches) == 1:
                    sights.append(self._sight(part, course.touches[0][0] - source.step, place))
            if len(sources) > LONGEST:
                yield f"  At odds with the rest: {count(len(sources) - LONGEST, 'more part')} of this answer."
        conflicts = [(a, b) for a, b in combinations(sights, 2) if a.contradicts(b)]
        yield from (_compared(a, b) for a, b in conflicts)
        yield from _excluded(sights)
        alike = [(a, b) for a, b in combinations(courses, 2) if len(a.touches) > 1 and a.contradicts(b)]
        for a, b in alike:
            yield (
                "So the same actions in the same order ended with "
                f"{a.atom} {_value(a.final)} in question {a.number} "
                f"and {b.atom} {_value(b.final)} in question {b.number}."
            )
        jumped = any(not course.touches for course in courses)
        suspicion = _suspicion(conflicts, jumped, bool(alike))
        if len(numbers) > 1 and (walks := [n for n in numbers if answers[n].entry.walk]):
            told = f"the walk told in {_questions(walks)} does not agree with what the agent does when asked"
            suspicion = f"{told}; if the walk is true, {suspicion}"
        yield f"Suspicion: {suspicion}."

    def _sight(self, answer: Testimony, place: int, key: Key | None = None) -> Sight:
        """The situation before a step: that of the answer if it was refused, else what no step touched."""
        step = answer.plan[place]
        keys, lifted = self._grounding.keys(step), self._vocabulary.lifted_atoms(step.action)
        earlier = answer.plan[:place]
        values: list[bool | None]
        if place == answer.steps:
            values = [k in answer.final for k in keys]
        elif all(map(self._grounding.tells, earlier)):
            touched = {k for s in earlier for k in self._grounding.keys(s)}
            values = [None if k in touched else k in answer.start for k in keys]
        else:
            values = [None] * len(keys)
        outcome, about = "was refused" if place == answer.steps else "ran", ""
        if key is not None:
            about = str(lifted[keys.index(key)])
            verb = "made" if key in answer.changed else "left"
            outcome = f"{verb} {about} {_value(key in answer.final)}"
        known = dict(zip([a.text for a in lifted], values, strict=True))
        return Sight(answer.entry.number, place, step, known, outcome, about)

    def _binding(self, step: Step) -> str:
        bound = self._vocabulary.action[step.action].bind(step.args)
        return " with " + " ".join(f"{name}={value}" for name, value in bound.items()) if bound else ""

    def _course(self, answer: Testimony, key: Key, first: int) -> Course:
        touches = []
        for place, step in enumerate(answer.plan[: answer.steps], start=first):
            atoms = self._vocabulary.lifted_atoms(step.action)
            if slots := self._grounding.slots_at(step, key):
                touches.append((place, step, _listed([str(atoms[n]) for n in slots])))
        number, atom = answer.entry.number, str(atom_of(key))
        return Course(number, atom, key in answer.start, tuple(touches), key in answer.final)


def _compared(a: Sight, b: Sight) -> str:
    told = f"So {a.step.action} {a.outcome} in question {a.number} and {b.outcome} in question {b.number}"
    unknown = [f"({x})" for x in a.values if None in (a.values[x], b.values[x])]
    if differences := a.differences(b):
        texts = [f"({x}) was {_value(a.values[x])} and then {_value(b.values[x])}" for x in differences]
        told += f"; the situations differ in this: {_listed(texts)}"
    else:
        told += ", although every atom over its arguments " + ("that is known " if unknown else "")
        told += "was the same"
    return told + (f"; {_listed(unknown)} cannot be compared." if unknown else ".")


def _excluded(sights: Sequence[Sight]) -> Iterator[str]:
    """What could be blamed for a refusal, but was the same where the step ran."""
    for refused in [s for s in sights if s.outcome == "was refused"]:
        others = [s for s in sights if s.contradicts(refused)]
        for atom in dict.fromkeys(x for s in others for x in refused.differences(s)):
            value = refused.values[atom]
            if cleared := [str(s.number) for s in others if s.values[atom] == value]:
                yield (
                    f"That ({atom}) was {_value(value)} is no reason to refuse {refused.step.action}: "
                    f"so it was in {_questions(cleared)}, where it ran."
                )


def _suspicion(conflicts: Sequence[tuple[Sight, Sight]], jumped: bool, alike: bool) -> str:
    if jumped:
        return "an action changes something that its arguments do not mention, or the world changes by itself"
    outside = "the agent is not deterministic, or depends on something outside the vocabulary"
    if alike:
        return f"what one of these actions does depends on the situation, {outside}"
    if not conflicts:
        return f"what an action needs or does is no fixed set of literals, {outside}"
    if any(a.values == b.values and None not in a.values.values() for a, b in conflicts):
        return f"the same situation, a different answer: {outside}"
    action, about = conflicts[0][0].step.action, conflicts[0][0].about
    if about:
        return f"what {action} does to {about} depends on the situation, {outside}"
    return f"what {action} needs is not a conjunction of literals, {outside}"


def _summary(answer: Testimony) -> str:
    asked, ran = len(answer.plan), answer.steps
    changed = sorted(answer.changed, key=lambda key: atom_of(key).text)
    changes = [f"{atom_of(key)} became {_value(key in answer.final)}" for key in changed]
    course = f"asked for {asked} step{'' if asked == 1 else 's'}, "
    if answer.entry.walk:
        course = f"left to itself, the agent took {count(asked, 'step')}"
    elif ran == asked:
        course += "which ran" if asked == 1 else "which all ran"
    elif ran == 0:
        course += "it was refused" if asked == 1 else "the first was refused"
    else:
        course += f"{ran} ran and the next, {answer.plan[ran]}, was refused"
    return f"{course}; {_listed(changes) if changes else 'nothing changed'}."


def _value(value: bool | None) -> str:
    return {True: "true", False: "false", None: "unknown"}[value]


def _listed(texts: Sequence[str]) -> str:
    shown = list(texts[:LONGEST])
    if len(texts) > LONGEST:
        shown.append(f"{len(texts) - LONGEST} more")
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]


def _questions(numbers: Sequence[object]) -> str:
    return f"question{'' if len(numbers) == 1 else 's'} {_listed([str(n) for n in numbers])}"


def _answers(numbers: Sequence[int]) -> str:
    return f"answer{'' if len(numbers) == 1 else 's'} to {_questions(numbers)}"
