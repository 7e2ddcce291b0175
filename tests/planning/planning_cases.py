"""Abstract models with p_u, read literally: sets of atoms, one model at a time, no search.

An independent reading of what `assay.planning.distinguish` does with bitmasks on two copies at once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.planning.abstract import AbstractAction, Refinement
from assay.planning.distinguish import Compiler, Separation
from assay.planning.grounding import Grounding, Situation
from assay.scoring.normal_form import normalised

VOCABULARY = Vocabulary.of(
    predicates={"p": ["object"], "r": ["object", "object"], "n": []},
    actions={"a": ["object"], "b": ["object"], "c": []},
)
OBJECTS = (Object("o1"), Object("o2"))
MODES = "+-0"


def mode_of(action: ActionModel, atom: Atom, effect: bool) -> str:
    literals = action.plain_effects if effect else action.needed
    return "+" if Literal(atom) in literals else "-" if Literal(atom, False) in literals else "0"


@dataclass
class Case:
    """A hidden model, an abstraction of it, one more slot, and a state."""

    truth: Model
    abstract: dict[str, AbstractAction]
    action: str
    atom: int
    effect: bool
    universe: Universe
    state: State

    @property
    def slot_atom(self) -> Atom:
        return VOCABULARY.lifted_atoms(self.action)[self.atom]

    @property
    def true_mode(self) -> str:
        return mode_of(self.truth.action[self.action], self.slot_atom, self.effect)

    def task(self, modes: tuple[str, str]) -> Separation:
        place = Situation(self.state, OBJECTS)
        grounding = Grounding(VOCABULARY, 10**6)
        return Separation(
            Compiler(self.universe),
            self.abstract,
            Refinement(self.action, self.atom, self.effect, modes),
            place,
            {name: grounding.steps(place, name) for name in self.abstract},
        )

    def model(self, mode: str) -> Augmented:
        return Augmented(self, mode)

    def agent(self, plan: tuple[Step, ...]) -> tuple[int, State]:
        return Execution(self.truth, self.universe).run(self.state, plan)


def random_case(seed: int, decided: tuple[float, float] = (0.6, 0.6), effect: bool | None = None) -> Case:
    """Slots are decided at random, each with the mode it has in the (normalised) hidden model.

    `decided` are the shares of precondition and effect slots.
    """
    rng = random.Random(seed)
    truth = normalised(Model(VOCABULARY, tuple(_random_action(rng, a.name) for a in VOCABULARY.actions)))
    action = rng.choice([a.name for a in VOCABULARY.actions])
    atom = rng.randrange(len(VOCABULARY.lifted_atoms(action)))
    in_effect = rng.random() < 0.5 if effect is None else effect
    abstract = {}
    for model in truth.actions:
        name = model.header.name
        masks = dict.fromkeys(("need_true", "need_false", "blank", "add", "delete", "unknown"), 0)
        for number, lifted in enumerate(VOCABULARY.lifted_atoms(name)):
            for part in (False, True):
                mode = mode_of(model, lifted, part)
                own = (name, number, part) == (action, atom, in_effect)
                if own or rng.random() >= decided[part]:
                    key = "unknown" if part else "blank"
                elif mode == "0":
                    continue
                else:
                    key = {(False, "+"): "need_true", (False, "-"): "need_false"}.get(
                        (part, mode), "add" if mode == "+" else "delete"
                    )
                masks[key] |= 1 << number
        abstract[name] = AbstractAction(**masks)
    universe = Universe(VOCABULARY, OBJECTS)
    atoms = [
        Atom(p.name, args)
        for p in VOCABULARY.predicates
        for args in product([o.name for o in OBJECTS], repeat=p.arity)
    ]
    state = universe.state(a for a in atoms if rng.random() < 0.5)
    return Case(truth, abstract, action, atom, in_effect, universe, state)


def _random_action(rng: random.Random, name: str) -> ActionModel:
    atoms = VOCABULARY.lifted_atoms(name)
    needs = frozenset(Literal(a, rng.random() < 0.6) for a in atoms if rng.random() < 0.35)
    effects = frozenset(Literal(a, rng.random() < 0.5) for a in atoms if rng.random() < 0.4)
    return ActionModel.strips(VOCABULARY.action[name], needs, effects)


class Augmented:
    """One of the two models of a pair, with p_u."""

    def __init__(self, case: Case, mode: str) -> None:
        self._case, self._mode = case, mode

    def runs(self, holds: frozenset[Atom], unknown: frozenset[Atom], step: Step) -> bool:
        return all(self._met(holds, unknown, step, number) for number, _ in enumerate(self._atoms(step)))

    def _met(self, holds: frozenset[Atom], unknown: frozenset[Atom], step: Step, number: int) -> bool:
        """What the step asks of one of its atoms."""
        case, masks, bit = self._case, self._case.abstract[step.action], 1 << number
        ground = list(self._atoms(step))[number][1]
        if masks.need_true & bit:
            return ground in holds
        if masks.need_false & bit:
            return ground not in holds
        if (step.action, number) == (case.action, case.atom):
            if not case.effect:
                fine = {"+": ground in holds, "-": ground not in holds, "0": True}[self._mode]
                return fine or ground in unknown
        elif step.action == case.action:
            return True
        return not masks.blank & bit or ground.predicate != case.slot_atom.predicate or ground in unknown

    def apply(
        self, holds: frozenset[Atom], unknown: frozenset[Atom], step: Step
    ) -> tuple[frozenset[Atom], frozenset[Atom]]:
        case, slot = self._case, self._case.slot_atom
        after, clouded = set(holds), set(unknown)
        for number, (lifted, ground) in enumerate(self._atoms(step)):
            masks, bit = case.abstract[step.action], 1 << number
            mode = "+" if masks.add & bit else "-" if masks.delete & bit else "0"
            undecided = bool(masks.unknown & bit)
            if case.effect and (step.action, lifted) == (case.action, slot):
                undecided = ground in unknown
                mode = "0" if undecided else self._mode
            if mode != "0":
                (after.add if mode == "+" else after.discard)(ground)
                clouded.discard(ground)
            if undecided and ground.predicate == slot.predicate:
                clouded.add(ground)
        return frozenset(after), frozenset(clouded)

    def trace(self, plan: tuple[Step, ...]) -> list[tuple[frozenset[Atom], frozenset[Atom]]]:
        """The states passed through; as many more than one as steps ran."""
        found = [(frozenset(self._case.state), frozenset[Atom]())]
        for step in plan:
            if not self.runs(*found[-1], step):
                break
            found.append(self.apply(*found[-1], step))
        return found

    def answer(self, plan: tuple[Step, ...]) -> tuple[int, frozenset[Atom]]:
        trace = self.trace(plan)
        return len(trace) - 1, trace[-1][0]

    def _atoms(self, step: Step) -> Iterator[tuple[Atom, Atom]]:
        binding = VOCABULARY.action[step.action].bind(step.args)
        for lifted in VOCABULARY.lifted_atoms(step.action):
            yield lifted, lifted.substitute(binding)


def all_plans(length: int) -> Iterator[tuple[Step, ...]]:
    steps = [Step("c"), *(Step(name, (o.name,)) for name in "ab" for o in OBJECTS)]
    for count in range(1, length + 1):
        yield from product(steps, repeat=count)
