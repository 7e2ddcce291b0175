"""What happened between the situations an agent offers: unlabelled changes, and who may have made them.

Where one offered situation follows another, something was done, unless the first was offered twice in a row:
that is how an agent says that a walk ends there. The agent does not say what was done, but the change names
objects it was done to, and changes that read alike up to these names (the same *kind*) were probably made by
one action. Kinds that an action already known explains say little about the unknown ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise, permutations, product

from assay.core.setting import cramped
from assay.core.symbols import Atom
from assay.core.universe import State, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge

MOST_CHANGES = 14
"""Atoms changed at once beyond which a change is not taken for the doing of one action."""
MOST_ORDERS = 120

Effect = tuple[Atom, bool]
Effects = frozenset[Effect]
Supposition = tuple[tuple[Effect, bool], ...]
"""Effects of which it is not known whether an action has them, and whether it then must."""


class Scene:
    """One situation, its facts looked up by the objects they are about."""

    def __init__(self, state: State, constants: frozenset[str]) -> None:
        self.state = state
        self.about: defaultdict[str, list[Atom]] = defaultdict(list)
        self.shared: list[Atom] = []
        for atom in sorted(state):
            for name in set(atom.args):
                self.about[name].append(atom)
            if constants.issuperset(atom.args):
                self.shared.append(atom)


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    before: Scene
    effects: Effects
    names: tuple[str, ...]
    """The objects that changed, constants left out, in the order in which the kind mentions them."""
    kind: tuple[object, ...]


def read_changes(knowledge: Knowledge) -> list[Change]:
    """The changes between situations offered one after the other, but not from one walk to the next."""
    universe, offered = knowledge.universe, knowledge.setting.offered
    constants = frozenset(c.name for c in knowledge.vocabulary.constants)
    types = {o.name: o.type for o in universe.objects}
    scenes: dict[int, Scene] = {}
    found = []
    for previous, (before, after) in zip([None, *offered], pairwise(offered), strict=False):
        changed = before.bits ^ after.bits
        if 0 < changed.bit_count() <= MOST_CHANGES and before != previous:
            scene = scenes.setdefault(before.bits, Scene(before, constants))
            effects = frozenset((atom, atom not in before) for atom in universe.atoms(changed))
            kind, names = _kind(effects, constants, types)
            found.append(Change(scene, effects, names, kind))
    return found


def _kind(
    effects: Effects, constants: frozenset[str], types: dict[str, str]
) -> tuple[tuple[object, ...], tuple[str, ...]]:
    """The change with its objects numbered, alike for all changes that differ in names alone."""
    roles: defaultdict[str, list[tuple[str, bool, int]]] = defaultdict(list)
    for atom, positive in sorted(effects):
        for place, name in enumerate(atom.args):
            if name not in constants:
                roles[name].append((atom.predicate, positive, place))
    alike: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for name, seen in sorted(roles.items()):
        alike[types[name], tuple(sorted(seen))].append(name)
    teams = [team for _, team in sorted(alike.items(), key=lambda item: repr(item[0]))]
    best: tuple[list[tuple[str, tuple[str, ...], bool]], tuple[str, ...]] | None = None
    for order in islice(product(*(permutations(team) for team in teams)), MOST_ORDERS):
        names = tuple(name for team in order for name in team)
        number = {name: f"?{i}" for i, name in enumerate(names)}
        text = sorted((a.predicate, tuple(number.get(x, x) for x in a.args), sign) for a, sign in effects)
        if best is None or (text, names) < best:
            best = text, names
    assert best is not None  # there is at least the empty order
    return (tuple(best[0]), tuple(types[n] for n in best[1])), best[1]


def attributed(
    known: Dossier, changes: Sequence[Change], places: list[list[str]]
) -> Mapping[Supposition, set[Change]]:
    """The changes that a known action may have made, where and as they happened; the places name constants,
    too: such steps are not asked about, but the agent may take them.

    What it does to some atoms may not be known yet. A change then supposes one thing or another of it.
    """
    effects, needs, atoms = known.effects, known.precondition, known.atoms
    sure = ~effects.may_keep
    may: dict[Effect, bool] = {(atoms[i], True): bool(sure >> i & 1) for i in indices(effects.may_add)}
    may |= {(atoms[i], False): bool(sure >> i & 1) for i in indices(effects.may_delete)}
    needed = [(atoms[i], True) for i in indices(needs.need_true & known.atom_mask)]
    needed += [(atoms[i], False) for i in indices(needs.need_false & known.atom_mask)]
    options = {p.name: place for p, place in zip(known.header.parameters, places, strict=True)}
    unsure = [atoms[i] for i in indices(known.open_effects)]
    found: defaultdict[Supposition, set[Change]] = defaultdict(set)
    certain = [effect for effect, always in may.items() if always]
    changing = {v for atom, _ in certain for v in atom.variables}
    doubled = changing if cramped(places) else set[str]()
    alike = {(atom.predicate, sign) for atom, sign in may}
    for change in changes:
        kinds = {(atom.predicate, sign) for atom, sign in change.effects}
        if not alike >= kinds:
            continue
        state = change.before.state
        likely = [(atom, sign) for atom, sign in may if (atom.predicate, sign) in kinds]
        for binding in _bindings(known, change, places, doubled):
            bound = binding.keys()
            made = {(atom.substitute(binding), sign) for atom, sign in certain}
            if (
                bound >= changing
                and all(
                    (fact, sign) in change.effects
                    for fact, sign in made
                    if (fact in state) != sign and (sign or (fact, True) not in made)
                )
                and change.effects <= made | {(atom.substitute(binding), sign) for atom, sign in likely}
                and _satisfiable(needed, binding, change.before, options)
            ):
                seen = [(atom, atom.substitute(binding)) for atom in unsure if bound >= set(atom.variables)]
                supposed = {
                    (atom, fact not in state): (fact, fact not in state) in change.effects
                    for atom, fact in seen
                    if (atom, fact not in state) in may
                }
                found[tuple(supposed.items())].add(change)
                break
    return found


def _bindings(
    known: Dossier, change: Change, places: list[list[str]], doubled: set[str]
) -> Iterator[dict[str, str]]:
    """Ways to give the objects that changed to parameters, and the same ones to some that are left open."""
    for args in ways(known, change, places):
        binding = {p.name: a for p, a in zip(known.header.parameters, args, strict=True) if a}
        left = {
            p.name: [name for name in binding.values() if name in place]
            for p, place in zip(known.header.parameters, places, strict=True)
            if p.name in doubled - binding.keys()
        }
        for chosen in product(*left.values()):
            yield binding | dict(zip(left, chosen, strict=True))


def explained(known: Dossier, changes: Sequence[Change], places: list[list[str]]) -> set[Change]:
    """The changes that an action is given: as many as what they suppose of it allows."""
    return going_together(attributed(known, changes, places))


def going_together(found: Mapping[Supposition, set[Change]]) -> set[Change]:
    """The changes of suppositions that do not contradict each other, those of most changes first."""
    chosen: set[Change] = set()
    supposed: dict[Effect, bool] = {}
    for supposition, changes in sorted(found.items(), key=lambda each: -len(each[1])):
        if all(supposed.get(effect, happens) == happens for effect, happens in supposition):
            supposed.update(supposition)
            chosen |= changes
    return chosen


def _satisfiable(
    needed: list[Effect], binding: dict[str, str], scene: Scene, options: dict[str, list[str]]
) -> bool:
    """Whether there are objects for the open parameters so that all that is needed holds."""
    bound = binding.keys()
    closed = [(atom, sign) for atom, sign in needed if bound >= set(atom.variables)]
    if any((atom.substitute(binding) in scene.state) != sign for atom, sign in closed):
        return False
    open_atoms = [atom for atom, sign in needed if sign and not bound >= set(atom.variables)]
    if not open_atoms:
        return True
    atom = max(open_atoms, key=lambda a: sum(v in bound for v in a.args))
    known = next((binding[v] for v in atom.args if v in bound), None)
    for fact in scene.about[known] if known else sorted(scene.state):
        if fact.predicate == atom.predicate:
            more = dict(binding)
            for variable, name in zip(atom.args, fact.args, strict=True):
                if name in options.get(variable, ()) and name not in more.values():
                    more.setdefault(variable, name)
            agrees = all(more.get(v, v) == name for v, name in zip(atom.args, fact.args, strict=True))
            if agrees and _satisfiable(needed, more, scene, options):
                return True
    return False


def ways(dossier: Dossier, change: Change, places: list[list[str]]) -> list[list[str | None]]:
    """Ways to give the objects that changed to parameters, the other parameters left open. Constants that
    changed may be parameters or not."""
    names, arity = change.names, dossier.header.arity
    if len(names) > arity or not {a.predicate for a, _ in change.effects} <= _predicates(dossier):
        return []
    constants = sorted({name for atom, _ in change.effects for name in atom.args} - set(names))
    found: list[list[str | None]] = []
    for count in range(min(len(constants), arity - len(names)) + 1):
        for chosen in combinations(constants, count):
            things = (*names, *chosen)
            fits = [[p for p in range(arity) if name in places[p]] for name in things]
            for parameters in islice(_injections(fits), MOST_ORDERS - len(found)):
                args: list[str | None] = [None] * arity
                for name, place in zip(things, parameters, strict=True):
                    args[place] = name
                found.append(args)
    return found


def _injections(fits: list[list[int]], used: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    if len(used) == len(fits):
        yield used
        return
    for place in fits[len(used)]:
        if place not in used:
            yield from _injections(fits, (*used, place))


def _predicates(dossier: Dossier) -> set[str]:
    return {a.predicate for a in dossier.atoms}
