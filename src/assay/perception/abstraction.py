"""The abstract state of a low-level one: the ground atoms whose functions say so.

Ground atoms over the objects are listed once; to look at a state is then one function call per atom, and
none for static predicates, whose atoms are looked at once and handed back in by the caller. Whether they are
really static is looked at a few at a time, in turn, so that it costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import cycle, product
from typing import Any

from assay.core.symbols import Atom
from assay.core.universe import Universe
from assay.errors import AgentError
from assay.perception.predicates import StatePredicate

_FEW = 256
_Ground = tuple[int, Callable[..., bool], tuple[str, ...]]


class Abstraction:
    def __init__(self, universe: Universe, predicates: Iterable[StatePredicate]) -> None:
        self.universe = universe
        self._fluent: list[_Ground] = []
        self._static: list[_Ground] = []
        for perceived in predicates:
            grounded = self._static if perceived.static else self._fluent
            for args in self._tuples(perceived):
                bit = 1 << universe.index(Atom(perceived.name, args))
                grounded.append((bit, perceived.function, args))
        self.static_mask = _mask(self._static)
        """The bits of static atoms."""
        parts = [self._static[at : at + _FEW] for at in range(0, len(self._static), _FEW)]
        self._turns = cycle([(part, _mask(part)) for part in parts] or [([], 0)])

    @property
    def size(self) -> int:
        """How many atoms are looked at in each state."""
        return len(self._fluent)

    def static(self, state: Any) -> int:
        """The static atoms that hold."""
        return self._look(state, self._static)

    def bits(self, state: Any, static: int) -> int:
        """All atoms that hold, given the static ones."""
        return self._look(state, self._fluent) | static

    def drift(self, state: Any, static: int) -> int:
        """Of the next few static atoms, those that are no longer as they were."""
        part, mask = next(self._turns)
        return self._look(state, part) ^ (static & mask)

    def _tuples(self, perceived: StatePredicate) -> Iterable[tuple[str, ...]]:
        universe = self.universe
        return product(
            *(
                [o.name for o in universe.objects if universe.vocabulary.fits(o.type, parameter.types)]
                for parameter in perceived.symbol.parameters
            )
        )

    def _look(self, state: Any, grounded: list[_Ground]) -> int:
        bits = last = 0
        try:
            for last, function, args in grounded:
                value = function(state, *args)
                if value is True or (value is not False and self._truth(value)):
                    bits |= last
        except Exception as error:
            atom = self.universe.atom(last.bit_length() - 1)
            said = str(error) if isinstance(error, _NotBool) else f"raised {type(error).__name__}: {error}"
            raise AgentError(f"predicate {atom} {said}, on the state {_show(state)}") from error
        return bits

    @staticmethod
    def _truth(value: object) -> bool:
        if type(value).__name__ not in ("bool", "bool_"):  # the latter are numpy's
            raise _NotBool(f"returned {_show(value)}, not True or False")
        return bool(value)


def _mask(grounded: list[_Ground]) -> int:
    return sum(bit for bit, _, _ in grounded)


class _NotBool(Exception):
    pass


def _show(value: object) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 200 else text[:197] + "..."
