"""From two abstract models that differ in one slot to a task whose plans separate them.

AIA-21 section 3.2 and DCDN section 4.1.1: the state is doubled, one copy per model. A step that both
models can do changes both copies; a step that only one can do makes p_psi true; the goal is p_psi or a
difference between the copies. The auxiliary p_u marks atoms of the refined predicate whose value is not
known any more. It is used here in the one form in which what follows from an answer is right:

- there is one p_u per ground atom, false at the start; a step with an undecided effect on an atom sets it,
  a decided add or delete clears it, a decided "absent" does neither;
- the refined action, if the slot is in its precondition, also runs where p_u holds on the slot's atom, in
  both models, so that a value nobody knows separates nothing;
- a step of which nothing is known about a precondition over the predicate runs only where p_u holds on
  that atom: hence no effect is asked about before the precondition (DCDN Lemma 1);
- where p_u holds on the atom of a refined effect, the effect counts as unknown in both models.

Until the goal both copies agree, and the last step is the refined action (DCDN Lemmas 3 and 4): nodes are
expanded on that ground. If the agent runs a whole plan found here, the mode whose model could not do the
last step, or leaves another value, is wrong (DCDN Theorem 2); if it stops earlier, nothing follows about
either model (Lemma 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from assay.core.symbols import Atom, Step
from assay.core.universe import Universe, bits_of, indices
from assay.planning.abstract import AbstractAction, AbstractModel, Refinement, holds, outcome
from assay.planning.grounding import Situation, Steps


class Node(NamedTuple):
    """A state of the doubled task."""

    i: int
    j: int
    u: int
    psi: bool


Masks = tuple[int, int, int, int]
"""A step under an abstract model, over ground atoms: needed true, needed false, added, deleted."""


class Compiler:
    """Turns steps into masks, and remembers them for as long as their action's abstraction is the same."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self._tables: dict[str, tuple[AbstractAction, dict[Step, Masks]]] = {}

    def table(self, action: str, abstract: AbstractAction) -> dict[Step, Masks]:
        """The masks known so far; to be filled by `compile`."""
        if action not in self._tables or self._tables[action][0] != abstract:
            self._tables[action] = abstract, {}
        return self._tables[action][1]

    def compile(self, step: Step, abstract: AbstractAction) -> Masks:
        return (
            self.ground(step, abstract.need_true),
            self.ground(step, abstract.need_false),
            self.ground(step, abstract.add),
            self.ground(step, abstract.delete),
        )

    def ground(self, step: Step, lifted: int) -> int:
        """The ground atoms of these lifted ones."""
        if not lifted:
            return 0
        positions = self.universe.positions(step)
        return bits_of(positions[index] for index in indices(lifted))


def _admit_all(step: Step, bits: int) -> bool:
    return True


class Separation:
    """The doubled task.

    `steps` are the ground actions to consider, per action of the model; `admit` says whether a plan may end
    with a step in a state.
    """

    def __init__(
        self,
        compiler: Compiler,
        model: AbstractModel,
        refinement: Refinement,
        situation: Situation,
        steps: Mapping[str, Steps],
        admit: Callable[[Step, int], bool] = _admit_all,
    ) -> None:
        self.universe = compiler.universe
        self.model, self.refinement, self.situation, self.steps = model, refinement, situation, steps
        self.predicate = self._atoms(refinement.action)[refinement.atom].predicate
        self._compiler, self._admit = compiler, admit
        self._clouds: dict[Step, tuple[int, int]] = {}
        # what the two models make of the slot's atom where it is false and where it is true
        first, second = refinement.modes
        meaning = outcome if refinement.effect else holds
        self._views = tuple((int(meaning(first, value)), int(meaning(second, value))) for value in (0, 1))

    def _atoms(self, action: str) -> tuple[Atom, ...]:
        return self.universe.vocabulary.lifted_atoms(action)

    @property
    def initial(self) -> Node:
        bits = self.situation.state.bits
        return Node(bits, bits, 0, False)

    @property
    def complete(self) -> bool:
        return all(found.complete for found in self.steps.values())

    def is_goal(self, node: Node) -> bool:
        return node.psi or node.i != node.j

    def successors(self, node: Node, last: bool = False) -> Iterator[tuple[Step, Node]]:
        """What the steps lead to, those of the refined action first: only they can reach the goal."""
        refined = self.refinement.action
        outcomes = self._outcomes(node, refined, self.steps[refined].steps)
        yield from (entry for entry in outcomes if not last or self.is_goal(entry[1]))
        for action, found in self.steps.items():
            if action != refined and not last:
                yield from self._outcomes(node, action, found.steps)

    def successor(self, node: Node, step: Step) -> Node | None:
        """The doubled state after a step, or None if neither model can do it or its end is not admitted."""
        return next((after for _, after in self._outcomes(node, step.action, (step,))), None)

    def _outcomes(self, node: Node, action: str, steps: Iterable[Step]) -> Iterator[tuple[Step, Node]]:
        bits, u = node.i, node.u
        abstract = self.model[action]
        change = self._refined if action == self.refinement.action else self._common
        table = self._compiler.table(action, abstract)
        for step in steps:
            if (masks := table.get(step)) is None:
                masks = table[step] = self._compiler.compile(step, abstract)
            if bits & masks[0] != masks[0] or bits & masks[1]:
                continue
            if (after := change(bits, u, step, masks)) is not None:
                yield step, after

    def _common(self, bits: int, u: int, step: Step, masks: Masks) -> Node | None:
        """A step of an action that both models describe alike."""
        if self._cloud(step)[0] & ~u:
            return None
        after = bits & ~masks[3] | masks[2]
        return Node(after, after, self._unknown_after(u, step, masks), False)

    def _refined(self, bits: int, u: int, step: Step, masks: Masks) -> Node | None:
        """A step of the action in which the models differ."""
        slot = self.refinement
        place = self.universe.positions(step)[slot.atom]
        after = bits & ~masks[3] | masks[2]
        if u >> place & 1:
            return Node(after, after, self._unknown_after(u, step, masks), False)
        first, second = self._views[bits >> place & 1]
        if slot.effect and self.model[step.action].blank >> slot.atom & 1:
            return None
        if first != second and not self._admit(step, bits):
            return None
        if slot.effect:
            rest = after & ~(1 << place)
            clouded = self._unknown_after(u, step, masks) & ~(1 << place)
            return Node(rest | first << place, rest | second << place, clouded, False)
        if first != second:
            return Node(bits, bits, u, True)
        return Node(after, after, self._unknown_after(u, step, masks), False) if first else None

    def _unknown_after(self, u: int, step: Step, masks: Masks) -> int:
        return u & ~(masks[2] | masks[3]) | self._cloud(step)[1]

    def _cloud(self, step: Step) -> tuple[int, int]:
        """Atoms of the refined predicate that the step has a blank precondition or an unknown effect on."""
        if step not in self._clouds:
            abstract, atoms = self.model[step.action], self._atoms(step.action)
            mask = bits_of(n for n, atom in enumerate(atoms) if atom.predicate == self.predicate)
            ground = self._compiler.ground
            self._clouds[step] = ground(step, abstract.blank & mask), ground(step, abstract.unknown & mask)
        return self._clouds[step]


def separates(task: Separation, plan: Iterable[Step]) -> bool:
    """Whether the plan is a solution: the check that every plan from outside must pass."""
    node = task.initial
    for step in plan:
        if task.is_goal(node):
            return False
        if step.action not in task.steps or (after := task.successor(node, step)) is None:
            return False
        node = after
    return task.is_goal(node)
