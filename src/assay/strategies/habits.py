"""What an action may be expected to require where the agent shows no situations: the habits of model writers.

An action that requires something false nearly always forbids what it makes true, mostly one thing. What
else it forbids, others do, too, and often there is an action that does nothing but make it false: it is there
because that is in the way. What others use up and none makes true is probably made true by one that is not
known yet. Counted in some thirty models by many authors; none of this is evidence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from assay.core.symbols import ActionHeader, Atom
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge

TRUE, FALSE = (0.15, 0.2, 0.45, 0.5), (0.08, 0.08, 0.03, 0.01)
"""Chances of a literal to be required, by the number of its arguments, when nothing is known about its like:
true, and false although the action does not make it true."""
SWAPPED, REPEATED = 0.4, 0.03
"""Weights of arguments in another order than in the header, and of one parameter in several places."""
MOST = 5.0
"""How many literals of one sign an action is expected to have at most."""
UP, SO_MANY_TRUE, SO_MANY_FALSE = 1.0, 3.5, 0.6
LEAST, LARGEST = 0.001, 0.7
USUAL, ALIKE, AKIN = 1.5, 1.0, 0.1
"""Weights of what is usual, of the same atom in a known action, and of another atom of its predicate there."""
IGNORED = 1.5
"""Weight, in addition, of an action that has nothing to do with the atom."""
IN_THE_WAY = 0.4
"""Chance that an atom is required false if some action does nothing but make such atoms false."""
WANTED, MADE = 2.5, 0.15
"""How likely it is what the action makes true, if others use it up and none makes it true, or if others make
it true: against what nothing is known about."""
RISING, FIRM = 0.6, 3
"""Share of the actions requiring something false that forbid what they make true, and how many known actions
that counts for."""

Chance = tuple[float, float]

ABOUT_ONE: dict[tuple[str, str], Chance] = {
    ("true", "deletes"): (0.5, 0.2),
    ("true", ""): (0.35, 0.05),
    ("false", "adds"): (0.15, 0.2),
    ("false", ""): (0.1, 0.45),
    ("", "adds"): (0.06, 0.1),
    ("", "deletes"): (0.12, 0.2),
    ("", ""): (0.08, 0.04),
}
"""Chances of being required, true and false, of an atom about one thing or none, by what an action that is known
requires of the same atom and does to it."""
ABOUT_SEVERAL: dict[tuple[str, str], Chance] = {
    ("true", "deletes"): (0.5, 0.1),
    ("true", ""): (0.65, 0.02),
    ("false", "adds"): (0.4, 0.05),
    ("false", ""): (0.05, 0.7),
    ("", "adds"): (0.4, 0.03),
    ("", "deletes"): (0.1, 0.1),
    ("", ""): (0.07, 0.01),
}


@dataclass(frozen=True, slots=True)
class Habits:
    """How likely each atom of an action is to be required."""

    true: list[float]
    false: list[float]
    """Whatever the action does."""
    rising: list[float]
    """Because the action makes it true: at most one of them, the chances of all add up to less than one."""

    @classmethod
    def of(cls, knowledge: Knowledge, dossier: Dossier) -> Habits:
        dossiers = knowledge.dossiers.values()
        known = [_Known.of(d) for d in dossiers if d.ran]
        made = {p for each in known for p in each.made}
        lost = {p for each in known for p in each.lost}
        in_the_way = {p for each in known if not each.made for p in each.lost}
        unknown = Counter(p for d in dossiers if not d.ran for p in {a.predicate for a in d.atoms})
        true, false, rising = [], [], []
        more_true = min(UP, SO_MANY_TRUE / sum(TRUE[_arity(a)] * _weight(dossier.header, a) for a in dossier.atoms))
        more_false = min(UP, SO_MANY_FALSE / sum(FALSE[_arity(a)] * _weight(dossier.header, a) for a in dossier.atoms))
        for atom in dossier.atoms:
            weight, arity = _weight(dossier.header, atom), _arity(atom)
            likes = [(USUAL, (min(LARGEST, TRUE[arity] * more_true), min(LARGEST, FALSE[arity] * more_false)))]
            likes += [like for each in known if (like := each.like(dossier.header, atom)) is not None]
            total = sum(w for w, _ in likes)
            true.append(weight * sum(w * chance for w, (chance, _) in likes) / total)
            forbidden = sum(w * chance for w, (_, chance) in likes) / total
            false.append(weight * (max(forbidden, IN_THE_WAY) if atom.predicate in in_the_way else forbidden))
            maker = MADE if atom.predicate in made else 1.0
            if atom.predicate in lost - made:
                maker += WANTED / unknown[atom.predicate]
            rising.append(weight * maker / max(1, arity))
        share = _rising(knowledge) / (sum(rising) or 1.0)
        return cls(_limited(true), _limited(false), [share * each for each in rising])


@dataclass(frozen=True, slots=True)
class _Known:
    """What a known action requires of its atoms and does to them."""

    header: ActionHeader
    roles: dict[Atom, tuple[str, str]]
    made: set[str]
    """Predicates of what it makes true, or may."""
    lost: set[str]

    @classmethod
    def of(cls, dossier: Dossier) -> _Known:
        needs, effects = dossier.precondition, dossier.effects
        adds = effects.may_add & ~effects.may_keep
        deletes = effects.may_delete & ~effects.may_keep
        may_add = adds | dossier.open_effects & effects.may_add
        roles, made, lost = {}, set(), set()
        for index, atom in enumerate(dossier.atoms):
            if may_add >> index & 1:
                made.add(atom.predicate)
            if deletes >> index & 1:
                lost.add(atom.predicate)
            if not needs.open >> index & 1:
                sign = "true" if needs.need_true >> index & 1 else "false" if needs.required >> index & 1 else ""
                roles[atom] = sign, "adds" if adds >> index & 1 else "deletes" if deletes >> index & 1 else ""
        return cls(dossier.header, roles, made, lost)

    def like(self, header: ActionHeader, atom: Atom) -> tuple[float, Chance] | None:
        """What to expect of an atom of another action, and how much that weighs."""
        table = ABOUT_ONE if len(atom.args) < 2 else ABOUT_SEVERAL
        here = {p.name: (p.types, n) for n, p in enumerate(self.header.parameters)}
        there = {p.name: (p.types, n) for n, p in enumerate(header.parameters)}
        akin = []
        for other, role in self.roles.items():
            if other.predicate == atom.predicate and len(set(other.args)) == len(set(atom.args)):
                named = all(here.get(a, (0, 0))[0] == there.get(a, (0, 0))[0] for a in atom.args)
                if other.args == atom.args and named:
                    return ALIKE * (1.0 if any(role) else IGNORED), table.get(role, table["", ""])
                if [here.get(a, a) for a in other.args] == [there.get(a, a) for a in atom.args]:
                    return ALIKE * (1.0 if any(role) else IGNORED), table.get(role, table["", ""])
                akin.append(role)
        if not akin:
            return None
        role = max(akin)
        return AKIN * (1.0 if any(role) else IGNORED), table.get(role, table["", ""])


def _rising(knowledge: Knowledge) -> float:
    """How likely an unknown action is to forbid what it makes true."""
    forbidding = rising = plain = 0
    for dossier in knowledge.dossiers.values():
        false = dossier.precondition.need_false & dossier.atom_mask
        if false:
            forbidding += 1
            rising += bool(false & dossier.effects.may_add)
        elif not dossier.ran:
            forbidding += dossier.atom_mask in dossier.precondition.failures
        elif not dossier.open_needs:
            plain += 1
    known = sum(d.ran and bool(d.precondition.need_false) for d in knowledge.dossiers.values())
    return (forbidding + 1) / (forbidding + plain + 2.5) * (rising + FIRM * RISING) / (known + FIRM)


def _weight(header: ActionHeader, atom: Atom) -> float:
    """How much less likely an atom is to be required because of the order of its arguments."""
    if len(set(atom.args)) < len(atom.args):
        return REPEATED
    place = {p.name: number for number, p in enumerate(header.parameters)}
    places = [place.get(a, -1) for a in atom.args]
    return 1.0 if places == sorted(places) else SWAPPED


def _arity(atom: Atom) -> int:
    return min(len(atom.args), len(TRUE) - 1)


def _limited(chances: list[float]) -> list[float]:
    scale = min(1.0, MOST / (sum(chances) or 1.0))
    return [min(LARGEST, max(LEAST, chance * scale)) for chance in chances]
