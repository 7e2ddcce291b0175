"""Which ground actions run in a state, found by joining preconditions with the atoms that hold.

Drawing argument tuples at random is hopeless where an action has six parameters. Instead the positive
precondition literals are matched against the true atoms one after the other, each time the literal that
the fewest true atoms still fit; what no literal binds is taken from the objects of the right type. The
cost follows the number of matches, not the number of objects to the power of the arity.

Arguments are all different; constants are among them only if asked for.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Mapping
from itertools import islice

from assay.core.execution import Execution
from assay.core.formula import conjuncts
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal, Parameter, Step
from assay.core.universe import Universe

Row = tuple[str, ...]

CHOICES = 200
"""At most so many ways to do an action are looked at before one is drawn."""


def applicable_steps(model: Model, universe: Universe, bits: int) -> Iterator[Step]:
    """Every step that runs in the state, in a fixed order."""
    return Applicable(Execution(model, universe)).steps(bits)


class Applicable:
    """The same for many states, with compiled ground actions kept from one to the next.

    Arguments may be `constants` if so said, and the same object `twice` for actions that are named.
    """

    def __init__(self, execution: Execution, constants: bool = False, twice: Collection[str] = ()) -> None:
        self._execution, self._twice = execution, twice
        self._banned: frozenset[str] = frozenset()
        if not constants:
            self._banned = frozenset(c.name for c in execution.universe.vocabulary.constants)

    def steps(self, bits: int) -> Iterator[Step]:
        facts = Facts(self._execution.universe, bits)
        for action in sorted(self._execution.model.action):
            yield from self.of(action, facts)

    def of(self, action: str, facts: Facts) -> Iterator[Step]:
        """The steps of one action, in the order of the facts."""
        model = self._execution.model.action[action]
        for args in joined(model, facts, self._banned, twice=action in self._twice):
            step = Step(action, args)
            if self._execution.apply(facts.bits, step) is not None:
                yield step

    def draw(
        self,
        bits: int,
        rng: random.Random,
        done: Mapping[str, int] | None = None,
        seen: Container[int] = (),
    ) -> tuple[Step, int] | None:
        """A step that changes the state, and the state after it; None where nothing does.

        First an action is drawn, then how to do it: so actions with few ways to be done happen too. With
        counts of what was `done` before, the action done least often is taken. A step to a state that was
        `seen` is taken only if there is no other.
        """
        facts = Facts(self._execution.universe, bits, rng)
        actions = sorted(self._execution.model.action)
        rng.shuffle(actions)
        if done is not None:
            actions.sort(key=lambda action: done.get(action, 0))
        known: list[tuple[Step, int]] = []
        for action in actions:
            outcomes = ((step, self._execution.apply(bits, step)) for step in self.of(action, facts))
            changing = ((step, after) for step, after in outcomes if after is not None and after != bits)
            choices = list(islice(changing, CHOICES))
            if fresh := [(step, after) for step, after in choices if after not in seen]:
                return rng.choice(fresh)
            known = known or choices
        return rng.choice(known) if known else None


class Facts:
    """The atoms of one state as tables, looked up by any of their columns; shuffled if given a generator."""

    def __init__(self, universe: Universe, bits: int, rng: random.Random | None = None) -> None:
        self.universe, self.bits = universe, bits
        self._rng = rng
        self._names: dict[tuple[str, ...], list[str]] = {}
        self._rows: dict[str, list[Row]] = defaultdict(list)
        self._tables: dict[tuple[str, tuple[int, ...]], dict[Row, list[Row]]] = {}
        # The numbering of atoms depends on what was asked before; the order of steps must not.
        atoms = sorted(universe.atoms(bits))
        if rng is not None:
            rng.shuffle(atoms)
        for predicate, args in atoms:
            self._rows[predicate].append(args)

    def count(self, predicate: str) -> int:
        return len(self._rows[predicate])

    def fitting(self, predicate: str, columns: tuple[int, ...]) -> float:
        """How many rows have the same values in these columns, on average."""
        return self.count(predicate) / max(1, len(self._table(predicate, columns)))

    def matching(self, predicate: str, columns: tuple[int, ...], values: Row) -> list[Row]:
        """The rows that have these values in these columns."""
        return self._table(predicate, columns).get(values, [])

    def _table(self, predicate: str, columns: tuple[int, ...]) -> dict[Row, list[Row]]:
        table = self._tables.get((predicate, columns))
        if table is None:
            table = self._tables[predicate, columns] = defaultdict(list)
            for row in self._rows[predicate]:
                table[tuple(row[c] for c in columns)].append(row)
        return table

    def names(self, types: tuple[str, ...]) -> list[str]:
        """The objects that fit, for parameters that no literal binds."""
        found = self._names.get(types)
        if found is None:
            fits = self.universe.vocabulary.fits
            found = self._names[types] = [o.name for o in self.universe.objects if fits(o.type, types)]
            if self._rng is not None:
                self._rng.shuffle(found)
        return found


def joined(
    action: ActionModel, facts: Facts, banned: frozenset[str], *, twice: bool = False
) -> Iterator[Row]:
    """Argument tuples under which every atom holds that the precondition asks for outright: all different,
    unless an object may be given twice. Whatever else it asks for is left to who executes the step."""
    parameters = action.header.parameters
    types = {p.name: p.types for p in parameters}
    universe, fits = facts.universe, facts.universe.vocabulary.fits
    binding: dict[str, str] = {}

    def bind(variable: str, value: str) -> bool:
        """Whether the variable has this value, or just took it."""
        if variable in binding:
            return binding[variable] == value
        if (
            value in banned
            or (not twice and value in binding.values())
            or not fits(universe.object(value).type, types[variable])
        ):
            return False
        binding[variable] = value
        return True

    def candidates(atom: Atom) -> list[Row]:
        """The true atoms that agree with what is bound so far."""
        known = tuple(c for c, a in enumerate(atom.args) if a in binding or not a.startswith("?"))
        return facts.matching(
            atom.predicate, known, tuple(binding.get(a, a) for a in map(atom.args.__getitem__, known))
        )

    def extend(left: list[Atom]) -> Iterator[Row]:
        if not left:
            yield from choose([p for p in parameters if p.name not in binding])
            return
        rows, best = min(((candidates(a), a) for a in left), key=lambda pair: len(pair[0]))
        rest = [a for a in left if a is not best]
        fresh = [a for a in best.variables if a not in binding]
        for row in rows:
            if all(bind(a, v) for a, v in zip(best.args, row, strict=True) if a.startswith("?")):
                yield from extend(rest)
            for variable in fresh:
                binding.pop(variable, None)

    def choose(free: list[Parameter]) -> Iterator[Row]:
        if not free:
            yield tuple(binding[p.name] for p in parameters)
            return
        for name in facts.names(free[0].types):
            if bind(free[0].name, name):
                yield from choose(free[1:])
                del binding[free[0].name]

    needed = conjuncts(action.precondition)
    return extend(sorted(p.atom for p in needed if isinstance(p, Literal) and p.positive))
