"""A game's vocabulary over the cells of one size of grid: numbers of facts, ready per cell.

All instances of a game of one size speak of the same objects, so they share one universe; walls and places
differ. Beside the paper's predicates (Descriptions, Table 1) every vocabulary has `adjacent(?a ?b)`, and,
where things are pushed, `in_line(?a ?b ?c)`: b between its neighbours a and c. Both are geometry, walls or
not.
"""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.symbols import Atom, Object
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.games.grid import NOWHERE, Grid


class Words:
    def __init__(self, vocabulary: Vocabulary, things: Iterable[Object], rows: int, columns: int) -> None:
        self.things = tuple(things)
        self._bare = Grid(rows, columns, frozenset())
        cells = tuple(Object(name, "cell") for name in self._bare.names)
        self.universe = Universe(vocabulary, (*self.things, *cells))
        self.at = {thing.name: self.per_cell("at", thing.name) for thing in self.things}
        self.clear, self.wall = self.per_cell("clear"), self.per_cell("wall")

    def bit(self, predicate: str, *args: str) -> int:
        return 1 << self.universe.index(Atom(predicate, args))

    def per_cell(self, predicate: str, *args: str) -> tuple[int, ...]:
        """The predicate's bit for every cell, as its last argument."""
        return tuple(self.bit(predicate, *args, name) for name in self._bare.names)

    def geometry(self) -> int:
        """The facts about cells alone."""
        names, beside = self._bare.names, self._bare.beside
        lines = "in_line" in self.universe.vocabulary.predicate
        facts = 0
        for step in beside:
            for here, there in enumerate(step):
                if there != NOWHERE:
                    facts |= self.bit("adjacent", names[here], names[there])
                    if lines and step[there] != NOWHERE:
                        facts |= self.bit("in_line", names[here], names[there], names[step[there]])
        return facts
