"""Small drawings of what is on a board, made of discs, boxes and polygons in a cell of size one by one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

Colour = tuple[int, int, int]
Tile = tuple[tuple[tuple[int, int, int, float], ...], ...]
"""Rows of pixels: a colour, and how much of the pixel it covers."""


@dataclass(frozen=True)
class Disc:
    x: float
    y: float
    radius: float
    colour: Colour

    def covers(self, x: float, y: float) -> bool:
        return (x - self.x) ** 2 + (y - self.y) ** 2 <= self.radius**2


@dataclass(frozen=True)
class Polygon:
    corners: tuple[tuple[float, float], ...]
    colour: Colour

    def covers(self, x: float, y: float) -> bool:
        inside = False
        x0, y0 = self.corners[-1]
        for x1, y1 in self.corners:
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
                inside = not inside
            x0, y0 = x1, y1
        return inside


Shape = Disc | Polygon


def box(left: float, top: float, right: float, bottom: float, colour: Colour) -> Polygon:
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), colour)


INK, WHITE, GREY = (46, 46, 52), (250, 250, 248), (120, 124, 132)
WOOD, DARK_WOOD, GOLD = (171, 118, 67), (112, 72, 38), (222, 170, 32)
RED, BLUE, GREEN, SKY = (200, 56, 46), (52, 104, 192), (60, 140, 72), (150, 200, 232)
YELLOW, SKIN, SNOW = (242, 206, 84), (240, 196, 150), (238, 244, 250)

_POT = (box(0.16, 0.44, 0.84, 0.84, GREY), box(0.06, 0.50, 0.94, 0.58, GREY))
_PLATE = (Disc(0.5, 0.54, 0.42, GREY), Disc(0.5, 0.54, 0.38, WHITE))
_FISH = (
    Polygon(((0.10, 0.32), (0.34, 0.50), (0.10, 0.70)), BLUE),
    Polygon(((0.22, 0.50), (0.44, 0.32), (0.72, 0.32), (0.92, 0.50), (0.72, 0.68), (0.44, 0.68)), BLUE),
    Disc(0.76, 0.46, 0.045, WHITE),
)
_BLADES = tuple(box(x, 0.14, x + 0.06, 0.86, YELLOW) for x in (0.24, 0.36, 0.48, 0.60, 0.72))

DRAWINGS: dict[str, tuple[Shape, ...]] = {
    "wall": (
        box(0, 0, 1, 1, (92, 84, 84)),
        *(box(x, y, x + 0.44, y + 0.27, (148, 92, 80)) for y in (0.03, 0.69) for x in (0.03, 0.53)),
        box(0.28, 0.36, 0.72, 0.63, (148, 92, 80)),
        box(0.0, 0.36, 0.22, 0.63, (148, 92, 80)),
        box(0.78, 0.36, 1.0, 0.63, (148, 92, 80)),
    ),
    "key": (
        Disc(0.30, 0.42, 0.20, GOLD),
        Disc(0.30, 0.42, 0.09, WHITE),
        box(0.46, 0.37, 0.90, 0.47, GOLD),
        box(0.66, 0.45, 0.73, 0.62, GOLD),
        box(0.80, 0.45, 0.87, 0.66, GOLD),
    ),
    "door": (
        box(0.16, 0.06, 0.84, 1, DARK_WOOD),
        box(0.23, 0.13, 0.77, 1, WOOD),
        box(0.47, 0.13, 0.53, 1, DARK_WOOD),
        Disc(0.66, 0.56, 0.06, GOLD),
    ),
    "open door": (
        box(0.16, 0.06, 0.84, 1, DARK_WOOD),
        box(0.23, 0.13, 0.77, 1, INK),
        Polygon(((0.23, 0.13), (0.40, 0.24), (0.40, 1), (0.23, 1)), WOOD),
    ),
    "monster": (
        Disc(0.5, 0.46, 0.34, RED),
        box(0.16, 0.46, 0.84, 0.78, RED),
        *(Polygon(((x, 0.78), (x + 0.226, 0.78), (x + 0.113, 0.92)), RED) for x in (0.16, 0.387, 0.614)),
        Disc(0.37, 0.46, 0.10, WHITE),
        Disc(0.63, 0.46, 0.10, WHITE),
        Disc(0.39, 0.48, 0.05, INK),
        Disc(0.65, 0.48, 0.05, INK),
    ),
    "block": (
        box(0.08, 0.08, 0.92, 0.92, DARK_WOOD),
        box(0.16, 0.16, 0.84, 0.84, WOOD),
        Polygon(
            ((0.16, 0.16), (0.26, 0.16), (0.84, 0.74), (0.84, 0.84), (0.74, 0.84), (0.16, 0.26)), DARK_WOOD
        ),
        Polygon(
            ((0.84, 0.16), (0.74, 0.16), (0.16, 0.74), (0.16, 0.84), (0.26, 0.84), (0.84, 0.26)), DARK_WOOD
        ),
    ),
    "hole": (Disc(0.5, 0.5, 0.42, GREY), Disc(0.5, 0.5, 0.36, INK)),
    "cheese": (
        Polygon(((0.08, 0.62), (0.60, 0.20), (0.92, 0.50), (0.92, 0.62)), YELLOW),
        box(0.08, 0.60, 0.92, 0.84, GOLD),
        Disc(0.34, 0.72, 0.06, WHITE),
        Disc(0.66, 0.70, 0.07, WHITE),
        Disc(0.64, 0.44, 0.06, WHITE),
    ),
    "goal": (
        Disc(0.5, 0.5, 0.40, GREEN),
        Disc(0.5, 0.5, 0.31, WHITE),
        Disc(0.5, 0.5, 0.20, GREEN),
        Disc(0.5, 0.5, 0.10, WHITE),
    ),
    "raw_pasta": (*_BLADES, box(0.20, 0.44, 0.82, 0.56, RED)),
    "water": (
        *_POT,
        box(0.20, 0.40, 0.80, 0.48, SKY),
        *(Disc(x, y, 0.05, SKY) for x, y in ((0.36, 0.30), (0.52, 0.20), (0.66, 0.30))),
    ),
    "sauce": (
        box(0.40, 0.08, 0.60, 0.20, GREEN),
        box(0.42, 0.18, 0.58, 0.34, RED),
        Polygon(((0.42, 0.34), (0.58, 0.34), (0.72, 0.52), (0.72, 0.90), (0.28, 0.90), (0.28, 0.52)), RED),
        box(0.28, 0.56, 0.72, 0.74, WHITE),
    ),
    "tuna": _FISH,
    "cooked_pasta": (
        *_POT,
        *(Disc(x, 0.40, 0.12, YELLOW) for x in (0.30, 0.44, 0.58, 0.70)),
        Disc(0.5, 0.30, 0.12, YELLOW),
    ),
    "cooked_tuna": (*_PLATE, *_FISH, Disc(0.5, 0.72, 0.08, RED), Disc(0.66, 0.70, 0.06, RED)),
    "dish": (
        *_PLATE,
        *(Disc(x, y, 0.13, YELLOW) for x, y in ((0.36, 0.56), (0.50, 0.44), (0.64, 0.56), (0.50, 0.66))),
        Disc(0.5, 0.52, 0.10, RED),
        Polygon(((0.40, 0.40), (0.56, 0.32), (0.66, 0.40), (0.56, 0.48)), BLUE),
    ),
    "bottom": (Disc(0.5, 0.60, 0.36, GREY), Disc(0.5, 0.60, 0.33, SNOW)),
    "middle": (
        Disc(0.5, 0.52, 0.28, GREY),
        Disc(0.5, 0.52, 0.25, SNOW),
        *(Disc(0.5, y, 0.035, INK) for y in (0.40, 0.52, 0.64)),
    ),
    "top": (
        Disc(0.5, 0.50, 0.22, GREY),
        Disc(0.5, 0.50, 0.19, SNOW),
        box(0.34, 0.14, 0.66, 0.32, INK),
        box(0.26, 0.30, 0.74, 0.36, INK),
        Disc(0.43, 0.46, 0.03, INK),
        Disc(0.57, 0.46, 0.03, INK),
        Polygon(((0.5, 0.51), (0.5, 0.57), (0.68, 0.56)), (230, 120, 30)),
    ),
}


def player(facing: int) -> tuple[Shape, ...]:
    """Seen from above, the arrow is the way it faces: up, left, down, right."""
    nose = ((0.34, 0.26), (0.66, 0.26), (0.5, 0.04))
    turned = []
    for x, y in nose:
        for _ in range(facing):
            x, y = y, 1 - x
        turned.append((x, y))
    eyes = [(0.40, 0.40), (0.60, 0.40)]
    for _ in range(facing):
        eyes = [(y, 1 - x) for x, y in eyes]
    return (
        Polygon(tuple(turned), GREEN),
        Disc(0.5, 0.5, 0.31, GREEN),
        Disc(0.5, 0.5, 0.22, SKIN),
        *(Disc(x, y, 0.045, INK) for x, y in eyes),
    )


@cache
def tile(shapes: tuple[Shape, ...], size: int, samples: int = 3) -> Tile:
    """The drawing in pixels, each looked at in a few places so that edges are smooth."""
    steps = [(n + 0.5) / samples for n in range(samples)]
    return tuple(
        tuple(
            _pixel(shapes, [((x + a) / size, (y + b) / size) for a in steps for b in steps])
            for x in range(size)
        )
        for y in range(size)
    )


def _pixel(shapes: tuple[Shape, ...], points: list[tuple[float, float]]) -> tuple[int, int, int, float]:
    seen = [
        colour
        for x, y in points
        if (colour := next((s.colour for s in reversed(shapes) if s.covers(x, y)), None)) is not None
    ]
    if not seen:
        return 0, 0, 0, 0.0
    red, green, blue = (round(sum(channel) / len(seen)) for channel in zip(*seen, strict=True))
    return red, green, blue, len(seen) / len(points)
