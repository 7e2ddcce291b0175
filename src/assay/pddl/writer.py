"""From a model or a problem to PDDL text that other planning tools load; PPDDL where outcomes have a chance.

The same model gives the same text. Declarations, outcomes and the parts of a condition keep their order; the
effects of an outcome are sorted, plain ones first. Reading the text gives a model that says the same, and
the same model if its conditions are in the order that the reader uses, up to upper case, which PDDL does not
know, and up to outcomes that are the same or cannot happen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from assay.core.formula import TRUE, Formula, conjuncts
from assay.core.model import ActionModel, Model
from assay.core.symbols import OBJECT, Atom, Object
from assay.core.vocabulary import Vocabulary
from assay.pddl.layout import Block, Tree, lines
from assay.pddl.requirements import requirements
from assay.pddl.trees import condition_tree, declaration, effect_trees, either, needed_trees


def write_domain(
    model: Model, notes: Mapping[str, Sequence[str]] | Sequence[str] = (), name: str | None = None
) -> str:
    """The model as a domain. Notes become comments: at the top, or above the action they are keyed by.

    A mapping's notes for the top are under the empty key.
    """
    vocabulary = model.vocabulary
    keyed = notes if isinstance(notes, Mapping) else {"": notes}
    text = [*_comments(keyed.get("", ()), "")]
    text.append(f"(define (domain {_title(name or vocabulary.name)})")
    typed = bool(vocabulary.types)
    needed = [tree for action in model.actions for tree in needed_trees(action, typed)]
    effects = [tree for action in model.actions for tree in effect_trees(action, typed)]
    text.append(f"  (:requirements {' '.join(requirements(needed, effects, typed))})")
    if types := [t for t in vocabulary.types if t.name != OBJECT]:
        runs = groupby(types, key=lambda t: t.parents)
        text += _section(":types", [_run([t.name for t in run], parents) for parents, run in runs])
    if vocabulary.constants:
        text += _section(":constants", _objects(vocabulary.constants, typed))
    predicates = [_call(p.name, declaration(p.parameters, typed)) for p in vocabulary.predicates]
    text += _section(":predicates", predicates)
    for action in model.actions:
        text += ["", *_comments(keyed.get(action.header.name, ()), "  "), *_action(action, vocabulary)]
    return "\n".join(text) + "\n)\n"


def write_problem(
    name: str,
    domain_name: str,
    objects: Iterable[Object],
    initial: Iterable[Atom],
    goal: Formula = TRUE,
) -> str:
    """A problem; leave the domain's constants out of its objects."""
    objects = tuple(objects)
    typed = any(o.type != OBJECT for o in objects)
    text = [
        f"(define (problem {_title(name)})",
        f"  (:domain {_title(domain_name)})",
        *_section(":objects", _objects(objects, typed)),
        *_section(":init", [str(a) for a in sorted(initial)]),
    ]
    parts = [condition_tree(p, True) for p in conjuncts(goal)]
    return "\n".join([*text, *_part("(:goal", parts, 2)]) + ")\n)\n"


def _action(action: ActionModel, vocabulary: Vocabulary) -> Iterator[str]:
    typed = bool(vocabulary.types)
    yield f"  (:action {action.header.name}"
    yield f"    :parameters ({declaration(action.header.parameters, typed)})"
    yield from _part(":precondition", needed_trees(action, typed), 4)
    yield from _part(":effect", effect_trees(action, typed), 4)
    yield "  )"


def _part(keyword: str, parts: Sequence[Tree], indent: int) -> Iterator[str]:
    """A conjunction after its keyword, each part on a line of its own."""
    first, *rest = lines(Block("and", parts, broken=True), indent)
    yield f"{' ' * indent}{keyword} {first.lstrip()}"
    yield from rest


def _section(keyword: str, entries: Sequence[str]) -> list[str]:
    if not entries:
        return [f"  ({keyword})"]
    return [f"  ({keyword}", *(f"    {entry}" for entry in entries[:-1]), f"    {entries[-1]})"]


def _call(name: str, arguments: str) -> str:
    return f"({name} {arguments})" if arguments else f"({name})"


def _objects(objects: Iterable[Object], typed: bool) -> list[str]:
    """Runs of objects of one type, as they stand: the order is kept."""
    return [
        _run([o.name for o in run], (type_name,) if typed else ())
        for type_name, run in groupby(objects, key=lambda o: o.type)
    ]


def _run(names: Sequence[str], types: tuple[str, ...]) -> str:
    return " ".join(names) + (f" - {either(types)}" if types else "")


def _comments(notes: Sequence[str], indent: str) -> list[str]:
    texts = [notes] if isinstance(notes, str) else notes
    return [f"{indent}; {line}".rstrip() for text in texts for line in text.splitlines() or [""]]


def _title(name: str) -> str:
    """A domain's or problem's name, which unlike all others may have been chosen without PDDL in mind."""
    return re.sub(r"[\s();\\\"'`|\[\]{}<>,]+", "-", name.strip()) or "unnamed"
