"""What an assessment of a deterministic agent found out, and what it took.

A result has the findings of its strategy and the journal's entries; nothing is asked and nothing is read back.
Its claims name their class: "the only model at strength 2 that gives these answers".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from assay.core.model import Model
from assay.core.setting import Setting
from assay.learn.finding import Finding, Status
from assay.store.journal import Entry


class Outcome(StrEnum):
    COMPLETE = "complete"
    """Every action has reached the strength that was asked for."""
    OPEN = "open"
    """There is no further question, and some action never ran or is not explained."""
    BUDGET = "budget"
    """The number of questions allowed was reached."""
    CONTRADICTION = "contradiction"
    """One situation was answered twice differently; the actions concerned are named, the others are learned."""
    INTERRUPTED = "interrupted"
    """Someone stopped it."""
    FAILED = "failed"
    """The agent broke its side of the interface, or did not answer in time."""


@dataclass(frozen=True)
class Costs:
    """What a run has spent, over all its sittings."""

    questions: int = 0
    steps: int = 0
    seconds: float = 0.0
    agent_seconds: float = 0.0
    asked_again: int = 0
    """Questions put a second time, to see whether the answer is the same."""
    sampled: int = 0
    """Situations drawn at random to look for a counterexample."""
    repeats: int | None = None
    """How often the agent looked again where an observation was doubtful, if it counts that."""
    retries: int = 0
    """How often an answer was lost and the question asked again."""


@dataclass(frozen=True)
class Result:
    setting: Setting
    findings: tuple[Finding, ...]
    entries: tuple[Entry, ...]
    outcome: Outcome
    costs: Costs
    aim: int
    """The strength asked for."""
    error: str = ""
    disagreements: tuple[tuple[int, int], ...] = ()
    """Entries that put the same question and got different answers."""

    @property
    def model(self) -> Model:
        """What stands: the actions that ran, but for those whose answers contradict each other."""
        models = [
            f.model for f in self.findings if f.model is not None and f.status is not Status.CONTRADICTED
        ]
        order = [a.name for a in self.setting.profile.vocabulary.actions]
        return Model(
            self.setting.profile.vocabulary, tuple(sorted(models, key=lambda m: order.index(m.header.name)))
        )

    @property
    def strength(self) -> int | None:
        """What every action that ran has reached; None if some has reached nothing, or no action ran."""
        ran = [f.strength for f in self.findings if f.status is not Status.NEVER_RAN]
        return None if not ran or None in ran else min(s for s in ran if s is not None)

    @property
    def questions(self) -> int:
        return self.costs.questions

    @property
    def complete(self) -> bool:
        return self.outcome is Outcome.COMPLETE

    @property
    def finding(self) -> Mapping[str, Finding]:
        return {f.action: f for f in self.findings}

    @property
    def never_ran(self) -> list[str]:
        return [f.action for f in self.findings if f.status is Status.NEVER_RAN]

    @property
    def contradicted(self) -> list[str]:
        return [f.action for f in self.findings if f.status is Status.CONTRADICTED]

    def to_pddl(self) -> str:
        from assay.report.files import domain_file

        return domain_file(self)

    def describe(self) -> str:
        """The model in sentences, with the questions that show every part of it."""
        from assay.report.description import describe

        return describe(self)

    def summary(self) -> dict[str, Any]:
        from assay.report.files import summary

        return dict(summary(self))

    def files(self, journal_hash: str) -> dict[str, bytes]:
        """What a result folder holds beside the journal that ends in this hash."""
        from assay.report.files import result_files

        return result_files(self, journal_hash)

    def __repr__(self) -> str:
        strength = "none reached" if self.strength is None else self.strength
        return (
            f"<Result of {self.setting.profile.vocabulary.name}: {self.outcome.value}, strength {strength}, "
            f"{len(self.model.actions)} of {len(self.findings)} actions, {self.questions} questions>"
        )


def outcome_of(findings: Sequence[Finding], aim: int) -> Outcome:
    """How a run ends that had nothing left to ask."""
    if any(f.status is Status.CONTRADICTED for f in findings):
        return Outcome.CONTRADICTION
    reached = all(
        f.status is Status.LEARNED and f.strength is not None and f.strength >= aim for f in findings
    )
    return Outcome.COMPLETE if reached else Outcome.OPEN
