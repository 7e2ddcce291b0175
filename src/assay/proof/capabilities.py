"""Checking what is said of an agent that presses keys, from the files alone.

The journal shows changes of the situation: facts added and removed after some key of a way. A capability
*brings a change about* if there are things for its parameters such that its condition holds before, and its
effects lead to what held afterwards; derived facts that are not about the things that changed depend on what
stands around, and are not compared. Checked is that

- the journal is whole, and its changes lead from each question's start to its target;
- every change is brought about by a capability (Theorem 1 of Descriptions), or only derived facts changed, or
  nothing that the user said to be interested in;
- no capability brings about, in one step, what the agent answered it cannot do. Exceptions must be admitted
  in the folder: a capability of which no conjunction fits all refusals, and situations in which the agent
  can from one low-level state and not from another, which the journal must show;
- `model.pddl`, `capabilities.json` and `summary.json` say the same, and every example and refusal cited is
  an answer in the journal.

What nobody can check from a journal: that no capability was overlooked, or that a condition holds in
situations that were never asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from assay.core.model import ActionModel, Model
from assay.core.quantity import count
from assay.core.symbols import ActionHeader, Atom, Literal, Parameter, Predicate
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError, JournalError
from assay.pddl.reader import read_domain
from assay.proof.reaches import Reach, Situation, Study, read_study
from assay.proof.scope import Scope, Some
from assay.proof.spelling import in_vocabulary
from assay.store.folder import CAPABILITIES, DESCRIPTION, MODEL, REACHES, SUMMARY, missing_files
from assay.store.plain import decode_json, read_plain, read_text

SHOWN = 10
"""So many problems of one kind are told; the others are counted."""


@dataclass(frozen=True, slots=True)
class CapabilityVerdict:
    problems: tuple[str, ...]
    open: tuple[str, ...]
    """What the folder itself says is not settled."""
    questions: int
    changes: int
    derived: int
    """Changes of derived facts alone."""
    aside: int
    """Changes of nothing that the user was interested in."""
    refusals: int
    excused: int
    """Refusals of what a capability promises, where the journal shows that the low-level state decides."""
    admitted: int
    """The same, where the folder says that no conjunction fits."""
    capabilities: int

    @property
    def proved(self) -> bool:
        """Whether all that can be checked is in order, and nothing is said to be open."""
        return not self.problems and not self.open

    def sentences(self) -> list[str]:
        if self.problems:
            return [*self.problems, *self.open]
        left_out = [
            f"in {number} more {why}"
            for number, why in (
                (self.derived, "only derived facts changed"),
                (self.aside, "nothing changed that was of interest"),
            )
            if number
        ]
        alone = f" ({', '.join(left_out)})" if left_out else ""
        but = [
            f"{number} {why}"
            for number, why in (
                (self.excused, "where the low-level state decides, as the folder says and the journal shows"),
                (self.admitted, "where no conjunction over the vocabulary fits, as the folder says"),
            )
            if number
        ]
        except_ = f", but {' and '.join(but)}" if but else ""
        return [
            f"The journal is whole: {count(self.questions, 'question')}, chained by hash.",
            f"Every change in it, {self.changes} in all, is an instance of a capability, of which there "
            f"{'is 1' if self.capabilities == 1 else f'are {self.capabilities}'}{alone}.",
            f"The agent refused {count(self.refusals, 'time')}; no capability promises in one step what it "
            f"refused{except_}."
            if self.refusals
            else "The agent refused nothing.",
            f"{MODEL}, {CAPABILITIES} and {SUMMARY} agree, and what they cite is in the journal.",
            *self.open,
        ]


def is_capabilities(folder: Path) -> bool:
    """Whether the folder is about an agent that presses keys."""
    return (folder / REACHES).is_file()


def verify_capabilities(folder: Path) -> CapabilityVerdict:
    study = read_study(folder / REACHES)
    told, summary = _json(folder, CAPABILITIES), _json(folder, SUMMARY)
    try:
        return _verify(folder, study, told, summary)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(
            f"{folder}: {CAPABILITIES} or {SUMMARY} is not what a run writes: {error!r}"
        ) from error


def _verify(
    folder: Path, study: Study, told: Mapping[str, Any], summary: Mapping[str, Any]
) -> CapabilityVerdict:
    some = {
        name: Some(given["predicate"], tuple(given["open"])) for name, given in told["quantified"].items()
    }
    written = {c["name"]: c for c in told["capabilities"]}
    model = _model(told, _vocabulary(study.vocabulary, some, written))
    scope = Scope(study.vocabulary, study.objects, study.derived, some)
    refused = _Refusals(model, scope, study, written)
    problems = [
        *missing_files(folder, DESCRIPTION),
        *_same_model(folder, model, told),
        *_few(_unexplained(model, scope, study)),
        *_few(refused.problems()),
        *_few(_citations(study, told)),
        *_counts(study, told, summary),
    ]
    changes = [(before, after) for reach in study.reaches for _, before, after in reach.changes]
    alone = sum(scope.only_derived(before, after) for before, after in changes)
    aside = sum(
        not _wanted(study, before, after) and not scope.only_derived(before, after)
        for before, after in changes
    )
    return CapabilityVerdict(
        tuple(problems),
        tuple(_open(summary, written, refused.admitted)),
        len(study.reaches),
        len(changes) - alone - aside,
        alone,
        aside,
        sum(reach.cannot for reach in study.reaches),
        refused.excused,
        refused.admitted.total(),
        len(model.actions),
    )


def _few(problems: Iterator[str]) -> list[str]:
    found = list(problems)
    more = [f"And {len(found) - SHOWN} more of this kind."] if len(found) > SHOWN else []
    return found[:SHOWN] + more


# --- the changes and the refusals


def _unexplained(model: Model, scope: Scope, study: Study) -> Iterator[str]:
    """Changes that no capability brings about, of those that the user was interested in."""
    for reach in study.reaches:
        for place, before, after in reach.changes:
            if scope.only_derived(before, after):
                continue
            if not _wanted(study, before, after):
                continue
            if not any(scope.brings_about(action, before, after) for action in model.actions):
                yield (
                    f"Question {reach.number}, key {place}: the change {_say(before, after)} is no instance "
                    "of any capability."
                )


def _wanted(study: Study, before: Situation, after: Situation) -> bool:
    """Whether something changed that the user was interested in."""
    if not study.interest:
        return True
    kind = study.objects
    wishes = {
        (wish.predicate, tuple(kind.get(name) for name in wish.args))
        for wish in map(Atom.parse, study.interest)
    }
    changed = {(atom.predicate, tuple(kind.get(name) for name in atom.args)) for atom in before ^ after}
    return not wishes.isdisjoint(changed | {(predicate, ()) for predicate, _ in changed})


class _Refusals:
    """What the agent said it cannot do, beside what the capabilities promise."""

    def __init__(
        self, model: Model, scope: Scope, study: Study, written: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self.excused = 0
        self.admitted: Counter[str] = Counter()
        """Promised, and refused, by capability, where the folder says that no conjunction fits."""
        self._found: list[str] = []
        seen = {change[1:] for reach in study.reaches for change in reach.changes}
        for reach in study.reaches:
            if not reach.cannot or reach.before == reach.after:
                continue
            for action in model.actions:
                if scope.brings_about(action, reach.before, reach.after):
                    can_too = (reach.before, reach.after) in seen
                    self._judge(reach, action.header.name, written[action.header.name], can_too)

    def _judge(self, reach: Reach, name: str, given: Mapping[str, Any], can_too: bool) -> None:
        if not given["expressible"]:
            self.admitted[name] += 1
        elif given["uneven_situations"] and can_too:
            self.excused += 1
        else:
            self._found.append(
                f"Question {reach.number}: {name} promises {_say(reach.before, reach.after)}, and the agent "
                "cannot."
            )

    def problems(self) -> Iterator[str]:
        yield from self._found


def _say(before: Situation, after: Situation) -> str:
    literals = [*map(str, sorted(after - before)), *(f"(not {a})" for a in sorted(before - after))]
    return " ".join(literals)


# --- the files beside one another


def _vocabulary(
    own: Vocabulary, some: Mapping[str, Some], written: Mapping[str, Mapping[str, Any]]
) -> Vocabulary:
    """The journal's, with the quantified predicates and the capabilities as actions."""
    extra = []
    for name, what in some.items():
        base = own.predicate[what.predicate].parameters
        kept = tuple(p for p, is_open in zip(base, what.open, strict=True) if not is_open)
        extra.append(Predicate(name, kept))
    headers = tuple(
        ActionHeader(name, tuple(Parameter(p, (t,)) for p, t in given["parameters"].items()))
        for name, given in written.items()
    )
    return Vocabulary(own.types, own.constants, own.predicates + tuple(extra), headers, own.name)


def _model(told: Mapping[str, Any], vocabulary: Vocabulary) -> Model:
    """The capabilities as `capabilities.json` has them."""
    return Model(
        vocabulary,
        tuple(
            ActionModel.strips(
                vocabulary.action[c["name"]],
                frozenset(map(_literal, c["precondition"])),
                frozenset(map(_literal, c["effects"])),
            )
            for c in told["capabilities"]
        ),
    )


def _literal(text: str) -> Literal:
    if text.startswith("(not "):
        return Literal(Atom.parse(text[len("(not ") : -1]), False)
    return Literal(Atom.parse(text))


def _same_model(folder: Path, model: Model, told: Mapping[str, Any]) -> Iterator[str]:
    try:
        source = read_text(folder / MODEL)
    except OSError as error:
        raise InputError(f"{folder} holds no finished study: {error.strerror}: {MODEL}") from error
    try:
        read = in_vocabulary(read_domain(source, MODEL), model.vocabulary)
    except InputError as error:
        yield f"{MODEL} and {CAPABILITIES} disagree: {error}"
        return
    for name in sorted(model.action.keys() | read.action.keys()):
        mine, theirs = model.action.get(name), read.action.get(name)
        if mine is None or theirs is None:
            yield f"{name} is only in {MODEL if mine is None else CAPABILITIES}."
        elif (mine.precondition, mine.effects) != (theirs.precondition, theirs.effects):
            yield f"{name} has another condition or other effects in {MODEL} than in {CAPABILITIES}."
    for name, given in told["quantified"].items():
        meaning = _meaning(model.vocabulary.predicate[given["predicate"]], given["open"])
        if given["meaning"] != meaning or f"({name}) means {meaning}" not in source:
            yield f"({name}) is not explained as {meaning} in {MODEL} and {CAPABILITIES}."


def _meaning(base: Predicate, left_open: list[bool]) -> str:
    bound = [
        f"{p.name} - {p.types[0] if len(p.types) == 1 else '(either ' + ' '.join(p.types) + ')'}"
        for p, is_open in zip(base.parameters, left_open, strict=True)
        if is_open
    ]
    return f"(exists ({' '.join(bound)}) {Atom(base.name, tuple(p.name for p in base.parameters))})"


def _citations(study: Study, told: Mapping[str, Any]) -> Iterator[str]:
    """Examples and refusals that are not in the journal as they are told."""
    for given in (*told["capabilities"], *told["missing"]):
        for example in given.get("examples", ()):
            if not any(
                keys == tuple(example["keys"]) and study.told(before) == frozenset(example["state"])
                for keys, before in study.segments(example["entry"])
            ):
                yield (
                    f"{given['name']}: the example with the keys {' '.join(example['keys'])} is not in the "
                    f"answer to question {example['entry']}."
                )
        for refusal in (*given["refusals"], *given.get("promised", ())):
            reach = study.reach(refusal["entry"])
            if (
                reach is None
                or not reach.cannot
                or study.told(reach.before) != frozenset(refusal["state"])
                or {a.text for a in reach.after - reach.before} != set(refusal["added"])
                or {a.text for a in reach.before - reach.after} != set(refusal["removed"])
            ):
                yield f"{given['name']}: question {refusal['entry']} is not the refusal that is told."


def _counts(study: Study, told: Mapping[str, Any], summary: Mapping[str, Any]) -> Iterator[str]:
    expected = {
        "seed": study.seed,
        "interest": [f"({text})" for text in study.interest],
        "agent_questions": len(study.reaches),
        "gave_up": sum(reach.gave_up for reach in study.reaches),
        "observed_changes": sum(len(reach.changes) for reach in study.reaches),
        "capabilities": [c["name"] for c in told["capabilities"]],
        "missing": [m["name"] for m in told["missing"]],
        "inexpressible": [c["name"] for c in told["capabilities"] if not c["expressible"]],
        "agent": told["agent"],
    }
    for name, value in expected.items():
        if summary[name] != value:
            yield f"{SUMMARY} says {name} {summary[name]}; the other files say {value}."
    if summary["complete"] and (summary["budget_spent"] or summary["inexpressible"]):
        yield f"{SUMMARY} calls the description complete, and says why it is not."


def _open(
    summary: Mapping[str, Any], written: Mapping[str, Mapping[str, Any]], admitted: Counter[str]
) -> Iterator[str]:
    if not summary["complete"]:
        yield f"The run says: {summary['verdict']}"
    for name in sorted(n for n, given in written.items() if not given["expressible"]):
        yield (
            f"{name} promises what the agent refused in {count(admitted[name], 'question')}; the folder "
            "says so, too: no conjunction over the vocabulary fits."
        )


def _json(folder: Path, name: str) -> dict[str, Any]:
    try:
        found = decode_json(read_plain(folder / name))
    except OSError as error:
        raise InputError(f"{folder} holds no finished study: {error.strerror}: {name}") from error
    except msgspec.DecodeError as error:
        raise JournalError(f"{folder / name}: {error}") from error
    if not isinstance(found, dict):
        raise InputError(f"{folder / name}: not what a run writes")
    return found
