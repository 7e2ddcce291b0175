"""An agent that answers with pictures, and the eyes that turn them into states.

Behind it is one of PDDLGym's games. It can be reset, rewound to where it has been, and acted in; what it
tells is whether a step ran, and a picture of where it is. Everything the learner gets to know of a state is
read off such pictures by `perception` (static facts are declared), frame by frame as the game goes on,
looking again where readings may be wrong. A picture that fits no valid state is an `AgentError`, never a
guess.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from assay.agents.pddlgym import Environment, Original, read_environment
from assay.core.execution import Execution
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, Start
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.errors import AgentError, InputError
from assay.perception.doors import Doors
from assay.perception.frames import Frame, Grid
from assay.perception.noise import Noise
from assay.perception.png import png
from assay.perception.repeated import Repeated
from assay.perception.sokoban import Sokoban
from assay.perception.templates import Labels, Templates

SMALLEST_ERROR = 0.005
"""What is assumed of the misreadings of an atom where frames are disturbed (measured: far fewer)."""


class Sight(Protocol):
    """What is declared of a game: how its pictures are labelled, what labels mean, which states are valid."""

    rows: int
    columns: int
    objects: tuple[Object, ...]
    atoms: tuple[Atom, ...]
    """The ground atoms that are read off a picture."""
    read_off: tuple[str, ...]
    """Their predicates; all others are static."""

    def __init__(self, objects: Iterable[Object], initial: frozenset[Atom]) -> None: ...
    def lessons(self, initial: frozenset[Atom]) -> list[frozenset[Atom]]: ...
    def labels(self, atoms: Iterable[Atom]) -> Labels: ...
    def read(self, labels: Labels, before: Iterable[Atom]) -> frozenset[Atom]: ...
    def faults(self, atoms: frozenset[Atom]) -> list[str]: ...


GAMES: dict[str, type[Sight]] = {"sokoban": Sokoban, "doors": Doors}


class Camera:
    """The game itself: acts, and photographs what is there. It holds the truth, and shows only pictures."""

    def __init__(self, environment: Environment) -> None:
        self._universe = Universe(environment.model.vocabulary, environment.objects)
        self._execution = Execution(environment.model, self._universe)
        self._initial = self._universe.bits(sorted(environment.initial))
        self._original = Original(environment)
        self._frames: dict[int, Frame] = {}
        self.bits = self._initial

    def reset(self) -> None:
        self.bits = self._initial

    def act(self, step: Step) -> bool:
        after = self._execution.apply(self.bits, step)
        if after is not None:
            self.bits = after
        return after is not None

    def frame(self) -> Frame:
        if self.bits not in self._frames:
            self._frames[self.bits] = self.photograph(self._universe.atoms(self.bits))
        return self._frames[self.bits]

    def photograph(self, atoms: Iterable[Atom]) -> Frame:
        return self._original.frame(atoms)


class Eyes:
    """Reads pictures of one game, from labelled frames on."""

    def __init__(self, sight: Sight, camera: Camera, initial: frozenset[Atom]) -> None:
        lessons = [(camera.photograph(atoms), sight.labels(atoms)) for atoms in sight.lessons(initial)]
        emptiest = max((frame for frame, _ in lessons), key=lambda frame: float(frame.mean()))
        self.sight = sight
        self.templates = Templates(Grid.find(emptiest, sight.rows, sight.columns), lessons)

    def read(self, frame: Frame, before: Iterable[Atom]) -> frozenset[Atom]:
        return self.sight.read(self.templates.recognise(frame), before)


class ImageAgent:
    start = Start.VISITED
    new_objects = False

    def __init__(self, name: str, problem: str = "", noise: Noise | None = None, seed: int = 0) -> None:
        environment = read_environment(f"{name}{problem and ':'}{problem}")
        sight = GAMES[name.removesuffix("_test")](environment.objects, environment.initial)
        self.vocabulary = environment.model.vocabulary
        self.objects = sight.objects
        self.noise = noise or Noise()
        self._sight, self._camera = sight, Camera(environment)
        self._eyes = Eyes(sight, self._camera, environment.initial)
        self._rng = np.random.default_rng(seed)
        error = max(self.noise.errors, SMALLEST_ERROR if self.noise.disturbs else 0.0)
        self._repeated = Repeated(len(sight.atoms), error)
        names = {o.name for o in self.objects}
        known = frozenset(a for a in environment.initial if names.issuperset(a.args))
        self._static = frozenset(a for a in known if a.predicate not in sight.read_off)
        self._start = self._look(known)
        self._visited: dict[frozenset[Atom], int] = {self._start: self._camera.bits}

    @property
    def repeats(self) -> int:
        """Frames taken again because a reading was in doubt."""
        return self._repeated.repeats

    @property
    def frames(self) -> int:
        """All frames taken."""
        return self._repeated.frames

    def ask(self, query: PlanQuery, /) -> Response:
        here = frozenset(query.state)
        if here not in self._visited:
            return Invalid("the game has never been there")
        self._camera.bits = self._visited[here]
        for done, step in enumerate(query.plan):
            if not self._camera.act(step):
                return PlanResponse(done, query.state.universe.state(sorted(here)))
            here = self._look(here)
            self._visited.setdefault(here, self._camera.bits)
        return PlanResponse(len(query.plan), query.state.universe.state(sorted(here)))

    def states(self, count: int, universe: Universe) -> list[State]:
        return [universe.state(sorted(self._start))][:count]

    def picture(self, state: State) -> bytes | None:
        found = self._visited.get(frozenset(state))
        if found is None:
            return None
        self._camera.bits = found
        return png(self._camera.frame())

    def _look(self, before: frozenset[Atom]) -> frozenset[Atom]:
        seen = self._repeated.settle(lambda: self._reading(before))
        if faults := self._sight.faults(seen):
            raise AgentError(f"what the frames show fits no valid state: {'; '.join(faults)}")
        return seen | self._static

    def _reading(self, before: frozenset[Atom]) -> frozenset[Atom]:
        """What one fresh frame shows."""
        frame = self.noise.frame(self._camera.frame(), self._rng)
        return self.noise.atoms(self._eyes.read(frame, before), self._sight.atoms, self._rng)


def open_image(spec: str, seed: int = 0) -> ImageAgent:
    """The agent named by GAME and options: `sokoban,problem=2,pixels=20,brightness=0.3,errors=0.02`."""
    name, *options = spec.split(",")
    if name.removesuffix("_test") not in GAMES:
        raise InputError(f"image:{spec}: there is no game {name!r}; there are {', '.join(sorted(GAMES))}")
    problem, levels = "", {"pixels": 0.0, "brightness": 0.0, "errors": 0.0}
    for option in options:
        key, _, value = option.partition("=")
        if key == "problem":
            problem = value
        elif key in levels:
            try:
                levels[key] = float(value)
            except ValueError:
                raise InputError(f"image:{spec}: {key} is a number, not {value!r}") from None
        else:
            raise InputError(f"image:{spec}: unknown option {key!r}; there are problem, {', '.join(levels)}")
    return ImageAgent(name, problem, Noise(**levels), seed)
