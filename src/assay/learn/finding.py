"""What a strategy says of each action when it ends: a model, how strong it is, and what the claim rests on.

Every strategy gives findings of this one kind, whether it makes up situations or acts its way to them. A finding is
what the certificate states and what the independent checker recounts.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from assay.core.model import ActionModel
from assay.core.query import PlanQuery, Response, WalkQuery, WalkResponse
from assay.core.symbols import Literal
from assay.core.universe import State


class Status(StrEnum):
    OPEN = "open"
    """Not asked enough, or no hypothesis of the class stands; see `trouble`."""
    LEARNED = "learned"
    NEVER_RAN = "never ran"
    CONTRADICTED = "contradicted"
    """The same situation was answered twice differently."""


class Level(NamedTuple):
    """A strength: literals turned round together, features beside a refusal, features beside a run."""

    turned: int
    refused: int
    run: int


LEVELS = (Level(1, 0, 0), Level(1, 1, 3), Level(2, 1, 3), Level(2, 2, 3))
"""The strengths 0 to 3."""


@dataclass(frozen=True)
class OtherObject:
    """A quantified feature: some other object of the type has this profile, over the parameters and `?z`."""

    type: str
    profile: tuple[Literal, ...]


@dataclass(frozen=True)
class TermLiteral:
    """One literal of a term: a fact over the parameters, or a quantified feature by number."""

    literal: Literal | int
    positive: bool
    refusals: tuple[int, ...] = ()
    """Journal entries in which this literal alone was turned round and the action was refused."""

    def text(self) -> str:
        bare = f"some {self.literal}" if isinstance(self.literal, int) else self.literal.atom.text
        return bare if self.positive else f"not {bare}"


@dataclass(frozen=True)
class FoundTerm:
    """One conjunction under which the action runs."""

    literals: tuple[TermLiteral, ...]
    runs: tuple[int, ...]
    """Journal entries in which it ran so."""


@dataclass(frozen=True)
class NotRealised:
    """A pattern that should be refused and that no situation shows."""

    term: int
    turned: tuple[str, ...]
    pattern: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Finding:
    action: str
    """The action, or the action and which parameters are one object: `move[?x ?x]`."""
    status: Status
    model: ActionModel | None
    """What it needs and does, as far as it is known; None if it never ran."""
    strength: int | None
    level: Level | None
    """The class that belongs to the strength here."""
    others: tuple[OtherObject, ...] = ()
    terms: tuple[FoundTerm, ...] = ()
    not_realised: tuple[NotRealised, ...] = ()
    trouble: str = ""
    conflict: tuple[int, int] | None = None
    """The journal entries whose answers contradict each other."""
    runs: int = 0
    refusals: int = 0
    notes: tuple[str, ...] = ()
    """Sentences for the reader: what is out of reach, what cannot be told apart."""


Asking = Generator[PlanQuery | WalkQuery, Response | WalkResponse, None]


class Strategy(Protocol):
    """Chooses questions, and says what the answers amount to. A function of its setting and the answers."""

    def questions(self, level: int) -> Asking:
        """What is still to be asked for this strength; called for 0, 1, ... in turn.

        Yields each question and is sent its answer. All actions reach a level before any goes on to the next, so a
        run at a higher strength begins like one at a lower strength, and can go on from its journal.
        """

    def take(self, query: PlanQuery, response: Response, states: tuple[State, ...] | None) -> None:
        """Evidence that the strategy did not ask for: a log, an audit. Untold states are None."""

    def findings(self) -> tuple[Finding, ...]:
        """What is known now, by action."""

    def progress(self) -> dict[str, int | None]:
        """By action, the strength reached; cheap, for the progress line."""
