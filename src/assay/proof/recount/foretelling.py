"""What a model foretells of a step: the checker's own reading of ADL, on facts instead of bit masks.

Conditions are evaluated in the state before the step; quantifiers range over exactly the objects of the
question; adds win over deletes. An existential with a positive literal looks only at facts of that predicate,
a universal only at those of a negative one, which changes nothing but the time it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from assay.core.formula import And, Equality, Exists, Forall, Formula, Or
from assay.core.model import ActionModel, Effect, Model
from assay.core.symbols import Literal, Parameter
from assay.errors import InputError
from assay.proof.recount.facts import Change, Fact, Facts

Binding = dict[str, str]
Test = Callable[[Facts, Binding], bool]


class Foretelling:
    """Compiles each action once; `step` says what it does in a state."""

    def __init__(self, model: Model) -> None:
        self._actions = {action.header.name: _Action(action) for action in model.actions}

    def knows(self, action: str) -> bool:
        return action in self._actions

    def step(self, facts: Facts, step: Fact) -> Change | None:
        """What the step changes; None if it does not run."""
        return self._actions[step[0]].step(facts, step)


class _Action:
    def __init__(self, action: ActionModel) -> None:
        self._parameters = tuple(p.name for p in action.header.parameters)
        self._runs = _test(action.precondition)
        self._cases = []
        for case in action.cases:
            if len(case.outcomes) != 1:
                raise InputError(f"action {action.header.name!r} has {len(case.outcomes)} outcomes, not one")
            self._cases.append((_test(case.condition), [_Effect(e) for e in case.outcomes[0].effects]))

    def step(self, facts: Facts, step: Fact) -> Change | None:
        binding = dict(zip(self._parameters, step[1:], strict=True))
        if not self._runs(facts, binding):
            return None
        added: set[Fact] = set()
        removed: set[Fact] = set()
        for applies, effects in self._cases:
            if applies(facts, binding):
                for effect in effects:
                    (added if effect.positive else removed).update(effect.facts(facts, binding))
                break
        return Change(frozenset(added - facts.all), frozenset((removed - added) & facts.all))


class _Effect:
    def __init__(self, effect: Effect) -> None:
        self.positive = effect.literal.positive
        self._fact = effect.literal.atom
        self._variables = effect.variables
        self._applies = _test(effect.condition)
        self._search = _search(effect.condition, effect.variables, True)

    def facts(self, facts: Facts, binding: Binding) -> Iterator[Fact]:
        name, terms = self._fact
        for bound in self._search(facts, binding):
            if self._applies(facts, bound):
                yield (name, *[bound.get(t, t) for t in terms])


def _test(formula: Formula) -> Test:
    """The formula as a function of the state and of what its free variables stand for."""
    match formula:
        case Literal(atom, positive):
            name, terms = atom

            def literal(facts: Facts, at: Binding) -> bool:
                return ((name, *[at.get(t, t) for t in terms]) in facts.all) == positive

            return literal
        case Equality(left, right, positive):
            return lambda facts, at: (at.get(left, left) == at.get(right, right)) == positive
        case And(parts):
            every = [_test(part) for part in parts]
            return lambda facts, at: all(test(facts, at) for test in every)
        case Or(parts):
            some = [_test(part) for part in parts]
            return lambda facts, at: any(test(facts, at) for test in some)
        case Exists(variables, body):
            witness, body_holds = _search(body, variables, True), _test(body)
            return lambda facts, at: any(body_holds(facts, bound) for bound in witness(facts, at))
        case Forall(variables, body):
            suspects, body_of_all = _search(body, variables, False), _test(body)
            return lambda facts, at: all(body_of_all(facts, bound) for bound in suspects(facts, at))
    raise TypeError(f"not a formula: {formula!r}")


Search = Callable[[Facts, Binding], Iterable[Binding]]


def _search(body: Formula, variables: tuple[Parameter, ...], true: bool) -> Search:
    """Every way to let the variables stand for objects for which the body may be true (or else false)."""
    if not variables:
        return lambda facts, at: (at,)
    names = tuple(v.name for v in variables)
    guard = _guard(body, names, true) if len(variables) == 1 else None

    def all_values(facts: Facts, at: Binding) -> Iterator[Binding]:
        for objects in product(*(facts.objects.fitting(v.types) for v in variables)):
            yield {**at, **dict(zip(names, objects, strict=True))}

    if guard is None:
        return all_values
    (name,), (variable,), atom = names, variables, guard.atom
    place = atom.args.index(name)
    anchors = [(n, t) for n, t in enumerate(atom.args) if t != name]

    def guarded(facts: Facts, at: Binding) -> Iterator[Binding]:
        fits = facts.objects.fitting(variable.types)
        bound = {n: at.get(t, t) for n, t in anchors}
        found = facts.about(next(iter(bound.values()))) if bound else facts.of(atom.predicate)
        candidates = {
            fact[place + 1]
            for fact in found
            if fact[0] == atom.predicate and all(fact[n + 1] == o for n, o in bound.items())
        }
        for value in candidates:
            if value in fits:
                yield {**at, name: value}

    return guarded


def _guard(body: Formula, names: tuple[str, ...], true: bool) -> Literal | None:
    """A literal about the variable without which the body cannot be true (or, if not `true`, false)."""
    parts = body.parts if isinstance(body, And if true else Or) else (body,)
    found = [p for p in parts if isinstance(p, Literal) and p.positive == true and names[0] in p.atom.args]
    return max(found, key=lambda p: (len(set(p.atom.args)), p.atom)) if found else None
