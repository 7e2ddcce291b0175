"""What a picture of Doors shows: a player, keys, and rooms that are locked or not, one label per cell.

Declared, because no step changes it: which cell is in which room, which key is for which room. Read off the
picture: `at`, `keyat`, `unlocked`. A room is locked if there is a fence along its border; inside, it looks
like any other; a room without cells cannot be seen, and is no object. Keys look alike; each is known by
where it was in the frame before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.core.symbols import Atom, Object
from assay.perception.templates import Place
from assay.perception.validity import Unfit, follow, not_in_two_places

FLOOR, FENCE, PLAYER, KEY = "floor", "fence", "player", "key"
_NEXT = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Doors:
    read_off: tuple[str, ...] = ("at", "keyat", "unlocked")

    def __init__(self, objects: Iterable[Object], initial: frozenset[Atom]) -> None:
        rooms_shown = {a.args[1] for a in initial if a.predicate == "locinroom"}
        self.objects = tuple(o for o in objects if o.type != "room" or o.name in rooms_shown)
        self._place = {o.name: _place(o.name) for o in self.objects if o.type == "location"}
        self.rows = max(row for row, _ in self._place.values()) + 1
        self.columns = max(column for _, column in self._place.values()) + 1
        self._room = {a.args[0]: a.args[1] for a in initial if a.predicate == "locinroom"}
        rooms = {self._place[cell]: room for cell, room in self._room.items()}
        self._border = {
            cell
            for cell, (row, column) in self._place.items()
            if any(rooms.get((row + r, column + c)) != self._room[cell] for r, c in _NEXT)
        }
        self._keys = sorted(o.name for o in self.objects if o.type == "key")
        self._rooms = sorted(o.name for o in self.objects if o.type == "room")
        self.atoms = tuple(
            [Atom("at", (cell,)) for cell in self._place]
            + [Atom("keyat", (key, cell)) for key in self._keys for cell in self._place]
            + [Atom("unlocked", (room,)) for room in self._rooms]
        )

    def lessons(self, initial: frozenset[Atom]) -> list[frozenset[Atom]]:
        """Situations to label: the first one, and all rooms open with the player on a key and elsewhere."""
        keys = sorted(a.args[1] for a in initial if a.predicate == "keyat")
        free = sorted(set(self._place) - set(keys))
        kept = {a for a in initial if a.predicate != "at"} | {Atom("unlocked", (r,)) for r in self._rooms}
        return [initial, *(frozenset(kept | {Atom("at", (cell,))}) for cell in (keys[0], free[0]))]

    def labels(self, atoms: Iterable[Atom]) -> dict[Place, str]:
        """What one would write beside the cells of the picture of a state."""
        atoms = frozenset(atoms)
        keys = {a.args[1] for a in atoms if a.predicate == "keyat"}
        locked = {c for c in self._border if Atom("unlocked", (self._room[c],)) not in atoms}
        return {
            place: " and ".join(
                [FENCE if cell in locked else FLOOR]
                + [PLAYER] * (Atom("at", (cell,)) in atoms)
                + [KEY] * (cell in keys)
            )
            for cell, place in self._place.items()
        }

    def read(self, labels: Mapping[Place, str], before: Iterable[Atom]) -> frozenset[Atom]:
        """The atoms of what is seen; `before` says where each key was in the frame before."""
        seen = {cell: labels[place].split(" and ") for cell, place in self._place.items()}
        fenced = {cell for cell, things in seen.items() if FENCE in things}
        if strange := sorted(fenced - self._border):
            raise Unfit(f"a fence is seen inside {self._room[strange[0]]}, at {strange[0]}")
        locked = {self._room[cell] for cell in fenced}
        unlocked = {self._room[cell] for cell in self._border - fenced}
        if half := sorted(unlocked & locked):
            raise Unfit(f"{half[0]} is seen half fenced and half open")
        players = [cell for cell, things in seen.items() if PLAYER in things]
        if len(players) != 1:
            raise Unfit(f"{len(players)} players are seen and there must be 1")
        was = {a.args[0]: a.args[1] for a in before if a.predicate == "keyat"}
        keys = follow("key", was, [cell for cell, things in seen.items() if KEY in things], may_vanish=True)
        return frozenset(
            {Atom("at", (players[0],))}
            | {Atom("keyat", pair) for pair in keys.items()}
            | {Atom("unlocked", (room,)) for room in unlocked}
        )

    def faults(self, atoms: frozenset[Atom]) -> list[str]:
        """What is wrong with a state; nothing if it is valid."""
        players = sorted(a.args[0] for a in atoms if a.predicate == "at")
        wrong = not_in_two_places((a.args[0], a.args[1]) for a in atoms if a.predicate == "keyat")
        if len(players) != 1:
            wrong.append(f"the player is in {len(players)} places" if players else "the player is nowhere")
        return wrong


def _place(cell: str) -> Place:
    """`loc-2-5` is row 2, column 5, from 0."""
    _, row, column = cell.split("-")
    return int(row), int(column)
