"""How many refusals any strategy needs, to certify a plain STRIPS model at each strength.

Each literal must be seen refused with it alone turned round, in every row of a covering array over the
facts that the precondition does not name; from strength 2 on each pair of literals, too. No refusal counts
for two of these, and a question ends at its first refusal: so many questions are needed by any strategy.
"""

from __future__ import annotations

from itertools import count
from math import comb

from assay.core.model import ActionModel, Model

STRENGTHS = ((1, 0), (1, 1), (2, 1), (2, 2))
"""(v, t) of each strength: literals turned round together, and facts named beside a single one of them."""


def covering_number(facts_together: int, facts: int) -> int:
    """Fewest rows in which every choice of so many facts shows all patterns; known for up to two.

    For two: Kleitman and Spencer, and Katona (1973).
    """
    together = min(facts_together, facts)
    if together < 2:
        return 1 + together
    return next(rows for rows in count(4) if comb(rows - 1, (rows + 1) // 2) >= facts)


def fewest_refusals(model: Model, strength: int) -> int:
    """The sum over all actions, each a conjunction."""
    return sum(_of_action(model, action, *STRENGTHS[strength]) for action in model.actions)


def _of_action(model: Model, action: ActionModel, turned: int, beside: int) -> int:
    literals = len(action.needed)
    facts = len(model.vocabulary.lifted_atoms(action.header.name)) - literals
    found = literals * covering_number(beside, facts)
    if turned == 2:
        found += comb(literals, 2) * covering_number(max(0, beside - 1), facts)
    return found


def literals_needed(model: Model) -> int:
    """K: the literals of all preconditions."""
    return sum(len(action.needed) for action in model.actions)
