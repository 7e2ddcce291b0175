"""What is written of an action although nothing settles it, apart from what is settled.

While literals are in doubt, the model still has to give the answers: the fewest open literals that explain
every refusal are written. They are suppositions, and whoever reads the model must be able to see which.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assay.core.model import ActionModel
from assay.core.symbols import Atom, Literal
from assay.knowledge.dossier import Claim, Part, Status


def settled_part(action: ActionModel, claims: Iterable[Claim]) -> tuple[ActionModel, list[Literal]]:
    """The action without what it only is supposed to need, and that; different things are `not (= ?x ?y)`."""
    open_ = {(c.action, c.atom) for c in claims if c.part is Part.PRECONDITION and c.status is Status.OPEN}
    name = action.header.name
    needs = [x for x in sorted(action.precondition) if (name, x.atom) in open_]
    pairs = [pair for pair in sorted(action.distinct) if (name, Atom("=", pair)) in open_]
    settled = replace(
        action, precondition=action.precondition.difference(needs), distinct=action.distinct.difference(pairs)
    )
    return settled, [*needs, *(Literal(Atom("=", pair), False) for pair in pairs)]
