"""Executes a model directly on sets of facts, over exactly the objects given.

Slow and simple, and by design shares no code with the execution that a learner foretells with: one checks the
other. Nothing is compiled, so a question with hundreds of objects takes little memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from assay.core.formula import And, Equality, Exists, Forall, Formula, Or
from assay.core.model import Model
from assay.core.symbols import Atom, Literal, Object, Parameter, Step
from assay.errors import InputError

Facts = frozenset[Atom]
Binding = Mapping[str, str]


class World:
    def __init__(self, model: Model, objects: Iterable[Object]) -> None:
        self.model, self.objects = model, tuple(objects)
        self._fitting: dict[tuple[str, ...], list[str]] = {}

    def after(self, facts: Facts, step: Step) -> Facts | None:
        """The facts after the step; None if it is refused."""
        action = self.model.action.get(step.action)
        if action is None:
            raise InputError(f"the model does not describe action {step.action!r}")
        binding = action.header.bind(step.args)
        if not self.holds(action.precondition, facts, binding):
            return None
        added: set[Atom] = set()
        deleted: set[Atom] = set()
        for effect in action.effects:
            for values in self._bindings(effect.variables):
                bound = {**binding, **values}
                if self.holds(effect.condition, facts, bound):
                    atom = effect.literal.atom.substitute(bound)
                    (added if effect.literal.positive else deleted).add(atom)
        return facts - deleted | added

    def holds(self, formula: Formula, facts: Facts, binding: Binding) -> bool:
        match formula:
            case Literal(atom, positive):
                return (atom.substitute(dict(binding)) in facts) == positive
            case Equality(left, right, positive):
                return (binding.get(left, left) == binding.get(right, right)) == positive
            case And(parts):
                return all(self.holds(p, facts, binding) for p in parts)
            case Or(parts):
                return any(self.holds(p, facts, binding) for p in parts)
            case Exists(variables, body):
                return any(self.holds(body, facts, {**binding, **v}) for v in self._bindings(variables))
            case Forall(variables, body):
                return all(self.holds(body, facts, {**binding, **v}) for v in self._bindings(variables))
        raise TypeError(f"not a formula: {formula!r}")

    def _bindings(self, variables: tuple[Parameter, ...]) -> Iterator[Binding]:
        for names in product(*(self._names(v.types) for v in variables)):
            yield dict(zip((v.name for v in variables), names, strict=True))

    def _names(self, types: tuple[str, ...]) -> list[str]:
        if types not in self._fitting:
            fits = self.model.vocabulary.fits
            self._fitting[types] = [o.name for o in self.objects if fits(o.type, types)]
        return self._fitting[types]
