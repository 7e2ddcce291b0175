"""The most telling questions of a run, chosen from its journal by what the certificate claims.

For each fact that an action needs: a question in which the agent refused the action where of that way to run
only this was missing, beside a state in which it ran, the one that differs least. For each action: its
first run, before and after. A state counts only where the agent told it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.core.query import PlanResponse
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import State
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.language.answers import changes, state_before, states_around
from assay.language.english import English
from assay.store.folder import CERTIFICATE
from assay.store.journal import Entry
from assay.store.plain import decode_json, read_plain


@dataclass(frozen=True, slots=True)
class Moment:
    """A state in a question, with what is to be said about it."""

    question: int
    state: State
    kind: str
    """"asked", "ran" or "refused"."""
    caption: str


@dataclass(frozen=True, slots=True)
class Telling:
    question: int
    action: str
    literal: str
    """What the action needs, over its parameters; empty for a first run."""
    says: str
    """What is to be seen, in words."""
    moments: tuple[Moment, ...]
    """The one that matters is the last."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A step that was tried in a state that the agent told."""

    entry: Entry
    step: Step
    before: State
    after: State | None
    """What the agent told of the state afterwards; None if it was refused, or not told."""
    ran: bool


Term = tuple[Literal, ...]


def read_claims(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """What the certificate says, by action."""
    try:
        data = decode_json(read_plain(folder / CERTIFICATE))
        actions: Mapping[str, Mapping[str, Any]] = data["actions"]
        return actions
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{folder} has no certificate that can be read: {error}") from error


def telling_questions(
    entries: Sequence[Entry], vocabulary: Vocabulary, claims: Mapping[str, Mapping[str, Any]]
) -> list[Telling]:
    """One for each fact that is needed; actions take turns, and after the first turn come first runs."""
    english = English(vocabulary, mark="")
    tried = [t for entry in entries for t in _tried(entry)]
    turns: list[list[Telling]] = []
    for action in sorted(claims.keys() & vocabulary.action.keys()):
        own = [t for t in tried if t.step.action == action]
        found = [x for term in _terms(claims[action]) for x in _refusals(english, own, term)]
        for turn, telling in enumerate(found):
            turns += [[]] * (turn + 1 - len(turns))
            turns[turn] = [*turns[turn], telling]
    runs = [
        r for action in sorted(vocabulary.action) if (r := _first_run(english, tried, action)) is not None
    ]
    return [telling for turn in (*turns[:1], runs, *turns[1:]) for telling in turn]


def contradiction(
    entries: Sequence[Entry], claims: Mapping[str, Mapping[str, Any]]
) -> list[tuple[Moment, Moment]]:
    """For each answer that does not go with the others: the state it began in, and the one it ended in."""
    numbers = {n for claim in claims.values() for n in claim.get("contradiction", ())}
    found = []
    for entry in (e for e in entries if e.number in numbers and isinstance(e.response, PlanResponse)):
        assert isinstance(entry.response, PlanResponse)
        steps = f"{entry.response.steps} of {len(entry.query.plan)} steps ran"
        begun = Moment(entry.number, entry.query.state, "asked", f"Question {entry.number}")
        found.append((begun, Moment(entry.number, entry.response.state, "ran", steps)))
    return found


def _tried(entry: Entry) -> Iterator[Tried]:
    if not isinstance(entry.response, PlanResponse):
        return
    ran = entry.response.steps
    for number, step in enumerate(entry.query.plan[: ran + (not entry.walk)]):
        before = state_before(entry, number)
        if before is not None:
            around = states_around(entry, number) if number < ran else None
            yield Tried(entry, step, before, around[1] if around else None, number < ran)


def _terms(claim: Mapping[str, Any]) -> list[Term]:
    """The ways to run, as far as they speak of the arguments."""
    return [
        tuple(
            Literal(Atom.parse(text.removeprefix("not ")), not text.startswith("not "))
            for text in term
            if not text.removeprefix("not ").startswith("some ")
        )
        for term in claim.get("terms", ())
    ]


def _refusals(english: English, tried: Sequence[Tried], term: Term) -> Iterator[Telling]:
    """For each literal of the term, the plainest refusal for want of it alone."""

    def missing(t: Tried) -> list[Literal]:
        return [x for x in term if not _holds(english.vocabulary, t, x)]

    runs = [t for t in tried if t.ran and not missing(t)]
    for literal in term:
        refused = [t for t in tried if not t.ran and missing(t) == [literal]]
        pairs = [(_distance(t, r), t.entry.number, r.entry.number, t, r) for t in refused for r in runs]
        if pairs:
            *_, best, run = min(pairs, key=lambda pair: pair[:3])
            yield _witness(english, literal, best, run)


def _witness(english: English, literal: Literal, refused: Tried, run: Tried) -> Telling:
    header = english.vocabulary.action[refused.step.action]
    return Telling(
        refused.entry.number,
        header.name,
        literal.atom.text if literal.positive else f"not {literal.atom.text}",
        f"{english.action(header)} needs that {english.clause(literal)}",
        (_moment(english, run, "ran", "ran here"), _moment(english, refused, "refused", "was refused")),
    )


def _moment(english: English, tried: Tried, kind: str, became: str) -> Moment:
    number = tried.entry.number
    return Moment(number, tried.before, kind, f"Question {number}: {english.step(tried.step)} {became}.")


def _first_run(english: English, tried: Sequence[Tried], action: str) -> Telling | None:
    for t in tried:
        if t.step.action == action and t.after is not None:
            name, number = english.step(t.step), t.entry.number
            shown = (
                Moment(number, t.before, "asked", f"Question {number}: {name} is next."),
                Moment(number, t.after, "ran", f"It ran: {changes(english, t.before, t.after)}."),
            )
            return Telling(number, action, "", f"{name} runs", shown)
    return None


def _holds(vocabulary: Vocabulary, tried: Tried, literal: Literal) -> bool:
    binding = vocabulary.action[tried.step.action].bind(tried.step.args)
    return (literal.atom.substitute(binding) in tried.before) is literal.positive


def _distance(one: Tried, other: Tried) -> tuple[bool, int]:
    """Whether the objects are others, and how many facts differ."""
    return one.step != other.step, len(set(one.before) ^ set(other.before))
