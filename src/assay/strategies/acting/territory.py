"""The states that are known to be reachable, and how: by steps that are sure to run, with sure results.

What is sure stays sure as more is learned, so the territory only grows. It is explored in thought, never by
asking: first where an atom is true that never was, then where two are true together that never were (the
novelty of Lipovetzky and Geffner's width-based search), then breadth first; and by search for a state that
has certain facts. Once every sure step of every state leads back inside, or into a forbidden state, it is
*exhausted*; if there was no forbidden state it is *closed*: nothing else can be reached surely.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from heapq import heapify, heappop, heappush

from assay.core.model import Model
from assay.core.symbols import Literal, Step
from assay.core.universe import Universe, bits_of, indices
from assay.planning.filing import Filing
from assay.planning.mutexes import Mutexes, find_mutexes
from assay.planning.relaxed import Ground, Reach, relaxed_reach
from assay.strategies.acting.fence import Fence

MOST_STEPS = 20_000
"""Ground actions that are considered at all."""


class Territory:
    def __init__(
        self,
        universe: Universe,
        starts: Collection[int],
        free: Collection[str] = (),
        fence: Fence | None = None,
    ) -> None:
        self._universe, self._starts, self._free, self._fence = universe, starts, free, fence
        self._sure = Model(universe.vocabulary, ())
        self._doubtful: Mapping[str, frozenset[Literal]] = {}
        self._grounds: list[tuple[int, Ground]] | None = None
        """What is sure now, with the version since which it is; what was found out last first."""
        self._filing = Filing((), ())
        self._since: dict[Step, tuple[int, Ground]] = {}
        """For each sure step as it is now, the version of the model in which it became so."""
        self._version = 0
        self._followed: dict[int, int] = {}
        """The version up to which each state's sure steps were followed."""
        self.looked = 0
        """Steps checked one by one, over all states."""
        self._reach: Reach | None = None
        self._mutexes: Mutexes | None = None
        self._complete = True
        self.states: list[int] = []
        """In the order found."""
        self._origin: dict[int, tuple[int, tuple[Step, ...]] | None] = {}
        self._distance: dict[int, int] = {}
        self._observed: set[int] = set()
        """States that answers ended in."""
        self._beside: dict[int, int] = {}
        """For each atom seen true, the atoms seen true with it."""
        self._queue: list[tuple[int, int, int, int]] = []
        """States whose sure steps are still to be followed under the present model, the most novel first."""
        self._novelty: dict[int, int] = {}
        allowed = [bits for bits in starts if fence is None or not fence.forbids(bits)]
        self.fenced = len(allowed) < len(starts)
        """Whether some state known to be within reach was left out."""
        for bits in allowed:
            self.settle(bits)

    def settle(self, bits: int) -> None:
        """The agent can be put into this state."""
        if bits not in self._origin:
            self._enter(bits)
        self._origin[bits], self._distance[bits] = None, 0
        self._grounds = None

    def observe(self, start: int, plan: tuple[Step, ...], bits: int) -> None:
        """The agent got from one state to another by a plan, and would again."""
        if bits not in self._observed:
            self._observed.add(bits)
            self._grounds = None
        self._add(bits, start, plan)

    def lead(self, bits: int, step: Step, after: int) -> None:
        """A step that is known to lead from one state to another, from what it did elsewhere."""
        if after != bits and self._may_enter(after):
            self._add(after, bits, (step,))
            if self._reach is not None and after & ~self._reach.atoms:
                self._observed.add(after)
                self._grounds = None

    def unfenced(self) -> Territory:
        """The same with the forbidden states: to be thought about, not to be entered."""
        whole = Territory(self._universe, [*self._starts, *self.sources], self._free)
        whole.learn(self._sure, self._doubtful)
        return whole

    def learn(self, sure: Model, doubtful: Mapping[str, frozenset[Literal]]) -> None:
        """The steps that are sure to run now; their results are, where nothing doubtful shows."""
        if sure.actions != self._sure.actions or doubtful != self._doubtful:
            self._sure, self._doubtful, self._grounds = sure, doubtful, None

    @property
    def exhausted(self) -> bool:
        return self._grounds is not None and self._complete and not self._queue

    @property
    def closed(self) -> bool:
        return self.exhausted and not self.fenced

    def distance(self, bits: int) -> int:
        return self._distance[bits]

    def path(self, bits: int) -> tuple[int, tuple[Step, ...]]:
        """A state the agent can be put into, and the sure steps from there."""
        steps: list[Step] = []
        while (origin := self._origin[bits]) is not None:
            bits, way = origin
            steps.extend(reversed(way))
        return bits, tuple(reversed(steps))

    @property
    def sources(self) -> list[int]:
        """States that were not reached in thought alone."""
        return [b for b, origin in self._origin.items() if origin is None or b in self._observed]

    def _prepare(self) -> None:
        """Ground what is sure now; every state may have new steps."""
        reach = relaxed_reach(
            self._sure, self._universe, self.sources, MOST_STEPS, self._doubtful, self._free
        )
        if reach is not None and self._doubtful:
            grounds = (_with_sure_result(ground) for ground in reach.grounds)
            reach = Reach(tuple(g for g in grounds if g is not None), reach.atoms)
        self._reach, self._mutexes = reach, None
        self._complete = reach is not None
        self._version += 1
        for ground in reach.grounds if reach is not None else ():
            known = self._since.get(ground.step)
            if known is None or known[1] != ground:
                self._since[ground.step] = self._version, ground
        self._grounds = sorted(self._since.values(), key=lambda entry: -entry[0])
        self._filing = Filing([ground.needed for _, ground in self._grounds], self.states)
        self._queue = [
            (self._novelty[bits], self._distance[bits], number, bits)
            for number, bits in enumerate(self.states)
        ]
        heapify(self._queue)

    def _successors(self, bits: int, since: int = 0) -> Iterator[tuple[Step, int]]:
        """Where sure steps lead that change something and are allowed, those sure since a version."""
        grounds = self._grounds or []
        for number in sorted(self._filing.candidates(bits)):
            version, ground = grounds[number]
            if version <= since:
                return
            self.looked += 1
            if bits & ground.needed == ground.needed and not bits & ground.forbidden:
                after = bits & ~ground.delete | ground.add
                if after != bits and self._may_enter(after):
                    yield ground.step, after

    def _may_enter(self, bits: int) -> bool:
        if self._fence is None or not self._fence.forbids(bits):
            return True
        self.fenced = True
        return False

    @property
    def seen(self) -> int:
        """Every atom that is true in some state."""
        return bits_of(self._beside)

    @property
    def reached(self) -> int:
        """Every atom that sure steps may ever make true."""
        if self._grounds is None:
            self._prepare()
        return self._reach.atoms if self._reach is not None else bits_of(self._beside)

    def mutexes(self) -> Mutexes | None:
        """What excludes what as far as sure steps lead; None where there are too many steps."""
        if self._grounds is None:
            self._prepare()
        if self._mutexes is None and self._reach is not None:
            self._mutexes = find_mutexes(self._universe, self.sources, self._reach)
        return self._mutexes

    def grow(self, wanted: int) -> bool:
        """Look for so many new states; tells if there was one."""
        if self._grounds is None:
            self._prepare()
        known = len(self.states)
        while self._queue and len(self.states) - known < wanted:
            *_, bits = heappop(self._queue)
            for step, after in self._successors(bits, self._followed.get(bits, 0)):
                self._add(after, bits, (step,))
            self._followed[bits] = self._version
        return len(self.states) > known

    def seek(self, true: int, false: int, most: int) -> int | None:
        """A state with these facts, now part of the territory, if one was found.

        Best-first search by the number of facts that are missing, from all that is known; `most` states are
        followed up. Finding nothing proves nothing.
        """

        if self._grounds is None:
            self._prepare()

        def missing(bits: int) -> int:
            return (true & ~bits).bit_count() + (false & bits).bit_count()

        queue = [(missing(bits), number, bits) for number, bits in enumerate(self.states)]
        heapify(queue)
        origin: dict[int, tuple[int, Step]] = {}
        number = len(queue)
        for _ in range(most):
            if not queue:
                return None
            score, _, bits = heappop(queue)
            if score == 0:
                self._adopt(bits, origin)
                return bits
            if self.closed:
                return None
            for step, after in self._successors(bits):
                if after not in origin and after not in self._origin:
                    origin[after] = bits, step
                    number += 1
                    heappush(queue, (missing(after), number, after))
        return None

    def _adopt(self, bits: int, origin: dict[int, tuple[int, Step]]) -> None:
        way = []
        while bits in origin:
            parent, step = origin[bits]
            way.append((bits, parent, step))
            bits = parent
        for bits, parent, step in reversed(way):
            self._add(bits, parent, (step,))

    def _add(self, bits: int, parent: int, way: tuple[Step, ...]) -> None:
        distance = self._distance[parent] + len(way)
        if bits in self._origin and distance >= self._distance[bits]:
            return
        if bits not in self._origin:
            self._distance[bits] = distance
            self._enter(bits)
        self._origin[bits], self._distance[bits] = (parent, way), distance

    def _enter(self, bits: int) -> None:
        atoms = indices(bits)
        novelty = 2
        for atom in atoms:
            beside = self._beside.get(atom, 0)
            if bits & ~beside:
                novelty = min(novelty, 1 if beside else 0)
                self._beside[atom] = beside | bits
        self._novelty[bits] = novelty
        self.states.append(bits)
        heappush(self._queue, (novelty, self._distance.get(bits, 0), len(self.states), bits))


def _with_sure_result(ground: Ground) -> Ground | None:
    """The step where no effect in doubt shows; None if one always does, by saving what is deleted."""
    if ground.may_add & ground.delete:
        return None
    needed, forbidden = ground.needed | ground.may_add, ground.forbidden | ground.may_delete
    return replace(ground, needed=needed, forbidden=forbidden, may_add=0, may_delete=0)
