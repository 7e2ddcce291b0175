"""From a model or a problem to PDDL text that other planning tools load; PPDDL where outcomes have a chance.

The same model gives the same text: declarations and outcomes keep their order, literals are sorted, positive
ones first. Reading the text gives the model back, up to upper case, which PDDL does not know, and up to
outcomes that are the same or cannot happen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from assay.core.model import ActionModel, Model
from assay.core.symbols import OBJECT, Atom, Literal, Object, Parameter
from assay.core.vocabulary import Vocabulary
from assay.pddl.chance import PROBABILISTIC, decimals, merged


def write_domain(
    model: Model, notes: Mapping[str, Sequence[str]] | Sequence[str] = (), name: str | None = None
) -> str:
    """The model as a domain. Notes become comments: at the top, or above the action they are keyed by.

    A mapping's notes for the top are under the empty key.
    """
    vocabulary = model.vocabulary
    keyed = notes if isinstance(notes, Mapping) else {"": notes}
    lines = [*_comments(keyed.get("", ()), "")]
    lines.append(f"(define (domain {_title(name or vocabulary.name)})")
    lines.append(f"  (:requirements {' '.join(_requirements(model))})")
    if types := [t for t in vocabulary.types if t.name != OBJECT]:
        runs = groupby(types, key=lambda t: t.parents)
        lines += _section(":types", [_run([t.name for t in run], parents) for parents, run in runs])
    if vocabulary.constants:
        lines += _section(":constants", _objects(vocabulary.constants, bool(types)))
    predicates = [_call(p.name, _parameters(p.parameters, vocabulary)) for p in vocabulary.predicates]
    lines += _section(":predicates", predicates)
    for action in model.actions:
        lines += ["", *_comments(keyed.get(action.header.name, ()), "  "), *_action(action, vocabulary)]
    return "\n".join(lines) + "\n)\n"


def write_problem(
    name: str,
    domain_name: str,
    objects: Iterable[Object],
    initial: Iterable[Atom],
    goal_literals: Iterable[Literal] = (),
) -> str:
    """A problem; leave the domain's constants out of its objects."""
    objects = tuple(objects)
    typed = any(o.type != OBJECT for o in objects)
    goal = [str(x) for x in _sorted(goal_literals)]
    lines = [
        f"(define (problem {_title(name)})",
        f"  (:domain {_title(domain_name)})",
        *_section(":objects", _objects(objects, typed)),
        *_section(":init", [str(a) for a in sorted(initial)]),
        *(_section(":goal (and", goal, closing="))") if goal else ["  (:goal (and))"]),
    ]
    return "\n".join(lines) + "\n)\n"


def _requirements(model: Model) -> Iterator[str]:
    yield ":strips"
    if model.vocabulary.types:
        yield ":typing"
    different = any(a.distinct for a in model.actions)
    if different or any(not literal.positive for a in model.actions for literal in a.precondition):
        yield ":negative-preconditions"
    if different:
        yield ":equality"
    if any(len(a.outcomes) > 1 for a in model.actions):
        yield ":probabilistic-effects"


def _action(action: ActionModel, vocabulary: Vocabulary) -> Iterator[str]:
    yield f"  (:action {action.header.name}"
    yield f"    :parameters ({_parameters(action.header.parameters, vocabulary)})"
    different = [f"(not (= {x} {y}))" for x, y in sorted(action.distinct)]
    yield from _conjunction(":precondition", [*map(str, _sorted(action.precondition)), *different])
    yield from _conjunction(":effect", _effect(action))
    yield "  )"


def _effect(action: ActionModel) -> list[str]:
    """The literals common to all outcomes; then, if there are several, what each of them adds."""
    outcomes = merged(action.outcomes, f"action {action.header.name!r}")
    common = frozenset.intersection(*(o.effects for o in outcomes))
    lines = [str(x) for x in _sorted(common)]
    if len(outcomes) > 1:
        branches = [
            f"  {p} (and{''.join(f' {x}' for x in _sorted(o.effects - common))})"
            for p, o in zip(decimals(outcomes), outcomes, strict=True)
        ]
        lines += [f"({PROBABILISTIC}", *branches[:-1], f"{branches[-1]})"]
    return lines


def _sorted(literals: Iterable[Literal]) -> list[Literal]:
    return sorted(literals, key=lambda literal: (not literal.positive, literal.atom))


def _conjunction(keyword: str, literals: Sequence[str]) -> Iterator[str]:
    if not literals:
        yield f"    {keyword} (and)"
        return
    yield f"    {keyword} (and"
    yield from (f"      {text}" for text in literals[:-1])
    yield f"      {literals[-1]})"


def _section(keyword: str, entries: Sequence[str], closing: str = ")") -> list[str]:
    if not entries:
        return [f"  ({keyword}{closing}"]
    return [f"  ({keyword}", *(f"    {entry}" for entry in entries[:-1]), f"    {entries[-1]}{closing}"]


def _call(name: str, arguments: str) -> str:
    return f"({name} {arguments})" if arguments else f"({name})"


def _parameters(parameters: tuple[Parameter, ...], vocabulary: Vocabulary) -> str:
    if not vocabulary.types:
        return " ".join(p.name for p in parameters)
    return " ".join(f"{p.name} - {_either(p.types)}" for p in parameters)


def _objects(objects: Iterable[Object], typed: bool) -> list[str]:
    """Runs of objects of one type, as they stand: the order is kept."""
    return [
        _run([o.name for o in run], (type_name,) if typed else ())
        for type_name, run in groupby(objects, key=lambda o: o.type)
    ]


def _run(names: Sequence[str], types: tuple[str, ...]) -> str:
    return " ".join(names) + (f" - {_either(types)}" if types else "")


def _either(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"


def _comments(notes: Sequence[str], indent: str) -> list[str]:
    texts = [notes] if isinstance(notes, str) else notes
    return [f"{indent}; {line}".rstrip() for text in texts for line in text.splitlines() or [""]]


def _title(name: str) -> str:
    """A domain's or problem's name, which unlike all others may have been chosen without PDDL in mind."""
    return re.sub(r"[\s();\\\"'`|\[\]{}<>,]+", "-", name.strip()) or "unnamed"
