"""Predicates as English clauses: a chain of readings, tried in order, with a neutral last resort.

A reading is used only where the name of the predicate and the types of its arguments leave little doubt: who
holds whom is told by their types, `(at-robot ?room)` and `(at-goal ?stone)` by which of the two words is a
place. Everything else is quoted: "`above` holds for floor F and floor G" claims no more than the name does.
Two predicates that would be said alike are both quoted.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.core.symbols import OBJECT, Predicate
from assay.core.vocabulary import Vocabulary
from assay.report.lexicon import (
    ATTRIBUTES,
    CONNECTIONS,
    FROM_WORDS,
    HOLDING,
    IDIOMS,
    INTRANSITIVE_STATES,
    MASS,
    NEGATIONS,
    NO_NOUNS,
    PLACE_ATTRIBUTES,
    PREPOSITIONS,
    REACH,
    SMALL_PREPOSITIONS,
    STATIVE_VERBS,
    TO_WORDS,
    TRANSITIVE_STATES,
    UNIQUE,
    VERBS,
    WITH_PREPOSITION,
    Kind,
    article,
    is_activity,
    is_noun,
    is_quality,
    kind_of,
    kind_of_word,
    names_type,
    split,
)
from assay.report.phrase import Phrase, confusable


def phrases(vocabulary: Vocabulary) -> dict[str, Phrase]:
    """How each predicate of the vocabulary is said."""
    said = {p.name: Reading(vocabulary, p).phrase() for p in vocabulary.predicates}
    templates = {name: {p.holds, p.fails, p.ended} for name, p in said.items()}
    parameters = {p.name: p.parameters for p in vocabulary.predicates}
    for name in confusable(templates, parameters, vocabulary):
        said[name] = Phrase.quoted(name, len(parameters[name]))
    return said


class Reading:
    """The attempt to read one predicate."""

    def __init__(self, vocabulary: Vocabulary, predicate: Predicate) -> None:
        self.vocabulary, self.predicate = vocabulary, predicate
        self.places = predicate.parameters
        self.kinds = [kind_of(vocabulary, p) for p in self.places]
        self.words = self._unglued(split(predicate.name))

    def phrase(self) -> Phrase:
        readings: dict[int, tuple[Callable[[], Phrase | None], ...]] = {
            0: (self._state_of_a_noun,),
            1: (self._quality, self._doing, self._being, self._having, self._ability, self._place),
            2: (
                self._preposition,
                self._relation,
                self._location,
                self._holding,
                self._aiming,
                self._verb,
                self._connection,
                self._attribute,
                self._ability,
            ),
            3: (self._ability,),
        }
        if self.words and self.words[0] not in NEGATIONS and not NEGATIONS & set(self.words[1:2]):
            for reading in readings.get(self.predicate.arity, ()):
                if (found := reading()) is not None:
                    return found
        return Phrase.quoted(
            " ".join(split(self.predicate.name)) or self.predicate.name, self.predicate.arity
        )

    def _unglued(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """`ontray` and `incell` as two words, where the second is a type or a place."""
        types = {" ".join(split(t.name)) for t in self.vocabulary.types}
        if len(words) == 1 and words[0] not in PREPOSITIONS:
            for head in ("on", "in", "at"):
                tail = words[0].removeprefix(head)
                if tail != words[0] and (tail in types or kind_of_word(tail) in (Kind.PLACE, Kind.SURFACE)):
                    return head, tail
        return words

    def _is_type(self, words: tuple[str, ...], place: int) -> bool:
        return names_type(self.vocabulary, words, self.places[place])

    @property
    def _alike(self) -> bool:
        """Whether both arguments are of one declared type, and their names do not deny it."""
        return self.places[0].types == self.places[1].types and self.kinds[0] == self.kinds[1]

    # --- no argument

    def _state_of_a_noun(self) -> Phrase | None:
        """`hand-empty`, `empty-ferry`"""
        for noun, quality in ((self.words[:-1], self.words[-1]), (self.words[1:], self.words[0])):
            if noun and is_quality(quality) and all(map(is_noun, noun)):
                return Phrase.be(f"the {' '.join(noun)}", quality)
        return None

    # --- one argument

    def _quality(self) -> Phrase | None:
        """`clear`, `locked`, `in-use`, `equipped-for-imaging`; `car-clear` said of a car"""
        first, *rest = self.words
        if " ".join(self.words) in IDIOMS:
            return Phrase.be("{0}", " ".join(self.words))
        if is_quality(first) and not rest:
            if first == "home" and self.kinds[0] in (Kind.PLACE, Kind.UNKNOWN):
                return None
            return Phrase.be("{0}", first)
        if is_quality(first) and len(rest) > 1 and rest[0] in SMALL_PREPOSITIONS:
            return None if rest[-1] in SMALL_PREPOSITIONS else Phrase.be("{0}", " ".join(self.words))
        for noun, quality in ((self.words[:-1], self.words[-1]), (self.words[1:], first)):
            if is_quality(quality) and self._is_type(noun, 0):
                return Phrase.be(f"{{0:{' '.join(noun)}}}", quality)
        return None

    def _doing(self) -> Phrase | None:
        """`holding` of a thing is what the agent does; `waiting` is what the thing does."""
        (word, *rest), kind = self.words, self.kinds[0]
        if rest:
            return None
        if word in TRANSITIVE_STATES and kind not in REACH:
            return Phrase.be("the agent", f"{word} {{0}}")
        return Phrase.be("{0}", word) if word in INTRANSITIVE_STATES else None

    def _being(self) -> Phrase | None:
        """`is-goal`; and `room` of an untyped thing, as domains without types say what is what"""
        first, *rest = self.words
        if first == "is" and rest and rest[-1] not in SMALL_PREPOSITIONS and not NEGATIONS & set(rest):
            what = " ".join(rest)
            return Phrase.be("{0}", article(what) if is_noun(rest[-1]) and not is_quality(what) else what)
        untyped = self.places[0].types == (OBJECT,)
        if not rest and untyped and is_noun(first) and not is_quality(first):
            return Phrase.be("{0}", article(first))
        return None

    def _having(self) -> Phrase | None:
        """`has-fuel` of a truck; not `has-key` of a key, which somebody else has"""
        first, *rest = self.words
        if first != "has" or not rest or self.kinds[0] in (Kind.UNKNOWN, Kind.VALUE):
            return None
        if self._is_type(tuple(rest), 0) or any(map(is_quality, rest)) or rest[0] in ("been", "to"):
            return None
        return None if rest[-1] in SMALL_PREPOSITIONS else Phrase.do("{0}", "has", "have", " ".join(rest))

    def _place(self) -> Phrase | None:
        """`robot-at` and `at-robot` of a place, `at-goal` and `ontable` of a thing"""
        *before, last = self.words
        first, *after = self.words
        somewhere = self.kinds[0] is Kind.PLACE
        if last == "at" and before and (somewhere or self.kinds[0] is Kind.UNKNOWN):
            doubtful = before[-1] in VERBS or is_quality(before[-1]) or before[-1].endswith("ly")
            if not set(before) & (SMALL_PREPOSITIONS | NO_NOUNS) and (is_noun(before[-1]) or not doubtful):
                return _found_at(before)
        if first not in ("at", "in", "on") or not after or set(after) & SMALL_PREPOSITIONS:
            return None
        kind = kind_of_word(after[-1])
        if somewhere:
            return _found_at(after) if first == "at" and kind is not Kind.PLACE else None
        if self.kinds[0] is Kind.UNKNOWN and (last not in UNIQUE or self.places[0].name[1:2] == last[0]):
            return None  # `(at-room ?r)` may be said of the room
        if kind in (Kind.PLACE, Kind.SURFACE) and len(after) == 1:
            return Phrase.be("{0}", f"{first} {'the ' + last if last in UNIQUE else article(last)}")
        return None

    # --- two arguments

    def _preposition(self) -> Phrase | None:
        """`on`, `inside`, `next-to`, unless the types say that the order is another one"""
        words = self.words[1:] if self.words[0] == "is" else self.words
        said, (first, second) = " ".join(words), self.kinds
        if said not in PREPOSITIONS:
            return None
        if said == "at" and self._alike and first is not Kind.UNKNOWN:
            return None  # more likely two coordinates
        if said == "at" and first is Kind.PLACE and second is not Kind.PLACE:
            return None
        here = (Kind.PLACE, Kind.CARRIER, Kind.CONTAINER, Kind.SURFACE)
        if said in ("at", "in", "inside", "within", "on") and first in here and second not in here:
            return None
        return Phrase.be("{0}", f"{said} {{1}}")

    def _relation(self) -> Phrase | None:
        """`connected`, `visible-from`, `waiting-for`, `store-of`"""
        words = self.words[1:] if self.words[0] == "is" else self.words
        if len(words) == 1 and words[0] in WITH_PREPOSITION:
            return Phrase.be("{0}", f"{WITH_PREPOSITION[words[0]]} {{1}}")
        if len(words) != 2 or words[1] not in SMALL_PREPOSITIONS:
            return None
        if is_quality(words[0]) or is_activity(words[0]):
            return Phrase.be("{0}", f"{' '.join(words)} {{1}}")
        if words[1] == "of" and self._is_type(words[:1], 0) and not self._is_type(words[:1], 1):
            return Phrase.be("{0}", f"{article(words[0])} of {{1}}")
        return None

    def _location(self) -> Phrase | None:
        """`in-city` of a place and a city, `passenger-at` of a passenger and a place, `at-lander` likewise"""
        first, last, second = self.words[0], self.words[-1], self.kinds[1]
        after, before = self.words[1:], self.words[:-1]
        if first in PREPOSITIONS and self._is_type(after, 1):
            return Phrase.be("{0}", f"{first} {{1:{' '.join(after)}}}")
        if last in PREPOSITIONS and self._is_type(before, 0):
            return Phrase.be(f"{{0:{' '.join(before)}}}", f"{last} {{1}}")
        if first == "at" and second is Kind.PLACE and self._is_type(after, 0):
            return Phrase.be(f"{{0:{' '.join(after)}}}", "at {1}")
        return None

    def _holding(self) -> Phrase | None:
        """`carry` of a ball and a gripper: the gripper carries the ball, whichever comes first"""
        first, *rest = self.words
        if first not in HOLDING or Kind.UNKNOWN in self.kinds:
            return None
        mine, other = (REACH.get(k, 0) for k in self.kinds)
        if mine == other:
            return None
        holder, held = ("{0}", 1) if mine > other else ("{1}", 0)
        if rest and not self._is_type(tuple(rest), held):
            return None
        thing = f"{{{held}:{' '.join(rest)}}}"
        said = HOLDING[first]
        if said.startswith("is "):
            return Phrase.be(holder, f"{said.removeprefix('is ')} {thing}")
        return Phrase.do(holder, said, {"carries": "carry", "holds": "hold", "has": "have"}[said], thing)

    def _aiming(self) -> Phrase | None:
        """`pointing` and `waiting` at something"""
        first, second = self.kinds
        if (
            self.words in (("pointing",), ("looking",), ("aiming",))
            and first in REACH
            and second not in REACH
        ):
            return Phrase.be("{0}", f"{self.words[0]} at {{1}}")
        if self.words == ("waiting",) and second is Kind.PLACE and first is not Kind.PLACE:
            return Phrase.be("{0}", "waiting at {1}")
        return None

    def _verb(self) -> Phrase | None:
        if len(self.words) != 1 or self.words[0] not in STATIVE_VERBS:
            return None
        return Phrase.do("{0}", self.words[0], STATIVE_VERBS[self.words[0]], "{1}")

    def _connection(self) -> Phrase | None:
        """`road`, `link`: from the first to the second, unless their names say otherwise"""
        if self.words[-1] not in CONNECTIONS or not self._alike or self._backwards(0, 1):
            return None
        what, ends = " ".join(self.words), "from {0} to {1}"
        return Phrase(
            f"there is {article(what)} {ends}",
            f"there is no {what} {ends}",
            f"there is no longer {article(what)} {ends}",
        )

    def _attribute(self) -> Phrase | None:
        """`height`, `fuel-level`, `key-shape`; and any attribute called like the type of its value"""
        if self._alike or self.kinds[0] is Kind.VALUE:
            return None
        *before, last = self.words
        if last in PLACE_ATTRIBUTES and self.kinds[0] is Kind.PLACE:
            return None
        if last in ATTRIBUTES | PLACE_ATTRIBUTES:
            owned = next((n for n in range(len(before), 0, -1) if self._is_type(tuple(before[:n]), 0)), 0)
            owner, what = " ".join(before[:owned]), " ".join([*before[owned:], last])
            return Phrase.be(f"the {what} of {{0:{owner}}}", "{1}")
        if self._is_type(self.words, 1) and not is_quality(last):
            return Phrase.do("{0}", "has", "have", f"{{1:{' '.join(self.words)}}}")
        return None

    # --- any number of arguments

    def _ability(self) -> Phrase | None:
        """`can-fly` of a robot, `can-hold` of a lift and a load, `can-traverse` of a rover and two places"""
        first, *rest = self.words
        if first != "can" or not rest or self.kinds[0] not in REACH or set(rest) & SMALL_PREPOSITIONS:
            return None
        what = " ".join(rest)
        if self.predicate.arity == 2:
            if self.kinds[1] in REACH:
                return None
            what += " {1}"
        elif self.predicate.arity == 3:
            if not self._backwards(2, 1):
                return None
            what += " from {1} to {2}"
        return Phrase("{0} can " + what, "{0} cannot " + what, "{0} can no longer " + what)

    def _backwards(self, first: int, second: int) -> bool:
        """Whether the parameters are called something like `?to` and `?from`, in this order."""
        names = [set(split(self.places[i].name)) for i in (first, second)]
        return bool(names[0] & TO_WORDS and names[1] & FROM_WORDS)


def _found_at(words: list[str]) -> Phrase:
    """Something or somebody named by the predicate itself is at the argument."""
    what = " ".join(words)
    if kind_of_word(words[-1]) is Kind.THING:
        one = what if words[-1] in MASS else article(what)
        return Phrase(
            f"there is {one} at {{0}}", f"there is no {what} at {{0}}", f"there is no longer {one} at {{0}}"
        )
    return Phrase.be(f"the {what}" if words[-1] in UNIQUE else what, "at {0}")
