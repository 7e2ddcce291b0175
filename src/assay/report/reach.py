"""What no situation within reach of an agent that only acts can tell, and what there might be instead.

Where a run ends with the proof that the remaining models agree on every state that can be reached, one of
them is written: the one with the fewest literals. The others differ from it in literals that hold in every
such state in which the action works. These are the alternatives, and they are listed, never hidden.

The proof is the strategy's, so it does not follow from folding the journal; `recall` takes it over from the
certificate that was written with this journal. Whether it is one, `assay verify` finds out by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from assay.core.confinement import UNCONFINED, Confinement, lacks_objects
from assay.core.query import Start
from assay.core.symbols import Atom, Literal
from assay.core.universe import indices
from assay.errors import InputError
from assay.knowledge.dossier import Claim, Dossier
from assay.knowledge.knowledge import Knowledge
from assay.knowledge.reconciliation import Choice
from assay.proof.certificate import Certificate, read_certificate
from assay.report.names import Names
from assay.report.phrase import enumeration
from assay.report.words import Speaker

SHOWN = 3
"""So many alternatives are named; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Of one action. All but the last hold whenever it works, in every situation within reach."""

    instead: tuple[tuple[Literal, tuple[tuple[Literal, ...], ...]], ...] = ()
    """Conditions that are written, each with what may be needed in its place: one literal of every group.

    A group for each refusal that no other condition explains.
    """
    besides: tuple[Literal, ...] = ()
    """What else may be needed."""
    effects: tuple[Literal, ...] = ()
    """What it may make so again."""
    others: tuple[Literal, ...] = ()
    """What else it may do, or do instead, to things that were the same one."""

    @classmethod
    def of(cls, dossier: Dossier) -> Alternatives:
        needs = dossier.precondition
        alike = needs.open & ~dossier.void_pairs & dossier.alike_needs
        written = sorted(_literals(dossier, *dossier.chosen))
        refusals = [frozenset(_literals(dossier, c.true, c.false)) for c in needs.clauses]
        smallest = {r for r in refusals if not any(other < r for other in refusals)}
        instead = {}
        for literal in written:
            alone = [r - {literal} for r in smallest if r.intersection(written) == {literal}]
            instead[literal] = tuple(sorted((tuple(sorted(g)) for g in alone), key=lambda g: (len(g), g)))
        named = {x for groups in instead.values() for group in groups for x in group}.union(written)
        choice, effects = dossier.choice, dossier.effects
        besides = _literals(
            dossier, needs.may_true & alike & ~choice.was_false, needs.may_false & alike & ~choice.was_true
        )
        shown, merged = _silent(dossier) & ~choice.together, _silent(dossier) & choice.together
        again = _literals(dossier, effects.may_add & shown, effects.may_delete & shown)
        others = _literals(
            dossier,
            effects.may_add & merged & ~choice.adds & ~(needs.need_true & ~dossier.exposed),
            effects.may_delete & merged & ~choice.deletes & ~needs.need_false,
        )
        return cls(
            tuple(instead.items()),
            tuple(sorted(x for x in besides if x not in named)),
            tuple(sorted(again)),
            tuple(sorted(others)),
        )

    @property
    def _named(self) -> set[Literal]:
        """Conditions that are written and might be others, and those others."""
        return {x for literal, groups in self.instead for x in (literal, *chain.from_iterable(groups))}

    def sentences(self, speaker: Speaker, names: Names) -> list[str]:
        found = []
        for literal, groups in self.instead:
            told = []
            for group in groups[:SHOWN]:
                choice = " or ".join(f'"{speaker.clause(x, names)}"' for x in group[:SHOWN])
                more = f" or one of {len(group) - SHOWN} more" if len(group) > SHOWN else ""
                told.append(f"{choice}{more}")
            if len(groups) > SHOWN:
                told.append(f"and {len(groups) - SHOWN} more")
            may_be = "condition may be" if len(groups) == 1 else "conditions may be these:"
            found.append(
                f'Instead of "{speaker.clause(literal, names)}", the {may_be} {"; ".join(told)}. '
                "No situation within reach tells which."
            )
        facts = [x for x in dict.fromkeys((*self.besides, *self.effects)) if x not in self._named]
        if facts:
            that = "that" if len(facts) == 1 else "any of that"
            what = f"it needs {that}" if self.besides else f"it makes {that} so again"
            if self.besides and self.effects:
                what = f"it needs {that}, or makes it so again,"
            clauses = [speaker.clause(x, names) for x in facts[:SHOWN]]
            if len(facts) <= SHOWN:
                also = f"it also holds that {enumeration(clauses)}"
            else:
                also = f"{len(facts)} more things hold ({'; '.join(clauses)}; and {len(facts) - SHOWN} more)"
            found.append(f"Whenever this works within reach, {also}. Whether {what} cannot be told.")
        if self.others:
            told = [f"whether afterwards {speaker.clause(x, names)}" for x in self.others[:SHOWN]]
            more = f", and {len(self.others) - SHOWN} more such points" if len(self.others) > SHOWN else ""
            found.append(
                "Whenever this works within reach, several of these names stand for one thing, so it cannot "
                f"be told what is done to which: {', '.join(told)}{more}."
            )
        return found

    def to_dict(self) -> dict[str, object]:
        found: dict[str, object] = {
            "instead": {str(x): [[*map(str, group)] for group in groups] for x, groups in self.instead},
            "besides": [str(x) for x in self.besides],
            "effects": [str(x) for x in self.effects],
            "others": [str(x) for x in self.others],
        }
        return {name: value for name, value in found.items() if value}


@dataclass(frozen=True, slots=True)
class Reach:
    """All that is proved of situations within reach only."""

    alternatives: Mapping[str, Alternatives] = field(default_factory=dict)
    """By action, for those that have any."""
    idle: frozenset[str] = frozenset()
    """Actions that never work within reach."""
    points: int = 0
    """How many points of the others cannot be told apart for this reason."""
    idle_points: int = 0
    proof: str = ""
    """How that was shown, if it is known."""
    confinement: Confinement = UNCONFINED
    """By what steps situations are within reach."""
    lacking: frozenset[str] = frozenset()
    """Actions that there are not enough objects to try with."""
    impossible: frozenset[str] = frozenset()
    """Actions that never work anywhere, which needs no proof of what is within reach."""

    @classmethod
    def of(cls, knowledge: Knowledge) -> Reach:
        setting, alternatives, points = knowledge.setting, {}, 0
        lacking = {name for name in knowledge.dossiers if lacks_objects(setting, name)}
        impossible = {name for name, d in knowledge.dossiers.items() if d.impossible}
        idle = {name for name, d in knowledge.dossiers.items() if d.idle} - impossible
        if setting.profile.start is not Start.ANY:  # where there is nothing to claim, no certificate says so
            idle |= {name for name in lacking if not knowledge.dossiers[name].claims()}
        for name, dossier in knowledge.dossiers.items():
            if dossier.ran and (doubtful := _doubtful(dossier)):
                points += doubtful
                alternatives[name] = Alternatives.of(dossier)
        return cls(
            alternatives,
            frozenset(idle),
            points,
            sum(d.precondition.size + len(d.atoms) for name, d in knowledge.dossiers.items() if name in idle),
            knowledge.proof,
            Confinement.of(setting) if points or idle else UNCONFINED,
            frozenset(lacking),
            frozenset(impossible),
        )

    @property
    def proved_by(self) -> str:
        return f" (proved by {self.proof})" if self.proof else ""

    @property
    def never_run(self) -> frozenset[str]:
        """Actions that are proved never to work, be it within reach."""
        return self.idle | self.impossible


def recall(knowledge: Knowledge, certificate: Certificate | None, journal_hash: str, proof: str = "") -> None:
    """Take over what the certificate of this very journal calls indistinguishable; without one, nothing.

    The knowledge is then as it was when the run ended, down to what it writes of that which is in doubt.
    """
    forget(knowledge)
    if certificate is not None and certificate.journal.hash == journal_hash:
        _take_over(knowledge, certificate, proof)
    knowledge.choose_effects()


def forget(knowledge: Knowledge) -> None:
    """Leave nothing but what the answers say: more of them may follow."""
    for dossier in knowledge.dossiers.values():
        dossier.alike_needs = dossier.alike_effects = 0
        dossier.choice = Choice()
        dossier.idle = False
    knowledge.proof = ""


def _take_over(knowledge: Knowledge, certificate: Certificate, proof: str) -> None:
    knowledge.proof = proof
    places = {
        name: {atom.text: place for place, atom in enumerate(_atoms(dossier))}
        for name, dossier in knowledge.dossiers.items()
    }
    alike = dict.fromkeys(knowledge.dossiers, 0)
    for claim in certificate.claims:
        place = places.get(claim.action, {}).get(claim.atom)
        if claim.status != "indistinguishable" or place is None:
            continue
        dossier = knowledge.dossiers[claim.action]
        if not dossier.ran:
            dossier.idle = True
        elif claim.part == "precondition":
            dossier.alike_needs |= dossier.precondition.open & ~dossier.void_pairs & 1 << place
        else:
            alike[claim.action] |= 1 << place
    for name, dossier in knowledge.dossiers.items():
        dossier.alike_effects = dossier.effects.ambiguous & ~dossier.void & alike[name]


def claims_within_reach(knowledge: Knowledge) -> list[Claim]:
    """The claims that hold within reach only: elsewhere, other modes may show."""
    found = []
    for dossier in knowledge.dossiers.values():
        needs = dossier.precondition.open & ~dossier.void_pairs & dossier.alike_needs
        places = needs | _silent(dossier) << dossier.precondition.size
        found += [c for n, c in enumerate(dossier.claims()) if dossier.idle or places >> n & 1]
    return found


def known_certificate(path: Path) -> Certificate | None:
    """The certificate, if there is one that can be read; whoever tells about a run does without."""
    try:
        return read_certificate(path)
    except InputError:
        return None


def _doubtful(dossier: Dossier) -> int:
    needs = dossier.precondition.open & ~dossier.void_pairs & dossier.alike_needs
    return needs.bit_count() + _silent(dossier).bit_count()


def _silent(dossier: Dossier) -> int:
    """Effects in doubt that never show within reach."""
    return dossier.effects.ambiguous & ~dossier.void & dossier.alike_effects


def _atoms(dossier: Dossier) -> tuple[Atom, ...]:
    return (*dossier.atoms, *(Atom("=", pair) for pair in dossier.pairs))


def _literals(dossier: Dossier, true: int, false: int) -> Iterator[Literal]:
    atoms = _atoms(dossier)
    yield from (Literal(atoms[i]) for i in indices(true))
    yield from (Literal(atoms[i], False) for i in indices(false))
