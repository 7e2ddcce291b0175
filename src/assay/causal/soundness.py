"""Whether two models imply the same causal relations (DCDN Def. 17), or else a smallest one that differs.

A relation is a cause, an event and the context in which the one is an actual cause of the other. One model
is causally sound with respect to another if all its relations are the other's too, and complete if all
the other's are its own. The functions of a network follow from behaviour alone, so models that behave alike
have the same relations (DCDN Thm. 4), however they are written. Where behaviour differs, some situation lets
a variable take different values in the two, and each model has relations that the other lacks; so both fail
together, unless it is just an outcome or a whole action that one of them lacks.

The relations reported are smallest: one step, one variable as the cause, one event. They are found by looking
for causes in both networks, not read off the difference; of several the most telling is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from assay.causal.causes import actual_causes
from assay.causal.formula import Variable, event
from assay.causal.gaps import Gap, gaps
from assay.causal.gaps import situation as smallest
from assay.causal.network import Network, static_predicates, unroll
from assay.causal.variables import Decision, Executable, Fact
from assay.causal.words import Words, plain
from assay.core.condition import Condition
from assay.core.execution import Execution, GroundAction
from assay.core.model import Model
from assay.core.symbols import Atom, Literal, Step
from assay.errors import InputError
from assay.language.lists import listed
from assay.scoring.comparison import Comparison
from assay.scoring.settings import Setting, settings

Event = tuple[Variable, bool]


@dataclass(frozen=True)
class Relation:
    """That in a situation, with one action decided on, one thing is an actual cause of another."""

    action: str
    situation: tuple[Literal, ...]
    """What the two models' action looks at."""
    cause: Event
    effect: Event

    def to_dict(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "situation": [str(x) for x in self.situation],
            "cause": plain(*self.cause),
            "effect": plain(*self.effect),
        }

    def sentence(self, words: Words) -> str:
        given = listed([words.clause(x) for x in self.situation])
        opening = f"when {given}, " if given else "in any situation, "
        return f"{opening}{_said(words, self.cause)} is a cause of the fact that {_event(words, self.effect)}"


@dataclass(frozen=True)
class Verdict:
    sound: bool
    """Every relation of the first model is one of the second."""
    complete: bool
    """Every relation of the second model is one of the first."""
    only_first: Relation | None = None
    only_second: Relation | None = None

    @property
    def same(self) -> bool:
        return self.sound and self.complete

    def to_dict(self) -> dict[str, Any]:
        return {
            "same": self.same,
            "sound": self.sound,
            "complete": self.complete,
            "only_first": self.only_first.to_dict() if self.only_first else None,
            "only_second": self.only_second.to_dict() if self.only_second else None,
        }

    def lines(self, first: Words, second: Words) -> list[str]:
        if self.same:
            return ["The two models imply the same causal relations."]
        lines = ["The two models do not imply the same causal relations."]
        for relation, words, owner in (
            (self.only_first, first, "first"),
            (self.only_second, second, "second"),
        ):
            if relation is not None:
                lines.append(f"Only in the {owner}: {relation.sentence(words)}.")
        return lines


def compare(first: Model, second: Model, equality: bool = False) -> Verdict:
    """Whether the first model is causally sound and complete with respect to the second.

    Different parameters are different things; with `equality`, one thing for several is tried as well.
    """
    models = first, second
    _check_comparable(first, second)
    common = sorted(first.action.keys() & second.action.keys())
    found = [gap for name in common for gap in gaps(first, second, name, equality)]
    lone = _lone(first, second), _lone(second, first)
    lacking = {side for side, relation in enumerate(lone) if relation is not None}
    if found:
        lacking |= {gap.side for gap in found} if all(gap.leads for gap in found) else {0, 1}
        lone = _relations_at(models, min(found, key=lambda gap: gap.size))
    return Verdict(0 not in lacking, 1 not in lacking, *lone)


def _check_comparable(first: Model, second: Model) -> None:
    one, two = first.vocabulary, second.vocabulary
    for name in sorted(one.predicate.keys() & two.predicate.keys()):
        if one.predicate[name].arity != two.predicate[name].arity:
            raise InputError(f"predicate {name!r} does not have the same number of parameters in both models")
    for name in sorted(first.action.keys() & second.action.keys()):
        if first.action[name].header.arity != second.action[name].header.arity:
            raise InputError(f"action {name!r} does not have the same number of parameters in both models")


def _relations_at(models: tuple[Model, Model], gap: Gap) -> tuple[Relation | None, Relation | None]:
    """A most telling relation of each model that the other lacks, in the gap or one fact from it."""
    best: list[tuple[Any, Relation] | None] = [None, None]
    for situation in (gap.situation, *_neighbours(models, gap)):
        sides = [set(_relations(n)) for n in _networks(models, gap.setting, situation)]
        for side in (0, 1):
            for pair in sides[side] - sides[1 - side]:
                rank = _rank(situation, *pair)
                if (known := best[side]) is None or rank < known[0]:
                    best[side] = rank, _relation(gap.setting, situation, pair)
    left, right = (known[1] if known is not None else None for known in best)
    return left, right


def _neighbours(models: tuple[Model, Model], gap: Gap) -> Iterator[frozenset[Atom]]:
    """Situations with one fact otherwise, in which the two do the same."""
    for atom in sorted(_atoms(models, gap.setting)):
        situation = gap.situation ^ {atom}
        ends = [{frozenset(n.values.items()) for n in ns} for ns in _networks(models, gap.setting, situation)]
        if ends[0] == ends[1]:
            yield situation


def _networks(models: tuple[Model, ...], setting: Setting, situation: frozenset[Atom]) -> list[list[Network]]:
    """Of each model the networks of the step, one for each outcome."""
    state, static = setting.universe.state(situation), static_predicates(*models)
    atoms = sorted(_atoms(models, setting))
    return [
        [
            unroll(model, state, [setting.step], outcomes=[k], mention=atoms, static=static)
            for k in range(1, 1 + max(len(c.outcomes) for c in model.action[setting.step.action].cases))
        ]
        for model in models
    ]


def _atoms(models: tuple[Model, ...], setting: Setting) -> frozenset[Atom]:
    """What any of the models' actions look at or change."""
    nothing = setting.universe.state(())
    return frozenset().union(*(unroll(m, nothing, [setting.step], outcomes=[1]).atoms for m in models))


def _relations(networks: Iterable[Network]) -> Iterator[tuple[Event, Event]]:
    """Every pair of a single fact or decision and a single event that it is an actual cause of."""
    for network in networks:
        for variable in network.structure.functions:
            if isinstance(variable, Decision) or (isinstance(variable, Fact) and variable.time == 0):
                continue
            effect = (variable, network.values[variable])
            for cause in actual_causes(
                network.structure, network.context, event(*effect), [*network.candidates, variable]
            ):
                if len(cause.values) > 1:
                    break
                yield cause.values[0], effect


def _rank(situation: frozenset[Atom], cause: Event, effect: Event) -> tuple[Any, ...]:
    """What is told first: that a fact comes about, by another fact or else by a decision."""
    (source, _), (target, value) = cause, effect
    return (
        source == target,
        isinstance(source, Executable),
        not isinstance(target, Fact),
        isinstance(source, Fact) and isinstance(target, Fact) and source.atom == target.atom,
        not value,
        isinstance(target, Fact) and value == (target.atom in situation),
        isinstance(source, Decision),
        len(situation),
        str(source),
        str(target),
    )


def _lone(model: Model, other: Model) -> Relation | None:
    """A relation of an action that runs somewhere and that the other model does not have at all."""
    found: list[tuple[Any, Relation]] = []
    for name in sorted(model.action.keys() - other.action.keys()):
        for setting in settings(model, model, name):
            action = Execution(model, setting.universe).ground(setting.step)
            witness = Comparison(setting.universe.size, action, NEVER).runs_only(0)
            if witness is not None:
                situation = smallest(setting.universe, [action.precondition], witness)
                (networks,) = _networks((model,), setting, situation)
                pairs = [
                    (_rank(situation, *p), _relation(setting, situation, p)) for p in _relations(networks)
                ]
                found.append(min(pairs, key=lambda pair: pair[0]))
                break
    return min(found, key=lambda pair: pair[0])[1] if found else None


NEVER = GroundAction(Condition(False), ())
"""What no state lets run."""


def _relation(setting: Setting, situation: frozenset[Atom], pair: tuple[Event, Event]) -> Relation:
    """The relation over the action's parameters; facts that are true come first."""

    def lifted(variable: Variable) -> Variable:
        match variable:
            case Fact(atom, time):
                return Fact(atom.substitute(setting.lifted), time)
            case Decision(step, time) | Executable(step, time):
                args = tuple(setting.lifted.get(a, a) for a in step.args)
                return type(variable)(Step(step.action, args), time)
        return variable

    universe = setting.universe
    atoms = sorted(map(universe.atom, range(universe.size)), key=lambda a: (a not in situation, a))
    told = tuple(Literal(a.substitute(setting.lifted), a in situation) for a in atoms)
    cause, effect = ((lifted(variable), value) for variable, value in pair)
    return Relation(setting.step.action, told, cause, effect)


def _said(words: Words, cause: Event) -> str:
    variable, value = cause
    match variable:
        case Decision(step, _):
            return f"the decision to take {words.step(step)}"
        case Fact(atom, time):
            return f"the fact that {words.clause(Literal(atom, value))}{' afterwards' if time else ''}"
    return f"the fact that {_event(words, cause)}"


def _event(words: Words, pair: Event) -> str:
    variable, value = pair
    match variable:
        case Fact(atom, time):
            return f"{words.clause(Literal(atom, value))}{' afterwards' if time else ''}"
        case Executable(step, _):
            return f"the action {words.step(step)} {'can' if value else 'cannot'} run"
        case Decision(step, _):
            return f"the action {words.step(step)} is chosen"
    return f"{variable} is {value}"
