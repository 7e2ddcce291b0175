"""The model as people would write it: of the literals that no question can settle, those that are customary.

The model with the fewest literals is right wherever the agent can get, and says least. Whoever wrote the
agent down mostly said more. Four customs decide which of the positive literals in doubt to write besides,
none of which looks further than the answers and the vocabulary:

- an action needs what it deletes;
- an action needs what another one with the same parameters, by name, is proved to need;
- nothing is in the vocabulary for nothing: a predicate that no action changes, and none needs so far, is
  needed wherever it may be, by one literal of each action;
- of several literals of such a predicate the one is taken that is about a parameter nothing else is about,
  then the one with its arguments in the header's order.

What is written besides is as indistinguishable as what is left out: it refuses nothing that was seen to run.
"""

from __future__ import annotations

from collections.abc import Mapping

from assay.core.model import ActionModel, Model
from assay.core.symbols import Literal
from assay.core.universe import bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge


def customary(knowledge: Knowledge) -> Model:
    """The model of the knowledge with what is customary besides."""
    dossiers = {name: d for name, d in knowledge.dossiers.items() if d.ran}
    chosen = {name: d.chosen[0] | d.chosen[1] for name, d in dossiers.items()}
    besides = {
        name: _doubtful(d, chosen[name]) & (d.effects.deleted | _of_twins(d, dossiers))
        for name, d in dossiers.items()
    }
    written = {name: d.precondition.required | chosen[name] | besides[name] for name, d in dossiers.items()}
    idle = {p.name for p in knowledge.vocabulary.predicates} - _used(dossiers, written)
    for name, dossier in dossiers.items():
        doubtful = _doubtful(dossier, chosen[name])
        for predicate in sorted(idle):
            of_it = [i for i in indices(doubtful) if dossier.atoms[i].predicate == predicate]
            if of_it:
                besides[name] |= 1 << min(of_it, key=lambda i: _oddity(dossier, i, written[name]))
    model = knowledge.model()
    return Model(
        model.vocabulary,
        tuple(_needing(a, dossiers[a.header.name], besides[a.header.name]) for a in model.actions),
    )


def _needing(action: ActionModel, dossier: Dossier, literals: int) -> ActionModel:
    more = {Literal(dossier.atoms[i]) for i in indices(literals)}
    return ActionModel.strips(action.header, action.needed | more, action.plain_effects, action.distinct)


def _doubtful(dossier: Dossier, chosen: int) -> int:
    """Atoms that may be required true and are not written."""
    needs = dossier.precondition
    return needs.may_true & ~needs.required & ~chosen & dossier.atom_mask


def _of_twins(dossier: Dossier, dossiers: Mapping[str, Dossier]) -> int:
    """Atoms that actions with the same parameters are proved to need."""
    names = [p.name for p in dossier.header.parameters]
    number = {atom: i for i, atom in enumerate(dossier.atoms)}
    return bits_of(
        {
            number[other.atoms[i]]
            for other in dossiers.values()
            if other is not dossier and names and [p.name for p in other.header.parameters] == names
            for i in indices(other.precondition.need_true & other.atom_mask)
            if other.atoms[i] in number
        }
    )


def _used(dossiers: Mapping[str, Dossier], written: Mapping[str, int]) -> set[str]:
    """Predicates that some action changes, or is written to need true or false."""
    return {
        dossier.atoms[i].predicate
        for name, dossier in dossiers.items()
        for i in indices((written[name] | dossier.effects.changed) & dossier.atom_mask)
    }


def _oddity(dossier: Dossier, index: int, written: int) -> tuple[bool, bool, int]:
    about = {v for i in indices(written & dossier.atom_mask) for v in dossier.atoms[i].variables}
    atom = dossier.atoms[index]
    return about.issuperset(atom.variables), not dossier.in_order(atom), index
