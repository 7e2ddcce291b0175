"""Actions as English verb phrases: "load package P into truck T at location L".

Like predicates, actions are read only where name and types leave little doubt; what finds no place in the
sentence follows in parentheses, and an action that cannot be read at all is a list: "calibrate (satellite S,
instrument I, direction D)". Where a model is known, a journey "from A to B" must also be one: the model moves
something from A to B and not back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from assay.core.formula import conjuncts, leaves
from assay.core.model import ActionModel, Model
from assay.core.symbols import ActionHeader, Literal
from assay.core.vocabulary import Vocabulary
from assay.report.lexicon import (
    BOARDING,
    CONVEYING,
    DIRECTIONS,
    FROM_WORDS,
    HANDLING,
    INSIDE,
    INTRANSITIVE,
    LOADING,
    MANUAL,
    MOTION,
    PARTICLES,
    PHRASAL,
    PUTTING,
    REACH,
    SAVING_CONTENTS,
    SMALL_PREPOSITIONS,
    TO_WORDS,
    TRANSITIVE,
    VERBS,
    VERTICAL,
    Kind,
    kind_of,
    names_type,
    split,
)
from assay.report.phrase import confusable


def verb_phrases(vocabulary: Vocabulary, model: Model | None = None) -> dict[str, str]:
    """A template for each action of the vocabulary; every parameter is in it."""
    known = model.action if model is not None else {}
    said = {a.name: Performance(vocabulary, a, known.get(a.name)).phrase() for a in vocabulary.actions}
    parameters = {a.name: a.parameters for a in vocabulary.actions}
    for name in confusable({n: {t} for n, t in said.items()}, parameters, vocabulary):
        said[name] = _listed(f"do `{name}`", list(range(len(parameters[name]))))
    return said


@dataclass(slots=True)
class Sentence:
    """A verb phrase in the making: which parameters are said already."""

    text: str
    left: list[int] = field(default_factory=list)

    def say(self, words: str, place: int | None, noun: str = "") -> None:
        """Add a parameter and what leads to it; nothing if there is none."""
        if place is not None:
            self.text += f" {words} {{{place}{':' + noun if noun else ''}}}".replace("  ", " ")
            self.left.remove(place)

    def finish(self) -> str:
        return _listed(self.text, self.left)


def _listed(text: str, places: list[int]) -> str:
    return f"{text} ({', '.join(f'{{{i}}}' for i in places)})" if places else text


class Performance:
    """The attempt to read one action."""

    def __init__(self, vocabulary: Vocabulary, header: ActionHeader, model: ActionModel | None) -> None:
        self.vocabulary, self.header, self.model = vocabulary, header, model
        self.kinds = [kind_of(vocabulary, p) for p in header.parameters]
        self.words = split(header.name)
        if self.words and self.words[0] in DIRECTIONS:
            self.words = ("go", *self.words)

    def phrase(self) -> str:
        if not self.words:
            return _listed(f"do `{self.header.name}`", self._everything)
        length = 2 if " ".join(self.words[:2]) in PHRASAL else 1
        verb, rest = " ".join(self.words[:length]), self.words[length:]
        for attempt in (self._travel, self._load, self._put, self._stack, self._handle):
            if (found := attempt(verb, rest)) is not None:
                return found
        return self._plain(verb, rest)

    @property
    def _everything(self) -> list[int]:
        return list(range(self.header.arity))

    def _plain(self, verb: str, rest: tuple[str, ...]) -> str:
        words = [*verb.split(), *rest]
        if "to" in rest[1:-1] and verb in MOTION and self._names_types(rest, "to"):
            words.insert(len(verb.split()), "from")  # `move-curb-to-car`
        if words[0] in VERBS and all(w.isalpha() and len(w) > 1 for w in words):
            return _listed(" ".join(words), self._everything)
        return _listed(f"do `{' '.join(split(self.header.name))}`", self._everything)

    def _names_types(self, words: tuple[str, ...], middle: str) -> bool:
        cut = words.index(middle)
        parts = (words[:cut], words[cut + 1 :])
        return all(any(self._is_type(part, i) for i in self._everything) for part in parts)

    # --- from somewhere to somewhere

    def _travel(self, verb: str, rest: tuple[str, ...]) -> str | None:
        if verb not in MOTION:
            return None
        if rest == ("to",) and self.header.arity == 1:
            return f"{verb} to {{0}}"
        route = self._route()
        if route is None:
            return None
        origin, target = route
        others = [i for i in self._everything if i not in route]
        mover = self._mover(verb, route, others)
        if rest and set(rest) <= PARTICLES:
            verb, mover = " ".join((verb, *rest)), None
        elif (named := self._named(rest, others)) is not None:
            mover = named
        elif rest not in ((), ("to",), ("from", "to")) and not (
            "to" in rest
            and self._is_type(rest[: rest.index("to")], origin)
            and self._is_type(rest[rest.index("to") + 1 :], target)
        ):
            return None
        sentence = Sentence(verb, self._everything)
        kind = self.kinds[mover] if mover is not None else None
        if mover is not None and verb in INTRANSITIVE and kind not in (Kind.PERSON, Kind.ACTOR):
            return None
        if mover is not None and (verb in INTRANSITIVE or (kind is Kind.PERSON and verb not in CONVEYING)):
            sentence.text = "have"
            sentence.say("", mover)
            sentence.text += f" {verb}"
        else:
            sentence.say(
                "", mover, " ".join(rest) if mover is not None and self._is_type(rest, mover) else ""
            )
        sentence.say("from", origin)
        sentence.say("to", target)
        return sentence.finish()

    def _mover(self, verb: str, route: tuple[int, int], others: list[int]) -> int | None:
        """What travels: the model shows it, or it is the only thing that can."""
        movable = [i for i in others if self.kinds[i] not in (Kind.VALUE, Kind.PLACE)]
        moved = self._shifts().get(route)
        if moved is not None:
            movable = [i for i in movable if i in moved]
        elif verb not in CONVEYING and not all(self.kinds[i] in REACH for i in movable):
            return None
        return movable[0] if len(movable) == 1 else None

    def _route(self) -> tuple[int, int] | None:
        """Where it starts and ends: by the names of the parameters, and not against the model."""
        shifts = self._shifts()
        starts = [i for i in self._everything if self._called(i, FROM_WORDS)]
        ends = [i for i in self._everything if self._called(i, TO_WORDS)]
        if len(starts) == len(ends) == 1 and starts != ends:
            pair = (starts[0], ends[0])
            against = pair[::-1] in shifts and pair not in shifts
            return None if against or not self._fit(*pair) else pair
        return next(iter(shifts)) if len(shifts) == 1 else None

    def _called(self, place: int, words: frozenset[str]) -> bool:
        return bool(words & set(split(self.header.parameters[place].name)))

    def _fit(self, first: int, second: int) -> bool:
        x, y = self.header.parameters[first], self.header.parameters[second]
        return self.vocabulary.common_type(x.types, y.types) is not None

    def _shifts(self) -> dict[tuple[int, int], set[int]]:
        """Pairs between which the model moves something, and what: true of the first, then of the second."""
        found: dict[tuple[int, int], set[int]] = {}
        if self.model is None or not self.model.is_deterministic:
            return found
        place = {p.name: i for i, p in enumerate(self.header.parameters)}
        needs = set(conjuncts(self.model.precondition))
        effects = {e.literal for e in self.model.effects if e.is_plain}
        for atom, positive in effects:
            if positive or Literal(atom) not in needs:
                continue
            for x, y in product(set(atom.variables), place):
                shifted = Literal(atom.substitute({x: y}))
                if x != y and shifted in effects and self._fit(place[x], place[y]):
                    moved = {place[v] for v in atom.variables} - {place[x]}
                    found.setdefault((place[x], place[y]), set()).update(moved)
        return found

    # --- things done to things

    def _load(self, verb: str, rest: tuple[str, ...]) -> str | None:
        """`load`, `unload-truck`, `board`: something, a vehicle, a place"""
        if verb not in LOADING:
            return None
        carrier = self._one(Kind.CARRIER if Kind.CARRIER in self.kinds else Kind.CONTAINER)
        place, tool = self._where(), self._one(Kind.TOOL)
        aside = {carrier, place, tool}
        cargo = [i for i in self._everything if i not in aside and self.kinds[i] is not Kind.VALUE]
        if len(cargo) != 1 or self.kinds[cargo[0]] in (Kind.PLACE, Kind.CARRIER, Kind.TOOL):
            return None
        if rest and not any(i is not None and self._is_type(rest, i) for i in (carrier, cargo[0])):
            return None
        noun = " ".join(rest) if rest and carrier is not None and self._is_type(rest, carrier) else ""
        person = self.kinds[cargo[0]] in (Kind.PERSON, Kind.ACTOR)
        if verb in BOARDING and not person and carrier is None:
            return None
        sentence = Sentence(verb, self._everything)
        if verb in BOARDING and person:
            sentence.text = "have"
            sentence.say("", cargo[0])
            sentence.text += f" {BOARDING[verb] if carrier is not None else verb}"
            sentence.say("", carrier, noun)
        else:
            sentence.say("", cargo[0])
            sentence.say(LOADING[verb], carrier, noun)
        return self._circumstances(sentence, place, tool)

    def _put(self, verb: str, rest: tuple[str, ...]) -> str | None:
        """`put-on-tray` of something and a tray"""
        if verb not in PUTTING or len(rest) < 2 or rest[0] not in ("on", "in", "into", "onto"):
            return None
        target = self._named(rest[1:], self._everything)
        things = [
            i for i in self._everything if i != target and self.kinds[i] in (Kind.THING, Kind.CONTAINER)
        ]
        if target is None or len(things) != 1:
            return None
        sentence = Sentence(verb, self._everything)
        sentence.say("", things[0])
        sentence.say(rest[0], target, " ".join(rest[1:]))
        return sentence.finish()

    def _stack(self, verb: str, rest: tuple[str, ...]) -> str | None:
        if verb not in ("stack", "unstack") or rest or self.header.arity != 2:
            return None
        x, y = (p.name for p in self.header.parameters)
        unfit = REACH.keys() | {Kind.PLACE, Kind.VALUE}
        if unfit & set(self.kinds) or VERTICAL & {*split(x), *split(y)} or self._lies_on(y, x):
            return None
        return "stack {0} on {1}" if verb == "stack" else "unstack {0} from {1}"

    def _lies_on(self, upper: str, lower: str) -> bool:
        """Whether the model speaks of the one on the other and not the other way round."""
        model = self.model
        if model is None:
            return False
        literals = [leaf for leaf in leaves(model.precondition) if isinstance(leaf, Literal)]
        literals += [e.literal for case in model.cases for o in case.outcomes for e in o.effects]
        pairs = {a.args for a, _ in literals if split(a.predicate)[:1] == ("on",)}
        return (upper, lower) in pairs and (lower, upper) not in pairs

    def _handle(self, verb: str, rest: tuple[str, ...]) -> str | None:
        """`pick-up`, `clean-shaker`, `sample-soil`, `depart`: one thing, perhaps a place and a hand"""
        place, tool = self._where(), self._one(Kind.TOOL) if verb in MANUAL else None
        sentence = Sentence(verb, self._everything)
        if verb in INTRANSITIVE and not rest:
            doers = [i for i in self._everything if self.kinds[i] in (Kind.PERSON, Kind.ACTOR)]
            if len(doers) != 1:
                return None
            sentence.text = "have"
            sentence.say("", doers[0])
            sentence.text += f" {verb}"
            return self._circumstances(sentence, place, None)
        thing = self._named(rest, self._everything) if rest else None
        if verb not in TRANSITIVE | HANDLING | PHRASAL:
            if thing is None or verb not in VERBS - INTRANSITIVE - LOADING.keys():
                return None
            sentence.say("", thing, " ".join(rest))
            return sentence.finish()
        if rest:
            if thing is None:
                if set(rest) & SMALL_PREPOSITIONS or not all(w.isalpha() and len(w) > 1 for w in rest):
                    return None
                sentence.text = " ".join((verb, *rest))
                return self._circumstances(sentence, place, None)
            if thing == place:
                place = None
        else:
            thing = self._thing(verb, tool)
            if thing is None or (verb in SAVING_CONTENTS and self.kinds[thing] is Kind.CONTAINER):
                return None
        sentence.say("", thing, " ".join(rest))
        return self._circumstances(sentence, place, tool if tool != thing else None)

    def _thing(self, verb: str, tool: int | None) -> int | None:
        """The only parameter that it can be done to."""
        if self.header.arity == 1:
            return 0
        apart = {Kind.VALUE, Kind.ACTOR, Kind.PERSON}
        if verb in HANDLING:
            apart |= {Kind.PLACE, Kind.SURFACE}
        things = [i for i in self._everything if i != tool and self.kinds[i] not in apart]
        if len(things) > 1 and verb in HANDLING:
            things = [i for i in things if self.kinds[i] is not Kind.CARRIER]
        return things[0] if len(things) == 1 else None

    def _circumstances(self, sentence: Sentence, place: int | None, tool: int | None) -> str:
        if place is not None and place in sentence.left:
            last = split(self.header.parameters[place].types[0])[-1:]
            sentence.say("in" if set(last) & INSIDE else "at", place)
        if tool is not None and tool in sentence.left:
            sentence.say("with", tool)
        return sentence.finish()

    def _where(self) -> int | None:
        """The only place, unless its name says that it is where things come from or go to."""
        place = self._one(Kind.PLACE)
        return None if place is None or self._called(place, FROM_WORDS | TO_WORDS) else place

    def _one(self, *kinds: Kind) -> int | None:
        found = [i for i, kind in enumerate(self.kinds) if kind in kinds]
        return found[0] if len(found) == 1 else None

    def _named(self, words: tuple[str, ...], places: list[int]) -> int | None:
        """The only parameter of the type that the words name."""
        found = [i for i in places if self._is_type(words, i)]
        return found[0] if len(found) == 1 else None

    def _is_type(self, words: tuple[str, ...], place: int) -> bool:
        return names_type(self.vocabulary, words, self.header.parameters[place])
