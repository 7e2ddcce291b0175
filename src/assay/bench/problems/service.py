"""Problems in which someone with tools or hands does jobs: observing, mixing, serving, repairing."""

from __future__ import annotations

from itertools import combinations, cycle

from assay.bench.problems.sketch import Sketch


def satellite(p: Sketch, size: int) -> None:
    modes = p.things("mode", 1 + (size + 1) // 2, "mode", first=0)
    directions = p.things("dir", 2 + size, "direction", first=0)
    supported = cycle(modes)
    for craft in p.things("satellite", 1 + size // 2, "satellite", first=0):
        p.holds("power_avail", craft)
        p.holds("pointing", craft, p.any_of(directions))
        for number in range(1 + p.rng.randrange(2)):
            instrument = p.thing(f"instrument{craft.removeprefix('satellite')}-{number}", "instrument")
            p.holds("on_board", instrument, craft)
            p.holds("calibration_target", instrument, p.any_of(directions))
            for mode in {next(supported), p.any_of(modes)}:
                p.holds("supports", instrument, mode)


def rovers(p: Sketch, size: int) -> None:
    waypoints = p.things("waypoint", 3 + size, "waypoint", first=0)
    modes = [p.thing(mode, "mode") for mode in ("colour", "high_res", "low_res")]
    objectives = p.things("objective", 1 + (size + 1) // 2, "objective", first=0)
    lander = p.thing("general", "lander")
    p.holds("channel_free", lander)
    p.holds("at_lander", lander, p.any_of(waypoints))
    p.network("visible", waypoints, 2 * len(waypoints))
    roads = sorted(atom.args for atom in p.atoms if atom.predicate == "visible")
    for kind in ("soil", "rock"):
        for waypoint in p.rng.sample(waypoints, (len(waypoints) + 1) // 2):
            p.holds(f"at_{kind}_sample", waypoint)
    for objective in objectives:
        for waypoint in p.rng.sample(waypoints, (len(waypoints) + 1) // 2):
            p.holds("visible_from", objective, waypoint)
    for number, rover in enumerate(p.things("rover", 1 + size // 3, "rover", first=0)):
        p.holds("available", rover)
        p.holds("at", rover, p.any_of(waypoints))
        store = p.thing(f"store{number}", "store")
        p.holds("store_of", store, rover)
        p.holds("empty", store)
        for equipment in ("soil_analysis", "rock_analysis", "imaging"):
            # The first rover can do everything, so that everything can be done.
            if number == 0 or p.rng.random() < 0.7:
                p.holds(f"equipped_for_{equipment}", rover)
        camera = p.thing(f"camera{number}", "camera")
        p.holds("on_board", camera, rover)
        p.holds("calibration_target", camera, p.any_of(objectives))
        for mode in p.rng.sample(modes, 2):
            p.holds("supports", camera, mode)
        for here, there in roads:
            if number == 0 or p.rng.random() < 0.8:
                p.holds("can_traverse", rover, here, there)


def barman(p: Sketch, size: int) -> None:
    """The first order is under way: one of the two shakers already holds an ingredient."""
    hands = [p.thing(name, "hand") for name in ("left", "right")]
    levels = p.things("l", 3, "level", first=0)
    p.chain("next", levels)
    ingredients = p.things("ingredient", 2 + size // 3, "ingredient")
    pairs = list(combinations(ingredients, 2))
    for number, cocktail in enumerate(p.things("cocktail", max(size, len(pairs)), "cocktail")):
        first, second = pairs[number % len(pairs)]
        p.holds("cocktail-part1", cocktail, first)
        p.holds("cocktail-part2", cocktail, second)
    for number, ingredient in enumerate(ingredients, start=1):
        p.holds("dispenses", p.thing(f"dispenser{number}", "dispenser"), ingredient)
    shakers, shots = p.things("shaker", 2, "shaker"), p.things("shot", size + 2, "shot")
    for shaker in shakers:
        p.holds("shaker-empty-level", shaker, levels[0])
    for container in [*shakers, *shots]:
        p.holds("ontable", container)
    for container in [shakers[0], *shots]:
        p.holds("clean", container)
        p.holds("empty", container)
    p.holds("shaker-level", shakers[0], levels[0])
    p.holds("shaker-level", shakers[1], levels[1])
    p.holds("contains", shakers[1], p.any_of(ingredients))
    p.holds("unshaked", shakers[1])
    for hand in hands:
        p.holds("handempty", hand)


def childsnack(p: Sketch, size: int) -> None:
    """The party has begun: the second tray is already out among the tables, with sandwiches on it."""
    tables = p.things("table", 2 + size // 3, "place")
    inside, outside = p.things("tray", 2, "tray")
    p.holds("at", inside, "kitchen")
    p.holds("at", outside, p.any_of(tables))
    children = p.things("child", size + 2, "child")
    for number, child in enumerate(children):
        p.holds("allergic_gluten" if number % 2 else "not_allergic_gluten", child)
        p.holds("waiting", child, p.any_of(tables))
    for kind in ("bread", "content"):
        for number, portion in enumerate(p.things(kind, size + 2, f"{kind}-portion")):
            p.holds(f"at_kitchen_{kind}", portion)
            if number % 2 == 0:
                p.holds(f"no_gluten_{kind}", portion)
    sandwiches = p.things("sandw", size + 6, "sandwich")
    for number, sandwich in enumerate(sandwiches):
        if number >= 4:
            p.holds("notexist", sandwich)
            continue
        p.holds("ontray", sandwich, outside)
        if number % 2:
            p.holds("no_gluten_sandwich", sandwich)


def spanner(p: Sketch, size: int) -> None:
    man, shed, gate = p.thing("bob", "man"), p.thing("shed", "location"), p.thing("gate", "location")
    places = p.things("location", size + 1, "location")
    p.chain("link", [shed, *places, gate])
    p.holds("at", man, shed)
    for tool in p.things("spanner", 2 * size, "spanner"):
        p.holds("useable", tool)
        p.holds("at", tool, p.any_of(places))
    for nut in p.things("nut", size, "nut"):
        p.holds("loose", nut)
        p.holds("at", nut, gate)
