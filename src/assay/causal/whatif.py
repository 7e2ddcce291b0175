"""What if: interventions on an unrolled network, side by side with what happened.

A fact or a decision is set at a time, whatever would have caused it, and everything after it is computed
again (DCDN Def. 13). A fact that no action changes has no time; setting it at time 0 is another context.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.causal.formula import Variable
from assay.causal.network import Network
from assay.causal.reading import Intervention
from assay.causal.variables import Fact, Static
from assay.causal.words import Words, moment, plain, said
from assay.core.symbols import Atom, Literal, Step
from assay.errors import InputError


@dataclass(frozen=True)
class Course:
    """What became of a step, in fact and under the intervention."""

    step: Step
    happened: str
    would_have: str


@dataclass(frozen=True)
class Change:
    """An atom whose value at a time would have been another."""

    atom: Atom
    time: int | None
    happened: bool
    would_have: bool


@dataclass(frozen=True)
class Counterfactual:
    end: int
    interventions: tuple[tuple[Variable, bool], ...]
    courses: tuple[Course, ...]
    changes: tuple[Change, ...]
    """By time, then by atom; what was set is among them if it was otherwise before."""

    @property
    def final(self) -> tuple[Change, ...]:
        """What would be different in the end."""
        return tuple(c for c in self.changes if c.time in (None, self.end))

    def to_dict(self) -> dict[str, Any]:
        return {
            "interventions": [plain(v, value) for v, value in self.interventions],
            "steps": [
                {"step": str(c.step), "happened": c.happened, "would_have": c.would_have}
                for c in self.courses
            ],
            "changes": [
                {
                    "atom": str(c.atom),
                    "time": c.time,
                    "happened": c.happened,
                    "would_have": c.would_have,
                }
                for c in self.changes
            ],
        }

    def lines(self, words: Words) -> list[str]:
        """The table in words: what happened on the left, what would have on the right."""
        rows = [("what happened", "what would have happened")]
        for number, course in enumerate(self.courses, start=1):
            title = f"{number}. {words.step(course.step)}: "
            same = course.happened == course.would_have
            rows.append((title + course.happened, "the same" if same else title + course.would_have))
        for when in sorted({c.time for c in self.changes}, key=lambda t: -1 if t is None else t):
            rows.append(("", ""))
            title = "throughout:" if when is None else f"{moment(when, self.end)}:"
            rows.append((title, title))
            for change in self.changes:
                if change.time == when:
                    left, right = (
                        words.clause(Literal(change.atom, v)) for v in (change.happened, change.would_have)
                    )
                    rows.append((f"  {left}", f"  {right}"))
        width = max(len(left) for left, _ in rows)
        rows.insert(1, ("-" * width, "-" * max(len(right) for _, right in rows)))
        supposed = " and ".join(said(words, v, value, self.end) for v, value in self.interventions)
        table = [f"{left:<{width}}  | {right}".rstrip(" |") for left, right in rows]
        closing = [] if self.changes or self._steps_differ else ["", "Nothing would have changed."]
        return [f"Suppose that {supposed}.", "", *table, *closing]

    @property
    def _steps_differ(self) -> bool:
        return any(c.happened != c.would_have for c in self.courses)


def resolve(network: Network, settings: Sequence[Intervention]) -> dict[Variable, bool]:
    """The variables that typed interventions set, checked against the plan."""
    found: dict[Variable, bool] = {}
    for setting in settings:
        variable: Variable
        if setting.literal is not None:
            variable, value = network.variable(setting.literal.atom, setting.time), setting.literal.positive
            if isinstance(variable, Static) and setting.time:
                raise InputError(
                    f"no action changes {setting.literal.atom}, so it is the same at every time: set it at 0"
                )
        else:
            variable, value = network.decision(setting.time), setting.taken
            planned = network.plan[setting.time]
            if setting.step is not None and setting.step != planned:
                raise InputError(f"the step taken at time {setting.time} is {planned}, not {setting.step}")
        if found.setdefault(variable, value) != value:
            raise InputError(f"{variable} cannot be set both ways")
    return found


def what_if(network: Network, interventions: dict[Variable, bool]) -> Counterfactual:
    """Set the variables, compute everything again, and compare with what happened."""
    if not interventions:
        raise InputError("nothing is set: say what would have been otherwise")
    static = {v: value for v, value in interventions.items() if isinstance(v, Static)}
    others = {v: value for v, value in interventions.items() if not isinstance(v, Static)}
    if unknown := [v for v in static if v not in network.structure.exogenous]:
        raise InputError(f"unknown variable {unknown[0]}")
    before = network.values
    after = network.structure.do(others).evaluate(network.context | static)
    courses = tuple(
        Course(step, first, second)
        for step, first, second in zip(
            network.plan, network.courses(before), network.courses(after), strict=True
        )
    )
    changes = [
        Change(v.atom, v.time if isinstance(v, Fact) else None, before[v], after[v])
        for v in before
        if isinstance(v, Fact | Static) and before[v] != after[v]
    ]
    changes.sort(key=lambda c: (-1 if c.time is None else c.time, c.atom))
    return Counterfactual(network.end, tuple(interventions.items()), courses, tuple(changes))
