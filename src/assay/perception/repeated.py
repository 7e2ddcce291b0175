"""Looking again until every atom is certain enough.

Each fresh frame is an independent reading in which every atom is wrong with a probability of at most
`error`. An atom is settled when the readings for and against it differ by a margin m (a sequential
probability ratio test): a wrong atom then has a chance of at most (error / (1 - error))^m, however long it
took. The margin of the n-th look is such that the chances of all its atoms together stay below risk * 6 /
(pi n)^2, whose sum over all looks is the risk: less than one in a million that a single atom of a whole run
is wrong.

A classifier without errors (`error` 0) needs one frame. A frame that fits no valid state is no reading: it is
taken again, and if no frame of `PATIENCE` in a row fits, that is reported, never guessed. So is an atom that
changes more often than the declared error allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import ceil, comb, log, pi

from assay.core.symbols import Atom
from assay.errors import AgentError, InputError
from assay.perception.validity import Unfit

PATIENCE = 20
LIMIT = 400
"""Frames in one look, at most."""

Reading = frozenset[Atom]


class Repeated:
    looks: int
    frames: int

    def __init__(self, atoms: int, error: float = 0.0, risk: float = 1e-6) -> None:
        if not 0 <= error < 0.5 or not 0 < risk < 1:
            raise InputError(f"error must be below 0.5 and risk between 0 and 1, not {error:g} and {risk:g}")
        self._atoms, self._error, self._risk = atoms, error, risk
        self.looks = self.frames = 0

    @property
    def repeats(self) -> int:
        """Frames beyond the first of each look."""
        return self.frames - self.looks

    def settle(self, read: Callable[[], Reading]) -> Reading:
        """The atoms that hold, from as many readings as that takes; `read` raises `Unfit` for a bad frame."""
        self.looks += 1
        margin = self._margin()
        votes: Counter[Atom] = Counter()
        readings = unfit = 0
        for _ in range(LIMIT):
            self.frames += 1
            try:
                reading = read()
            except Unfit as reason:
                unfit += 1
                if unfit == PATIENCE:
                    raise AgentError(
                        f"{PATIENCE} frames in a row fit no valid state; the last: {reason}"
                    ) from reason
                continue
            unfit = 0
            readings += 1
            votes.update(reading)
            if readings >= margin and all(abs(2 * n - readings) >= margin for n in votes.values()):
                self._check(votes, readings)
                return frozenset(atom for atom, n in votes.items() if 2 * n > readings)
        doubtful = [a for a, n in votes.items() if abs(2 * n - readings) < margin]
        atom = min(doubtful, default=Atom("nothing"))
        raise AgentError(f"{LIMIT} frames do not settle {atom}, seen in {votes[atom]} of {readings} readings")

    def _check(self, votes: Counter[Atom], readings: int) -> None:
        """An atom that is misread more often than can be is not one whose errors are outvoted."""
        for atom, seen in sorted(votes.items()):
            wrong = min(seen, readings - seen)
            if wrong and comb(readings, wrong) * self._error**wrong < self._share:
                raise AgentError(
                    f"{atom} is seen in {seen} of {readings} readings: the classifier errs more often than "
                    f"the {self._error:.1%} that were declared"
                )

    @property
    def _share(self) -> float:
        """Of the risk, what one atom of the present look may take."""
        return self._risk * 6 / (pi * self.looks) ** 2 / self._atoms

    def _margin(self) -> int:
        if not self._error:
            return 1
        return max(1, ceil(log(1 / self._share) / log((1 - self._error) / self._error)))
