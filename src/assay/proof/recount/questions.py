"""Questions and answers, read from the lines of a journal by the checker's own reader.

    {"n": 3, "objects": {"k1": "tool"}, "state": ["shut d1"], "plan": ["open d1 k1"],
     "steps": 1, "added": ["open d1"], "removed": ["shut d1"]}

or, from an agent that tells the states between, `"changes": [{"added": ..., "removed": ...}, ...]`, one for
each step that ran, instead of `added` and `removed`; or `"invalid": "why"`. A walk (`"walk": most steps`)
has the plan that the agent chose, all of which ran. `"source": "log"` marks what was taken from a log of
the agent.

The objects that exist in a question are the agent's own, the vocabulary's constants, and those it brings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.core.vocabulary import Vocabulary
from assay.errors import InputError, JournalError
from assay.proof.recount.facts import Change, Fact, Objects, Reader

LOG = "log"

_MALFORMED = (InputError, KeyError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True, slots=True)
class Question:
    """A plan question with its answer."""

    number: int
    objects: Objects
    state: frozenset[Fact]
    plan: tuple[Fact, ...]
    ran: int = 0
    """How many steps ran."""
    told: tuple[Change, ...] | None = None
    """What each step that ran changed, if the agent told the states between."""
    whole: Change | None = None
    """What the steps that ran changed all together, if it told the last state only."""
    invalid: bool = False
    logged: bool = False

    @property
    def refused(self) -> bool:
        return not self.invalid and self.ran < len(self.plan)


@dataclass(frozen=True, slots=True)
class Journal:
    """A journal as the checker reads it."""

    vocabulary: Vocabulary
    questions: tuple[Question, ...]


def read_questions(lines: Sequence[Mapping[str, Any]], name: str = "journal") -> Journal:
    """The setting's vocabulary and objects, and all plan questions that follow it."""
    try:
        setting = lines[0]
        vocabulary = Vocabulary.of(**setting["vocabulary"])
        own = {c.name: c.type for c in vocabulary.constants} | dict(setting["objects"])
    except (*_MALFORMED, IndexError) as error:
        raise JournalError(f"{name}, line 1: {error}") from error
    return Journal(vocabulary, tuple(questions_of(vocabulary, own, lines[1:], name)))


def questions_of(
    vocabulary: Vocabulary, own: Mapping[str, str], lines: Iterable[Mapping[str, Any]], name: str = "journal"
) -> Iterator[Question]:
    """The questions of an agent with these objects of its own (name and type)."""
    reader, objects = Reader(vocabulary), Objects(vocabulary, own)
    for number, line in enumerate(lines, start=1):
        try:
            if line["n"] != number:
                raise InputError(f"entry {line['n']!r} stands where entry {number} belongs")
            yield _question(reader, _with_new(objects, line.get("objects", {})), line)
        except _MALFORMED as error:
            raise JournalError(f"{name}, line {number + 1}: {error}") from error


def _with_new(own: Objects, new: Mapping[str, str]) -> Objects:
    if not new:
        return own
    for name, type_name in new.items():
        own.vocabulary.supertypes(type_name)  # an unknown type is a KeyError
        if own.types.get(name, type_name) != type_name:
            raise InputError(f"object {name!r} is of type {own.types[name]!r} and of type {type_name!r}")
    return Objects(own.vocabulary, {**own.types, **new})


def _question(reader: Reader, objects: Objects, line: Mapping[str, Any]) -> Question:
    if "policy" in line:
        raise InputError("a policy question, in a journal of an agent without chance")
    types, logged = objects.types, line.get("source") == LOG
    reader.begin(types)
    state = reader.facts(line["state"], types)
    plan = tuple(reader.step(text, types) for text in line["plan"])
    if "invalid" in line:
        return Question(line["n"], objects, state, plan, invalid=True, logged=logged)

    def change(told: Mapping[str, Any]) -> Change:
        return Change(reader.facts(told["added"], types), reader.facts(told["removed"], types))

    told = tuple(map(change, line["changes"])) if "changes" in line else None
    ran = line.get("steps", len(told) if told is not None and "walk" in line else None)
    if type(ran) is not int or not 0 <= ran <= len(plan) or (told is not None and len(told) != ran):
        raise InputError(f"{ran!r} steps of a plan of {len(plan)}, {len(told or ())} of them told")
    if told is not None:
        return Question(line["n"], objects, state, plan, ran, told, logged=logged)
    return Question(line["n"], objects, state, plan, ran, whole=change(line), logged=logged)
