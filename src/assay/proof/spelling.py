"""A model read from PDDL, which knows no upper case, in the spelling of the vocabulary it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import Atom, Literal
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError


def in_vocabulary(model: Model, vocabulary: Vocabulary) -> Model:
    """The same model over the vocabulary; parameters go by position. Actions may be missing."""
    mine, theirs = set(_declared(vocabulary)), set(_declared(model.vocabulary))
    missing = {text for text in mine - theirs if not text.startswith("action ")}
    if missing or theirs - mine:
        found = [f"{text} is missing" for text in sorted(missing)]
        found += [f"{text} is not in the journal's vocabulary" for text in sorted(theirs - mine)]
        raise InputError(f"it is written in another vocabulary: {'; '.join(found)}")
    return Model(vocabulary, tuple(_respelled(action, vocabulary) for action in model.actions))


def _declared(vocabulary: Vocabulary) -> Iterator[str]:
    """All that a vocabulary declares, a line each, in lower case and without parameter names."""
    for t in vocabulary.types:
        above = vocabulary.supertypes(t.name) - {t.name}
        yield f"type {t.name.lower()} - {_either(above)}"
    for c in vocabulary.constants:
        yield f"constant {c.name.lower()} - {c.type.lower()}"
    for kind, things in (("predicate", vocabulary.predicates), ("action", vocabulary.actions)):
        for thing in things:
            yield " - ".join((f"{kind} {thing.name.lower()}", *(_either(p.types) for p in thing.parameters)))


def _either(types: Iterable[str]) -> str:
    return "|".join(sorted(t.lower() for t in types))


def _respelled(action: ActionModel, vocabulary: Vocabulary) -> ActionModel:
    header = next(a for a in vocabulary.actions if a.name.lower() == action.header.name.lower())
    predicate = {p.name.lower(): p.name for p in vocabulary.predicates}
    term = {c.name.lower(): c.name for c in vocabulary.constants}
    term |= {p.name: q.name for p, q in zip(action.header.parameters, header.parameters, strict=True)}

    def spell(name: str) -> str:
        return term.get(name) or term[name.lower()]

    def respell(literals: frozenset[Literal]) -> frozenset[Literal]:
        return frozenset(
            Literal(Atom(predicate[a.predicate.lower()], tuple(map(spell, a.args))), positive)
            for a, positive in literals
        )

    distinct = frozenset((spell(x), spell(y)) for x, y in action.distinct)
    outcomes = [Outcome.plain(respell(o.literals), o.probability) for o in action.outcomes]
    return ActionModel.chance(header, respell(action.needed), outcomes, distinct)
