"""What the condition of an action may depend on: facts about (state, arguments), numbered once per action.

*Own* atoms are over the parameters and constants. A *profile* says which facts hold of one other object z, alone
and together with the arguments; an object's *unary* facts come first in it and are numbered alike for all actions.
A *quantified feature* says that some other object has a part of a profile; it is introduced only after a
counterexample asked for it.

Different parameters stand for different objects and no parameter for a constant; an action whose parameters may
coincide is described by several variants (`Shape`), in which equal parameters are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from assay.core.symbols import OBJECT, Atom, Literal, Step
from assay.core.vocabulary import Vocabulary

OTHER = "?*"
"""The variable of a profile; no parameter can be called that."""

Profile = tuple[str, int]
"""An object's type, and the facts of its profile that hold."""


Places = Sequence[tuple[str, tuple[str, ...]]]
"""Names of terms with their types."""


class Quantified(NamedTuple):
    """Some other object of the type, or of a type below it, has these bits at these places of its profile."""

    type: str
    mask: int
    value: int
    kinds: tuple[tuple[str, int, int], ...] = ()
    """The same for each type that counts, in the numbering of its own profile."""

    def fits(self, profile: Profile) -> bool:
        kind, facts = profile
        return any(kind == k and facts & mask == value for k, mask, value in self.kinds)


@dataclass(frozen=True)
class Shape:
    """An action with some of its parameters filled by the same object."""

    action: str
    parameters: tuple[str, ...]
    """Per parameter, the parameter that stands for it: the first of those that are equal."""

    @property
    def name(self) -> str:
        merged = [f"{p}" for p in self.parameters]
        return self.action if len(set(merged)) == len(merged) else f"{self.action}[{' '.join(merged)}]"

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.parameters))


class Numbering:
    """The types whose objects can make a difference, and the unary facts of each, shared by all actions."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.types = tuple(sorted(t.name for t in vocabulary.types if t.name != OBJECT)) or (OBJECT,)
        places = [(c.name, (c.type,)) for c in vocabulary.constants]
        self.unary = {t: tuple(self._about(t, places)) for t in self.all_types}

    @cached_property
    def all_types(self) -> tuple[str, ...]:
        return tuple(sorted({OBJECT} | {t.name for t in self.vocabulary.types}))

    def _about(self, type_name: str, places: Places) -> Iterator[Atom]:
        for atom in atoms_over(self.vocabulary, [*places, (OTHER, (type_name,))]):
            if OTHER in atom.args:
                yield atom


class Features:
    """The features of one shape of an action."""

    def __init__(self, numbering: Numbering, shape: Shape) -> None:
        self.numbering, self.shape = numbering, shape
        vocabulary = numbering.vocabulary
        header = vocabulary.action[shape.action]
        types = {p.name: p.types for p in header.parameters}
        groups: dict[str, list[tuple[str, ...]]] = {}
        for parameter, leader in zip(header.parameters, shape.parameters, strict=True):
            groups.setdefault(leader, []).append(types[parameter.name])
        self.parameters = shape.distinct
        self.types = tuple(self._common(groups[p]) for p in self.parameters)
        constants = [(c.name, (c.type,)) for c in vocabulary.constants]
        arguments = [
            (p, groups[p][0] if len(groups[p]) == 1 else (t,))
            for p, t in zip(self.parameters, self.types, strict=True)
        ]
        self.own = tuple(
            sorted(atoms_over(vocabulary, constants + arguments), key=lambda a: bool(a.variables))
        )
        self.index = {atom: place for place, atom in enumerate(self.own)}
        self.width = len(self.own)
        self.shared = sum(1 << n for n, atom in enumerate(self.own) if not atom.variables)
        """Facts that name no argument: all steps of a question see the same ones."""
        self.profiles = {
            t: numbering.unary[t]
            + tuple(
                a
                for a in atoms_over(vocabulary, [*constants, *arguments, (OTHER, (t,))])
                if OTHER in a.args and not set(a.args).isdisjoint(self.parameters)
            )
            for t in numbering.all_types
        }
        self.profile_index = {t: {a: n for n, a in enumerate(atoms)} for t, atoms in self.profiles.items()}
        self.named = tuple(zip(self.parameters, self.types, strict=True)) + tuple(
            (c.name, c.type) for c in vocabulary.constants
        )
        """Parameters and constants, with a type of each: what a step has names for."""
        self.others = tuple(t for t in numbering.types if self.profiles[t])
        """Types whose objects are placed around a step."""

    def _common(self, alternatives: list[tuple[str, ...]]) -> str:
        vocabulary, first = self.numbering.vocabulary, alternatives[0]
        if len(alternatives) == 1:
            return first[0]
        found = first
        for more in alternatives[1:]:
            common = vocabulary.common_type(found, more)
            found = (common,) if common else first
        return found[0]

    def arguments(self, objects: tuple[str, ...]) -> Step:
        """The step that fills the parameters, given one object for each distinct parameter."""
        of = dict(zip(self.parameters, objects, strict=True))
        return Step(self.shape.action, tuple(of[p] for p in self.shape.parameters))

    def atoms(self, own: int, objects: tuple[str, ...]) -> Iterator[Atom]:
        """The own facts that hold, over these objects; shared ones included."""
        binding = dict(zip(self.parameters, objects, strict=True))
        for place, atom in enumerate(self.own):
            if own >> place & 1:
                yield atom.substitute(binding)

    def profile_atoms(self, profile: Profile, name: str, objects: tuple[str, ...]) -> Iterator[Atom]:
        binding = dict(zip(self.parameters, objects, strict=True)) | {OTHER: name}
        for place, atom in enumerate(self.profiles[profile[0]]):
            if profile[1] >> place & 1:
                yield atom.substitute(binding)

    def quantified(self, kind: str, mask: int, value: int) -> Quantified:
        """The feature with its reading for every type at or below this one."""
        vocabulary = self.numbering.vocabulary
        places = [n for n in range(len(self.profiles[kind])) if mask >> n & 1]
        kinds = []
        for below in self.numbering.all_types:
            if vocabulary.fits(below, (kind,)):
                index = self.profile_index[below]
                its = {n: index[self.profiles[kind][n]] for n in places}
                kinds.append(
                    (
                        below,
                        sum(1 << its[n] for n in places),
                        sum(1 << its[n] for n in places if value >> n & 1),
                    )
                )
        return Quantified(kind, mask, value, tuple(kinds))

    def lifted(self, feature: Quantified) -> Iterator[Quantified]:
        """The same feature of the types directly above, where these know its facts."""
        vocabulary = self.numbering.vocabulary
        atoms = {self.profiles[feature.type][n]: n for n in range(len(self.profiles[feature.type]))}
        for parent in next((t.parents for t in vocabulary.types if t.name == feature.type), ()):
            index = self.profile_index.get(parent, {})
            named = [a for a, n in atoms.items() if feature.mask >> n & 1]
            if parent in self.numbering.types and all(a in index for a in named):
                mask = sum(1 << index[a] for a in named)
                value = sum(1 << index[a] for a in named if feature.value >> atoms[a] & 1)
                yield self.quantified(parent, mask, value)

    @property
    def other(self) -> str:
        """What the other object is called where people read it: `?z`, or `?z1` and so on if a parameter is."""
        taken = {p.name for p in self.numbering.vocabulary.action[self.shape.action].parameters}
        names = ("?z", *(f"?z{n}" for n in range(1, len(taken) + 1)))
        return next(name for name in names if name not in taken)

    def spelled(self, feature: Quantified) -> list[Literal]:
        """The profile of a quantified feature as people read it."""
        return [Literal(x.atom.substitute({OTHER: self.other}), x.positive) for x in self.literals(feature)]

    def literals(self, feature: Quantified) -> list[Literal]:
        """The profile of a quantified feature, over the parameters and `OTHER`."""
        atoms = self.profiles[feature.type]
        return [
            Literal(atoms[n], bool(feature.value >> n & 1))
            for n in range(len(atoms))
            if feature.mask >> n & 1
        ]


def atoms_over(vocabulary: Vocabulary, places: Places) -> Iterator[Atom]:
    """Every predicate over these terms, where a term's every type fits."""
    for predicate in vocabulary.predicates:
        choices = [
            [name for name, types in places if all(vocabulary.fits(t, p.types) for t in types)]
            for p in predicate.parameters
        ]
        for arguments in product(*choices):
            yield Atom(predicate.name, arguments)


def shapes(vocabulary: Vocabulary, action: str, equality: bool) -> list[Shape]:
    """The shapes of an action: all parameters different, and with `equality` every way in which some coincide."""
    header = vocabulary.action[action]
    names = [p.name for p in header.parameters]
    if not equality:
        return [Shape(action, tuple(names))]
    mergeable = {frozenset(pair) for pair in vocabulary.mergeable(action)}
    found: list[tuple[str, ...]] = [()]
    for name in names:
        found = [
            (*leaders, leader)
            for leaders in found
            for leader in [name, *dict.fromkeys(leaders)]
            if leader == name
            or all(
                frozenset((name, other)) in mergeable
                for other, its in zip(names, leaders, strict=False)
                if its == leader
            )
        ]
    return [Shape(action, leaders) for leaders in sorted(found, key=lambda x: (-len(set(x)), x))]
