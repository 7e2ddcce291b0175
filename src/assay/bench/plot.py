"""Line charts as SVG, written by hand: axes with round ticks, a legend, and nothing to install.

Several charts go into one picture, side by side in rows. The same charts give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 420, 290
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 54, 44
COLOURS = ("#1f5fa8", "#c2571a", "#3a7d44", "#8a4f9e", "#6b6b6b", "#a8842c")
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 4", "1 3")
"""Lines differ in colour and in stroke, so that a print without colour still tells them apart."""


@dataclass(frozen=True)
class Line:
    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Chart:
    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    log_x: bool = False
    log_y: bool = False
    y_range: tuple[float, float] | None = None


def draw(charts: Sequence[Chart], columns: int = 2) -> str:
    """The charts as one SVG document."""
    columns = max(1, min(columns, len(charts)))
    rows = max(1, ceil(len(charts) / columns))
    width, height = columns * WIDTH, rows * HEIGHT
    body = [
        f'<g transform="translate({number % columns * WIDTH} {number // columns * HEIGHT})">\n'
        + "\n".join(_chart(chart))
        + "\n</g>"
        for number, chart in enumerate(charts)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
            f'<rect width="{width}" height="{height}" fill="#fcfcfa"/>',
            *body,
            "</svg>\n",
        ]
    )


class _Scale:
    """From values to places between two ends, with ticks at round values."""

    def __init__(self, values: Sequence[float], ends: tuple[float, float], logarithmic: bool) -> None:
        self._logarithmic = logarithmic
        self._ends = ends
        low, high = min(values, default=0.0), max(values, default=1.0)
        if logarithmic and low <= 0:
            raise ValueError(f"a logarithmic axis cannot show {low}")
        self.ticks = _log_ticks(low, high) if logarithmic else _ticks(low, high)
        self._low, self._high = self._place(min(low, self.ticks[0])), self._place(max(high, self.ticks[-1]))

    def _place(self, value: float) -> float:
        return log10(value) if self._logarithmic else value

    def __call__(self, value: float) -> float:
        start, end = self._ends
        span = self._high - self._low or 1.0
        return start + (self._place(value) - self._low) / span * (end - start)


def _ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten that enclose the range."""
    span = high - low or abs(high) or 1.0
    power = 10.0 ** floor(log10(span / about))
    step = next(m * power for m in (1, 2, 5, 10) if span / (m * power) <= about * 1.001)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [n * step for n in range(first, max(last, first + 1) + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    """1, 3, 10, 30, ... enclosing the range."""
    values = [m * 10.0**p for p in range(floor(log10(low)), ceil(log10(high)) + 2) for m in (1, 3)]
    first = max(n for n, v in enumerate(values) if v <= low * 1.000001)
    last = next(n for n, v in enumerate(values) if v >= high * 0.999999 and n > first)
    return values[first : last + 1]


def _chart(chart: Chart) -> list[str]:
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    xs = [x for line in chart.lines for x, _ in line.points] or [1.0]
    ys = [y for line in chart.lines for _, y in line.points] or [1.0]
    across = _Scale(xs, (left, right), chart.log_x)
    up = _Scale(chart.y_range or ys, (bottom, top), chart.log_y)
    parts = [
        f'<text x="{left}" y="18" font-size="13" font-weight="bold">{escape(chart.title)}</text>',
        *_legend(chart.lines, left),
    ]
    for tick in up.ticks:
        y = up(tick)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#e3e3de"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{_number(tick)}</text>')
    for tick in across.ticks:
        x = across(tick)
        parts.append(f'<line x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 4}" stroke="#444"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{_number(tick)}</text>')
    parts.append(f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="#444"/>')
    middle = (left + right) / 2
    parts.append(
        f'<text x="{middle:.1f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(chart.x_label)}</text>'
    )
    height = (top + bottom) / 2
    parts.append(
        f'<text x="14" y="{height:.1f}" text-anchor="middle" transform="rotate(-90 14 {height:.1f})">'
        f"{escape(chart.y_label)}</text>"
    )
    for number, line in enumerate(chart.lines):
        places = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in line.points)
        parts.append(f'<polyline points="{places}" fill="none" {_stroke(number)}/>')
        if line.points:
            x, y = line.points[-1]
            fill = COLOURS[number % len(COLOURS)]
            parts.append(f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3" fill="{fill}"/>')
    return parts


def _legend(lines: Sequence[Line], left: int) -> list[str]:
    """The names in one row, or in two where one is too short."""
    places: list[tuple[int, int]] = []
    x, row = left, 0
    for line in lines:
        width = 48 + 7 * len(line.name)
        if x + width - 17 > WIDTH and x > left:
            x, row = left, row + 1
        places.append((x, row))
        x += width
    parts = []
    for number, (line, (x, row)) in enumerate(zip(lines, places, strict=True)):
        y = 36 - 5 * places[-1][1] + 14 * row
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 26}" y2="{y}" {_stroke(number)}/>')
        parts.append(f'<text x="{x + 31}" y="{y + 4}">{escape(line.name)}</text>')
    return parts


def _stroke(number: int) -> str:
    dash = DASHES[number % len(DASHES)]
    return f'stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="2"' + (
        f' stroke-dasharray="{dash}"' if dash else ""
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
