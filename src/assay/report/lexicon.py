"""Words whose use in names of predicates, actions and types is safe to guess.

Every list is a licence to say something in plain English; a word that is on none of them is quoted as it
is. Words that different authors use with opposite meanings are left out on purpose: `(above ?low ?high)`
and `(smaller ?x ?y)` say in some published domains that the *second* thing is above or smaller.
"""

from __future__ import annotations

import re
from enum import StrEnum

from assay.core.symbols import OBJECT, Parameter
from assay.core.vocabulary import Vocabulary


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split(", "))


class Kind(StrEnum):
    """What a thing can be in a sentence, guessed from the name of its type."""

    PLACE = "place"
    CARRIER = "carrier"
    CONTAINER = "container"
    SURFACE = "surface"
    TOOL = "tool"
    PERSON = "person"
    ACTOR = "actor"
    VALUE = "value"
    THING = "thing"
    UNKNOWN = "unknown"
    """Untyped: it may be anything."""


_KINDS = {
    Kind.PLACE: (
        "airport area base building cell city corridor country curb depot dock floor garage gate "
        "goal harbor harbour home house island junction kitchen landmark loc location market node "
        "office place point port pos position region room segment shop shore site spot square "
        "station stop street tile town warehouse waypoint zone"
    ),
    Kind.CARRIER: "aircraft airplane boat bus elevator ferry lift plane ship train truck van vehicle wagon",
    Kind.CONTAINER: "bag basket bin bottle bowl box bucket container cup glass jar shaker shot store tray",
    Kind.SURFACE: "ground pallet shelf stand surface table",
    Kind.TOOL: "arm crane finger gripper hand hoist",
    Kind.PERSON: (
        "astronaut child driver human man passenger patient person pilot traveler traveller woman worker"
    ),
    Kind.ACTOR: "agent drone player robot rover satellite uav walker",
    Kind.VALUE: "amount count direction level mode num numb number quantity size step time value flevel",
    Kind.THING: (
        "ball battery block bomb book card coin crate disc disk door gold hole instrument item key laser "
        "letter nut obj package parcel peg rock sample sandwich spanner stone"
    ),
}
KIND_OF_WORD = {word: kind for kind, words in _KINDS.items() for word in words.split()}

REACH = {Kind.TOOL: 2, Kind.ACTOR: 2, Kind.PERSON: 2, Kind.CARRIER: 1}
"""Of two things, the one that holds, drives or carries the other ranks higher."""

INSIDE = _words("area building city country garage house kitchen office region room shop town zone")
"""Places one is in rather than at."""

UNIQUE = _words("agent elevator ferry floor ground kitchen lift player robot table")
"""Nouns that take "the" when they stand alone in a name."""

MASS = _words("gold rock")
"""Nouns without an article."""

NEGATIONS = _words("not no non never without neither isnt cannot cant")
"""First words of names that would make a double negation."""

ADJECTIVES = _words(
    "active alive awake bad black blank blue broken busy clean clear closed cold complete dark dead "
    "dirty done dry empty fragile free fresh full good green hidden home hot idle inactive known large "
    "lit locked loose new off old open pure ready red safe shut sick small sterile stuck tight unknown "
    "used visible warm wet white whole yellow"
)
_ADJECTIVE_ENDINGS = ("able", "ible", "less", "ful")
_NOT_ADJECTIVES = _words(
    "able bed bible bleed bread breed cable creed deed feed fable greed handful embed need parable reed "
    "seed shed sled speed spoonful syllable table timetable variable vegetable weed unless bless less"
)
_NOT_ACTIVITIES = _words(
    "anything ceiling clearing during evening everything nothing something spring string"
)

PREPOSITIONS = _phrases(
    "at, in, on, inside, outside, within, near, beside, behind, alongside, next to, close to, in front "
    "of, on top of, on board, aboard, onboard, adjacent to, left of, right of, north of, south of, east "
    "of, west of, part of"
)
"""Between two arguments these read in order. One is called above and below in either order."""

NO_NOUNS = _words("already are be been had has have is last must now once should still was were will")

SMALL_PREPOSITIONS = _words("at by for from in into inside of off on onto over to toward towards with")

IDIOMS = _phrases(
    "at home, at rest, at risk, at work, at ease, in use, in order, in place, in progress, in motion, in "
    "transit, in stock, in orbit, in flight, on fire, on duty, on hold, on time, on call, on sale, on "
    "loan, off duty, off line, on line"
)

WITH_PREPOSITION = {
    "adjacent": "adjacent to",
    "attached": "attached to",
    "connected": "connected to",
    "joined": "joined to",
    "linked": "linked to",
    "neighbor": "a neighbor of",
    "neighbour": "a neighbour of",
    "neighboring": "a neighbor of",
}

HOLDING = {
    "holding": "is holding",
    "carrying": "is carrying",
    "lifting": "is lifting",
    "grasping": "is grasping",
    "gripping": "is gripping",
    "driving": "is driving",
    "riding": "is riding",
    "carry": "carries",
    "carries": "carries",
    "hold": "holds",
    "holds": "holds",
    "has": "has",
    "have": "has",
}
"""Who does it to what is told by the kinds of the two things, never by their order."""

TRANSITIVE_STATES = _words("holding carrying grasping gripping")
"""Said of one thing that does not act itself, it is the agent who does it."""

INTRANSITIVE_STATES = _words("burning flying moving resting running sleeping standing waiting working")

STATIVE_VERBS = {
    "contains": "contain",
    "covers": "cover",
    "dispenses": "dispense",
    "knows": "know",
    "likes": "like",
    "needs": "need",
    "owns": "own",
    "provides": "provide",
    "requires": "require",
    "supports": "support",
    "wants": "want",
}

CONNECTIONS = _words(
    "bridge connection corridor door edge flight link path rail railway road route street track tunnel way"
)

ATTRIBUTES = _words(
    "age capacity color colour depth height length level name price rank shape size speed status "
    "temperature value weight width"
)
PLACE_ATTRIBUTES = _words("address destination origin")

MOTION = _words(
    "climb drive fly go jump move navigate push ride roll run sail shift slide swim transport travel "
    "turn walk zoom"
)
INTRANSITIVE = _words("arrive climb depart go jump run swim travel walk")
PARTICLES = _words("up down left right forward forwards back backward backwards slow fast slowly quickly")
DIRECTIONS = _words("up down left right forward forwards back backward backwards north south east west")

LOADING = {"load": "into", "unload": "from", "board": "onto", "debark": "from", "disembark": "from"}
BOARDING = {"board": "board", "debark": "debark from", "disembark": "disembark from"}
"""What a person does with the vehicle."""

PUTTING = _words("put place hang drop set stack insert install mount pack")

HANDLING = _words(
    "buy catch collect create destroy drop fetch get grab grasp lift make pick place recharge refuel "
    "release remove sell serve take tighten"
) | _phrases("pick up, put down, set down, lay down, drop off")
"""Verbs whose one movable argument is the thing it is done to; a place is where it is done."""

MANUAL = _words("catch drop grab grasp lift pick release take") | _phrases("pick up, put down, set down")
"""Of these, the ones for which a hand or a crane is what it is done with."""

TRANSITIVE = _words(
    "activate assemble build calibrate charge clean close cook cut deactivate detonate dig empty fill fix "
    "harvest inspect light lock mine open paint photograph plant print read refill repair restart sample "
    "scan sterilize unlock use visit wash water write"
)
"""Verbs that may be done to anything, a place or a hand as well: only where there is no choice."""

SAVING_CONTENTS = _words("drop release")
"""One may drop the contents of a container: it is not the object for certain."""

VERTICAL = _words("above below bottom lower on over top under underneath upper")
"""Parameters called so may come in either order."""

PHRASAL = _phrases(
    "pick up, put down, set down, lay down, switch on, switch off, turn on, turn off, take off, shut "
    "down, start up, drop off, clean up, plug in, open up"
)
GLUED = {
    "pickup": "pick up",
    "putdown": "put down",
    "setdown": "set down",
    "dropoff": "drop off",
    "switchon": "switch on",
    "switchoff": "switch off",
    "handempty": "hand empty",
    "armempty": "arm empty",
    "handfree": "hand free",
}
OTHER_VERBS = _words(
    "add ask attach break call check combine communicate connect deliver detach disconnect enter exit "
    "feed find fire follow give heat help join keep land launch leave mix open pass pay play pour press "
    "pull reach receive rotate send shake shoot show spray start stop store swap switch test throw "
    "touch transfer transmit unstack wait wake warm watch wear withdraw"
)
VERBS = (
    MOTION
    | INTRANSITIVE
    | LOADING.keys()
    | PUTTING
    | {v.split()[0] for v in HANDLING}
    | TRANSITIVE
    | OTHER_VERBS
    | {"lay", "shut", "plug", "stack"}
)

CONVEYING = _words("push roll shift slide transport")
"""Motion that is always done to a thing, even to a person."""

FROM_WORDS = _words("from src source origin orig start old")
TO_WORDS = _words("to dst dest destination new target")


def split(name: str) -> tuple[str, ...]:
    """The lower-case words of a name: cut at signs and at capitals inside, glued compounds taken apart."""
    cut = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name)
    words = [w.lower() for w in re.split(r"[^A-Za-z0-9]+", cut) if w]
    return tuple(part for word in words for part in GLUED.get(word, word).split())


def is_quality(word: str) -> bool:
    """Whether "x is <word>" is English: an adjective or a past participle."""
    if word in ADJECTIVES:
        return True
    if word in _NOT_ADJECTIVES or len(word) < 5:
        return False
    return word.endswith("ed") or word.endswith(_ADJECTIVE_ENDINGS)


def is_activity(word: str) -> bool:
    """Whether "x is <word>" says what x is doing."""
    return word.endswith("ing") and len(word) > 5 and word not in _NOT_ACTIVITIES and not is_noun(word)


def kind_of_word(word: str) -> Kind | None:
    return KIND_OF_WORD.get(word.rstrip("0123456789"))


def is_noun(word: str) -> bool:
    return kind_of_word(word) is not None


def article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def kind_of(vocabulary: Vocabulary, parameter: Parameter) -> Kind:
    """The kind of all things that fit the parameter; untyped ones go by the parameter's own name."""
    if parameter.types == (OBJECT,):
        named = {KIND_OF_WORD[w] for w in split(parameter.name) if w in KIND_OF_WORD and len(w) > 2}
        return named.pop() if len(named) == 1 else Kind.UNKNOWN
    kinds = {_kind_of_type(vocabulary, t) for t in parameter.types}
    return kinds.pop() if len(kinds) == 1 else Kind.THING


def _kind_of_type(vocabulary: Vocabulary, name: str) -> Kind:
    parents = {t.name: t.parents for t in vocabulary.types}
    level = [name]
    while level:
        for word in (w for t in level for w in split(t)[-1:]):
            if (kind := kind_of_word(word)) is not None:
                return kind
        level = [p for t in level for p in parents.get(t, ()) if p != OBJECT]
    return Kind.THING


def names_type(vocabulary: Vocabulary, words: tuple[str, ...], parameter: Parameter) -> bool:
    """Whether the words name the parameter's type or one above it; untyped ones go by their own name."""
    if parameter.types == (OBJECT,):
        return bool(words) and split(parameter.name) == words
    above = {t for own in parameter.types for t in vocabulary.supertypes(own)} - {OBJECT}
    return any(split(t) == words for t in above)
