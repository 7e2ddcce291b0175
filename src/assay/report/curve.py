"""The learning curve: settled points over questions, as an inline SVG in the colours of the page."""

from __future__ import annotations

from assay.core.quantity import count
from assay.report.markup import Markup, element, join

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 26, 46


def curve_svg(settled: tuple[int, ...], total: int, bound: int | None = None) -> Markup:
    """`settled` begins before the first question; `bound` is the fewest possible questions, marked."""
    questions = len(settled) - 1
    across = max(questions, bound or 0, 1)

    def x(question: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * question / across, 1)

    def y(count: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * count / max(total, 1), 1)

    floor, ceiling = y(0), y(total)
    path = f"M{x(0)} {y(settled[0])}" + "".join(f"H{x(n)}V{y(c)}" for n, c in enumerate(settled) if n)
    parts = [
        element("path", class_="area", d=f"{path}V{floor}H{x(0)}Z"),
        *(_level(y(count), str(count)) for count in _ticks(total)),
        element("line", class_="total", x1=LEFT, x2=WIDTH - RIGHT, y1=str(ceiling), y2=str(ceiling)),
        element("path", class_="line", d=path),
        *(
            element("text", str(n), class_="tick", x=str(x(n)), y=HEIGHT - BOTTOM + 18, text_anchor="middle")
            for n in _ticks(across)
        ),
        element(
            "text",
            "questions asked",
            class_="axis",
            x=str((LEFT + WIDTH - RIGHT) / 2),
            y=HEIGHT - 8,
            text_anchor="middle",
        ),
        element("text", "points decided", class_="axis", x=8, y=14),
    ]
    if bound:
        anchor, shift = ("end", -6) if x(bound) > WIDTH / 2 else ("start", 6)
        parts += [
            element("line", class_="bound", x1=str(x(bound)), x2=str(x(bound)), y1=TOP, y2=str(floor)),
            element(
                "text",
                f"fewest possible: {bound}",
                class_="mark",
                x=str(x(bound) + shift),
                y=str(floor - 8),
                text_anchor=anchor,
            ),
        ]
    label = f"After {count(questions, 'question')} {settled[-1]} of {count(total, 'point')} are decided."
    if bound:
        label += f" No method needs fewer than {bound}."
    return element(
        "svg",
        element("title", "Points settled after each question"),
        element("desc", label),
        join(*parts),
        class_="curve",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"Points settled after each question. {label}",
    )


def _level(height: float, text: str) -> Markup:
    return join(
        element("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=str(height), y2=str(height)),
        element("text", text, class_="tick", x=LEFT - 8, y=str(height + 4), text_anchor="end"),
    )


def _ticks(most: int) -> list[int]:
    """At most five round numbers from 0, and the last one itself."""
    step = next(s for p in range(12) for s in (10**p, 2 * 10**p, 5 * 10**p) if most / s <= 4.5)
    ticks = list(range(0, most + 1, step))
    if most - ticks[-1] < step / 2 and len(ticks) > 1:
        ticks.pop()
    return [*dict.fromkeys([*ticks, most])]
