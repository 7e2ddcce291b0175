"""Problems in which things are carried from place to place."""

from __future__ import annotations

from itertools import combinations, pairwise

from assay.bench.problems.sketch import Sketch


def gripper(p: Sketch, size: int) -> None:
    rooms = p.things("room", 2 + size // 4, "room")
    hands = [p.thing(name, "gripper") for name in ("left", "right")]
    for hand in hands:
        p.holds("free", hand)
    p.holds("at-robby", p.any_of(rooms))
    p.spread("at", p.things("ball", 2 * size, "ball"), rooms)


def miconic(p: Sketch, size: int) -> None:
    floors = p.things("f", 2 * size + 1, "floor", first=0)
    for low, high in combinations(floors, 2):
        p.holds("above", low, high)
    p.holds("lift-at", p.any_of(floors))
    for passenger in p.things("p", size, "passenger", first=0):
        origin, destination = p.rng.sample(floors, 2)
        p.holds("origin", passenger, origin)
        p.holds("destin", passenger, destination)


def logistics(p: Sketch, size: int) -> None:
    places: list[str] = []
    airports: list[str] = []
    for city in p.things("c", 2 + size // 3, "city"):
        number = city.removeprefix("c")
        airport = p.thing(f"a{number}", "airport")
        own = [airport, *(p.thing(f"l{number}-{n}", "location") for n in range(1, 2 + size // 4))]
        for place in own:
            p.holds("in-city", place, city)
        p.holds("at", p.thing(f"t{number}", "truck"), p.any_of(own))
        airports.append(airport)
        places += own
    p.spread("at", p.things("plane", 1 + size // 5, "airplane"), airports)
    p.spread("at", p.things("p", size + 1, "package"), places)


def delivery(p: Sketch, size: int) -> None:
    places = p.things("l", size + 2, "location")
    p.network("road", places, size // 2)
    p.spread("at", p.things("t", 1 + size // 3, "truck"), places)
    p.spread("at", p.things("p", size + 1, "package"), places)


def ferry(p: Sketch, size: int) -> None:
    places = p.things("l", size + 1, "location", first=0)
    p.holds("empty-ferry")
    p.holds("at-ferry", p.any_of(places))
    p.spread("at", p.things("c", size + 1, "car", first=0), places)


def driverlog(p: Sketch, size: int) -> None:
    places = p.things("s", size + 2, "location", first=0)
    p.network("link", places, size)
    trucks = p.things("truck", 1 + size // 2, "truck")
    for truck in trucks:
        p.holds("empty", truck)
    # People walk from place to place by way of a path that no truck can use.
    for a, b in combinations(range(len(places)), 2):
        if b == a + 1 or p.rng.random() < 0.2:
            middle = p.thing(f"p{a}-{b}", "location")
            p.both_ways("path", places[a], middle)
            p.both_ways("path", middle, places[b])
    p.spread("at", p.things("driver", 1 + size // 2, "driver"), places)
    p.spread("at", trucks, places)
    p.spread("at", p.things("package", size + 1, "obj"), places)


def zenotravel(p: Sketch, size: int) -> None:
    cities = p.things("city", size + 2, "city", first=0)
    levels = p.things("fl", 7, "flevel", first=0)
    p.chain("next", levels)
    planes = p.things("plane", 1 + size // 3, "aircraft")
    for plane in planes:
        p.holds("fuel-level", plane, p.any_of(levels[1:]))
    p.spread("at", planes, cities)
    p.spread("at", p.things("person", size + 1, "person"), cities)


def elevators(p: Sketch, size: int) -> None:
    """Floors and numbers of passengers are counted with the same objects, as in the competition."""
    counts = p.things("n", 5 + size, "count", first=0)
    for low, high in combinations(counts, 2):
        p.holds("above", low, high)
    p.chain("next", counts)
    blocks = [counts[: len(counts) // 2 + 1], counts[len(counts) // 2 :]]
    for number in range(2 * (1 + size // 4)):
        lift = p.thing(f"slow{number}", "slow-elevator")
        _lift(p, lift, blocks[number % 2], counts[1:3])
    for number in range(1 + size // 4):
        lift = p.thing(f"fast{number}", "fast-elevator")
        _lift(p, lift, counts[number % 2 :: 2], counts[1:4])
    p.spread("passenger-at", p.things("p", size + 2, "passenger", first=0), counts)


def _lift(p: Sketch, lift: str, floors: list[str], capacity: list[str]) -> None:
    for floor in floors:
        p.holds("reachable-floor", lift, floor)
    for number in capacity:
        p.holds("can-hold", lift, number)
    p.holds("lift-at", lift, p.any_of(floors))
    p.holds("passengers", lift, "n0")


def depots(p: Sketch, size: int) -> None:
    places = [*p.things("depot", 1 + size // 3, "depot", first=0)]
    places += p.things("distributor", 1 + size // 2, "distributor", first=0)
    tops: dict[str, tuple[str, str]] = {}
    for number, place in enumerate(places):
        hoist, pallet = p.thing(f"hoist{number}", "hoist"), p.thing(f"pallet{number}", "pallet")
        p.holds("at", hoist, place)
        p.holds("available", hoist)
        p.holds("at", pallet, place)
        tops[place] = (pallet, place)
    p.spread("at", p.things("truck", 1 + size // 3, "truck", first=0), places)
    for crate in p.things("crate", size + 1, "crate", first=0):
        place = p.any_of(places)
        p.holds("at", crate, place)
        p.holds("on", crate, tops[place][0])
        tops[place] = (crate, place)
    for surface, _ in tops.values():
        p.holds("clear", surface)


def tpp(p: Sketch, size: int) -> None:
    """Some shopping is already done, so that there is something to unload."""
    levels = p.things("level", 8 + size, "level", first=0)
    for low, high in pairwise(levels):
        p.holds("next", high, low)
    depots, markets = p.things("depot", 1, "depot"), p.things("market", 1 + size // 2, "market")
    p.network("connected", [*depots, *markets], size // 2)
    trucks, goods = p.things("truck", 1 + size // 3, "truck"), p.things("goods", size + 1, "goods")
    p.spread("at", trucks, [*depots, *markets])
    for number, item in enumerate(goods):
        p.holds("stored", item, levels[0])
        for truck in trucks:
            p.holds("loaded", item, truck, p.any_of(levels[3:5]) if number % 2 else levels[0])
        for market in markets:
            p.holds("on-sale", item, market, p.any_of(levels[4:]))
            p.holds("ready-to-load", item, market, levels[0])
