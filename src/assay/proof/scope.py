"""Whether a capability brings a change about: things for its parameters are looked for, and that is all.

Every fact that changed must be the doing of an effect, so effects are matched with the facts that changed
first; needed facts are matched with those that held; what is still free may be anything of its type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.core.model import ActionModel
from assay.core.symbols import Atom, Literal
from assay.core.vocabulary import Vocabulary
from assay.proof.reaches import Situation

Binding = dict[str, str]


@dataclass(frozen=True, slots=True)
class Some:
    """A predicate with some arguments left open: it holds if there is anything to put there."""

    predicate: str
    open: tuple[bool, ...]

    def holds(self, situation: Situation, args: tuple[str, ...]) -> bool:
        return any(
            atom.predicate == self.predicate
            and tuple(a for a, is_open in zip(atom.args, self.open, strict=True) if not is_open) == args
            for atom in situation
        )


class Scope:
    def __init__(
        self,
        vocabulary: Vocabulary,
        objects: Mapping[str, str],
        derived: frozenset[str],
        some: Mapping[str, Some],
    ) -> None:
        self._vocabulary, self._objects, self._derived, self._some = vocabulary, objects, derived, some

    def only_derived(self, before: Situation, after: Situation) -> bool:
        return all(atom.predicate in self._derived for atom in before ^ after)

    def brings_about(self, action: ActionModel, before: Situation, after: Situation) -> bool:
        """Whether the capability leads from one situation to the other in one step, for any things."""
        changed = [Literal(a, a in after) for a in sorted(before ^ after) if a.predicate not in self._derived]
        things = {name for atom, _ in changed for name in atom.args}
        compared = {a for a in before ^ after if self._counts(a, things)}
        for binding in self._bindings(action, before, changed):
            ground = [Literal(x.atom.substitute(binding), x.positive) for x in action.plain_effects]
            added = {a for a, positive in ground if positive}
            removed = {a for a, positive in ground if not positive}
            done = (added - before) | ((removed - added) & before)
            if changed and {a for a in done if self._counts(a, things)} == compared:
                return True
        return False

    def _counts(self, atom: Atom, things: set[str]) -> bool:
        """Derived facts count if they are about things that changed in other ways."""
        return atom.predicate not in self._derived or (bool(atom.args) and things.issuperset(atom.args))

    def _bindings(self, action: ActionModel, before: Situation, changed: list[Literal]) -> Iterator[Binding]:
        """All things under which the condition holds and every change is one of the effects."""
        types = {p.name: p.types for p in action.header.parameters}
        needed = [x.atom for x in sorted(action.needed) if x.positive and x.atom.predicate not in self._some]
        rest = [x for x in sorted(action.needed) if not x.positive or x.atom.predicate in self._some]
        effects = sorted(action.plain_effects)

        def by_effects(at: int, binding: Binding) -> Iterator[Binding]:
            if at == len(changed):
                yield from by_needs(0, binding)
                return
            for atom, positive in effects:
                if positive == changed[at].positive:
                    extended = self._unify(atom, changed[at].atom, types, binding)
                    if extended is not None:
                        yield from by_effects(at + 1, extended)

        def by_needs(at: int, binding: Binding) -> Iterator[Binding]:
            if at == len(needed):
                yield from by_type(binding)
                return
            wanted = needed[at].substitute(binding)
            if not wanted.variables:
                if wanted in before:
                    yield from by_needs(at + 1, binding)
                return
            for fact in before:
                extended = self._unify(wanted, fact, types, binding)
                if extended is not None:
                    yield from by_needs(at + 1, extended)

        def by_type(binding: Binding) -> Iterator[Binding]:
            free = next((v for v in types if v not in binding), None)
            if free is None:
                if all(self._holds(before, x.atom.substitute(binding)) == x.positive for x in rest):
                    yield binding
                return
            for name, kind in self._objects.items():
                if self._vocabulary.fits(kind, types[free]):
                    yield from by_type(binding | {free: name})

        yield from by_effects(0, {})

    def _holds(self, situation: Situation, atom: Atom) -> bool:
        if (some := self._some.get(atom.predicate)) is not None:
            return some.holds(situation, atom.args)
        return atom in situation

    def _unify(
        self, lifted: Atom, ground: Atom, types: Mapping[str, tuple[str, ...]], binding: Binding
    ) -> Binding | None:
        """The binding, extended so that the atom becomes the fact; None if it cannot."""
        if lifted.predicate != ground.predicate or len(lifted.args) != len(ground.args):
            return None
        extended = dict(binding)
        for term, name in zip(lifted.args, ground.args, strict=True):
            if term.startswith("?") and term not in extended:
                if not self._vocabulary.fits(self._objects[name], types[term]):
                    return None
                extended[term] = name
            if extended.get(term, term) != name:
                return None
        return extended
