"""A learner that only watches: OffLAM (Lamanna et al., Artificial Intelligence 2025), from its own package.

This is the one file that knows the package. OffLAM reads PDDL and traces with regular expressions, writes
into the working directory and prints; so it is run in a folder of its own, with its output swallowed, and
every name is replaced by one of fixed width that no other name contains. States are given in full where
the traced actions look: what holds, and what is false among the objects of the step before and after.
It considers positive preconditions only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.core.model import ActionModel, Model
from assay.core.symbols import OBJECT, ActionHeader, Atom, Literal, Object, Parameter, Predicate, Step, Type
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError, PddlError
from assay.extras import install
from assay.pddl.reader import read_domain
from assay.pddl.writer import write_domain

LEARNER = "OffLAM"

MISSING = f"the learner from observations is OffLAM; install it with: {install('bench')}"


@dataclass(frozen=True)
class Trace:
    """What a bystander saw: states (as bits of a universe) and the steps between them."""

    universe: Universe
    states: tuple[int, ...]
    steps: tuple[Step, ...]


def learn(vocabulary: Vocabulary, traces: Sequence[Trace]) -> Model:
    """The model that OffLAM makes of the traces, over the same vocabulary."""
    algorithm = _algorithm()
    alias = _Aliases(vocabulary)
    domain = write_domain(alias.blank)
    with (
        TemporaryDirectory() as folder,
        chdir(folder),
        redirect_stdout(StringIO()),
        redirect_stderr(StringIO()),
    ):
        Path("domain.pddl").write_text(domain, encoding="utf-8")
        paths = []
        for number, trace in enumerate(traces):
            paths.append(f"trace{number}")
            Path(paths[-1]).write_text(alias.text(trace), encoding="utf-8")
        try:
            text = algorithm("domain.pddl", paths)
        except (Exception, SystemExit) as error:
            raise InputError(f"{LEARNER} cannot learn from these traces: {error!r}") from error
    try:
        return alias.original(domain[: domain.index("(:action")] + text[text.index("(:action") :])
    except (PddlError, ValueError) as error:
        raise InputError(f"{LEARNER} wrote a domain that cannot be read: {error}") from error


def _algorithm() -> Callable[[str, list[str]], str]:
    try:
        found: Callable[[str, list[str]], str] = import_module("offlam.algorithm").learn
    except ImportError as error:
        raise InputError(MISSING) from error
    return found


def check_installed() -> None:
    """Raise an `InputError` that says how to install the learner, if it is not."""
    _algorithm()


class _Aliases:
    """Names of fixed width for everything, and the way back."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._types = {OBJECT: OBJECT} | _numbered(
            "kind", (t.name for t in vocabulary.types if t.name != OBJECT)
        )
        self._predicates = _numbered("pred", (p.name for p in vocabulary.predicates))
        self._actions = _numbered("oper", (a.name for a in vocabulary.actions))
        self._constants = _numbered("cons", (c.name for c in vocabulary.constants))
        root = () if len(self._types) > 1 else (Type("kind"),)
        if root:  # it insists on types
            self._types[OBJECT] = "kind"
        renamed = Vocabulary(
            (
                *root,
                *(
                    Type(self._types[t.name], tuple(self._types[p] for p in t.parents))
                    for t in vocabulary.types
                    if t.name != OBJECT
                ),
            ),
            tuple(Object(self._constants[c.name], self._types[c.type]) for c in vocabulary.constants),
            tuple(
                Predicate(self._predicates[p.name], self._parameters(p.parameters))
                for p in vocabulary.predicates
            ),
            tuple(
                ActionHeader(self._actions[a.name], self._parameters(a.parameters))
                for a in vocabulary.actions
            ),
            "watched",
        )
        self.blank = Model(
            renamed,
            tuple(ActionModel.strips(a, frozenset(), frozenset()) for a in renamed.actions),
        )

    def _parameters(self, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
        return tuple(
            Parameter(f"?v{number}", tuple(self._types[t] for t in p.types))
            for number, p in enumerate(parameters, start=1)
        )

    def text(self, trace: Trace) -> str:
        """The trace as OffLAM reads it: true atoms, and false ones among the objects of adjacent steps."""
        universe = trace.universe
        constants = [c.name for c in self._vocabulary.constants]
        names = self._constants | _numbered(
            "item", (o.name for o in universe.objects if o.name not in self._constants)
        )
        near: list[set[Atom]] = [set() for _ in trace.states]
        for number, step in enumerate(trace.steps):
            atoms = set(self._atoms_over([*step.args, *constants], universe))
            near[number] |= atoms
            near[number + 1] |= atoms
        lines = ["(:observation"]
        for number, bits in enumerate(trace.states):
            true = set(universe.atoms(bits))
            literals = [
                *(self._written(a, names) for a in sorted(true)),
                *(f"(not {self._written(a, names)})" for a in sorted(near[number] - true)),
            ]
            lines.append(f"(:state {' '.join(literals)})")
            if number < len(trace.steps):
                action, args = trace.steps[number]
                lines.append(
                    f"(:action ({' '.join([self._actions[action], *map(names.__getitem__, args)])}))"
                )
        return "\n\n".join([*lines, ")"])

    def _atoms_over(self, names: Sequence[str], universe: Universe) -> Iterable[Atom]:
        for predicate in self._vocabulary.predicates:
            places = [
                [n for n in names if self._vocabulary.fits(universe.object(n).type, place.types)]
                for place in predicate.parameters
            ]
            yield from (Atom(predicate.name, args) for args in product(*places))

    def _written(self, atom: Atom, names: dict[str, str]) -> str:
        return f"({' '.join([self._predicates[atom.predicate], *(names[a] for a in atom.args)])})"

    def original(self, text: str) -> Model:
        """What OffLAM wrote, in the vocabulary's own names."""
        learned = read_domain(text, LEARNER)
        predicates = {alias: name for name, alias in self._predicates.items()}
        constants = {alias: name for name, alias in self._constants.items()}
        actions = []
        for header in self._vocabulary.actions:
            action = learned.action[self._actions[header.name]]
            names = constants | {
                p.name: q.name for p, q in zip(action.header.parameters, header.parameters, strict=True)
            }

            def rename(literals: frozenset[Literal], names: dict[str, str] = names) -> frozenset[Literal]:
                return frozenset(
                    Literal(Atom(predicates[a.predicate], tuple(names[x] for x in a.args)), positive)
                    for a, positive in literals
                )

            actions.append(ActionModel.strips(header, rename(action.needed), rename(action.plain_effects)))
        return Model(self._vocabulary, tuple(actions))


def _numbered(prefix: str, names: Iterable[str]) -> dict[str, str]:
    return {name: f"{prefix}{number:05d}" for number, name in enumerate(names)}
