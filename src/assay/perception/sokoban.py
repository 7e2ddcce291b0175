"""What a picture of Sokoban shows: a player, stones, floor, goals and walls, one label per cell.

Declared, because no step changes it: which cells are neighbours, which are goals, who is a player and who a
stone. Read off the picture: `at`, `clear`, `at-goal`. Stones look alike; their names follow them from one
frame to the next. The objects are those cells that have a neighbour; walls and what lies behind them are
none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.core.symbols import Atom, Object
from assay.perception.templates import Place
from assay.perception.validity import Unfit, follow, in_one_place, one_each

FLOOR, GOAL, STONE, STONE_ON_GOAL, PLAYER, WALL = "floor", "goal", "stone", "stone on goal", "player", "wall"


class Sokoban:
    read_off: tuple[str, ...] = ("at", "at-goal", "clear")

    def __init__(self, objects: Iterable[Object], initial: frozenset[Atom]) -> None:
        objects = tuple(objects)
        joined = {cell for atom in initial if atom.predicate == "move-dir" for cell in atom.args[:2]}
        self.objects = tuple(o for o in objects if o.type != "location" or o.name in joined)
        self._place = {o.name: _place(o.name) for o in objects if o.type == "location"}
        self.rows = max(row for row, _ in self._place.values()) + 1
        self.columns = max(column for _, column in self._place.values()) + 1
        self._cells = sorted(joined)
        self._goals = {a.args[0] for a in initial if a.predicate == "is-goal"}
        self._players = {a.args[0] for a in initial if a.predicate == "is-player"}
        self._stones = {a.args[0] for a in initial if a.predicate == "is-stone"}
        behind = {a.args[0] for a in initial if a.predicate == "clear"} - joined
        self._scenery = {
            place: FLOOR if name in behind else WALL
            for name, place in self._place.items()
            if name not in joined
        }
        self.atoms = tuple(
            [Atom("at", (t, c)) for t in sorted(self._players | self._stones) for c in self._cells]
            + [Atom("at-goal", (t,)) for t in sorted(self._players | self._stones)]
            + [Atom("clear", (c,)) for c in self._cells]
        )

    def lessons(self, initial: frozenset[Atom]) -> list[frozenset[Atom]]:
        """Situations to label: the first one, and one with the stones on goals as far as they go."""
        where = _where(initial)
        player = sorted(self._players)[0]
        taken = {where[player]}
        for stone, goal in zip(sorted(self._stones), sorted(self._goals - taken), strict=False):
            where[stone] = goal
        kept = {a for a in initial if a.predicate not in self.read_off or not set(self._cells) & set(a.args)}
        empty = set(self._cells) - set(where.values())
        return [
            initial,
            frozenset(
                {a for a in kept if a.predicate != "at-goal"}
                | {Atom("at", pair) for pair in where.items()}
                | {Atom("clear", (cell,)) for cell in empty}
                | {Atom("at-goal", (s,)) for s in self._stones if where[s] in self._goals}
            ),
        ]

    def labels(self, atoms: Iterable[Atom]) -> dict[Place, str]:
        """What one would write beside the cells of the picture of a state."""
        labels = dict(self._scenery)
        held = {cell: thing for thing, cell in _where(atoms).items()}
        for cell in self._cells:
            empty, stone = (GOAL, STONE_ON_GOAL) if cell in self._goals else (FLOOR, STONE)
            thing = held.get(cell)
            labels[self._place[cell]] = PLAYER if thing in self._players else stone if thing else empty
        return labels

    def read(self, labels: Mapping[Place, str], before: Iterable[Atom]) -> frozenset[Atom]:
        """The atoms of what is seen; `before` says who was where in the frame before."""
        for place, label in self._scenery.items():
            if labels[place] != label:
                raise Unfit(f"a {labels[place]} is seen where there is a {label}, {_words(place)}")
        seen = {cell: labels[self._place[cell]] for cell in self._cells}
        for cell, label in seen.items():
            if label == WALL or (
                (label in (GOAL, STONE_ON_GOAL)) != (cell in self._goals) and label != PLAYER
            ):
                kind = GOAL if cell in self._goals else FLOOR
                raise Unfit(f"a {label} is seen where there is a {kind}, {_words(self._place[cell])}")
        was = _where(before)
        now = follow(
            "player",
            {t: was[t] for t in self._players},
            [cell for cell, label in seen.items() if label == PLAYER],
        ) | follow(
            "stone",
            {t: was[t] for t in self._stones},
            [cell for cell, label in seen.items() if label in (STONE, STONE_ON_GOAL)],
        )
        return frozenset(
            {Atom("at", pair) for pair in now.items()}
            | {Atom("clear", (cell,)) for cell, label in seen.items() if label in (FLOOR, GOAL)}
            | {Atom("at-goal", (t,)) for t, cell in now.items() if seen[cell] == STONE_ON_GOAL}
        )

    def faults(self, atoms: frozenset[Atom]) -> list[str]:
        """What is wrong with a state; nothing if it is valid."""
        where = [(a.args[0], a.args[1]) for a in atoms if a.predicate == "at"]
        held = {cell: thing for thing, cell in where}
        clear = {a.args[0] for a in atoms if a.predicate == "clear"}
        on_goal = {a.args[0] for a in atoms if a.predicate == "at-goal"}
        stones_there = {held[g] for g in self._goals if g in held} & self._stones
        return [
            *in_one_place(where, self._players | self._stones),
            *one_each(where),
            *(f"{cell} is clear and holds {held[cell]}" for cell in sorted(clear & held.keys())),
            *(
                f"{cell} is neither clear nor holds anything"
                for cell in self._cells
                if cell not in clear | held.keys()
            ),
            *(f"{thing} is on a goal and is not" for thing in sorted(on_goal ^ stones_there)),
        ]


def _where(atoms: Iterable[Atom]) -> dict[str, str]:
    return {a.args[0]: a.args[1] for a in atoms if a.predicate == "at"}


def _place(cell: str) -> Place:
    """`pos-02-05` is the second column, the fifth row."""
    _, column, row = cell.split("-")
    return int(row) - 1, int(column) - 1


def _words(place: Place) -> str:
    return f"row {place[0] + 1}, column {place[1] + 1}"
