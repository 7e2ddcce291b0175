"""What may matter to a capability: every literal over the things that change, and over the company they keep.

The variables of a schema are those of the shape, and *context*: things that are the only ones of their type
(the player, the key), and the place of each thing, as far as a fact gives it one (`at(player, ?)`). That is
enough to say "the player stands next to the monster" of a change that only the monster suffers, and it does
not grow with the grid. The atoms over these variables, quantified ones included, are numbered (of those
with three arguments and more, the ones with at most one of the context); a *valuation* is the set of those
that hold in a state under a binding, as a bitmask, and the precondition is a `Conjunction` over them, as
for any action.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from assay.core.symbols import Atom
from assay.discovery.quantified import Facts
from assay.discovery.shape import Shape


@dataclass(frozen=True, slots=True)
class Role:
    """A context variable: the thing that `predicate` relates to `owner`, or the only thing of its type."""

    variable: str
    type: str
    owner: str = ""
    predicate: str = ""

    @property
    def anchor(self) -> Atom | None:
        """The fact that gives the variable its value."""
        return Atom(self.predicate, (self.owner, self.variable)) if self.predicate else None


class Schema:
    def __init__(
        self, shape: Shape, args: tuple[str, ...], bits: int | None, facts: Facts, places: Places
    ) -> None:
        """The context is that of an example; without its state, all that there might be in any."""
        self.shape, self._facts, self._places = shape, facts, places
        self.roles = self._context(args, bits)
        self.types = {shape.variable(n): t for n, t in enumerate(shape.types)}
        self.types |= {r.variable: r.type for r in self.roles}
        self.atoms = self._atoms()
        self.number = {atom: n for n, atom in enumerate(self.atoms)}
        self._ground: dict[tuple[str | None, ...], list[tuple[int, int]]] = {}
        numbers = {variable: n for n, variable in enumerate(self.types)}
        self._slots = [(a.predicate, [numbers[v] for v in a.args]) for a in self.atoms]
        """Of every atom the predicate, and the numbers of its variables."""
        self._known: list[dict[tuple[str | None, ...], int]] = []
        self._size = 0

    def _context(self, args: tuple[str, ...], bits: int | None) -> tuple[Role, ...]:
        universe, vocabulary = self._facts.universe, self._facts.universe.vocabulary
        names = {name: self.shape.variable(n) for n, name in enumerate(args)}
        roles = []
        for thing in self._places.only:
            if thing not in names:
                kind = universe.object(thing).type
                names[thing] = f"?{kind}"
                roles.append(Role(names[thing], kind))
        for thing, variable in list(names.items()):
            for predicate in self._places.predicates:
                owner = vocabulary.predicate[predicate].parameters[0]
                if not vocabulary.fits(universe.object(thing).type, owner.types):
                    continue
                if bits is None:
                    where = self._possible(predicate, variable)
                else:
                    place = self._places.of(thing, predicate, bits)
                    where = None if place is None or place in args else universe.object(place).type
                if where is not None:
                    roles.append(Role(f"?{predicate}_{variable[1:]}", where, variable, predicate))
        return tuple(roles)

    def _possible(self, predicate: str, variable: str) -> str | None:
        """What kind of place a thing may have, if the change itself does not tell its place."""
        changed = (*self.shape.added, *self.shape.removed)
        if any(atom.predicate == predicate and atom.args[0] == variable for atom in changed):
            return None
        return self._facts.universe.vocabulary.predicate[predicate].parameters[1].types[0]

    def _atoms(self) -> tuple[Atom, ...]:
        vocabulary = self._facts.universe.vocabulary
        names = [p.name for p in vocabulary.predicates] + list(self._facts.quantified)
        context = {r.variable for r in self.roles}
        found = []
        for name in names:
            places = [
                [v for v, t in self.types.items() if vocabulary.fits(t, p.types)]
                for p in self._facts.parameters(name)
            ]
            found += [
                Atom(name, args)
                for args in product(*places)
                if len(set(args)) == len(args) and (len(args) < 3 or len(context.intersection(args)) < 2)
            ]
        return tuple(found)

    def bind(self, args: tuple[str, ...], bits: int) -> tuple[str | None, ...]:
        """The values of all variables, those of the context read off the state; None where there is none."""
        binding: dict[str, str | None] = {self.shape.variable(n): name for n, name in enumerate(args)}
        for role in self.roles:
            if role.predicate:
                owner = binding[role.owner]
                binding[role.variable] = owner and self._places.of(owner, role.predicate, bits)
            else:
                binding[role.variable] = self._places.only_of(role.type)
        return tuple(binding.values())

    def valuation(self, args: tuple[str, ...], bits: int) -> int:
        self._keep_up()
        values = self.bind(args, bits)
        masks = self._ground.get(values)
        if masks is None:
            each = [(1 << n, self._mask(n, values)) for n in range(len(self.atoms))]
            masks = self._ground[values] = [(bit, mask) for bit, mask in each if mask]
        found = 0
        for bit, mask in masks:
            if bits & mask:
                found |= bit
        return found

    def fits(self, literals: list[tuple[int, bool]], args: tuple[str, ...], bits: int) -> bool:
        """Whether these literals hold, without looking at the others."""
        if not literals:
            return True
        self._keep_up()
        values = self.bind(args, bits)
        return all(bool(bits & self._mask(n, values)) == sign for n, sign in literals)

    def _keep_up(self) -> None:
        """Facts that no state had may have come up since."""
        if self._size != self._facts.universe.size:
            self._size = self._facts.universe.size
            self._ground.clear()
            self._known = [{} for _ in self.atoms]

    def _mask(self, number: int, values: tuple[str | None, ...]) -> int:
        """The bits of which one must be set for the atom to hold; none if a variable has no value."""
        predicate, numbers = self._slots[number]
        names = tuple([values[n] for n in numbers])
        known = self._known[number]
        if (found := known.get(names)) is None:
            there = tuple(name for name in names if name is not None)
            found = known[names] = self._facts.mask(Atom(predicate, there)) if there == names else 0
        return found

    def anchors(self, number: int) -> list[int]:
        """The atoms that give the context variables of an atom their values."""
        found: list[int] = []
        todo = list(self.atoms[number].args)
        for variable in todo:  # which grows meanwhile
            for role in self.roles:
                if role.variable == variable and (anchor := role.anchor) is not None:
                    found.append(self.number[anchor])
                    todo.append(role.owner)
        return found


class Places:
    """Things that are the only ones of their type, and where a thing is."""

    def __init__(self, facts: Facts, ignored: frozenset[str]) -> None:
        universe = facts.universe
        vocabulary = universe.vocabulary
        kinds: dict[str, list[str]] = {}
        for thing in universe.objects:
            kinds.setdefault(thing.type, []).append(thing.name)
        self.only = tuple(sorted(names[0] for names in kinds.values() if len(names) == 1))
        self._only_of = {kind: names[0] for kind, names in kinds.items() if len(names) == 1}
        self.predicates = tuple(
            p.name for p in vocabulary.predicates if p.arity == 2 and p.name not in ignored
        )
        self._facts = facts
        self._options: dict[tuple[str, str], tuple[int, dict[int, str]]] = {}

    def only_of(self, kind: str) -> str | None:
        return self._only_of.get(kind)

    def of(self, thing: str, predicate: str, bits: int) -> str | None:
        """The one thing that the predicate relates to this one."""
        key = (thing, predicate)
        if key not in self._options:
            universe = self._facts.universe
            place = universe.vocabulary.predicate[predicate].parameters[1]
            options = {
                1 << universe.index(Atom(predicate, (thing, o.name))): o.name
                for o in universe.objects
                if universe.vocabulary.fits(o.type, place.types)
            }
            self._options[key] = sum(options), options
        mask, names = self._options[key]
        return names.get(bits & mask)
