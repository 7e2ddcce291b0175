"""Cook-Me-Pasta: push the ingredients together until the dish is cooked.

Walking against an item pushes it one cell if the cell beyond is free; against an item that fits, the two
merge there: raw pasta and boiling water are cooked pasta, sauce and tuna are cooked tuna, and those two are
the dish, which wins the game. (Built is pushing, as in the published game; the paper's text also speaks of
pressing E with both ingredients in hand. E does nothing here.) The key is picked up by walking onto it and
stays in hand; walking against the locked door with the key opens it: it is gone, the player has not moved.
`escaped` says that the game is over, so it is derived from `pasta_cooked`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import ClassVar, NamedTuple, Self

from assay.core.symbols import Object
from assay.core.vocabulary import Vocabulary
from assay.games.game import CELLS_AND_THINGS, IN_LINE, PLAYER, Condition, Sprite, cell_asked, scatter
from assay.games.grid import DOWN, FAR, NOWHERE, Grid
from assay.games.locked import Locked

ITEMS = ("raw_pasta", "water", "sauce", "tuna", "cooked_pasta", "cooked_tuna", "dish")
RAW, WATER, SAUCE, TUNA, PASTA, FISH, DISH = range(7)
MERGED = {
    (first, second): whole
    for a, b, whole in ((RAW, WATER, PASTA), (SAUCE, TUNA, FISH), (PASTA, FISH, DISH))
    for first, second in ((a, b), (b, a))
}


class PastaState(NamedTuple):
    player: int
    facing: int
    has_key: int
    open: int
    """Whether the door is."""
    items: tuple[int, ...]
    """The cell of every item, `NOWHERE` for those that are not there any more, or not yet."""


class Pasta(Locked[PastaState]):
    name: ClassVar = "pasta"
    smallest: ClassVar = (4, 5)
    vocabulary: ClassVar = Vocabulary.of(
        name="pasta",
        types={"thing": "object", "cell": "object"} | dict.fromkeys(("player", "key", *ITEMS), "thing"),
        predicates=CELLS_AND_THINGS
        | IN_LINE
        | {"has_key": {}, "pasta_cooked": {}, "is_door": {"loc": "cell"}, "escaped": {}},
        actions={},
    )
    things: ClassVar = (PLAYER, Object("key1", "key"), *(Object(f"{item}1", item) for item in ITEMS))
    derived: ClassVar = frozenset({"clear", "escaped"})
    static: ClassVar = frozenset({"wall", "adjacent", "in_line"})

    def __init__(self, grid: Grid, player: int, key: int, door: int, ingredients: tuple[int, ...]) -> None:
        super().__init__(grid, key, door)
        self.start, self.ingredients = player, ingredients
        self._item = [self.words.at[f"{item}1"] for item in ITEMS]

    @classmethod
    def sample(cls, rng: random.Random, rows: int, columns: int) -> Self:
        grid = Grid.sample(rng, rows, columns)
        player, key, door, *ingredients = scatter(rng, grid, 7)
        return cls(grid, player, key, door, tuple(ingredients))

    def _name_facts(self) -> None:
        super()._name_facts()
        self._cooked, self._over = self.words.bit("pasta_cooked"), self.words.bit("escaped")

    @property
    def initial(self) -> PastaState:
        return PastaState(self.start, DOWN, 0, 0, (*self.ingredients, NOWHERE, NOWHERE, NOWHERE))

    def won(self, state: PastaState) -> bool:
        return bool(state[4][DISH] != NOWHERE)

    def _go(self, state: PastaState, direction: int) -> PastaState:
        here, facing, has_key, door_open, items = state
        step = self.grid.step[direction]
        to = step[here]
        if to == NOWHERE:
            return state
        if to == self.door and not door_open:
            return PastaState(here, facing, has_key, 1, items) if has_key else state
        if to in items:
            beyond = step[to]
            if beyond == NOWHERE or (beyond == self.door and not door_open):
                return state
            if beyond == self.key and not has_key:
                return state
            pushed = items.index(to)
            moved = list(items)
            if beyond in items:
                met = items.index(beyond)
                whole = MERGED.get((pushed, met))
                if whole is None:
                    return state
                moved[pushed] = moved[met] = NOWHERE
                moved[whole] = beyond
            else:
                moved[pushed] = beyond
            items = tuple(moved)
        elif to == self.key:
            has_key = 1
        return PastaState(to, facing, has_key, door_open, items)

    def _arrangement(self, state: PastaState) -> int:
        clear, facts = self.words.clear, super()._arrangement(state)
        for bits, cell in zip(self._item, state.items, strict=True):
            if cell != NOWHERE:
                facts = facts & ~clear[cell] | bits[cell]
        return facts | self._cooked | self._over if self.won(state) else facts

    def sprites(self, state: PastaState) -> list[Sprite]:
        key = [] if state.has_key else [Sprite("key", self.key)]
        items = zip(ITEMS, state.items, strict=True)
        return [
            Sprite("open door" if state.open else "door", self.door),
            *key,
            *(Sprite(item, cell) for item, cell in items if cell != NOWHERE),
        ]

    @property
    def winning(self) -> Condition:
        return Condition(self._cooked, self._cooked)

    def showcases(self) -> list[list[Condition]]:
        """The door is opened; pasta is cooked; tuna is cooked; the dish."""
        opened = Condition(self._is_door[self.door], 0)
        pasta, fish = (Condition(sum(self._item[n]), 0) for n in (RAW, SAUCE))
        return [[opened, pasta, fish, self.winning], [opened, fish, pasta, self.winning]]

    def bound(self, target: Condition) -> Callable[[PastaState], int]:
        """One push moves one item, so the fewest pushes of all of them add up; what merged stays merged."""
        places = [cell_asked(target, bits) for bits in self._item]
        keyed, shut = self._key_asked(target), target.asks(self._is_door[self.door])
        # what is to stay as it was from the start was never passed
        stay = [cell for cell, asked in ((self.key, keyed is False), (self.door, shut)) if asked]
        grid = self.grid.closed(stay)
        cooked = target.asks(self._cooked) or places[DISH] not in (None, NOWHERE)
        raw = target.asks(self._cooked) is False or places[DISH] == NOWHERE
        to_key, to_door, walk = grid.walks_to(self.key), grid.walks_to(self.door), self._walk(target, grid)
        known: dict[tuple[int, ...], tuple[int, list[tuple[int, ...]]]] = {}

        def pushes(cell: int, place: int | None) -> int:
            return 0 if place is None or place == NOWHERE else grid.pushes_to(place)[cell]

        def pair(items: tuple[int, ...], first: int, second: int, whole: int) -> int:
            """The pushes that two ingredients and what they become need at least."""
            a, b, both = items[first], items[second], items[whole]
            if a == NOWHERE:
                if places[first] not in (None, NOWHERE) or places[second] not in (None, NOWHERE):
                    return FAR
                if both == NOWHERE:
                    return 0 if places[whole] in (None, NOWHERE) else FAR
                return pushes(both, places[whole])
            if cooked or NOWHERE in (places[first], places[second]) or places[whole] not in (None, NOWHERE):
                together = grid.meeting(a, b)
                return max(together, pushes(a, places[whole]), pushes(b, places[whole]))
            return pushes(a, places[first]) + pushes(b, places[second])

        def work(items: tuple[int, ...]) -> tuple[int, list[tuple[int, ...]]]:
            """The pushes at least needed, and the ways to the items: one of them is pushed first."""
            if items[DISH] != NOWHERE:
                total = FAR if raw or places[DISH] not in (None, items[DISH]) else 0
                return total + pair(items, RAW, WATER, PASTA) + pair(items, SAUCE, TUNA, FISH), []
            total = pair(items, RAW, WATER, PASTA) + pair(items, SAUCE, TUNA, FISH)
            if cooked:
                ready = items[PASTA] != NOWHERE and items[FISH] != NOWHERE
                total += grid.meeting(items[PASTA], items[FISH]) if ready else 1
            return total, [grid.walks_to(cell) for cell in items if cell != NOWHERE]

        def left(state: PastaState) -> int:
            here, _, has_key, door_open, items = state
            if (has_key and keyed is False) or (door_open and shut):
                return FAR
            found = known.get(items)
            if found is None:
                found = known[items] = work(items)
            total, ways = found
            if total >= FAR:
                return FAR
            most = walk[here]
            if total:
                most = max(most, total - 1 + min([way[here] for way in ways]))
            if not door_open and shut is False:
                most = max(most, to_door[here] if has_key else to_key[here] + to_door[self.key])
            elif keyed and not has_key:
                most = max(most, to_key[here])
            return most

        return left
