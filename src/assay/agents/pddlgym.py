"""PDDLGym's deterministic environments: their PDDL run by our own simulator, their renderer for pictures.

An environment's actions are either its operators, or predicates that merely name what is done (`(move ?dir)`
in the precondition of `move` and of `push`), listed in a comment of the domain, `(:actions move)`. Such a
predicate says nothing about the world: it is part of the action, and is left out of the vocabulary, the
preconditions and the initial states. `Original` is the environment as PDDLGym steps it, to compare with.

PDDLGym needs an old pillow; its renderer runs with newer ones too, once the name it asks for is there.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.agents.model import ModelAgent
from assay.core.formula import Formula, conjoin, conjuncts
from assay.core.model import ActionModel, Model
from assay.core.symbols import Atom, Literal, Object
from assay.core.universe import State
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.extras import install
from assay.pddl.reader import read_domain, read_problem
from assay.perception.png import png

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Frame = NDArray[np.uint8]

_ACTIONS = re.compile(r"\(:actions([^)]*)\)")
_TEST = "_test"
TILED = ("sokoban", "doors")
"""Renderers whose pictures are put together from tiles, to the same pixels and a hundred times faster."""
_SMALLEST = 7
"""On smaller grids the renderer's things reach into each other's cells."""


@dataclass(frozen=True)
class Environment:
    """One environment with one of its problems."""

    name: str
    number: int
    domain: Path
    problems: tuple[Path, ...]
    model: Model
    objects: tuple[Object, ...]
    initial: frozenset[Atom]
    naming: frozenset[str]
    """Predicates that merely name actions; none where PDDLGym's actions are the operators."""
    calls: dict[str, Atom]
    """How PDDLGym calls each action, over the action's parameters."""

    @property
    def problem(self) -> Path:
        return self.problems[self.number]


def environments() -> list[str]:
    """The environments that are installed, those with test problems only in their first form."""
    return sorted(p.stem for p in _folder().glob("*.pddl") if (_folder() / p.stem).is_dir())


def read_environment(spec: str) -> Environment:
    """The environment named by NAME or NAME:PROBLEM; NAME_test has the test problems.

    What our language does not hold (stochastic, derived) is refused, with the place.
    """
    name, _, index = spec.lower().partition(":")
    domain = _folder() / f"{name.removesuffix(_TEST)}.pddl"
    problems = tuple(sorted((_folder() / name).glob("*.pddl")))
    if not domain.is_file() or not problems:
        raise InputError(f"PDDLGym has no environment {name!r}; it has {', '.join(environments())}")
    if index and not (index.isascii() and index.isdigit() and int(index) < len(problems)):
        raise InputError(f"pddlgym:{spec}: {name!r} has problems 0 to {len(problems) - 1}")
    number = int(index or 0)
    text = domain.read_text("utf-8-sig")
    written = read_domain(text, domain.name)
    listed = _ACTIONS.search(text)
    naming = frozenset(listed.group(1).lower().split() if listed else ())
    problem = problems[number]
    situation = read_problem(problem.read_text("utf-8-sig"), written.vocabulary, problem.name)
    return Environment(
        name,
        number,
        domain,
        problems,
        _without(written, naming),
        situation.objects,
        frozenset(a for a in situation.initial if a.predicate not in naming),
        naming,
        {a.header.name: _call(a, naming) for a in written.actions},
    )


def _folder() -> Path:
    found = importlib.util.find_spec("pddlgym")
    if found is None or not found.submodule_search_locations:
        raise InputError(
            f"pddlgym is not installed; it comes with {install('pddlgym')}, or, where its old pillow "
            "cannot be installed, with pip install --no-deps pddlgym && "
            "pip install gym imageio matplotlib networkx pillow scikit-image"
        )
    return Path(found.submodule_search_locations[0]) / "pddl"


def _without(model: Model, naming: frozenset[str]) -> Model:
    kept = tuple(p for p in model.vocabulary.predicates if p.name not in naming)
    vocabulary = replace(model.vocabulary, predicates=kept)
    return Model(
        vocabulary,
        tuple(
            replace(a, precondition=conjoin(p for p in conjuncts(a.precondition) if not _names(p, naming)))
            for a in model.actions
        ),
    )


def _names(part: Formula, naming: frozenset[str]) -> bool:
    """Whether the part of a precondition says nothing but what is done."""
    return isinstance(part, Literal) and part.atom.predicate in naming


def _call(action: ActionModel, naming: frozenset[str]) -> Atom:
    parts = conjuncts(action.precondition)
    named = sorted(p.atom for p in parts if isinstance(p, Literal) and p.atom.predicate in naming)
    return named[0] if named else Atom(action.header.name, tuple(p.name for p in action.header.parameters))


class PddlgymAgent(ModelAgent):
    """An agent that behaves as the environment's PDDL says; start states are set by the problem file."""

    def __init__(self, environment: Environment, seed: int = 0) -> None:
        super().__init__(environment.model, environment.objects, (environment.initial,), seed)
        self.free_arguments = ()  # PDDLGym gives different parameters different objects
        self._original = Original(environment)

    def picture(self, state: State) -> bytes | None:
        """The state as PDDLGym draws it; None if it draws none, or not this one."""
        return self._original.picture(state)


def open_pddlgym(spec: str, seed: int = 0) -> PddlgymAgent:
    return PddlgymAgent(read_environment(spec), seed)


class Original:
    """The environment as PDDLGym itself runs and draws it; loaded when first needed."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def reset(self) -> frozenset[Atom]:
        self._env.fix_problem_index(self.environment.number)
        state, _ = self._env.reset()
        return self._atoms(state)

    def step(self, call: Atom) -> frozenset[Atom] | None:
        """The atoms that hold after the call, without those that name actions; None if it is refused."""
        try:
            state, *_ = self._env.step(self._literal(call))
        except self._core.InvalidAction:
            return None
        return self._atoms(state)

    def picture(self, atoms: Iterable[Atom]) -> bytes | None:
        own = {o.name for o in self.environment.objects}
        drawn = [a for a in atoms if own.issuperset(a.args)]
        if self._env._render is None:
            return None
        try:
            frame = self.frame(drawn)
        except Exception:
            return None  # what the renderer expects (a player, a hand) is not in every state
        return png(frame)

    def frame(self, atoms: Iterable[Atom]) -> Frame:
        """The picture as red, green and blue."""
        literals = {self._literal(a) for a in atoms}
        if self._drawing.__name__.rpartition(".")[2] in TILED:
            layout = self._drawing.build_layout(literals)
            if max(layout.shape[:2]) >= _SMALLEST:
                return self._tiled(layout)
        return _rgb(self._env._render(literals))

    def rendered(self, atoms: Iterable[Atom]) -> Frame:
        """The picture drawn as a whole, whatever the renderer."""
        return _rgb(self._env._render({self._literal(a) for a in atoms}))

    def _tiled(self, layout: Any) -> Frame:
        """Each cell cut from a picture in which all cells look like it."""
        import numpy as np

        frame: Frame | None = None
        rows, columns = layout.shape[:2]
        for value in np.unique(layout.reshape(rows * columns, -1), axis=0):
            cell = value.reshape(layout.shape[2:])
            uniform = _uniform(self._drawing.__name__, cell.dtype.str, cell.tobytes(), layout.shape)
            if frame is None:
                frame = uniform.copy()
                height, width = frame.shape[:2]
                size = min(width / (columns + 0.1), height / (rows + 0.1))
                left, top = (width - size * columns) / 2, (height - size * rows) / 2
            same = (layout == cell).reshape(rows, columns, -1).all(axis=2)
            for row, column in zip(*np.nonzero(same), strict=True):
                across = slice(round(left + size * column), round(left + size * (column + 1)))
                down = slice(round(top + size * row), round(top + size * (row + 1)))
                frame[down, across] = uniform[down, across]
        assert frame is not None
        return frame

    @cached_property
    def _core(self) -> Any:
        _load()
        import pddlgym.core

        return pddlgym.core

    @cached_property
    def _env(self) -> Any:
        known = _load().envs.registration.registry
        name = self.environment.name
        label = name.removesuffix(_TEST).capitalize() + ("Test" if name.endswith(_TEST) else "")
        declared = known.get(f"PDDLEnv{label}-v0")
        return self._core.PDDLEnv(
            str(self.environment.domain),
            str(self.environment.problem.parent),
            render=declared.kwargs.get("render") if declared else None,
            raise_error_on_invalid_action=True,
            operators_as_actions=not self.environment.naming,
            dynamic_action_space=not self.environment.naming,  # else it lists all actions there could be
        )

    @cached_property
    def _drawing(self) -> Any:
        """The module of the renderer."""
        return sys.modules[self._env._render.__module__]

    @cached_property
    def _names(self) -> dict[str, Any]:
        problem = self._env.problems[self.environment.number]
        return {o.name.lower(): o for o in (*problem.objects, *self._env.domain.constants)}

    @cached_property
    def _predicates(self) -> dict[str, Any]:
        return {name.lower(): p for name, p in self._env.domain.predicates.items()}

    def _literal(self, atom: Atom) -> Any:
        return self._predicates[atom.predicate](*(self._names[a] for a in atom.args))

    def _atoms(self, state: Any) -> frozenset[Atom]:
        known: Vocabulary = self.environment.model.vocabulary
        atoms = (
            Atom(x.predicate.name.lower(), tuple(v.name.lower() for v in x.variables)) for x in state.literals
        )
        return frozenset(a for a in atoms if a.predicate in known.predicate)


@lru_cache(maxsize=256)
def _uniform(renderer: str, kind: str, cell: bytes, shape: tuple[int, ...]) -> Frame:
    """A picture with the same in every cell; its slow drawing is done once for all games of one size."""
    import numpy as np

    drawing = sys.modules[renderer]
    whole = np.broadcast_to(np.frombuffer(cell, kind).reshape(shape[2:]), shape)
    return _rgb(drawing.render_from_layout(whole, drawing.get_token_images))


def _rgb(picture: Any) -> Frame:
    import numpy as np

    return np.ascontiguousarray(np.asarray(picture, dtype=np.uint8)[..., :3])


def _load() -> Any:
    """PDDLGym's gym, quietly, and without a window."""
    import matplotlib
    from PIL import Image

    matplotlib.use("Agg")
    Image.ANTIALIAS = Image.LANCZOS  # its name until pillow 10, by which PDDLGym asks for it
    with contextlib.redirect_stderr(io.StringIO()):
        import pddlgym
    return pddlgym.gym
