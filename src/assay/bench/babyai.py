"""Is what was learned about BabyAI's bot true? Random situations, replayed in the simulator.

The bot is interrogated in one world. Then it is put into situations in other worlds of the same level (other
colours, other places), reached by random instructions and by random moves of a player who also picks up,
drops and shuts doors, so that they are not those that the learner visited. In each it gets one instruction,
and what the learned model predicts is compared with what happens: whether it is carried out, and every fact
afterwards.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

from assay.agents.babyai import BabyAISimulator, open_babyai
from assay.agents.babyai_level import VAULT
from assay.agents.babyai_vocabulary import PREDICATES, misplaced
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.perception.abstraction import Abstraction
from assay.result import Result
from assay.session import assess

CHANGES = 12
"""A situation is reached by fewer than so many instructions and walks."""
WALK = 20
"""A walk has fewer than so many moves."""
MISPLACED = 0.05
"""The share of instructions drawn without a look at where things are."""


class Mistake(StrEnum):
    """The ways in which a prediction can be wrong."""

    REFUSED = "refused, predicted to be carried out"
    CARRIED_OUT = "carried out, predicted to be refused"
    MOVED = "moved a thing that the instruction does not name"
    EFFECT = "another effect on what the instruction names"


@dataclass
class Row:
    """How the predictions about one capability came out."""

    capability: str
    situations: int = 0
    refused: int = 0
    """By the bot itself, which raised or gave up."""
    misplaced: int = 0
    """Refused because things are not where the instruction says."""
    executability_right: int = 0
    carried_out: int = 0
    effects_right: int = 0
    """Of those carried out as predicted: every fact afterwards is as predicted."""
    mistakes: Counter[str] = field(default_factory=Counter)

    @property
    def right(self) -> int:
        return self.situations - self.mistakes.total()


@dataclass(frozen=True)
class Wrong:
    """A situation that came out differently: enough to look at it again."""

    situation: int
    world: int
    instruction: str
    mistake: Mistake
    predicted: list[str]
    """The facts that should have changed, with a sign."""
    happened: list[str]


@dataclass(frozen=True)
class Replay:
    rows: list[Row]
    total: Row
    wrong: list[Wrong]
    refusals: dict[str, int]
    """What the bot ran into, how often."""


def learn(level: str = VAULT, seed: int = 0, *, strength: int) -> Result:
    return assess(open_babyai(f"{level}:{seed}"), strategy="acting", strength=strength, seed=seed)


def replay(model: Model, level: str = VAULT, situations: int = 500, seed: int = 0) -> Replay:
    """Predictions of a learned model against what happens in random situations."""
    rows = {header.name: Row(header.name) for header in model.vocabulary.actions}
    total, wrong, refusals = Row("total"), [], Counter[str]()
    for number, (world, simulator, step) in enumerate(_situations(model.vocabulary, level, situations, seed)):
        universe, abstraction = _looking(model.vocabulary, simulator)
        scene = simulator.scene()
        before = abstraction.bits(scene, abstraction.static(scene))
        predicted = Execution(model, universe).apply(before, step) if step.action in model.action else None
        after = simulator.step(step)
        happened = None if after is None else abstraction.bits(after, abstraction.static(after))
        mistake = _mistake(universe, step, predicted, happened)
        for row in (rows[step.action], total):
            row.situations += 1
            row.executability_right += (predicted is None) == (happened is None)
            row.carried_out += happened is not None
            row.effects_right += happened is not None and happened == predicted
            if happened is None:
                row.misplaced += bool(misplaced(scene, step))
                row.refused += not misplaced(scene, step)
            if mistake is not None:
                row.mistakes[mistake] += 1
        if happened is None and not misplaced(scene, step):
            refusals[simulator.refusal] += 1
        if mistake is not None:
            changes = [_changes(universe, before, bits) for bits in (predicted, happened)]
            wrong.append(Wrong(number, world, str(step), mistake, *changes))
    return Replay(list(rows.values()), total, wrong, dict(refusals.most_common()))


def _situations(
    vocabulary: Vocabulary, level: str, count: int, seed: int
) -> Iterator[tuple[int, BabyAISimulator, Step]]:
    """Worlds in random situations, with an instruction to give there."""
    rng, simulator = random.Random(seed), BabyAISimulator(level)
    for _ in range(count):
        world = rng.randrange(1, 1_000_000)
        simulator.reset(world)
        steps = _instructions(vocabulary, simulator)
        for _ in range(rng.randrange(CHANGES)):
            if rng.random() < 0.5:
                simulator.step(_draw(steps, simulator, rng))
            else:
                simulator.wander(rng, rng.randrange(1, WALK))
        yield world, simulator, _draw(steps, simulator, rng)


def _instructions(vocabulary: Vocabulary, simulator: BabyAISimulator) -> list[Step]:
    things = simulator.objects()
    return [
        Step(header.name, args)
        for header in vocabulary.actions
        for args in product(
            *([n for n, kind in things.items() if vocabulary.fits(kind, p.types)] for p in header.parameters)
        )
        if len(set(args)) == len(args)
    ]


def _draw(steps: list[Step], simulator: BabyAISimulator, rng: random.Random) -> Step:
    """An instruction, each capability as likely as any other; mostly one that is right about places."""
    scene = simulator.scene()
    placed = [] if rng.random() < MISPLACED else [s for s in steps if not misplaced(scene, s)]
    choice = placed or steps
    capability = rng.choice(sorted({s.action for s in choice}))
    return rng.choice([s for s in choice if s.action == capability])


def _looking(vocabulary: Vocabulary, simulator: BabyAISimulator) -> tuple[Universe, Abstraction]:
    universe = Universe(vocabulary, [Object(name, kind) for name, kind in simulator.objects().items()])
    return universe, Abstraction(universe, PREDICATES)


def _mistake(universe: Universe, step: Step, predicted: int | None, happened: int | None) -> Mistake | None:
    if predicted == happened:
        return None
    if predicted is None or happened is None:
        return Mistake.REFUSED if happened is None else Mistake.CARRIED_OUT
    named = set(step.args)
    beside = any(set(atom.args) - named for atom in universe.atoms(predicted ^ happened))
    return Mistake.MOVED if beside else Mistake.EFFECT


def _changes(universe: Universe, before: int, after: int | None) -> list[str]:
    if after is None:
        return ["refused"]

    def signed(atom: Atom) -> str:
        return f"{'+' if after >> universe.index(atom) & 1 else '-'}{atom}"

    return sorted(map(signed, universe.atoms(before ^ after)))
