"""Does perception see what is there? Random frames of each game, read and compared with the simulator's
symbols.

Frames are taken along random walks in all problems of a game, in turn, each disturbed afresh if noise is
asked for. Every ground atom that is read off a picture counts, predicate by predicate: true and seen, true
and missed, false and seen, false and not seen. A frame that fits no valid state is refused and counted as
such.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from assay.agents.image import GAMES, Camera, Eyes
from assay.agents.pddlgym import read_environment
from assay.core.execution import Execution
from assay.core.symbols import Atom
from assay.core.universe import State, Universe
from assay.perception.noise import Noise
from assay.perception.png import png
from assay.perception.validity import Unfit
from assay.planning.applicable import Applicable

RESTART = 60
"""A walk goes back to its start after so many steps."""


@dataclass
class Row:
    """How one predicate was read."""

    predicate: str
    atoms: int = 0
    seen: int = 0
    missed: int = 0
    imagined: int = 0

    @property
    def absent(self) -> int:
        return self.atoms - self.seen - self.missed - self.imagined


@dataclass
class Confusion:
    game: str
    noise: Noise
    problems: int = 0
    frames: int = 0
    unfit: int = 0
    rows: dict[str, Row] = field(default_factory=dict)

    @property
    def wrong(self) -> int:
        return sum(row.missed + row.imagined for row in self.rows.values())

    def count(self, atoms: tuple[Atom, ...], true: frozenset[Atom], read: frozenset[Atom]) -> None:
        for atom in atoms:
            row = self.rows.setdefault(atom.predicate, Row(atom.predicate))
            row.atoms += 1
            row.seen += atom in true and atom in read
            row.missed += atom in true and atom not in read
            row.imagined += atom not in true and atom in read


def problems(game: str) -> list[str]:
    """All problems of a game, the test problems last."""
    return [
        f"{name}:{number}"
        for name in (game, f"{game}_test")
        for number in range(len(read_environment(name).problems))
    ]


def confusion(
    game: str, frames: int, noise: Noise, seed: int = 0, among: list[str] | None = None
) -> Confusion:
    found = Confusion(game, noise)
    names = among or problems(game)
    for number, name in enumerate(names):
        share = frames * (number + 1) // len(names) - frames * number // len(names)
        _walk(name, share, found, random.Random(f"{seed} {name}"), np.random.default_rng([seed, number]))
    return found


def example(game: str, noise: Noise, seed: int = 0) -> bytes:
    """How the game's first problem begins, as a PNG."""
    environment = read_environment(game)
    frame = Camera(environment).frame()
    return png(noise.frame(frame, np.random.default_rng(seed)))


def _walk(name: str, frames: int, found: Confusion, rng: random.Random, noise: np.random.Generator) -> None:
    environment = read_environment(name)
    sight = GAMES[found.game](environment.objects, environment.initial)
    camera = Camera(environment)
    eyes = Eyes(sight, camera, environment.initial)
    universe = Universe(environment.model.vocabulary, environment.objects)
    applicable = Applicable(Execution(environment.model, universe))
    done: Counter[str] = Counter()
    before = environment.initial
    bits = universe.bits(sorted(before))
    found.problems += 1
    for number in range(frames):
        drawn = applicable.draw(bits, rng, done) if number % RESTART else None
        if drawn is None:
            before = environment.initial
            bits = universe.bits(sorted(before))
        else:
            done[drawn[0].action] += 1
            bits = drawn[1]
        true = frozenset(State(universe, bits))
        frame = found.noise.frame(camera.photograph(sorted(true)), noise)
        found.frames += 1
        try:
            read = eyes.read(frame, before)
        except Unfit:
            found.unfit += 1
        else:
            found.count(sight.atoms, true, found.noise.atoms(read, sight.atoms, noise))
        before = true
