"""States, plans, facts and interventions as people type them, and the objects they mention.

    state           (power) (on l1)
    plan            (load p1 t1 l1) (drive t1 l1 l2)
    fact            (in p1 t1)       not (in p1 t1)       (a) and ((b) or not (c))       (or (b) (not (c)))
    intervention    not (open door1) at 2       (on l1) at 0       not (drive t1 l1 l2) at 1       not step 2

Upper and lower case are the same, as in PDDL. Names that are not objects yet become objects of the type that
their places ask for. Where that leaves a choice that matters, the type is written like a fact: (truck t1).
Whatever cannot be read is an `InputError` that says what and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.core.formula import Formula, conjoin, disjoin, negate
from assay.core.symbols import OBJECT, Atom, Literal, Object, Parameter, Step, check_name
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

_TOKEN = re.compile(r"[()]|[^\s()]+")
_COMMENT = re.compile(r";[^\n]*")
DEEPEST = 100
"""Formulas inside each other."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """What an intervention sets: a literal at a time, or whether the step at a time is taken."""

    literal: Literal | None
    step: Step | None
    time: int
    taken: bool = True


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


def read_state(text: str, spelling: Spelling | None = None) -> list[Atom]:
    spelling = spelling or Spelling()
    return [spelling.atom(group) for group in _groups(text, "state", "(power) (on l1)")]


def read_plan(text: str, spelling: Spelling | None = None) -> list[Step]:
    spelling = spelling or Spelling()
    return [spelling.step(group) for group in _groups(text, "plan", "(load p1 t1 l1) (drive t1 l1 l2)")]


def read_formula(text: str, spelling: Spelling | None = None) -> Formula:
    """A Boolean combination of facts (DCDN Def. 15), as in PDDL or with `and` and `or` between them."""
    return _Combination(text, spelling or Spelling()).read()


class _Combination:
    """Recursive descent: `or` binds less than `and`, which may be left out, and `not` binds most."""

    def __init__(self, text: str, spelling: Spelling) -> None:
        self._text, self._spelling = text, spelling
        self._tokens = _TOKEN.findall(_COMMENT.sub("", text))
        self._place = self._depth = 0

    def read(self) -> Formula:
        found = self._any()
        if self._place < len(self._tokens):
            raise self._error()
        return found

    def _any(self) -> Formula:
        parts = [self._all()]
        while self._take("or"):
            parts.append(self._all())
        return disjoin(parts)

    def _all(self) -> Formula:
        parts = [self._one()]
        while self._take("and") or self._next() in ("(", "not"):
            parts.append(self._one())
        return conjoin(parts)

    def _one(self) -> Formula:
        self._depth += 1
        if self._depth > DEEPEST:
            raise InputError(f"{_short(self._text)}: more than {DEEPEST} formulas inside each other")
        negated = self._take("not")
        found = negate(self._one()) if negated else self._group()
        self._depth -= 1
        return found

    def _group(self) -> Formula:
        if not self._take("("):
            raise self._error()
        if self._take("and"):
            found = conjoin(self._operands())
        elif self._take("or"):
            found = disjoin(self._operands())
        elif self._next() in ("(", "not"):
            found = self._any()
            self._close()
        else:
            found = self._atom()
        return found

    def _operands(self) -> list[Formula]:
        found = [self._one()]
        while not self._take(")"):
            found.append(self._one())
        return found

    def _atom(self) -> Literal:
        start = self._place
        while self._next() not in ("(", ")", ""):
            self._place += 1
        words = self._tokens[start : self._place]
        self._close()
        if not words:
            raise InputError(f"{_short(self._text)}: there is nothing between two parentheses")
        return Literal(self._spelling.atom(words))

    def _close(self) -> None:
        if not self._next():
            raise InputError(f"{_short(self._text)}: a parenthesis is not closed")
        if not self._take(")"):
            raise self._error()

    def _next(self) -> str:
        return self._tokens[self._place].lower() if self._place < len(self._tokens) else ""

    def _take(self, word: str) -> bool:
        found = self._next() == word
        self._place += found
        return found

    def _error(self) -> InputError:
        return _malformed("fact", self._text, "(in p1 t1)' or 'not (in p1 t1)")


_STEP = re.compile(r"\s*(not\s+)?step\s+(\d+)\s*\Z", re.IGNORECASE)
_AT = re.compile(r"(.*\))\s*at\s+(-?\d+)\s*\Z", re.DOTALL | re.IGNORECASE)


def read_intervention(text: str, spelling: Spelling | None = None) -> Intervention:
    """What to set and when. A name that is an action's is a decision, any other a fact."""
    if match := _STEP.match(text):
        return Intervention(None, None, int(match[2]) - 1, not match[1])
    match, spelling = _AT.match(text), spelling or Spelling()
    literal = read_formula(match[1], spelling) if match is not None else None
    if match is None or not isinstance(literal, Literal):
        raise _malformed("intervention", text, "not (open door1) at 2' or 'not step 2")
    (name, args), time = literal.atom, int(match[2])
    if spelling.is_action(name):
        return Intervention(None, Step(spelling.action(name), args), time, literal.positive)
    return Intervention(literal, None, time)


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
