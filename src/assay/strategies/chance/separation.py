"""From two candidate models to a policy that separates them: a reduction to FOND planning (QACE section 4.2).

The state is doubled, one copy per candidate. A step that both candidates run changes both copies, and the
copies of one outcome are coupled: whichever effect set of the capability comes true, it is the same one in
both. The goal is that the copies differ, or that a step runs in one candidate only. A strong cyclic solution
is a policy that gets there whatever the outcomes; until it does the copies agree, so that it is a policy for
the agent.

Steps of other capabilities are taken from the partly learned model where it is sure that they run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.planning.ground_step import GroundStep, ground_step


class Node(NamedTuple):
    """A state according to each candidate; `apart` after a step that only one of them runs."""

    first: int
    second: int
    apart: bool = False


@dataclass(frozen=True)
class Pair:
    """A ground step under both candidates."""

    step: Step
    first: GroundStep
    second: GroundStep

    def after(self, bits: int) -> tuple[Node, ...]:
        """Where the candidates, each of which may refuse, say it leads; nowhere if both refuse."""
        one, two = self.first.runs(bits), self.second.runs(bits)
        if one != two:
            return (Node(bits, bits, True),)
        if not one:
            return ()
        return tuple(
            Node(bits & ~a.delete | a.add, bits & ~b.delete | b.add)
            for a, b in zip(self.first.branches, self.second.branches, strict=True)
        )


@dataclass(frozen=True)
class Separation:
    """The doubled task."""

    start: int
    pairs: Sequence[Pair]
    """The capability in which the candidates differ."""
    others: Sequence[tuple[Step, GroundStep]]
    complete: bool = True

    @property
    def initial(self) -> Node:
        return Node(self.start, self.start)

    def is_goal(self, node: Node) -> bool:
        return node.apart or node.first != node.second

    def successors(self, node: Node) -> Iterator[tuple[Step, tuple[Node, ...]]]:
        bits = node.first
        for pair in self.pairs:
            if nodes := pair.after(bits):
                yield pair.step, nodes
        for step, ground in self.others:
            if ground.runs(bits):
                after = [bits & ~delete | add for add, delete, _ in ground.branches]
                yield step, tuple([Node(state, state) for state in after])


def ground_pairs(
    universe: Universe, first: ActionModel, second: ActionModel, steps: Sequence[Step]
) -> list[Pair]:
    """The steps of one capability as the two candidates see them."""
    one, two = (Execution(Model(universe.vocabulary, (action,)), universe) for action in (first, second))
    found = []
    for step in steps:
        mine, theirs = ground_step(one, step), ground_step(two, step)
        if mine is not None and theirs is not None:
            found.append(Pair(step, mine, theirs))
    return found
