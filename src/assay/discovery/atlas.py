"""The simulator seen through the user's vocabulary: abstract states, their realisations, and the ways out.

A *region* is a set of low-level states with one abstract state, connected by keys. Its *ways out* are
single keystrokes that change the abstract state. By Lemma 1 of Descriptions a capability is executed by
staying inside the region until the last keystroke, so what can be done from an abstract state at all is its
ways out.

The two assumptions behind that are checked on every region: that its states reach one another (strong
connectivity), and that each of them can take every way out (the forall-exists abstraction, Def. 3). Where one
does not hold, a `Violation` says so, with the states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from assay.core.reach import Low, LowLevelAgent
from assay.core.universe import Universe
from assay.errors import AgentError, AssayError, InputError

_CHECKED = 500
"""How many regions are looked at for the assumptions."""
_TWICE = 100
"""In how many regions every key is pressed twice, to see whether it does the same again."""


class Way(NamedTuple):
    """A keystroke that leaves a region."""

    low: Low
    key: str
    after: Low


@dataclass(slots=True)
class Region:
    bits: int
    lows: list[Low] = field(default_factory=list)
    """Its realisations, in the order found."""
    ways: dict[int, list[Way]] = field(default_factory=dict)
    """The abstract states next to it, each with the keystrokes that lead there."""
    part: dict[Low, int] = field(default_factory=dict)
    """Realisations that were found from one another have the same number."""

    def beside(self, low: Low) -> list[Low]:
        """The realisations found together with one."""
        return [other for other in self.lows if self.part[other] == self.part[low]]


@dataclass(frozen=True, slots=True)
class Violation:
    """A place where the abstraction is not what the method assumes."""

    kind: str
    bits: int
    said: str


class Atlas:
    def __init__(self, agent: LowLevelAgent) -> None:
        self.agent = agent
        self.universe: Universe = agent.universe
        self.keys: tuple[str, ...] = tuple(getattr(agent, "keys", ()))
        self._press = getattr(agent, "press", None) if self.keys else None
        vocabulary = self.universe.vocabulary
        self.static = frozenset(getattr(agent, "static", ()))
        self.derived = frozenset(getattr(agent, "derived", ()))
        for name in sorted(self.static | self.derived):
            if name not in vocabulary.predicate:
                raise InputError(
                    f"predicate {name!r} is declared static or derived, and is not in the vocabulary"
                )
        self.regions: dict[int, Region] = {}
        self.violations: list[Violation] = []
        self._bits: dict[Low, int] = {}
        self._member: set[Low] = set()

    @property
    def simulates(self) -> bool:
        return self._press is not None

    def bits(self, low: Low) -> int:
        """The abstract state of a low-level one."""
        try:
            found = self._bits.get(low)
        except TypeError as error:
            raise AgentError(f"a low-level state must be hashable, and {low!r} is not: {error}") from error
        if found is None:
            state = self.agent.abstract(low)
            if state.universe is not self.universe:
                raise AgentError("abstract returned a state over another universe than the agent's own")
            found = self._bits[low] = state.bits
        return found

    def press(self, low: Low, key: str) -> Low:
        if self._press is None:
            raise InputError("the agent has no simulator")
        after: Low = self._press(low, key)
        return after

    def region(self, low: Low) -> Region:
        """The region of a low-level state, with all its ways out."""
        bits = self.bits(low)
        found = self.regions.get(bits)
        if found is None:
            found = self.regions[bits] = Region(bits)
        if low not in self._member:
            known = set(found.ways) if found.lows else None
            try:
                component = self._fill(found, low)
            except AssayError:
                raise
            except Exception as error:
                raise AgentError(f"the simulator raised {type(error).__name__}: {error}") from error
            if known is not None and known != self._exits(component):
                self._violated("forall-exists", bits, "two of its realisations have different ways out")
            self._check(found, component)
        return found

    def _fill(self, region: Region, low: Low) -> list[Low]:
        todo, component = [low], [low]
        number = len(region.lows)
        self._member.add(low)
        region.lows.append(low)
        region.part[low] = number
        if self._press is None:
            return component
        while todo:
            here = todo.pop()
            for key in self.keys:
                after = self._press(here, key)
                if len(self.regions) <= _TWICE and (again := self._press(here, key)) != after:
                    raise AgentError(
                        f"the simulator is not deterministic: {key} leads from {here!r} to {after!r}, and "
                        f"the next time to {again!r}"
                    )
                if after == here:
                    continue
                if (bits := self.bits(after)) != region.bits:
                    region.ways.setdefault(bits, []).append(Way(here, key, after))
                elif after not in self._member:
                    self._member.add(after)
                    region.lows.append(after)
                    region.part[after] = number
                    component.append(after)
                    todo.append(after)
        return component

    def _exits(self, lows: list[Low]) -> set[int]:
        if self._press is None:
            return set()
        return {self.bits(self._press(low, key)) for low in lows for key in self.keys} - {self.bits(lows[0])}

    def _inside(self, low: Low) -> set[Low]:
        """What is reached from a low-level state without leaving its abstract state."""
        if self._press is None:
            return {low}
        bits, found, todo = self.bits(low), {low}, [low]
        while todo:
            here = todo.pop()
            for key in self.keys:
                after = self._press(here, key)
                if after not in found and self.bits(after) == bits:
                    found.add(after)
                    todo.append(after)
        return found

    def _check(self, region: Region, component: list[Low]) -> None:
        """Whether every state found can come back to the one it was found from."""
        if len(self.regions) > _CHECKED:
            return
        if any(component[0] not in self._inside(low) for low in component[1:]):
            self._violated("connectivity", region.bits, "one of its realisations cannot return to another")

    def _violated(self, kind: str, bits: int, said: str) -> None:
        self.violations.append(Violation(kind, bits, said))
