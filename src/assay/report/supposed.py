"""What is written of an action although nothing settles it, apart from what is settled.

While literals are in doubt, the model still has to give the answers: the fewest open literals that explain
every refusal are written, and the fewest open effects that explain what became of atoms that several effects
may have changed. They are suppositions, and whoever reads the model must be able to see which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.core.model import ActionModel, Outcome
from assay.core.symbols import Atom, Literal
from assay.knowledge.dossier import Claim, Part, Status


@dataclass(frozen=True, slots=True)
class Supposed:
    """Of one action."""

    needs: tuple[Literal, ...]
    """What it only is supposed to need; different things are `not (= ?x ?y)`."""
    effects: tuple[Literal, ...]

    def notes(self) -> Iterator[str]:
        """Beside the model, why these are written."""
        if self.needs:
            told = " ".join(map(str, self.needs))
            yield f"Open, and written because it would explain refusals: {told}"
        if self.effects:
            told = " ".join(map(str, self.effects))
            yield f"Open, and written because it would explain what changed: {told}"


def settled_part(action: ActionModel, claims: Iterable[Claim]) -> tuple[ActionModel, Supposed]:
    """The action without what is only supposed of it, and that."""
    open_ = {(c.part, c.atom) for c in claims if c.action == action.header.name and c.status is Status.OPEN}
    needs = [x for x in sorted(action.needed) if (Part.PRECONDITION, x.atom) in open_]
    pairs = [pair for pair in sorted(action.distinct) if (Part.PRECONDITION, Atom("=", pair)) in open_]
    effects = {x for o in action.outcomes for x in o.literals if (Part.EFFECT, x.atom) in open_}
    settled = ActionModel.chance(
        action.header,
        action.needed.difference(needs),
        [Outcome.plain(o.literals - effects, o.probability) for o in action.outcomes],
        action.distinct.difference(pairs),
    )
    different = [Literal(Atom("=", pair), False) for pair in pairs]
    return settled, Supposed((*needs, *different), tuple(sorted(effects)))
