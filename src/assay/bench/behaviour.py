"""Whether two models do the same: judged by what happens, never by how it is written.

Actions without quantifiers are compared in every valuation of the atoms that either mentions: exactly. Others
are compared in random situations with up to a few other objects around. These are drawn so that the step
runs in about half of them, by one model or the other, and so that conditions of effects hold now and then.
Steps are over different arguments: what happens if an object is given twice is not judged.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from assay.core.execution import Execution
from assay.core.formula import Exists, Forall, Formula, conjoin, leaves
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import Universe, bits_of, indices
from assay.core.vocabulary import Vocabulary
from assay.testing.hidden.invariant import Invariant
from assay.testing.hidden.situations import ground_atoms, satisfying

EXACT = 12
"""Atoms up to which all valuations are compared."""
SITUATIONS = 2000
"""Random situations for an action with quantifiers, or with more atoms."""
WORLDS = 40
"""Sets of objects among which these situations are shared out."""
OTHERS = 4
"""Most other objects in a situation."""
SOLUTIONS = 4
"""Ways to make each condition true that are looked for in one world."""
TURNED = 3
"""Most facts that are turned round in a situation in which a condition holds."""


@dataclass(frozen=True)
class Difference:
    """A situation in which the models part."""

    state: str
    step: str
    expected: str | None
    """The state after the step by the truth; None if it is refused."""
    found: str | None


def difference(
    found: Model,
    truth: Model,
    action: str,
    *,
    seed: int = 0,
    invariant: Invariant | None = None,
    residents: Iterable[Object] = (),
) -> Difference | None:
    """A situation in which the action does something else; None if there is none, or none was met.

    Situations are those that the invariant allows; `residents` are objects that are always there.
    """
    rng = random.Random(f"{action} {seed}")
    pair = (truth.action[action], found.action[action])
    words = truth.vocabulary
    mentioned = sorted({atom for a in pair for atom in _atoms(a)})
    exact = len(mentioned) <= EXACT and not any(map(_quantified, pair))
    for number in range(1 if exact else WORLDS):
        world = _World(words, pair[0], rng, number % (OTHERS + 1), invariant, residents)
        runs = [Execution(m, world.universe) for m in (truth, found)]
        states = world.every(mentioned) if exact else islice(world.drawn(pair), SITUATIONS // WORLDS)
        for bits in states:
            if not world.valid(bits):
                continue
            if runs[0].apply(bits, world.step) != runs[1].apply(bits, world.step):
                return _told(world, runs, bits)
    return None


def _told(world: _World, runs: list[Execution], bits: int) -> Difference:
    """A difference, without the facts that make none."""
    for number in indices(bits):
        less = bits & ~(1 << number)
        if runs[0].apply(less, world.step) != runs[1].apply(less, world.step):
            bits = less
    expected, found = (run.apply(bits, world.step) for run in runs)
    return Difference(
        _text(world.universe, bits),
        world.step.text,
        None if expected is None else _text(world.universe, expected),
        None if found is None else _text(world.universe, found),
    )


class _World:
    """One step, and some other objects."""

    def __init__(
        self,
        words: Vocabulary,
        action: ActionModel,
        rng: random.Random,
        others: int,
        invariant: Invariant | None,
        residents: Iterable[Object],
    ) -> None:
        self.rng, self.universe = rng, Universe(words, residents)
        types = [t.name for t in words.types] or ["object"]
        args = []
        for number, p in enumerate(action.header.parameters):
            fitting = [t for t in types if words.fits(t, p.types)] or list(p.types)
            args.append(self.universe.add(Object(f"arg{number}", rng.choice(fitting))).name)
        for number in range(others):
            self.universe.add(Object(f"other{number}", rng.choice(types)))
        self.step = Step(action.header.name, tuple(args))
        self.binding = action.header.bind(self.step.args)
        self._size = len([self.universe.index(a) for a in ground_atoms(self.universe)])
        self._exclusive = self._groups(invariant.predicates) if invariant else []

    def _groups(self, predicates: frozenset[str]) -> list[int]:
        """Facts of which a valid state has at most one."""
        found: dict[str, int] = {}
        for number in range(self._size):
            atom = self.universe.atom(number)
            if atom.predicate in predicates:
                found[atom.args[0]] = found.get(atom.args[0], 0) | 1 << number
        return list(found.values())

    def valid(self, bits: int) -> bool:
        return all((bits & group).bit_count() < 2 for group in self._exclusive)

    def _repaired(self, bits: int, wanted: int) -> int:
        """The state with one fact left of several that exclude each other, a wanted one if there is one."""
        for group in self._exclusive:
            if (bits & group).bit_count() > 1:
                bits = bits & ~group | 1 << self.rng.choice(indices(bits & group & wanted or bits & group))
        return bits

    def every(self, atoms: Iterable[Atom]) -> Iterator[int]:
        """All valuations of the lifted atoms, everything else false."""
        numbers = [self.universe.index(a.substitute(self.binding)) for a in atoms]
        for row in range(1 << len(numbers)):
            yield bits_of(n for k, n in enumerate(numbers) if row >> k & 1)

    def drawn(self, pair: tuple[ActionModel, ...]) -> Iterator[int]:
        """Situations without end: in half of them some condition of either model holds."""
        wanted = [
            values
            for formula in dict.fromkeys(chain.from_iterable(map(_conditions, pair)))
            for values in islice(satisfying(formula, self.universe, self.binding, self.rng), SOLUTIONS)
        ]
        masks = [(self._mask(values, True), self._mask(values, False)) for values in wanted]
        while True:
            bits = self._random()
            true, false = self.rng.choice(masks or [(0, 0)])
            bits = self._repaired(bits & ~false | true, true)
            yield bits
            yield self._repaired(bits ^ self._few(true | false), 0)

    def _mask(self, values: dict[Atom, bool], positive: bool) -> int:
        return bits_of(self.universe.index(a) for a, value in values.items() if value == positive)

    def _random(self) -> int:
        """Each fact true by chance: with one of four densities."""
        one, two = (self.rng.getrandbits(self._size) if self._size else 0 for _ in range(2))
        return self.rng.choice((one, one & two, one | two, one & two & self.rng.getrandbits(self._size or 1)))

    def _few(self, among: int) -> int:
        numbers = indices(among)
        return bits_of(self.rng.sample(numbers, min(len(numbers), self.rng.randint(1, TURNED))))


def _conditions(action: ActionModel) -> Iterator[Formula]:
    """The precondition, and beside each condition of an effect."""
    yield action.precondition
    for effect in sorted(action.effects, key=str):
        if not effect.is_plain:
            condition: Formula = effect.condition
            if effect.variables:
                condition = Exists(effect.variables, condition)
            yield conjoin([action.precondition, condition])


def _quantified(action: ActionModel) -> bool:
    return any(e.variables for e in action.effects) or any(
        isinstance(part, Exists | Forall)
        for formula in (action.precondition, *(e.condition for e in action.effects))
        for part in _parts(formula)
    )


def _parts(formula: Formula) -> Iterator[Formula]:
    yield formula
    for part in getattr(formula, "parts", ()):
        yield from _parts(part)


def _atoms(action: ActionModel) -> set[Atom]:
    """Every atom that its formulas and effects mention."""
    formulas = [action.precondition, *(e.condition for e in action.effects)]
    found = {leaf.atom for f in formulas for leaf in leaves(f) if isinstance(leaf, Literal)}
    return found | {e.literal.atom for e in action.effects}


def _text(universe: Universe, bits: int) -> str:
    return ", ".join(universe.texts(bits))
