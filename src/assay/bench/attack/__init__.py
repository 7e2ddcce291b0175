"""Attacks on assay, counted: everything that an agent, a folder or a web page could do, drawn at random.

Every attack is drawn from a seed and has one right outcome; what has another is kept, to be tried again.
Commands are run as users run them: as processes where they are killed, else in this process, where all that
is raised shows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

DELIVERY = Path(__file__).parents[1] / "domains"
SPEC = f"pddl:{DELIVERY / 'delivery.pddl'},{DELIVERY / 'delivery-problem.pddl'}"
"""An agent that is there wherever assay is."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended: its exit code, what it printed, and what it raised if it did."""

    code: int
    output: str
    raised: str = ""


Command = Callable[[list[str]], Ran]
"""Runs a command line within this process, within bounded time."""


@dataclass
class Row:
    """One kind of attack: how many, and which had another outcome than they must."""

    name: str
    done: int = 0
    failures: list[str] = field(default_factory=list)
    notes: str = ""

    @property
    def held(self) -> int:
        return self.done - len(self.failures)

    @property
    def percent(self) -> float:
        return 100.0 * self.held / self.done if self.done else 0.0

    def count(self, failure: str | None) -> None:
        self.done += 1
        if failure:
            self.failures.append(failure)


def mutants(original: bytes, rng: random.Random) -> Iterator[bytes]:
    """The original with some of it changed, left out, doubled or cut off, without end."""
    strange = [
        b"\x00",
        b"\xff",
        b"\x1b[2J",
        b'"',
        b"{",
        b"[",
        b"(",
        b")",
        b"\n",
        b"-1",
        b"1e999",
        b"null",
        b"\\u0000",
    ]
    while True:
        data = bytearray(original)
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            at = rng.randrange(len(data) + 1)
            end = min(len(data), at + rng.choice((1, 1, 2, 10, 100)))
            match rng.randrange(6):
                case 0:
                    data[at:end] = bytes([rng.randrange(256)])
                case 1:
                    del data[at:end]
                case 2:
                    data[at:at] = data[at:end]
                case 3:
                    data[at:at] = rng.choice(strange)
                case 4:
                    del data[at:]
                case 5:
                    other = rng.randrange(len(data) + 1)
                    data[at:end] = data[other : other + end - at]
        yield bytes(data)
