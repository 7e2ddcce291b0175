"""Why something is so after a plan: its actual causes, as facts at times and decisions, in sentences.

What is asked about is a Boolean combination of facts (DCDN Def. 15). The causes are all those of the modified
Halpern-Pearl definition that consist of facts and decisions (a fact itself at the time asked about is its own
cause, trivially). Facts that no action changes are exogenous, so they are no causes; those without which it
would not be so are said apart. In the sentences, single facts that were causes at several times in a row are
said once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from assay.causal.causes import LIMIT, Cause, first_causes
from assay.causal.formula import FALSE, TRUE, evaluate, none_of, substitute, variables
from assay.causal.network import NOT_REACHED, REFUSED, Network
from assay.causal.starts import changes_at_start
from assay.causal.variables import Decision, Fact, Static
from assay.causal.words import Words, moment, plain, said, span
from assay.core.formula import Formula
from assay.core.symbols import Literal, Step
from assay.errors import InputError
from assay.language.lists import listed

SECONDS = 30.0
"""So long the search goes on, unless told otherwise; causes are found smallest first."""
GIVEN = 20
"""So many sets of facts that no action changes are listed."""


@dataclass(frozen=True)
class Why:
    fact: Formula
    time: int
    plan: tuple[Step, ...]
    courses: tuple[str, ...]
    """What became of each step."""
    causes: tuple[Cause, ...]
    more: bool
    gave_up: bool = False
    """Whether time ran out before all causes were found."""
    given: tuple[tuple[Literal, ...], ...] = ()
    """What no action changes: were all of a set otherwise, it would not be so. The situation, not causes."""
    static: bool = False
    """Whether no action changes what is asked about, so that it has no causes but the situation itself."""

    @property
    def end(self) -> int:
        return len(self.plan)

    def to_dict(self) -> dict[str, Any]:
        return {
            "fact": str(self.fact),
            "time": self.time,
            "steps": [{"step": str(s), "happened": c} for s, c in zip(self.plan, self.courses, strict=True)],
            "static": self.static,
            "causes": [
                {
                    "cause": [plain(v, value) for v, value in c.values],
                    "but_for": c.but_for,
                    "holding": [plain(v, value) for v, value in c.contingency],
                }
                for c in self.causes
            ],
            "given": [[str(x) for x in facts] for facts in self.given],
            "more": self.more,
            "gave_up": self.gave_up,
        }

    def lines(self, words: Words) -> list[str]:
        told = words.clause(self.fact)
        if self.static:
            return [f"All along {told}: it was so at the start, and no action changes it."]
        alone, together = self._alone(words), self._together(words)
        when = moment(self.time, self.end)
        lines = [*interrupted(words, self.plan, self.courses), f"{when[0].upper()}{when[1:]} {told}."]
        if alone:
            lines += ["", "It would not be so but for each of these:", *(f"- {x}" for x in alone)]
        if together:
            lines += ["", "These are causes only together:", *(f"- {x}" for x in together)]
        if self.given:
            lines += [
                "",
                "Nor would it be so without these, which no action changes (so they are no causes):",
                *(f"- {' or '.join(words.clause(x) for x in facts)}" for facts in self.given),
            ]
        return [*lines, "", self._last_line()]

    def _last_line(self) -> str:
        if not (self.gave_up or self.more):
            return "There are no other causes."
        shown = "This is the smallest cause"
        if len(self.causes) != 1:
            shown = f"These are the {len(self.causes)} smallest causes"
        return f"{shown}; {'time ran out, there may be' if self.gave_up else 'there are'} more."

    def _alone(self, words: Words) -> list[str]:
        """Decisions and facts that are causes by themselves, runs of times said once."""
        found: list[tuple[int, int, str]] = []
        times: dict[tuple[Literal, str], list[int]] = {}
        for cause in self.causes:
            if len(cause.values) > 1:
                continue
            ((variable, value),) = cause.values
            holding = self._holding(words, cause)
            if isinstance(variable, Fact):
                times.setdefault((Literal(variable.atom, value), holding), []).append(variable.time)
            elif isinstance(variable, Decision):
                found.append((variable.time, 1, said(words, variable, value, self.end) + holding))
        for (literal, holding), when in times.items():
            for first, last in _runs(sorted(when)):
                text = f"{words.clause(literal)} {span(first, last, self.end)}"
                found.append((first, 0, text + holding))
        return [text for _, _, text in sorted(found)]

    def _together(self, words: Words) -> list[str]:
        return [
            listed([said(words, v, value, self.end) for v, value in _in_time(cause)])
            + self._holding(words, cause)
            for cause in self.causes
            if len(cause.values) > 1
        ]

    def _holding(self, words: Words, cause: Cause) -> str:
        if cause.but_for:
            return ""
        held = [said(words, v, value, self.end) for v, value in cause.contingency]
        return f" (given that still {listed(held)})"


def interrupted(words: Words, plan: tuple[Step, ...], courses: tuple[str, ...]) -> list[str]:
    """Which steps could not run, and which were therefore not reached."""
    lines = [
        f"Step {number} ({words.step(step)}) could not run."
        for number, (step, course) in enumerate(zip(plan, courses, strict=True), start=1)
        if course == REFUSED
    ]
    if NOT_REACHED in courses:
        first, last = courses.index(NOT_REACHED) + 1, len(courses)
        lines.append(
            f"Step {last} was not reached." if first == last else f"Steps {first} to {last} were not reached."
        )
    return lines


def why(
    network: Network,
    fact: Formula,
    time: int | None = None,
    limit: int = LIMIT,
    seconds: float | None = SECONDS,
) -> Why:
    """The actual causes of a fact at a time, by default after the plan, smallest first."""
    when = network.end if time is None else time
    happened, courses = network.event(fact, when), network.courses()
    if not evaluate(happened, network.values):
        raise InputError(
            f"{fact} does not hold {moment(when, network.end)}, so nothing caused it: ask why not"
        )
    event = substitute(
        happened,
        {v: TRUE if network.values[v] else FALSE for v in variables(happened) if isinstance(v, Static)},
    )
    if event == TRUE:
        return Why(fact, when, network.plan, courses, (), False, static=True)
    found = first_causes(network.structure, network.context, event, network.candidates, limit, seconds)
    causes = tuple(sorted(found.found, key=_rank))
    given = tuple(islice(changes_at_start(network, none_of(happened), static_only=True), GIVEN))
    held = tuple(tuple(_opposite(x) for x in facts) for facts in given)
    return Why(fact, when, network.plan, courses, causes, found.more, found.gave_up, held)


def _opposite(literal: Literal) -> Literal:
    return Literal(literal.atom, not literal.positive)


def _rank(cause: Cause) -> tuple[int, list[tuple[int, str]]]:
    return len(cause.values), [(v.time, str(v)) for v, _ in _in_time(cause)]


def _in_time(cause: Cause) -> list[tuple[Any, bool]]:
    return sorted(cause.values, key=lambda pair: (pair[0].time, str(pair[0])))


def _runs(times: list[int]) -> list[tuple[int, int]]:
    """Consecutive times as pairs of first and last."""
    runs: list[tuple[int, int]] = []
    for time in times:
        if runs and time == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], time)
        else:
            runs.append((time, time))
    return runs
