"""generateQuery of QACE's Algorithm 1 (line 6): where to start, which policy, and how long to follow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.policy import PolicyQuery
from assay.core.symbols import Step
from assay.core.universe import State, Universe
from assay.knowledge.experience import Experience
from assay.planning.fond import Solution, solve
from assay.planning.ground_step import GroundStep, ground_step
from assay.planning.ground_task import GroundTask
from assay.strategies.chance.partial_model import PartialModel
from assay.strategies.chance.pool import Entry, Pool
from assay.strategies.chance.separation import Separation, ground_pairs

NODES = 400
"""States expanded in the search for one policy."""
STARTS = 2
"""States of the pool that a search starts from, beside one where the first step separates."""


@dataclass(frozen=True)
class Found:
    """A policy that separates two candidates, from one state."""

    universe: Universe
    start: int
    steps: tuple[tuple[int, Step], ...]
    depth: int

    def query(self, runs: int) -> PolicyQuery:
        """To be followed for at most alpha = 2d steps. It ends by itself behind the step that separates."""
        policy = tuple((State(self.universe, bits), step) for bits, step in self.steps)
        return PolicyQuery(State(self.universe, self.start), policy, (), 2 * self.depth, runs)


class Generator:
    def __init__(self, experience: Experience, partial: PartialModel, pool: Pool) -> None:
        self._experience, self._partial, self._pool = experience, partial, pool
        self._grounded: dict[str, tuple[ActionModel, dict[Step, GroundStep]]] = {}
        self._hopeless: set[tuple[int, ActionModel, ActionModel]] = set()
        """Searches that ended without a policy."""

    def separating(
        self, action: str, candidates: tuple[ActionModel, ActionModel], telling: Sequence[Entry]
    ) -> Found | None:
        """A policy whose last step tells the candidates apart; `telling` are entries that already do."""
        first, second = candidates
        near = [entry.bits for entry in telling if self._pool.can_start(entry.bits)][:1]
        pairs, others = None, None
        for start in near or self._pool.starts()[:STARTS]:
            if not near and (start, first, second) in self._hopeless:
                continue
            if pairs is None or others is None:
                pairs = ground_pairs(self._experience.universe, first, second, self._pool.steps[action])
                others = self._learned(apart_from=action)
            solution = solve(Separation(start, pairs, others), max_nodes=NODES)
            if isinstance(solution, Solution):
                steps = tuple((node.first, step) for node, step in solution.steps.items())
                return Found(self._experience.universe, start, steps, solution.depth)
            self._hopeless.add((start, first, second))
        return None

    def at(self, entry: Entry, runs: int) -> PolicyQuery | None:
        """The step in the state, or a policy that leads there and then does it; None if neither is known."""
        universe = self._experience.universe
        if self._pool.can_start(entry.bits):
            return PolicyQuery.trial(State(universe, entry.bits), entry.step, runs)
        steps = tuple(self._learned())
        concerned = 0
        for bits in self._experience.visited:
            concerned |= bits
        goal = ((entry.bits, concerned & ~entry.bits),)
        for start in self._pool.starts()[:STARTS]:
            solution = solve(GroundTask(start, goal, steps), max_nodes=NODES)
            if isinstance(solution, Solution):
                policy = tuple((State(universe, bits), step) for bits, step in solution.steps.items())
                policy += ((State(universe, entry.bits), entry.step),)
                return PolicyQuery(State(universe, start), policy, (), 2 * (solution.depth + 1), runs)
        return None

    def leads_beyond(self, entry: Entry) -> bool:
        """Whether the step, by what is known of it, can lead to a state never seen."""
        action = self._partial.cautious(entry.step.action)
        if action is None:
            return False
        ground = self._ground(action)[entry.step]
        after = (entry.bits & ~delete | add for add, delete, _ in ground.branches)
        return any(bits not in self._experience.visited for bits in after)

    def _learned(self, apart_from: str = "") -> list[tuple[Step, GroundStep]]:
        """The steps of learned capabilities, where they are sure to run."""
        found: list[tuple[Step, GroundStep]] = []
        for name in sorted(self._pool.steps):
            action = self._partial.cautious(name) if name != apart_from else None
            if action is None:
                continue
            found += self._ground(action).items()
        return found

    def _ground(self, action: ActionModel) -> dict[Step, GroundStep]:
        name = action.header.name
        if name not in self._grounded or self._grounded[name][0] is not action:
            execution = Execution(Model(self._experience.vocabulary, (action,)), self._experience.universe)
            grounded = {s: g for s in self._pool.steps[name] if (g := ground_step(execution, s)) is not None}
            self._grounded[name] = action, grounded
        return self._grounded[name][1]
