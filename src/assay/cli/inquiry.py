"""What is typed at the causal commands, read against the model that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import typer

from assay.agents.pddl import read_file
from assay.causal.network import Network, unroll
from assay.causal.objects import Spelling, introduce
from assay.causal.reading import Intervention, read_formula, read_intervention, read_state
from assay.causal.reading import read_plan as read_steps
from assay.causal.scope import OTHER_STEPS
from assay.causal.subject import Subject, load
from assay.causal.variables import Refused
from assay.core.formula import Formula, leaves
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import State, Universe
from assay.errors import InputError
from assay.pddl.reader import read_problem

ELSEWHERE = (
    "The agent did not offer this situation, and cannot be put into any: "
    "of states that it does not reach the model was never tested."
)


def load_warned(target: Path) -> Subject:
    """The same as `load`, for questions whose answers do not say themselves what they rest on."""
    subject = load(target)
    if subject.unsettled:
        left = "; ".join(f"{name}: {why}" for name, why in sorted(subject.unsettled.items()))
        typer.echo(f"The model of {target} is not complete, and is taken as it is. {left}.", err=True)
    return subject


class Inquiry:
    """Questions about a subject: what is typed becomes facts and steps over one universe."""

    def __init__(self, subject: Subject, state: str | None = None) -> None:
        self.subject = subject
        self._universe = Universe(subject.model.vocabulary, subject.objects)
        self._situation: list[Atom] | None = None
        text = None if state is None else content(state)
        if text is not None and "(define" in text:
            problem = read_problem(text, self._universe.vocabulary, str(state))
            for thing in problem.objects:
                self._universe.add(thing)
            self._situation = sorted(problem.initial)
        self.spelling = Spelling(self._universe)
        if text is not None and self._situation is None:
            self._situation = read_state(text, self.spelling)

    def formula(self, text: str) -> Formula:
        return read_formula(text, self.spelling)

    def plan(self, text: str) -> list[Step]:
        return read_steps(content(text), self.spelling)

    def intervention(self, text: str) -> Intervention:
        return read_intervention(text, self.spelling)

    def start(
        self,
        mention: Iterable[Formula],
        steps: Sequence[Step],
        spelled: Sequence[Atom] | None = None,
        default: Sequence[Atom] | None = None,
    ) -> State:
        """The state to start from, in a universe that knows everything mentioned.

        It may be `spelled` out in the question itself; `default` is for questions that it does not matter to.
        """
        atoms = self._atoms(spelled, default)
        facts = introduce(self._universe, [*atoms, *_atoms_of(mention)], list(steps))
        state = tuple(sorted(a for a in atoms if a in facts))
        self._tell_what_is_supposed(steps)
        if not self.subject.anywhere and state not in self.subject.offered:
            typer.echo(ELSEWHERE, err=True)
        return self._universe.state(state)

    def network(
        self,
        plan: str,
        mention: Sequence[Formula],
        *,
        refused: Refused = Refused.STOP,
        outcomes: str | None = None,
        default: Sequence[Atom] | None = None,
    ) -> Network:
        steps = self.plan(plan)
        return unroll(
            self.subject.model,
            self.start(mention, steps, default=default),
            steps,
            refused=refused,
            outcomes=_numbers(outcomes),
            mention=_atoms_of(mention),
        )

    def _atoms(self, spelled: Sequence[Atom] | None, default: Sequence[Atom] | None) -> list[Atom]:
        if spelled is not None:
            if self._situation is not None:
                raise InputError("the start is given twice, in the question and as --state")
            return list(spelled)
        if self._situation is not None:
            return self._situation
        for known in (*self.subject.offered[:1], default):
            if known is not None:
                return list(known)
        raise InputError("say where to start: --state '(power) (on l1)'")

    def _tell_what_is_supposed(self, steps: Sequence[Step]) -> None:
        universe, scope = self._universe, self.subject.scope
        made_up = [f"{o.name} ({o.type})" for o in universe.objects if o.name not in universe.own]
        if self.subject.objects and made_up:
            typer.echo(f"Not among the agent's objects, taken as new: {', '.join(made_up)}.", err=True)
        if scope is not None and (others := [str(s) for s in steps if not scope.covers(universe, s)]):
            told = ", ".join(dict.fromkeys(others))
            typer.echo(f"The model does not speak of {OTHER_STEPS}: what {told} does is supposed.", err=True)


def content(text: str) -> str:
    """What is typed, or what is in the file that is named."""
    return text if "(" in text or not text.strip() else read_file(Path(text))


def _atoms_of(formulas: Iterable[Formula]) -> list[Atom]:
    return [leaf.atom for f in formulas for leaf in leaves(f) if isinstance(leaf, Literal)]


def _numbers(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        return [int(word) for word in text.split()]
    except ValueError:
        raise InputError(f"outcomes {text!r}: write one number per step, for example '1 2 1'") from None
