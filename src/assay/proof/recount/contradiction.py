"""Whether two answers about an action really disagree: the same point, and another outcome.

The *point* of a plain step is all that features can ever see: the facts about its arguments and constants,
and the set of profiles of all other objects (their types, and the facts that they and the arguments are
in). Two steps are also at the same point if state and step are literally the same. The outcome is whether
the step ran, and if so what it changed: about the arguments, and for each profile what becomes of objects
with it.

States that were only foretold prove nothing here, so from an agent that tells the last state only, just the
first step and the one that was refused are looked at, and what a step changed if it ran alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from assay.core.vocabulary import Vocabulary
from assay.proof.recount.facts import Change, Fact, Facts
from assay.proof.recount.questions import Question

Profile = tuple[str, frozenset[Fact]]
Point = tuple[frozenset[Fact], frozenset[Profile]]


class Sight(NamedTuple):
    """A step at a point that was told."""

    question: int
    literally: tuple[Fact, frozenset[Fact], frozenset[tuple[str, str]]]
    """The step, the whole state, and all objects with their types."""
    point: Point | None
    """None if the step is not plain."""
    ran: bool
    after: tuple[frozenset[Fact], frozenset[tuple[Profile, Profile]]] | None
    """What became of the arguments, and of each other object; None if it did not run, or was not told."""
    state: frozenset[Fact] | None
    """The whole state after it."""


def disagree(vocabulary: Vocabulary, action: str, questions: Iterable[Question]) -> bool:
    """Whether two sights of the action in these questions contradict each other."""
    seen: list[Sight] = []
    for question in questions:
        for sight in sights(vocabulary, action, question):
            if any(_disagree(sight, earlier) for earlier in seen):
                return True
            seen.append(sight)
    return False


def sights(vocabulary: Vocabulary, action: str, question: Question) -> Iterator[Sight]:
    """The steps of the action in a valid answer, before which the state was told."""
    if question.invalid:
        return
    facts = Facts(question.objects, question.state)
    told = question.told
    if told is None:
        assert question.whole is not None
        told = (question.whole,) if question.ran == 1 else ()
        if question.ran > 1:
            if question.plan[0][0] == action:
                yield _sight(vocabulary, question, facts, question.plan[0], True, None)
            facts.change(question.whole)
    for step, change in zip(question.plan, told, strict=False):
        if step[0] == action:
            yield _sight(vocabulary, question, facts, step, True, change)
        facts.change(change)
    if question.refused and question.plan[question.ran][0] == action:
        yield _sight(vocabulary, question, facts, question.plan[question.ran], False, None)


def _sight(
    vocabulary: Vocabulary, question: Question, facts: Facts, step: Fact, ran: bool, change: Change | None
) -> Sight:
    constants = {c.name: c.name for c in vocabulary.constants}
    before = frozenset(facts.all)
    plain = len({*step[1:], *constants}) == len(step) - 1 + len(constants)
    lifting = {**constants, **{name: f"?{n}" for n, name in enumerate(step[1:])}}
    world = frozenset(question.objects.types.items())
    sight = Sight(question.number, (step, before, world), None, ran, None, None)
    own, profiles = _reading(facts, lifting)
    if plain:
        sight = sight._replace(point=(own, frozenset(profiles.values())))
    if change is None:
        return sight
    later = Facts(question.objects, before)
    later.change(change)
    own, after = _reading(later, lifting)
    pairs = frozenset((profiles[name], after[name]) for name in profiles)
    return sight._replace(after=(own, pairs), state=frozenset(later.all))


def _reading(facts: Facts, lifting: Mapping[str, str]) -> tuple[frozenset[Fact], dict[str, Profile]]:
    """The facts about arguments and constants, and the profile of every other object."""
    own: set[Fact] = set()
    others: dict[str, set[Fact]] = {name: set() for name in facts.objects.types if name not in lifting}
    for fact in facts.all:
        strangers = {term for term in fact[1:] if term not in lifting}
        if not strangers:
            own.add((fact[0], *[lifting[t] for t in fact[1:]]))
        elif len(strangers) == 1:
            (name,) = strangers
            others[name].add((fact[0], *[lifting.get(t, "") for t in fact[1:]]))
    types = facts.objects.types
    return frozenset(own), {name: (types[name], frozenset(found)) for name, found in others.items()}


def _disagree(one: Sight, other: Sight) -> bool:
    if one.literally == other.literally:
        if one.ran != other.ran:
            return True
        return one.state is not None and other.state is not None and one.state != other.state
    if one.point is None or one.point != other.point:
        return False
    if one.ran != other.ran:
        return True
    return one.after is not None and other.after is not None and one.after != other.after
