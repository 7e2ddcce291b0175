"""Whether two models imply the same causal relations (DCDN Def. 17), or else a smallest one that differs.

A relation is a cause, an event and the context in which the one is an actual cause of the other. One model
is causally sound with respect to another if all its relations are the other's too, and complete if all
the other's are its own. Models with the same normal form have the same networks, hence the same relations.
If an action's normal forms differ, some situation lets a variable take different values in the two, and
then each model has relations that the other lacks; so both fail together, unless a whole action is missing.

The relations reported are smallest: one step, one variable as the cause, one event. They are found by looking
for causes in both networks, not read off the difference; of several the most telling is taken.
Different parameters are different things, unless `equality` is asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from assay.causal.causes import actual_causes
from assay.causal.formula import Variable, event
from assay.causal.network import Decision, Executable, Fact, GroundStep, Network, build
from assay.causal.words import Words, listed, plain
from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import ActionHeader, Atom, Literal, Step
from assay.errors import InputError

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
            (self.only_first, _Either(first, second), "first"),
            (self.only_second, _Either(second, first), "second"),
        ):
            if relation is not None:
                lines.append(f"Only in the {owner}: {relation.sentence(words)}.")
        return lines


class _Either:
    """The words of one model, and the other's for what the first has no word for."""

    def __init__(self, first: Words, second: Words) -> None:
        self._first, self._second = first, second

    def clause(self, literal: Literal) -> str:
        try:
            return self._first.clause(literal)
        except KeyError:
            return self._second.clause(literal)

    def step(self, step: Step) -> str:
        try:
            return self._first.step(step)
        except KeyError:
            return self._second.step(step)


def compare(first: Model, second: Model, equality: bool = False) -> Verdict:
    """Whether the first model is causally sound and complete with respect to the second."""
    _check_comparable(first, second)
    one, two = first.normalised().action, second.normalised().action
    actions = [*one.values(), *two.values()]
    changed = {x.atom.predicate for a in actions for o in a.outcomes for x in o.effects}
    mentioned = {p.name for m in (first, second) for p in m.vocabulary.predicates}
    static = frozenset(mentioned - changed)
    differing: list[tuple[Relation | None, Relation | None]] = []
    for name in sorted(one.keys() & two.keys()):
        mine = one[name]
        for left, right in _variants(mine, _renamed(two[name], mine.header)):
            if _same(left, right, equality):
                continue
            differing.append(_separate(left, right, static, equality))
    if differing:
        firsts, seconds = ([r for r in side if r is not None] for side in zip(*differing, strict=True))
        return Verdict(
            False, False, min(firsts, key=_size, default=None), min(seconds, key=_size, default=None)
        )
    lone = [_lone(a, static) for n, a in sorted(one.items()) if n not in two]
    other = [_lone(a, static) for n, a in sorted(two.items()) if n not in one]
    return Verdict(
        not lone, not other, min(lone, key=_size, default=None), min(other, key=_size, default=None)
    )


def _check_comparable(first: Model, second: Model) -> None:
    one, two = first.vocabulary, second.vocabulary
    for name in sorted(one.predicate.keys() & two.predicate.keys()):
        if one.predicate[name].arity != two.predicate[name].arity:
            raise InputError(f"predicate {name!r} does not have the same number of parameters in both models")
    for name in sorted(first.action.keys() & second.action.keys()):
        if first.action[name].header.arity != second.action[name].header.arity:
            raise InputError(f"action {name!r} does not have the same number of parameters in both models")


def _renamed(action: ActionModel, header: ActionHeader) -> ActionModel:
    """The action over another header's parameters, matched by position."""
    names = {p.name: q.name for p, q in zip(action.header.parameters, header.parameters, strict=True)}

    def rename(literals: frozenset[Literal]) -> frozenset[Literal]:
        return frozenset(Literal(a.substitute(names), sign) for a, sign in literals)

    return ActionModel(
        header,
        rename(action.precondition),
        tuple(Outcome(rename(o.effects), o.probability) for o in action.outcomes),
        frozenset((names.get(x, x), names.get(y, y)) for x, y in action.distinct),
    )


def _variants(first: ActionModel, second: ActionModel) -> Iterator[tuple[ActionModel, ActionModel]]:
    """The two actions outcome by outcome: those that both have, then those left over, in pairs."""
    one, two = ({o.effects for o in a.outcomes} for a in (first, second))
    common = sorted(one & two, key=sorted)
    left = sorted(one - two, key=sorted) or sorted(one, key=sorted)[:1]
    right = sorted(two - one, key=sorted) or sorted(two, key=sorted)[:1]
    pairs = [(effects, effects) for effects in common]
    if one != two:
        longest = max(len(left), len(right))
        pairs += [(left[min(i, len(left) - 1)], right[min(i, len(right) - 1)]) for i in range(longest)]
    for mine, theirs in pairs:
        yield (
            ActionModel.deterministic(first.header, first.precondition, mine, first.distinct),
            ActionModel.deterministic(second.header, second.precondition, theirs, second.distinct),
        )


def _same(first: ActionModel, second: ActionModel, equality: bool) -> bool:
    if not first.satisfiable and not second.satisfiable:
        return True
    if equality and {frozenset(p) for p in first.distinct} != {frozenset(p) for p in second.distinct}:
        return False
    return (first.precondition, first.effects) == (second.precondition, second.effects)


def _separate(
    first: ActionModel, second: ActionModel, static: frozenset[str], equality: bool
) -> tuple[Relation | None, Relation | None]:
    """A smallest relation of each that the other lacks."""
    one, two = GroundStep.lifted(first), GroundStep.lifted(second)
    if equality and first.precondition == second.precondition and first.effects == second.effects:
        one, two = _merged(first, second)
    differing = (one.needs or set()) ^ (two.needs or set()) | one.outcomes[0] ^ two.outcomes[0]
    atoms = one.atoms | two.atoms
    best: list[tuple[Any, Relation] | None] = [None, None]
    for state in _situations(one, two, {a for a, _ in differing}):
        relations = [set(_relations(build([g], state, atoms, static))) for g in (one, two)]
        situation = tuple(Literal(a, a in state) for a in sorted(atoms, key=lambda a: (a not in state, a)))
        for side in (0, 1):
            for cause, effect in relations[side] - relations[1 - side]:
                rank = (*_telling(cause, effect, differing), len(state), str(cause[0]), str(effect[0]))
                if (known := best[side]) is None or rank < known[0]:
                    best[side] = rank, Relation(first.header.name, situation, cause, effect)
    left, right = (known[1] if known is not None else None for known in best)
    return left, right


def _merged(first: ActionModel, second: ActionModel) -> tuple[GroundStep, GroundStep]:
    """Both actions with one thing for two parameters that only one of them requires to be different."""
    pairs, others = ({frozenset(p) for p in a.distinct} for a in (first, second))
    x, y = min(sorted(p) for p in pairs ^ others)
    args = tuple(x if p.name == y else p.name for p in first.header.parameters)
    return GroundStep.of(first, args), GroundStep.of(second, args)


def _situations(one: GroundStep, two: GroundStep, differing: set[Atom]) -> list[set[Atom]]:
    """Situations that show the difference: what either needs, or that with one differing fact turned over."""
    found: dict[frozenset[Atom], None] = {}
    for sides in ((one, two), (one,), (two,)):
        base = {x for g in sides for x in g.needs or ()}
        if any(Literal(a, not sign) in base for a, sign in base):
            continue
        held = frozenset(a for a, sign in base if sign)
        found[held] = None
        found.update(dict.fromkeys(held ^ {atom} for atom in sorted(differing)))
    return [set(state) for state in found]


def _relations(network: Network) -> Iterator[tuple[Event, Event]]:
    """Every pair of a single fact or decision and a single event that it is an actual cause of."""
    values = network.values
    for variable in network.structure.functions:
        if isinstance(variable, Fact) and variable.time == 0:
            continue
        if isinstance(variable, Decision):
            continue
        effect = (variable, values[variable])
        for cause in actual_causes(
            network.structure, network.context, event(*effect), [*network.candidates, variable]
        ):
            if len(cause.values) > 1:
                break
            yield cause.values[0], effect


def _telling(cause: Event, effect: Event, differing: Collection[Literal] = ()) -> tuple[bool, ...]:
    """What is said first: that a fact comes about, by what the models differ on, or by a decision."""
    (source, given), (target, value) = cause, effect
    return (
        source == target,
        isinstance(source, Executable),
        not isinstance(target, Fact),
        isinstance(source, Fact) and isinstance(target, Fact) and source.atom == target.atom,
        not value,
        not (isinstance(source, Fact) and Literal(source.atom, given) in differing),
        not isinstance(source, Decision),
    )


def _size(relation: Relation) -> tuple[bool, int, str]:
    itself = relation.cause[0] == relation.effect[0]
    return itself, len(relation.situation), relation.action


def _lone(action: ActionModel, static: frozenset[str]) -> Relation:
    """A relation of an action that the other model does not have at all."""
    ground = GroundStep.lifted(action)
    ground = GroundStep(ground.step, ground.needs, ground.outcomes[:1])
    state = {a for a, sign in ground.needs or () if sign}
    network = build([ground], state, ground.atoms, static)
    decision = (Decision(ground.step, 0), True)
    mine = list(_relations(network)) or [(decision, decision)]
    cause, effect = min(mine, key=lambda pair: (*_telling(*pair), str(pair)))
    situation = tuple(Literal(a, a in state) for a in sorted(ground.atoms))
    return Relation(action.header.name, situation, cause, effect)


def _said(words: Words, cause: Event) -> str:
    variable, value = cause
    match variable:
        case Decision(step, _):
            return f"the decision to {words.step(step)}"
        case Fact(atom, time):
            return f"the fact that {words.clause(Literal(atom, value))}{' afterwards' if time else ''}"
    return f"the fact that {_event(words, cause)}"


def _event(words: Words, pair: Event) -> str:
    variable, value = pair
    match variable:
        case Fact(atom, time):
            return f"{words.clause(Literal(atom, value))}{' afterwards' if time else ''}"
        case Executable(step, _):
            return f"the action to {words.step(step)} {'can' if value else 'cannot'} run"
        case Decision(step, _):
            return f"the action to {words.step(step)} is chosen"
    return f"{variable} is {value}"
