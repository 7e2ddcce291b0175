"""Problems on boards: stacks, grids, mazes and cards."""

from __future__ import annotations

from itertools import pairwise

from assay.bench.problems.sketch import Sketch, neighbours


def blocksworld(p: Sketch, size: int) -> None:
    blocks = p.things("b", size + 2)
    p.rng.shuffle(blocks)
    p.holds("handempty")
    above = None
    for block in blocks:
        if above is None:
            p.holds("clear", block)
        elif p.rng.random() < 0.6:
            p.holds("on", above, block)
        else:
            p.holds("ontable", above)
            p.holds("clear", block)
        above = block
    p.holds("ontable", blocks[-1])


def hanoi(p: Sketch, size: int) -> None:
    pegs, discs = p.things("peg", 3), p.things("d", size + 1)
    for number, disc in enumerate(discs):
        for larger in [*pegs, *discs[number + 1 :]]:
            p.holds("smaller", larger, disc)
    towers: dict[str, str] = {peg: peg for peg in pegs}
    for disc in reversed(discs):
        peg = p.any_of(pegs)
        p.holds("on", disc, towers[peg])
        towers[peg] = disc
    for top in towers.values():
        p.holds("clear", top)


def parking(p: Sketch, size: int) -> None:
    """One curb is empty; a car stands at each other one, and behind it another, but for the last."""
    empty, *curbs = p.things("curb", size + 2, "curb", first=0)
    cars = p.things("car", 2 * len(curbs) - 1, "car", first=0)
    p.rng.shuffle(cars)
    p.holds("curb-clear", empty)
    fronts, backs = cars[: len(curbs)], cars[len(curbs) :]
    for front, curb in zip(fronts, curbs, strict=True):
        p.holds("at-curb", front)
        p.holds("at-curb-num", front, curb)
    for back, front in zip(backs, fronts, strict=False):
        p.holds("behind-car", back, front)
    for car in [*backs, fronts[-1]]:
        p.holds("car-clear", car)


def termes(p: Sketch, size: int) -> None:
    squares = p.grid("pos-", 2 + (size + 1) // 2, 2 + size // 2, "position")
    heights = p.things("n", 2 + (size + 1) // 2, "numb", first=0)
    for low, high in pairwise(heights):
        p.holds("succ", high, low)
    for square, name in squares.items():
        p.holds("height", name, heights[0])
        for other in neighbours(square):
            if other in squares:
                p.holds("neighbor", name, squares[other])
    depot = p.any_of([squares[s] for s in squares if 0 in s])
    p.holds("is-depot", depot)
    p.holds("at", depot)


def visitall(p: Sketch, size: int) -> None:
    squares = p.grid("loc-x", size + 1, size + 1, "place")
    for square, name in squares.items():
        for other in neighbours(square):
            if other in squares:
                p.holds("connected", name, squares[other])
    start = p.any_of(list(squares.values()))
    p.holds("at-robot", start)
    p.holds("visited", start)


def grid(p: Sketch, size: int) -> None:
    """Keys lie on open squares; about a third of the squares are locked."""
    squares = p.grid("node", 2 + (size + 1) // 2, 2 + size // 2, "place")
    names = list(squares.values())
    shapes = p.things("shape", 1 + size // 4, "shape", first=0)
    for square, name in squares.items():
        for other in neighbours(square):
            if other in squares:
                p.holds("conn", name, squares[other])
    start = p.any_of(names)
    locked = set(p.rng.sample([n for n in names if n != start], len(names) // 3))
    for name in names:
        if name in locked:
            p.holds("locked", name)
            p.holds("lock-shape", name, p.any_of(shapes))
        else:
            p.holds("open", name)
    p.holds("at-robot", start)
    p.holds("arm-empty")
    places = [n for n in names if n not in locked and n != start]
    for number, key in enumerate(p.things("key", max(3, size), "key", first=0)):
        p.holds("key-shape", key, shapes[number % len(shapes)])
        p.holds("at", key, start if number < 2 else p.any_of(places))


def goldminer(p: Sketch, size: int) -> None:
    """The left column is clear and holds the tools; rock lies between it and a seam of gold on the right."""
    width, height = 3, 2 + size
    squares = p.grid("f", width, height, "loc")
    for square, name in squares.items():
        for other in neighbours(square):
            if other in squares:
                p.holds("connected", name, squares[other])
        if square[0] == 0:
            p.holds("clear", name)
        else:
            soft = square[0] == width - 1 or p.rng.random() < 0.7
            p.holds("soft-rock-at" if soft else "hard-rock-at", name)
    edge = [squares[0, y] for y in range(height)]
    p.holds("robot-at", p.any_of(edge))
    p.holds("bomb-at", p.any_of(edge))
    p.holds("laser-at", p.any_of(edge))
    p.holds("arm-empty")
    for y in range(height):
        p.holds("gold-at", squares[width - 1, y])


def sokoban(p: Sketch, size: int) -> None:
    """An open hall; every stone stands near a goal, away from the walls."""
    width, height = 5 + size // 3, 4 + size // 2
    squares = p.grid("pos-", width, height, "location")
    directions = [p.thing(f"dir-{name}", "direction") for name in ("right", "down", "left", "up")]
    player = p.thing("player-1", "player")
    for square, name in squares.items():
        for direction, other in zip(directions, neighbours(square), strict=True):
            if other in squares:
                p.holds("move-dir", name, squares[other], direction)
    inner = [s for s in squares if 0 < s[0] < width - 1 and 0 < s[1] < height - 1]
    stones = p.things("stone-", 1 + size // 3, "stone")
    around: list[list[tuple[int, int]]] = [[]]
    while not all(around):  # every stone needs a free square beside it for its goal
        spots = p.rng.sample(inner, len(stones))
        around = [[s for s in neighbours(spot) if s in inner and s not in spots] for spot in spots]
    goals = [p.rng.choice(free) for free in around]
    for square, name in squares.items():
        p.holds("is-goal" if square in goals else "is-nongoal", name)
    for stone, spot in zip(stones, spots, strict=True):
        p.holds("at", stone, squares[spot])
    # The player starts behind the first stone, if nothing stands there.
    (x, y), (gx, gy) = spots[0], goals[0]
    behind = (2 * x - gx, 2 * y - gy)
    here = behind if behind not in spots else p.rng.choice([s for s in squares if s not in spots])
    p.holds("at", player, squares[here])
    for square, name in squares.items():
        if square not in spots and square != here:
            p.holds("clear", name)


def freecell(p: Sketch, size: int) -> None:
    """A game under way: the lowest cards are home, one column is empty, all four cells are free.

    Aces are worth one; a card of value nought stands for an empty home pile.
    """
    colours = {"club": 0, "diamond": 1, "spade": 0, "heart": 1}
    suits = [p.thing(name, "suit") for name in list(colours)[: 2 + (size > 3) + (size > 5)]]
    top = min(13, 4 + size)
    numbers = p.things("n", 14, "num", first=0)
    for low, high in pairwise(numbers):
        p.holds("successor", high, low)
    cards: dict[str, tuple[str, int]] = {}
    for suit in suits:
        for value in range(top + 1):
            name = p.thing(f"{suit}-{value}", "card")
            cards[name] = suit, value
            p.holds("suit", name, suit)
            p.holds("value", name, numbers[value])
    for card, (suit, value) in cards.items():
        for below, (other, worth) in cards.items():
            if worth == value + 1 and colours[suit] != colours[other] and value > 0:
                p.holds("canstack", card, below)
    home = {suit: p.rng.randrange(min(3, top - 2)) for suit in suits}
    for suit in suits:
        p.holds("home", f"{suit}-{home[suit]}")
    deck = [card for card, (suit, value) in cards.items() if value > home[suit]]
    p.rng.shuffle(deck)
    columns = 3 + size // 2
    for column in (deck[n::columns] for n in range(columns)):
        p.holds("bottomcol", column[0])
        p.holds("clear", column[-1])
        for below, card in pairwise(column):
            p.holds("on", card, below)
    p.holds("cellspace", numbers[4])
    p.holds("colspace", numbers[1])
