"""Why a fact holds after a plan: its actual causes, as facts at times and decisions, in sentences.

The causes are all those of the modified Halpern-Pearl definition that consist of facts and decisions (the
fact itself at the time asked about is one, trivially). Facts that no action changes are exogenous, so they
are no causes; those without which the fact would not hold are said apart. In the sentences, single facts
that were causes at several times in a row are said once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.causal.causes import LIMIT, Cause, first_causes
from assay.causal.formula import event
from assay.causal.network import Decision, Fact, Network, Static
from assay.causal.words import Words, listed, moment, plain, said, span
from assay.core.symbols import Literal
from assay.errors import InputError

SECONDS = 30.0
"""So long the search goes on, unless told otherwise; causes are found smallest first."""


@dataclass(frozen=True)
class Why:
    fact: Literal
    time: int
    end: int
    causes: tuple[Cause, ...]
    more: bool
    gave_up: bool = False
    """Whether time ran out before all causes were found."""
    given: tuple[Literal, ...] = ()
    """What no action changes, and without which the fact would not hold: the situation, not a cause."""
    static: bool = False
    """Whether no action changes the fact, so that it has no causes but the situation itself."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "fact": str(self.fact),
            "time": self.time,
            "static": self.static,
            "causes": [
                {
                    "cause": [plain(v, value) for v, value in c.values],
                    "but_for": c.but_for,
                    "holding": [plain(v, value) for v, value in c.contingency],
                }
                for c in self.causes
            ],
            "given": [str(x) for x in self.given],
            "more": self.more,
            "gave_up": self.gave_up,
        }

    def lines(self, words: Words) -> list[str]:
        clause = words.clause(self.fact)
        if self.static:
            return [f"All along {clause}: it was so at the start, and no action changes it."]
        alone, together = self._alone(words), self._together(words)
        when = moment(self.time, self.end)
        lines = [f"{when[0].upper()}{when[1:]} {clause}."]
        if alone:
            lines += ["", "It would not be so but for each of these:", *(f"- {x}" for x in alone)]
        if together:
            lines += ["", "These are causes only together:", *(f"- {x}" for x in together)]
        if self.given:
            facts = [f"- {words.clause(x)}" for x in self.given]
            lines += [
                "",
                "Nor would it be so without these, which no action changes (so they are no causes):",
                *facts,
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


def why(
    network: Network,
    fact: Literal,
    time: int | None = None,
    limit: int = LIMIT,
    seconds: float | None = SECONDS,
) -> Why:
    """The actual causes of a fact at a time, by default after the plan, smallest first."""
    when = network.end if time is None else time
    variable = network.variable(fact.atom, when)
    if network.values[variable] != fact.positive:
        raise InputError(
            f"{fact} does not hold {moment(when, network.end)}, so nothing caused it: ask why not"
        )
    if isinstance(variable, Static):
        return Why(fact, when, network.end, (), False, static=True)
    found = first_causes(
        network.structure,
        network.context,
        event(variable, fact.positive),
        network.candidates,
        limit,
        seconds,
    )
    causes = tuple(sorted(found.found, key=_rank))
    return Why(fact, when, network.end, causes, found.more, found.gave_up, _given(network, variable))


def _given(network: Network, variable: Fact) -> tuple[Literal, ...]:
    """What no action changes and, had it been otherwise, would have made the fact otherwise."""
    values, structure = network.values, network.structure
    found = []
    for static in structure.ancestors([variable]):
        if isinstance(static, Static):
            otherwise = structure.evaluate(network.context | {static: not values[static]})
            if otherwise[variable] != values[variable]:
                found.append(Literal(static.atom, values[static]))
    return tuple(sorted(found))


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
