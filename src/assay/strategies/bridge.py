"""Restoring shared atoms: a short plan of steps that are all but sure to run, by effects known or probable.

Each step of a bridge acts on objects of its own, whose atoms the question can set as the step needs them,
so the only thing to plan over is the valuation of the shared atoms: breadth-first search over a handful
of bits, not a planning problem over the agent's world.
"""

from __future__ import annotations

from collections import deque

from assay.knowledge.knowledge import Knowledge
from assay.strategies.suspicion import Rates
from assay.strategies.world import Shared, Test, World

MOST_VALUATIONS = 2000


def sure_runs(knowledge: Knowledge, rates: Rates) -> list[Test]:
    """One run per action that is all but certain to succeed: its example, with every suspect as it was there,
    except for shared atoms that hardly matter."""
    found = []
    for dossier in knowledge.dossiers.values():
        needs = dossier.precondition
        if needs.example is not None:
            care = needs.suspects & ~rates.unlikely(dossier, needs.example)
            found.append(Test(dossier, needs.example & care, care))
    return found


def bridge(operators: list[Test], start: Shared, care: int, want: int, world: World) -> list[Test] | None:
    """Runs that lead from the shared atoms at `start` to ones that agree with `want` on `care`."""
    queue = deque([start])
    came: dict[Shared, tuple[Shared, Test] | None] = {start: None}
    while queue and len(came) < MOST_VALUATIONS:
        known, values = node = queue.popleft()
        if not care & ~known and not (values ^ want) & care:
            plan = []
            while (step := came[node]) is not None:
                node, test = step
                plan.append(test)
            return plan[::-1]
        for test in operators:
            needed = test.care & world.shared_mask
            if needed & ~known or (values ^ test.want) & needed:
                continue
            after = world.predict(test.dossier, (known, values))
            if after not in came:
                came[after] = ((known, values), test)
                queue.append(after)
    return None
