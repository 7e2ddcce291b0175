"""What the things in one paragraph are called: with their type at first mention, by name alone later.

Parameters are written in capitals (`?p` is "package P", then "P"), objects as they are. A parameter called
like its type is "the truck". Within one action no two things have the same name.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.core.symbols import OBJECT, ActionHeader
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.report.lexicon import split

Called = tuple[str, str]
"""A name, and the noun that introduces it (empty if it needs none)."""


class Names:
    def __init__(self, look_up: Callable[[str], Called]) -> None:
        self._look_up = look_up
        self._introduced: set[str] = set()

    @classmethod
    def plain(cls) -> Names:
        """Names alone, for a literal out of context."""
        return cls(lambda term: (_shown(term[1:].upper() or "X" if term.startswith("?") else term), ""))

    @classmethod
    def of_action(cls, vocabulary: Vocabulary, header: ActionHeader) -> Names:
        """The action's parameters and the constants."""
        table = {c.name: (_shown(c.name), introduction(c.name, (c.type,))) for c in vocabulary.constants}
        taken = {shown for shown, _ in table.values()}
        for number, parameter in enumerate(header.parameters, start=1):
            bare = parameter.name.removeprefix("?")
            noun = introduction(bare, parameter.types)
            if split(bare) == split(parameter.types[0]) and _only_one(vocabulary, header, number - 1):
                shown, noun = f"the {noun_of(parameter.types)}", ""
            else:
                shown = _shown(bare.upper()) or f"X{number}"
            while shown in taken:
                shown += f"-{number}"
            taken.add(shown)
            table[parameter.name] = (shown, noun)
        return cls(lambda term: table.get(term, (term, "")))

    @classmethod
    def of_universe(cls, universe: Universe) -> Names:
        def look_up(term: str) -> Called:
            try:
                return _shown(term), introduction(term, (universe.object(term).type,))
            except InputError:
                return _shown(term), ""

        return cls(look_up)

    def say(self, term: str, noun: str = "") -> str:
        """The term's name, introduced if this is its first mention; a given noun always stands before it."""
        shown, own = self._look_up(term)
        first = term not in self._introduced
        self._introduced.add(term)
        if noun and (shown == f"the {noun}" or noun.replace(" ", "-") in shown.lower()):
            noun = ""
        noun = own or noun if first else noun
        return f"{noun} {shown}".strip()

    def format(self, template: str, args: tuple[str, ...]) -> str:
        """Fill `{0}` with the first argument's name; `{0:truck}` asks for the noun every time."""
        return template.format(*(Term(self, a) for a in args))


class Term:
    """One argument of a template."""

    def __init__(self, names: Names, term: str) -> None:
        self._names, self._term = names, term

    def __format__(self, noun: str) -> str:
        return self._names.say(self._term, noun)


def noun_of(types: tuple[str, ...]) -> str:
    """The types as a noun: empty for things of any type."""
    return "" if OBJECT in types else " or ".join(" ".join(split(t)) or t for t in types)


def introduction(name: str, types: tuple[str, ...]) -> str:
    """The noun to put before a name, unless the name says it already."""
    said, spoken = split(name), name.lower()
    for type_name in types:
        words = split(type_name)
        if set(words) <= set(said) or (len(type_name) > 2 and type_name.lower() in spoken):
            return ""
    return noun_of(types)


def _shown(name: str) -> str:
    """Underscores at the edges would be read as emphasis."""
    return f"`{name}`" if name.startswith("_") or name.endswith("_") else name


def _only_one(vocabulary: Vocabulary, header: ActionHeader, place: int) -> bool:
    """Whether "the truck" cannot be anything else: no other parameter or constant could be one."""
    types = header.parameters[place].types
    others = [p.types for i, p in enumerate(header.parameters) if i != place]
    others += [(c.type,) for c in vocabulary.constants]
    return (
        len(types) == 1 and types != (OBJECT,) and not any(vocabulary.common_type(types, t) for t in others)
    )
