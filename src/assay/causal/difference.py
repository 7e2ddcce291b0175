"""What tells two models apart, action by action, with the answers of each that the other cannot explain.

Differences are of behaviour: situations, over the action's parameters, in which only one of the two runs, or
in which one may lead where the other does not. They are found by SAT (`scoring.equivalence`), so models that
are written differently and behave alike do not differ. How likely outcomes are is not compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.causal.gaps import Gap, gaps
from assay.causal.network import RAN, REFUSED
from assay.causal.words import Words
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.quantity import count
from assay.core.query import PlanResponse
from assay.core.symbols import ActionHeader, Atom, Literal, Predicate, Step
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.language.lists import listed
from assay.scoring.comparison import Values
from assay.scoring.settings import Setting
from assay.store.journal import Entry

SHOWN = 3
"""So many answers are told for each side and action; the rest are counted."""

SIDES = "first", "second"
LED_ELSEWHERE = "led elsewhere"


@dataclass(frozen=True)
class Result:
    """One of the two: a model, and if it was learned the answers it was learned from."""

    name: str
    model: Model
    entries: Sequence[Entry] = ()
    unsettled: Mapping[str, str] = field(default_factory=dict)
    """Actions of which too little is known, and why."""


@dataclass(frozen=True)
class Spot:
    """Where an action behaves differently: in every situation with these facts."""

    side: int
    """Which of the two runs there, or leads where the other does not."""
    given: tuple[str, ...]
    """Which parameters stand for one thing, or for one of a narrower type: (= ?x ?y), ?x - truck."""
    where: tuple[Literal, ...]
    after: tuple[Literal, ...] | None
    """Where it leads; None if the other does not run."""

    def to_dict(self) -> dict[str, Any]:
        after = None if self.after is None else [str(x) for x in self.after]
        where = [*self.given, *map(str, self.where)]
        return {"side": SIDES[self.side], "where": where, "after": after}

    def told(self, words: Words) -> str:
        facts = [_given(words, text) for text in self.given] + [words.clause(x) for x in self.where]
        where = f" where {listed(facts)}" if facts else ""
        if self.after is None:
            return f"only the {SIDES[self.side]} can do it{where}"
        after = listed([words.clause(x) for x in self.after])
        return f"only the {SIDES[self.side]} leads to this{where}: {after}"


def _given(words: Words, text: str) -> str:
    term, narrower, kind = text.partition(" - ")
    if not narrower:
        return words.clause(Literal(Atom.parse(text)))
    return f"{term.removeprefix('?').upper()} is a {kind}"


@dataclass(frozen=True)
class Surprise:
    """An answer of the one agent that the other's model does not foretell, and at which step."""

    question: int
    step: Step
    happened: str

    def to_dict(self) -> dict[str, Any]:
        return {"question": self.question, "step": str(self.step), "happened": self.happened}


@dataclass(frozen=True)
class ActionDifference:
    action: str
    spots: tuple[Spot, ...]
    surprises: tuple[tuple[Surprise, ...], tuple[Surprise, ...]] = ((), ())
    """Answers of the first agent that the second's model cannot explain, and the other way round."""
    unsettled: tuple[str, ...] = ()
    """What keeps the difference from being certain."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "differences": [spot.to_dict() for spot in self.spots],
            "unexplained": {
                name: [s.to_dict() for s in found] for name, found in zip(SIDES, self.surprises, strict=True)
            },
            "unsettled": list(self.unsettled),
        }

    def lines(self, words: tuple[Words, Words]) -> Iterator[str]:
        yield f"{self.action}:"
        yield from (f"- {spot.told(words[spot.side])}" for spot in self.spots)
        for side, found in enumerate(self.surprises):
            if found:
                yield f"  what the {SIDES[1 - side]} cannot explain, in the {SIDES[side]}:"
            for told in found[:SHOWN]:
                yield f"  - question {told.question}: {words[side].step(told.step)} {told.happened}"
            if found[SHOWN:]:
                yield f"  - and {count(len(found) - SHOWN, 'more answer')}"
        yield from (f"  not certain: {text}" for text in self.unsettled)


@dataclass(frozen=True)
class Difference:
    first: str
    second: str
    vocabulary: tuple[str, ...]
    """What only one of the two can speak of, in words."""
    actions: tuple[ActionDifference, ...]

    @property
    def differs(self) -> bool:
        return bool(self.vocabulary or self.actions)

    def to_dict(self) -> dict[str, Any]:
        return {
            "differs": self.differs,
            "first": self.first,
            "second": self.second,
            "vocabulary": list(self.vocabulary),
            "actions": [a.to_dict() for a in self.actions],
        }

    def lines(self, first: Words, second: Words) -> list[str]:
        lines = [f"first:  {self.first}", f"second: {self.second}", ""]
        if not self.differs:
            return [*lines, "Nothing differs."]
        lines += [f"- {sentence}" for sentence in self.vocabulary]
        for number, action in enumerate(self.actions):
            lines += [""] if number or self.vocabulary else []
            lines += action.lines((first, second))
        return lines


def compare(first: Result, second: Result, equality: bool = False) -> Difference:
    """What separates two results. Parameters are matched by position."""
    one, two = first.model, second.model
    vocabulary = tuple(_vocabularies(one.vocabulary, two.vocabulary))
    found = {
        name: spots
        for name in sorted(one.action.keys() & two.action.keys())
        if one.action[name].header.arity == two.action[name].header.arity
        if (spots := tuple(_spots(one, two, name, equality)))
    }
    evidence = (
        _surprises(first.entries, two, found.keys()),
        _surprises(second.entries, one, found.keys()),
    )
    actions = [
        ActionDifference(
            name,
            spots,
            (tuple(evidence[0][name]), tuple(evidence[1][name])),
            tuple(
                f"of the {side}, {result.unsettled[name]}"
                for side, result in zip(SIDES, (first, second), strict=True)
                if name in result.unsettled
            ),
        )
        for name, spots in found.items()
    ]
    return Difference(first.name, second.name, (*vocabulary, *_one_sided(first, second)), tuple(actions))


def _one_sided(first: Result, second: Result) -> Iterator[str]:
    """Actions that both vocabularies have and only one model describes."""
    both = first.model.vocabulary.action.keys() & second.model.vocabulary.action.keys()
    for name in sorted(both):
        known = [name in r.model.action for r in (first, second)]
        if known[0] != known[1]:
            yield f"Only the model of the {SIDES[known[1]]} describes {name}."


def _spots(first: Model, second: Model, name: str, equality: bool) -> Iterator[Spot]:
    """One spot of each kind and side, the first found."""
    found = set()
    for gap in gaps(first, second, name, equality):
        if (gap.side, gap.leads) not in found:
            found.add((gap.side, gap.leads))
            after = _literals(gap.setting, _telling((second, first)[gap.side], gap)) if gap.leads else None
            yield Spot(gap.side, gap.setting.given, _literals(gap.setting, gap.witness.before), after)


def _telling(other: Model, gap: Gap) -> Values:
    """What comes of the step that never comes of it in the other model; all of it if only the combination."""
    universe, after = gap.setting.universe, gap.witness.after
    ends = Execution(other, universe).after(universe.bits(gap.situation), gap.setting.step) or {}
    alone = {b: v for b, v in after.items() if all(bool(end >> b & 1) != v for end in ends)}
    return alone or after


def _literals(setting: Setting, values: Values) -> tuple[Literal, ...]:
    atoms = [(setting.universe.atom(bit), value) for bit, value in values.items()]
    found = [Literal(atom.substitute(setting.lifted), value) for atom, value in atoms]
    return tuple(sorted(found, key=lambda x: (not x.positive, x.atom)))


def _surprises(
    entries: Sequence[Entry], model: Model, actions: Collection[str]
) -> Mapping[str, list[Surprise]]:
    """For each of the actions the answers that the model does not foretell at a step of it."""
    found: dict[str, list[Surprise]] = defaultdict(list)
    for entry in entries:
        if isinstance(entry.response, PlanResponse):
            execution = Execution(model, entry.query.state.universe)
            try:
                steps, happened = _unforeseen(execution, entry, entry.response)
            except InputError:  # it speaks of what the model has no words for
                continue
            for step in {s.action: s for s in steps if s.action in actions}.values():
                found[step.action].append(Surprise(entry.number, step, happened))
    return found


def _unforeseen(execution: Execution, entry: Entry, response: PlanResponse) -> tuple[tuple[Step, ...], str]:
    """The step that the model says otherwise of; all that ran, if just their common end is another."""
    plan, ran = entry.query.plan, response.steps
    foretold = execution.states(entry.query.state, plan)
    if len(foretold) < ran:
        return plan[len(foretold) : len(foretold) + 1], RAN
    told = entry.states or response.states or ()
    for number, state in enumerate(told):
        if state != foretold[number]:
            return plan[number : number + 1], LED_ELSEWHERE
    if (foretold[ran - 1] if ran else entry.query.state) != response.state:
        return plan[:ran], LED_ELSEWHERE
    return (plan[ran : ran + 1] if len(foretold) > ran else ()), REFUSED


def _vocabularies(first: Vocabulary, second: Vocabulary) -> Iterator[str]:
    kinds: tuple[tuple[str, Mapping[str, object], Mapping[str, object]], ...] = (
        ("action", _signatures(first.actions), _signatures(second.actions)),
        ("predicate", _signatures(first.predicates), _signatures(second.predicates)),
        (
            "type",
            {t.name: set(t.parents) for t in first.types},
            {t.name: set(t.parents) for t in second.types},
        ),
        ("constant", {c.name: c.type for c in first.constants}, {c.name: c.type for c in second.constants}),
    )
    for kind, mine, theirs in kinds:
        for name in sorted(mine.keys() | theirs.keys()):
            if name not in theirs:
                yield f"The {kind} {name} is only in the first."
            elif name not in mine:
                yield f"The {kind} {name} is only in the second."
            elif mine[name] != theirs[name]:
                yield f"The {kind} {name} is declared differently in the two."


def _signatures(things: Sequence[ActionHeader] | Sequence[Predicate]) -> dict[str, list[tuple[str, ...]]]:
    """Parameter types by name; what the parameters are called does not matter."""
    return {thing.name: [p.types for p in thing.parameters] for thing in things}
