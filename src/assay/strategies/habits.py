"""What to expect of an action where the agent shows no situations: the habits of those who write models.

Something is required true of nearly every parameter. An action that requires something false mostly forbids
what it makes true. What else it forbids, other actions with the same parameters do, too; or some action does
nothing but make it false, because it is in the way. What others use up and none makes true is probably made
true by one that is not known yet. The numbers are shares counted in some twenty models by several authors,
rounded and adjusted. Names of predicates and actions mean nothing here; those of parameters tell which are
alike. None of this is evidence: it decides what to try first (`crowd`), never what is concluded.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import prod

from assay.core.symbols import ActionHeader, Atom
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge

TRUE, FALSE = (0.15, 0.2, 0.45, 0.5), (0.08, 0.08, 0.03, 0.01)
"""Chances of a literal to be required, by the number of its arguments, when nothing is known about its like:
true, and false although the action does not make it true."""
SWAPPED, REPEATED = 0.4, 0.03
"""Weights of arguments in another order than in the header, and of one parameter in several places."""
FEW_TRUE, FEW_FALSE, MOST = 3.5, 0.6, 5.0
"""How many literals an action is expected to have at most: true, false, and of one sign after all that is
known of other actions."""
LEAST, LARGEST = 0.001, 0.7
"""Nothing is less, or more, likely than this."""
USUAL, IGNORED = 1.5, 1.5
"""Weights of what is usual, and of a known action that has nothing to do with the atom, against one that
has."""
IN_THE_WAY = 0.4
"""Chance that an atom is required false if some action does nothing but make such atoms false."""
WANTED, MADE = 2.5, 0.15
"""How likely it is what the action makes true, if others use it up and none makes it true, or if others make
it true: against what nothing is known about."""
FORBIDDING, RISING, FIRM = 0.4, 0.5, 3
"""Share of the actions that require something false, share of those that forbid what they make true, and how
many known actions the latter counts for."""

NEVER, ALWAYS, ALL = (0.5, 2.0), (2.0, 0.5), 0.8
"""How much likelier something is required true, and false, that holds nowhere in the situations offered, or
of all there is: of such a share of the objects."""

Role = tuple[str, str]
"""What an action requires of an atom, and what it does to it."""
Chance = tuple[float, float]
"""How likely an atom is to be required true, and false."""

ABOUT_ONE: dict[Role, Chance] = {
    ("true", "deletes"): (0.5, 0.2),
    ("true", ""): (0.35, 0.05),
    ("false", "adds"): (0.15, 0.2),
    ("false", ""): (0.1, 0.45),
    ("", "adds"): (0.06, 0.1),
    ("", "deletes"): (0.12, 0.2),
    ("", ""): (0.08, 0.04),
}
"""What to expect of an atom about one thing or none, by its role in an action with the same parameters."""
ABOUT_SEVERAL: dict[Role, Chance] = {
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

    about: list[frozenset[str]]
    """The parameters that each is about; the action itself, if it has none."""
    true: list[float]
    false: list[float]
    """Whatever the action does."""
    rising: list[float]
    """Because the action makes it true: that is at most one of them, so all add up to at most one."""

    @classmethod
    def of(cls, knowledge: Knowledge, dossier: Dossier) -> Habits:
        seen = _seen(knowledge)
        known = [_Known.of(d) for d in knowledge.dossiers.values() if d.ran]
        header, atoms = dossier.header, dossier.atoms
        weights = [_weight(header, atom) for atom in atoms]
        usual = zip(
            _limited([TRUE[_arity(a)] * w for a, w in zip(atoms, weights, strict=True)], FEW_TRUE),
            _limited([FALSE[_arity(a)] * w for a, w in zip(atoms, weights, strict=True)], FEW_FALSE),
            strict=True,
        )
        true, false = [], []
        for atom, weight, (often_true, often_false) in zip(atoms, weights, usual, strict=True):
            total, trues, falses = USUAL, USUAL * often_true, USUAL * often_false
            for role in (r for each in known if (r := each.role(header, atom)) is not None):
                share = 1.0 if any(role) else IGNORED
                table = ABOUT_ONE if len(atom.args) < 2 else ABOUT_SEVERAL
                here_true, here_false = table.get(role, table["", ""])
                total += share
                trues += share * weight * here_true
                falses += share * weight * here_false
            in_the_way = any(atom.predicate in each.lost and not each.made for each in known)
            true.append(trues / total)
            false.append(max(falses / total, weight * IN_THE_WAY if in_the_way else 0.0))
            likelier_true, likelier_false = seen.get(atom.predicate, (1.0, 1.0))
            true[-1] *= likelier_true
            false[-1] *= likelier_false
        makers = _makers(knowledge, dossier, known)
        rising = [weight * maker for weight, maker in zip(weights, makers, strict=True)]
        scale = _rising(knowledge) / (sum(rising) or 1.0)
        whole = frozenset() if header.parameters else frozenset({header.name})
        about = [frozenset(atom.variables) or whole for atom in atoms]
        return cls(about, _limited(true, MOST), _limited(false, MOST), [scale * each for each in rising])


@dataclass(frozen=True, slots=True)
class _Known:
    """What a known action requires of its atoms and does to them."""

    header: ActionHeader
    roles: dict[Atom, Role]
    made: set[str]
    """Predicates of what it makes true, or may."""
    lost: set[str]

    @classmethod
    def of(cls, dossier: Dossier) -> _Known:
        needs, effects = dossier.precondition, dossier.effects
        adds = effects.may_add & ~effects.may_keep
        deletes = effects.may_delete & ~effects.may_keep
        may_add = adds | dossier.open_effects & effects.may_add
        roles: dict[Atom, Role] = {}
        made, lost = set(), set()
        for index, atom in enumerate(dossier.atoms):
            if may_add >> index & 1:
                made.add(atom.predicate)
            if deletes >> index & 1:
                lost.add(atom.predicate)
            if not needs.open >> index & 1:
                needed = (
                    "true" if needs.need_true >> index & 1 else "false" if needs.required >> index & 1 else ""
                )
                roles[atom] = (
                    needed,
                    "adds" if adds >> index & 1 else "deletes" if deletes >> index & 1 else "",
                )
        return cls(dossier.header, roles, made, lost)

    def role(self, header: ActionHeader, atom: Atom) -> Role | None:
        """The role of the same atom here: over parameters of the same name, or in the same place."""
        mine = {p.name: p.types for p in self.header.parameters}
        pairs = [(p, q) for p, q in zip(header.parameters, self.header.parameters, strict=False)]
        by_name = {p.name: p.name for p in header.parameters if mine.get(p.name) == p.types}
        by_place = {p.name: q.name for p, q in pairs if p.types == q.types}
        for binding in (by_name, by_place):
            if binding.keys() >= set(atom.variables) and (role := self.roles.get(atom.substitute(binding))):
                return role
        return None


def _makers(knowledge: Knowledge, dossier: Dossier, known: list[_Known]) -> list[float]:
    """How likely each atom is made true by the action, against the others."""
    made = {predicate for each in known for predicate in each.made}
    wanted = {predicate for each in known if each.made for predicate in each.lost} - made
    others = [d for d in knowledge.dossiers.values() if not d.ran]
    unknown = Counter(predicate for d in others for predicate in {a.predicate for a in d.atoms})
    return [
        (MADE if atom.predicate in made else 1.0) / max(1, _arity(atom))
        + (WANTED / unknown[atom.predicate] if atom.predicate in wanted else 0.0)
        for atom in dossier.atoms
    ]


def _rising(knowledge: Knowledge) -> float:
    """How likely an unknown action is to forbid what it makes true."""
    forbidding = plain = known = rising = 0
    for dossier in knowledge.dossiers.values():
        false = dossier.precondition.need_false & dossier.atom_mask
        if false or not dossier.ran:
            forbidding += bool(false) or dossier.atom_mask in dossier.precondition.failures
        else:
            plain += not dossier.open_needs
        known += bool(false)
        rising += bool(false & dossier.effects.may_add)
    share = (forbidding + 2.5 * FORBIDDING) / (forbidding + plain + 2.5)
    return share * (rising + FIRM * RISING) / (known + FIRM)


def _seen(knowledge: Knowledge) -> dict[str, Chance]:
    """How much likelier predicates are required true, and false, because they hold nowhere, or everywhere."""
    offered, objects = knowledge.setting.offered, knowledge.setting.profile.objects
    vocabulary = knowledge.vocabulary
    holding = Counter(atom.predicate for state in offered for atom in state)
    found = {}
    for predicate in vocabulary.predicates if offered else ():
        places = (sum(vocabulary.fits(o.type, p.types) for o in objects) for p in predicate.parameters)
        if not holding[predicate.name]:
            found[predicate.name] = NEVER
        elif holding[predicate.name] >= ALL * prod(places) * len(offered):
            found[predicate.name] = ALWAYS
    return found


def _weight(header: ActionHeader, atom: Atom) -> float:
    """How much less likely an atom is to be required because of the order of its arguments."""
    if len(set(atom.args)) < len(atom.args):
        return REPEATED
    place = {p.name: number for number, p in enumerate(header.parameters)}
    places = [place.get(a, -1) for a in atom.args]
    return 1.0 if places == sorted(places) else SWAPPED


def _arity(atom: Atom) -> int:
    return min(len(atom.args), len(TRUE) - 1)


def _limited(chances: list[float], most: float) -> list[float]:
    scale = min(1.0, most / (sum(chances) or 1.0))
    return [min(LARGEST, max(LEAST, chance * scale)) for chance in chances]
