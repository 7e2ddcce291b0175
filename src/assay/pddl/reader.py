"""From PDDL or PPDDL text to a vocabulary, a model or a problem.

Sections, and the parts of an action, may come in any order. What is read is complete: a file either means
exactly the model returned, or is refused with the place of the first thing outside the language (see
`language`). Where every action must have one outcome, `read_domain` refuses chance like anything else;
`read_ppddl` reads both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from assay.core.formula import Formula
from assay.core.model import ActionModel, Case, Model, Outcome
from assay.core.symbols import OBJECT, ActionHeader, Atom, Object, Predicate
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.pddl.declarations import read_objects, read_parameters, read_types
from assay.pddl.effects import read_cases, read_effects
from assay.pddl.formulas import Scope, read_atom, read_formula
from assay.pddl.language import SECTIONS_OUTSIDE, as_group, is_number, read_name, refuse_number
from assay.pddl.sexpr import Group, Node, Word, error_at, parse

Thing = TypeVar("Thing")

_DOMAIN_SECTIONS = (":requirements", ":types", ":constants", ":predicates")
_PROBLEM_SECTIONS = (
    *(":domain", ":requirements", ":objects", ":init", ":goal"),
    *(":metric", ":length", ":goal-reward"),  # what a plan is worth, not what actions do
)
_NO_FACT = ("and", "or", "not", "imply", "exists", "forall", "when", "=")
_ACTION_PARTS = (":parameters", ":precondition", ":effect")

_Cases = Callable[[Node, Scope], tuple[Case, ...]]


@dataclass(frozen=True)
class Problem:
    """A situation to start from."""

    name: str
    domain: str
    objects: tuple[Object, ...]
    """Those of the problem; the domain's constants are not repeated here."""
    initial: frozenset[Atom]
    goal: Formula | None = None
    """None if the file states none."""


def read_vocabulary(text: str, source: str = "<text>") -> Vocabulary:
    """What a domain names: the bodies of its actions are not looked at."""
    return _vocabulary(_Definition.of(text, source, "domain"))


def read_domain(text: str, source: str = "<text>") -> Model:
    """A deterministic model: every action has one outcome."""
    return _model(text, source, lambda node, scope: (Case((Outcome(read_effects(node, scope)),)),))


def read_ppddl(text: str, source: str = "<text>") -> Model:
    """A model whose actions may have several outcomes."""
    return _model(text, source, read_cases)


def _model(text: str, source: str, cases: _Cases) -> Model:
    definition = _Definition.of(text, source, "domain")
    vocabulary = _vocabulary(definition)
    return Model(vocabulary, tuple(_action(group, vocabulary, cases) for group in definition.actions))


def read_problem(text: str, vocabulary: Vocabulary, source: str = "<text>") -> Problem:
    definition = _Definition.of(text, source, "problem")
    domain = definition.section(":domain")
    known = {OBJECT} | {t.name for t in vocabulary.types}
    objects = {c.name: c for c in vocabulary.constants}
    own: list[Object] = []
    for word, thing in read_objects(definition.section(":objects"), known, "object"):
        if thing.name not in objects:
            objects[thing.name] = thing
            own.append(thing)
        elif thing in own:
            raise error_at(word, f"object {thing.name!r} is declared twice")
        elif objects[thing.name] != thing:
            raise error_at(
                word, f"{thing.name!r} is of type {objects[thing.name].type!r} and of type {thing.type!r}"
            )
    scope = Scope.of(vocabulary, {o.name: (o.type,) for o in objects.values()})
    return Problem(
        definition.name,
        domain[0].text if domain and isinstance(domain[0], Word) else "",
        tuple(own),
        _initial(definition.section(":init"), scope),
        _goal(definition.sections.get(":goal"), scope),
    )


@dataclass(frozen=True)
class _Definition:
    """A file cut into its sections."""

    name: str
    sections: dict[str, Group]
    actions: tuple[Group, ...]

    @classmethod
    def of(cls, text: str, source: str, kind: str) -> _Definition:
        whole = parse(text, source)
        if whole.head != "define" or len(whole.items) < 2:
            raise error_at(whole, "expected '(define ...)'")
        title = as_group(whole.items[1], f"({kind} NAME)")
        if title.head != kind:
            raise error_at(title, f"expected ({kind} NAME), found {title}")
        if len(title.items) != 2 or not isinstance(title.items[1], Word):
            raise error_at(title, f"a {kind} has one name")
        allowed = _DOMAIN_SECTIONS if kind == "domain" else _PROBLEM_SECTIONS
        sections: dict[str, Group] = {}
        actions = []
        for node in whole.items[2:]:
            group = as_group(node, "a section")
            if group.head in SECTIONS_OUTSIDE:
                raise error_at(group, f"{group.head!r}: {SECTIONS_OUTSIDE[group.head]}")
            if group.head == ":action" and kind == "domain":
                actions.append(group)
            elif group.head not in allowed:
                raise error_at(group, f"unknown section {group.head or str(group)!r} in a {kind}")
            elif group.head in sections:
                raise error_at(group, f"section {group.head!r} appears twice")
            else:
                sections[group.head] = group
        return cls(title.items[1].text, sections, tuple(actions))

    def section(self, keyword: str) -> tuple[Node, ...]:
        return self.sections[keyword].items[1:] if keyword in self.sections else ()


def _vocabulary(definition: _Definition) -> Vocabulary:
    types = read_types(definition.section(":types"))
    try:
        Vocabulary(types)
    except InputError as error:
        raise error_at(definition.sections[":types"], str(error)) from None
    known = {OBJECT} | {t.name for t in types}
    constants = read_objects(definition.section(":constants"), known, "constant")
    predicates = (_predicate(node, known) for node in definition.section(":predicates"))
    headers = (_header(group, known) for group in definition.actions)
    return Vocabulary(
        types,
        _unique("constant", ((word, c.name, c) for word, c in constants)),
        _unique("predicate", ((node, p.name, p) for node, p in predicates)),
        _unique("action", ((node, a.name, a) for node, a in headers)),
        definition.name,
    )


def _unique(kind: str, named: Iterable[tuple[Node, str, Thing]]) -> tuple[Thing, ...]:
    found: dict[str, Thing] = {}
    for node, name, thing in named:
        if name in found:
            raise error_at(node, f"{kind} {name!r} is declared twice")
        found[name] = thing
    return tuple(found.values())


def _predicate(node: Node, known: set[str]) -> tuple[Node, Predicate]:
    group = as_group(node, "a predicate")
    if not group.items:
        raise error_at(group, "a predicate without a name")
    name = read_name(group.items[0], "predicate")
    return group, Predicate(name, read_parameters(group.items[1:], known, f"predicate {name!r}"))


def _header(group: Group, known: set[str]) -> tuple[Node, ActionHeader]:
    if len(group.items) < 2:
        raise error_at(group, "an action without a name")
    name = read_name(group.items[1], "action")
    parameters = _parts(group).get(":parameters")
    items = as_group(parameters, "parameters").items if parameters else ()
    return group.items[1], ActionHeader(name, read_parameters(items, known, f"action {name!r}"))


def _parts(group: Group) -> dict[str, Node]:
    parts: dict[str, Node] = {}
    rest = iter(group.items[2:])
    for key in rest:
        if not isinstance(key, Word) or key.text not in _ACTION_PARTS:
            raise error_at(key, f"expected one of {', '.join(_ACTION_PARTS)} in an action, not {key}")
        if key.text in parts:
            raise error_at(key, f"{key.text!r} appears twice in one action")
        if (value := next(rest, None)) is None:
            raise error_at(key, f"nothing after {key.text!r}")
        parts[key.text] = value
    return parts


def _action(group: Group, vocabulary: Vocabulary, cases: _Cases) -> ActionModel:
    header = vocabulary.action[str(group.items[1])]
    scope = Scope.of(vocabulary, {p.name: p.types for p in header.parameters})
    parts = _parts(group)
    nothing = Group((), group.place)
    precondition = read_formula(parts.get(":precondition", nothing), scope)
    return ActionModel(header, precondition, cases(parts.get(":effect", nothing), scope))


def _initial(items: tuple[Node, ...], scope: Scope) -> frozenset[Atom]:
    """The atoms that hold. One may also say what does not, as long as it agrees."""
    holds: set[Atom] = set()
    denied: list[tuple[Group, Atom]] = []
    for node in items:
        group = as_group(node, "an atom")
        if number := next((i for i in group.items if is_number(i)), None):
            raise refuse_number(number)
        if group.head == "not" and len(group.items) == 2:
            denied.append((group, read_atom(as_group(group.items[1], "an atom"), scope)))
        elif group.head in _NO_FACT:
            raise error_at(
                group, f"{group.head!r} in an initial state, which is a list of atoms and nothing else"
            )
        else:
            holds.add(read_atom(group, scope))
    for group, atom in denied:
        if atom in holds:
            raise error_at(group, f"{atom} is said both to hold and not to hold")
    return frozenset(holds)


def _goal(group: Group | None, scope: Scope) -> Formula | None:
    if group is None:
        return None
    if len(group.items) != 2:
        raise error_at(group, f"a problem has one goal, not {len(group.items) - 1}")
    return read_formula(group.items[1], scope)
