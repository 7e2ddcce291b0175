"""The objects that typed states, plans and facts mention, and how names are spelt.

Upper and lower case are the same, as in PDDL. Names that are not objects yet become objects of the type that
their places ask for. Where that leaves a choice that matters, the type is written like a fact: (truck t1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.core.symbols import OBJECT, Atom, Object, Parameter, Step, check_name
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError


class Spelling:
    """Names as the universe spells them, in whatever case they are typed; new ones as they came first."""

    def __init__(self, universe: Universe | None = None) -> None:
        self._facts: dict[str, str] = {}
        self._actions: dict[str, str] = {}
        self._things: dict[str, str] = {}
        if universe is not None:
            vocabulary = universe.vocabulary
            self._facts = _folded([*(t.name for t in vocabulary.types), *vocabulary.predicate])
            self._actions = _folded(vocabulary.action)
            self._things = _folded(o.name for o in universe.objects)

    def atom(self, words: Sequence[str]) -> Atom:
        return Atom(self._facts.get(words[0].lower(), words[0]), self._args(words))

    def step(self, words: Sequence[str]) -> Step:
        return Step(self.action(words[0]), self._args(words))

    def action(self, name: str) -> str:
        return self._actions.get(name.lower(), name)

    def is_action(self, name: str) -> bool:
        return name.lower() in self._actions

    def _args(self, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._things.setdefault(w.lower(), w) for w in words[1:])


def _folded(names: Iterable[str]) -> dict[str, str]:
    return {name.lower(): name for name in names}


def introduce(universe: Universe, atoms: Iterable[Atom], steps: Sequence[Step] = ()) -> list[Atom]:
    """Add the objects that are mentioned and not known, check every atom and step, and return the facts."""
    vocabulary = universe.vocabulary
    types = {t.name for t in vocabulary.types}
    atoms, declared = list(atoms), []
    for atom in atoms:
        if atom.predicate in types - vocabulary.predicate.keys() and len(atom.args) == 1:
            universe.add(Object(atom.args[0], atom.predicate))
            declared.append(atom)
    atoms = [a for a in atoms if a not in declared]
    known = {o.name for o in universe.objects}
    places: dict[str, list[tuple[str, tuple[str, ...]]]] = {}

    def note(text: str, args: tuple[str, ...], parameters: tuple[Parameter, ...]) -> None:
        for name, parameter in zip(args, parameters, strict=False):
            if name not in known:
                places.setdefault(name, []).append((text, parameter.types))

    for atom in atoms:
        if (predicate := vocabulary.predicate.get(atom.predicate)) is None:
            raise InputError(f"unknown predicate {atom.predicate!r} in {atom}")
        _check_count(str(atom), f"predicate {predicate.name!r}", predicate.arity, atom.args)
        note(str(atom), atom.args, predicate.parameters)
    for step in steps:
        if (header := vocabulary.action.get(step.action)) is None:
            raise InputError(f"unknown action {step.action!r} in {step}")
        _check_count(str(step), f"action {header.name!r}", header.arity, step.args)
        note(str(step), step.args, header.parameters)
    for name, uses in places.items():
        check_name(name, "object")
        universe.add(Object(name, _type_for(universe, name, uses)))
    for atom in atoms:
        universe.index(atom)
    for step in steps:
        universe.check_step(step)
    return atoms


def _type_for(universe: Universe, name: str, uses: list[tuple[str, tuple[str, ...]]]) -> str:
    vocabulary = universe.vocabulary
    types = [OBJECT, *(t.name for t in vocabulary.types if t.name != OBJECT)]
    fitting = [t for t in types if all(vocabulary.fits(t, wanted) for _, wanted in uses)]
    top = [t for t in fitting if not any(u != t and u in vocabulary.supertypes(t) for u in fitting)]
    where = " and ".join(dict.fromkeys(text for text, _ in uses))
    if not fitting:
        raise InputError(f"no type of object fits {name!r} in {where}")
    if len(top) == 1:
        top = _finer(vocabulary, top[0]) or top
    if len(top) > 1:
        told = " or ".join(f"({t} {name})" for t in sorted(top))
        raise InputError(f"the type of {name!r} in {where} is not clear: add {told} to the state")
    return top[0]


def _finer(vocabulary: Vocabulary, type_name: str) -> list[str]:
    """The types just below, if some place takes one of them and not the type itself."""
    below = [
        t.name for t in vocabulary.types if t.name != type_name and type_name in vocabulary.supertypes(t.name)
    ]
    owners = [*(p.parameters for p in vocabulary.predicates), *(a.parameters for a in vocabulary.actions)]
    places = [p.types for parameters in owners for p in parameters]
    if not any(vocabulary.fits(t, p) and not vocabulary.fits(type_name, p) for t in below for p in places):
        return []
    return [t for t in below if not any(u != t and u in vocabulary.supertypes(t) for u in below)]


def _check_count(text: str, owner: str, arity: int, args: tuple[str, ...]) -> None:
    if len(args) != arity:
        raise InputError(f"{text}: {owner} takes {arity} argument(s), not {len(args)}")
