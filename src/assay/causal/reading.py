"""States, plans, facts and interventions as people type them, and the objects they mention.

    state           (power) (on l1)
    plan            (load p1 t1 l1) (drive t1 l1 l2)
    fact            (in p1 t1)       not (in p1 t1)       (not (in p1 t1))
    intervention    not (open door1) at 2       (on l1) at 0       not (drive t1 l1 l2) at 1       not step 2

Names that are not objects yet become objects of the type that their places ask for. Where that leaves a
choice that matters, the type is written like a fact: (truck t1). Whatever cannot be read is an `InputError`
that says what and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.core.symbols import OBJECT, Atom, Literal, Object, Parameter, Step, check_name
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

_TOKEN = re.compile(r"[()]|[^\s()]+")
_COMMENT = re.compile(r";[^\n]*")


@dataclass(frozen=True, slots=True)
class Setting:
    """What an intervention sets: a literal at a time, or whether the step at a time is taken."""

    literal: Literal | None
    step: Step | None
    time: int
    taken: bool = True


def read_state(text: str) -> list[Atom]:
    return [Atom(group[0], group[1:]) for group in _groups(text, "state", "(power) (on l1)")]


def read_plan(text: str) -> list[Step]:
    return [Step(group[0], group[1:]) for group in _groups(text, "plan", "(load p1 t1 l1) (drive t1 l1 l2)")]


def read_literals(text: str) -> list[Literal]:
    """One or more facts, each perhaps negated; "and" between them may be written."""
    literals: list[Literal] = []
    positive = True
    tokens = _TOKEN.findall(text)
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token == "not" and positive:
            positive = False
        elif token == "and" and positive and literals:
            continue
        elif token == "(":
            inner, place = _until_closed(tokens, place, text)
            if inner[0] == "not" and inner[1:2] == ["("] and inner[-1] == ")" and positive:
                positive, inner = False, inner[2:-1]
            if "(" in inner or ")" in inner:
                raise _malformed("fact", text, "(in p1 t1)' or 'not (in p1 t1)")
            literals.append(Literal(Atom(inner[0], tuple(inner[1:])), positive))
            positive = True
        else:
            raise _malformed("fact", text, "(in p1 t1)' or 'not (in p1 t1)")
    if not literals or not positive:
        raise _malformed("fact", text, "(in p1 t1)' or 'not (in p1 t1)")
    return literals


def read_literal(text: str) -> Literal:
    literals = read_literals(text)
    if len(literals) != 1:
        raise InputError(f"{text!r}: one fact is wanted here, not {len(literals)}")
    return literals[0]


_STEP = re.compile(r"\s*(not\s+)?step\s+(\d+)\s*\Z")
_AT = re.compile(r"(.*\))\s*at\s+(-?\d+)\s*\Z", re.DOTALL)


def read_intervention(text: str, actions: Iterable[str]) -> Setting:
    """What to set and when. A name that is an action's is a decision, any other a fact."""
    if match := _STEP.match(text):
        return Setting(None, None, int(match[2]) - 1, not match[1])
    match = _AT.match(text)
    if match is None:
        raise _malformed("intervention", text, "not (open door1) at 2' or 'not step 2")
    literal = read_literal(match[1])
    time = int(match[2])
    if literal.atom.predicate in set(actions):
        return Setting(None, Step(*literal.atom), time, literal.positive)
    return Setting(literal, None, time)


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


def _groups(text: str, kind: str, example: str) -> list[tuple[str, ...]]:
    tokens = _TOKEN.findall(_COMMENT.sub("", text))
    groups: list[tuple[str, ...]] = []
    place = 0
    while place < len(tokens):
        if tokens[place] != "(":
            raise _malformed(kind, text, example)
        inner, place = _until_closed(tokens, place + 1, text)
        if "(" in inner or ")" in inner:
            raise _malformed(kind, text, example)
        groups.append(tuple(inner))
    return groups


def _until_closed(tokens: list[str], place: int, text: str) -> tuple[list[str], int]:
    """What is inside a group that was just opened, and the place after it."""
    depth, start = 1, place
    while place < len(tokens):
        depth += {"(": 1, ")": -1}.get(tokens[place], 0)
        place += 1
        if not depth:
            if place - 1 == start:
                raise InputError(f"{_short(text)}: there is nothing between two parentheses")
            return tokens[start : place - 1], place
    raise InputError(f"{_short(text)}: a parenthesis is not closed")


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 60 else flat[:57] + "...")


def _malformed(kind: str, text: str, example: str) -> InputError:
    return InputError(f"{kind} {_short(text)} cannot be read: write, for example, '{example}'")
