"""All that the user and the agent must reveal: types, constants, predicates, action headers.

The *lifted atoms* of an action are the predicates instantiated with its parameters and the constants,
repeated variables included (the papers' P*, AIA-21 section 3, widened by constants and repetitions).
Atoms without a parameter come first and are the same for every action: two steps of a plan share them
whatever objects they are applied to, so strategies treat them apart (`shared_atoms`).

A *slot* (the papers' pal tuple) is a lifted atom in the precondition or effect of an action. Its *modes*
are +, - and absent; a slot with a mode is the papers' palm tuple. Slots are numbered by the position
of their atom in `lifted_atoms`, so that a set of slots of one action is an int used as a bitmask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from typing import Any

from assay.core.symbols import OBJECT, ActionHeader, Atom, Object, Parameter, Predicate, Type, check_name
from assay.core.visible import visible
from assay.errors import InputError

LONGEST_NAME = 200
"""Characters of the vocabulary's name, which unlike all others may be any text."""


@dataclass(frozen=True)
class Vocabulary:
    types: tuple[Type, ...] = ()
    constants: tuple[Object, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    actions: tuple[ActionHeader, ...] = ()
    name: str = field(default="agent", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", visible(str(self.name), LONGEST_NAME))
        for kind, names in (
            ("type", [OBJECT, *(t.name for t in self.types if t.name != OBJECT)]),
            ("constant", [c.name for c in self.constants]),
            ("predicate", [p.name for p in self.predicates]),
            ("action", [a.name for a in self.actions]),
        ):
            seen: dict[str, str] = {}
            for name in names:
                check_name(name, kind)
                if (twin := seen.get(name.lower())) is not None:
                    raise InputError(f"{kind} {name!r} is declared twice (also as {twin!r})")
                seen[name.lower()] = name
        known = set(self._parents)
        for owner, parameters in (
            *((f"predicate {p.name!r}", p.parameters) for p in self.predicates),
            *((f"action {a.name!r}", a.parameters) for a in self.actions),
            *((f"constant {c.name!r}", (Parameter(c.name, (c.type,)),)) for c in self.constants),
            *((f"type {t.name!r}", (Parameter(t.name, t.parents),)) for t in self.types),
        ):
            names = [p.name for p in parameters]
            if len({n.lower() for n in names}) < len(names):
                raise InputError(f"{owner}: parameter names must differ, got {' '.join(names)}")
            for parameter in parameters:
                for type_name in parameter.types:
                    if type_name not in known:
                        raise InputError(f"{owner}: unknown type {type_name!r}")
        for t in self.types:
            if t.name != OBJECT and t.name in {a for p in t.parents for a in self.supertypes(p)}:
                raise InputError(f"type {t.name!r} is its own ancestor")

    @classmethod
    def of(
        cls,
        *,
        predicates: Mapping[str, Iterable[str] | Mapping[str, str]],
        actions: Mapping[str, Iterable[str] | Mapping[str, str]],
        types: Mapping[str, str] | Iterable[str] = (),
        constants: Mapping[str, str] | None = None,
        name: str = "agent",
    ) -> Vocabulary:
        """A vocabulary from plain dictionaries.

        `types` maps a type to its parent (or lists types below `object`); `predicates` and `actions`
        map a name to its parameter types, or to a mapping of parameter names to types. `"a|b"` is either.
        """
        parents = types if isinstance(types, Mapping) else dict.fromkeys(types, OBJECT)
        return cls(
            tuple(Type(t, tuple(p.split("|"))) for t, p in parents.items() if t != OBJECT),
            tuple(Object(c, t) for c, t in (constants or {}).items()),
            tuple(Predicate(p, _parameters(ps)) for p, ps in predicates.items()),
            tuple(ActionHeader(a, _parameters(ps)) for a, ps in actions.items()),
            name,
        )

    def to_dict(self) -> dict[str, Any]:
        """The inverse of `of`, as the journal and the wire protocol write it."""
        return {
            "name": self.name,
            "types": {t.name: "|".join(t.parents) for t in self.types},
            "constants": {c.name: c.type for c in self.constants},
            "predicates": {p.name: _parameters_dict(p.parameters) for p in self.predicates},
            "actions": {a.name: _parameters_dict(a.parameters) for a in self.actions},
        }

    @cached_property
    def _parents(self) -> dict[str, tuple[str, ...]]:
        return {OBJECT: ()} | {t.name: t.parents for t in self.types if t.name != OBJECT}

    @cached_property
    def _supertypes(self) -> dict[str, frozenset[str]]:
        return {name: self._above(name) for name in self._parents}

    def _above(self, type_name: str) -> frozenset[str]:
        found: set[str] = set()
        todo = [type_name]
        while todo:
            if (current := todo.pop()) not in found:
                found.add(current)
                todo += self._parents[current]
        return frozenset(found | {OBJECT})

    def supertypes(self, type_name: str) -> frozenset[str]:
        """The type itself and everything above it."""
        return self._supertypes[type_name]

    def fits(self, type_name: str, alternatives: tuple[str, ...]) -> bool:
        """Whether an object of the type may stand where one of the alternatives is asked for."""
        return not self.supertypes(type_name).isdisjoint(alternatives)

    @cached_property
    def predicate(self) -> dict[str, Predicate]:
        return {p.name: p for p in self.predicates}

    @cached_property
    def action(self) -> dict[str, ActionHeader]:
        return {a.name: a for a in self.actions}

    @cached_property
    def shared_atoms(self) -> tuple[Atom, ...]:
        """Atoms over constants alone: the atoms that every action sees."""
        return tuple(self._instances(()))

    @cached_property
    def _lifted(self) -> dict[str, tuple[Atom, ...]]:
        return {a.name: tuple(self._instances(a.parameters)) for a in self.actions}

    def lifted_atoms(self, action: str) -> tuple[Atom, ...]:
        """The action's lifted atoms, shared ones first; positions number the slots."""
        return self._lifted[action]

    def _instances(self, parameters: tuple[Parameter, ...]) -> list[Atom]:
        terms = [(c.name, (c.type,)) for c in self.constants] + [(p.name, p.types) for p in parameters]
        atoms = [
            Atom(predicate.name, args)
            for predicate in self.predicates
            for args in product(
                *(
                    [name for name, types in terms if all(self.fits(t, place.types) for t in types)]
                    for place in predicate.parameters
                )
            )
        ]
        return sorted(atoms, key=lambda atom: bool(atom.variables))

    def mergeable(self, action: str) -> tuple[tuple[str, str], ...]:
        """Pairs of parameters that one object could fill: where "x different from y" is a question."""
        return tuple(
            (x.name, y.name)
            for x, y in combinations(self.action[action].parameters, 2)
            if self.common_type(x.types, y.types)
        )

    def common_type(self, first: tuple[str, ...], second: tuple[str, ...]) -> str | None:
        """A type whose objects fit both parameters, the most general one found."""
        candidates = [*first, *second, *self._parents]
        return next((t for t in candidates if self.fits(t, first) and self.fits(t, second)), None)


def _parameters(spec: Iterable[str] | Mapping[str, str]) -> tuple[Parameter, ...]:
    pairs = (
        spec.items()
        if isinstance(spec, Mapping)
        else ((f"x{number}", types) for number, types in enumerate(spec, start=1))
    )
    return tuple(Parameter("?" + name.removeprefix("?"), tuple(types.split("|"))) for name, types in pairs)


def _parameters_dict(parameters: tuple[Parameter, ...]) -> dict[str, str]:
    return {p.name.removeprefix("?"): "|".join(p.types) for p in parameters}
