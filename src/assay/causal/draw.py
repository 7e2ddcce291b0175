"""A picture of an action's network: what it needs, the decision, what it changes. SVG text, made here.

Three layers, left to right: facts before, decision and executability, facts after. Only what matters is
drawn: what the action needs, one box for each part of the conjunction, what it changes, and on what
condition. That facts stay as they were unless they are changed is not. Facts that are needed and changed come
first, in the same order on both sides. Colours follow the page (`currentColor`), classes let a style sheet
change them, and all text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from assay.causal.network import static_predicates
from assay.causal.words import Words, every
from assay.core.formula import TRUE, Formula, conjuncts
from assay.core.model import ActionModel, Effect, Model
from assay.core.symbols import Literal, Step
from assay.errors import InputError

WIDTH, GAP, LINE, PAD, SPACE = 210, 90, 17, 9, 16
LETTERS = 27
"""So many letters fit a line of a box."""

STYLE = """\
.causal { font: 13px system-ui, sans-serif; color: currentColor; }
.causal text { fill: currentColor; text-anchor: middle; }
.causal .head { font-weight: 600; opacity: .7; }
.causal rect { fill: none; stroke: currentColor; stroke-width: 1.2; }
.causal .static rect { stroke-dasharray: 2 3; }
.causal .condition rect { stroke-dasharray: 7 3; }
.causal .decision rect { stroke-width: 2.2; }
.causal .edge { fill: none; stroke: currentColor; stroke-width: 1.1; opacity: .65; }
.causal .tip { fill: currentColor; }"""


@dataclass(frozen=True)
class Box:
    kind: str
    lines: tuple[str, ...]
    x: float
    y: float

    @property
    def height(self) -> float:
        return len(self.lines) * LINE + 2 * PAD

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    def svg(self) -> str:
        text = "".join(
            f'<text x="{self.x + WIDTH / 2:g}" y="{self.y + PAD + LINE * (i + 0.75):g}">{escape(line)}</text>'
            for i, line in enumerate(self.lines)
        )
        radius = 4 if self.kind == "decision" else min(16, self.height / 2)
        return (
            f'<g class="{self.kind}"><rect x="{self.x:g}" y="{self.y:g}" width="{WIDTH}" '
            f'height="{self.height:g}" rx="{radius:g}"/>{text}</g>'
        )


@dataclass(frozen=True)
class _Arrow:
    """An effect, on what conditions it happens, and with which outcomes if not with all."""

    effect: Effect
    conditions: tuple[Formula, ...]
    outcomes: str

    def label(self, words: Words) -> str:
        return every(self.effect.variables) + words.clause(self.effect.literal) + self.outcomes


def draw(model: Model, action: str, words: Words) -> str:
    """The action's network as the text of an SVG file."""
    found = model.action.get(action)
    if found is None:
        known = ", ".join(sorted(model.action)) or "none"
        raise InputError(f"the model does not describe action {action!r}; it describes: {known}")
    step = Step(action, tuple(p.name for p in found.header.parameters))
    needs, arrows = _aligned(list(conjuncts(found.precondition)), list(_arrows(found)))
    conditions = list(dict.fromkeys(c for arrow in arrows for c in arrow.conditions))
    static = static_predicates(model)

    labels = [(_kind(need, static), words.clause(need)) for need in needs]
    labels += [("condition", f"if {words.clause(c)}") for c in conditions]
    left = _column(0, labels)
    right = _column(2 * (WIDTH + GAP), [("fact", arrow.label(words)) for arrow in arrows])
    centre = _column(
        WIDTH + GAP, [("decision", f"the decision to take {words.step(step)}"), ("executable", "it can run")]
    )
    tall = max(_bottom(c) for c in (left, centre, right))
    left, centre, right = (_centred(c, tall) for c in (left, centre, right))
    decision, executable = centre

    edges = [_edge(box, executable) for box in left[: len(needs)]]
    boxes = dict(zip(conditions, left[len(needs) :], strict=True))
    for arrow, box in zip(arrows, right, strict=True):
        sources = [decision, executable, *(boxes[c] for c in arrow.conditions)]
        edges += [_edge(source, box) for source in sources]
    heads = [
        _head(0, "before" if left else "before: nothing is needed"),
        _head(WIDTH + GAP, "the action"),
        _head(2 * (WIDTH + GAP), "afterwards" if arrows else "afterwards: nothing changes"),
    ]
    title = escape(f"What {words.step(step)} needs, and what it changes")
    return _svg(title, tall + 8, [*heads, *edges, *(box.svg() for box in (*left, *centre, *right))])


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    width = 3 * WIDTH + 2 * GAP
    marker = (
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="tip" d="M0 0 8 4 0 8z"/></marker>'
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="causal" role="img" '
            f'viewBox="-8 -8 {width + 16:g} {height + 8:g}" width="{width + 16:g}" height="{height + 8:g}">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            f"<defs>{marker}</defs>",
            *parts,
            "</svg>",
            "",
        ]
    )


def _kind(need: Formula, static: frozenset[str]) -> str:
    if not isinstance(need, Literal):
        return "condition"
    return "static" if need.atom.predicate in static else "fact"


def _arrows(action: ActionModel) -> Iterator[_Arrow]:
    """The effects in a fixed order; not those that only say again what the action needs."""
    needed = set(conjuncts(action.precondition))
    for case in action.cases:
        effects = sorted({e for outcome in case.outcomes for e in outcome.effects}, key=str)
        for effect in effects:
            if effect.is_plain and effect.literal in needed:
                continue
            having = [str(k) for k, o in enumerate(case.outcomes, start=1) if effect in o.effects]
            all_of_them = len(having) == len(case.outcomes)
            outcomes = "" if all_of_them else f" (outcome {' or '.join(having)})"
            conditions = tuple(c for c in (case.condition, effect.condition) if c != TRUE)
            yield _Arrow(effect, conditions, outcomes)


def _aligned(needs: list[Formula], arrows: list[_Arrow]) -> tuple[list[Formula], list[_Arrow]]:
    """Facts that are needed and changed first, in the same order on both sides."""
    changed = {arrow.effect.literal.atom for arrow in arrows}
    both = [n for n in needs if isinstance(n, Literal) and n.atom in changed]
    place = {need.atom: i for i, need in enumerate(sorted(both))}
    rest = [n for n in needs if n not in both]
    rest.sort(key=lambda n: (not isinstance(n, Literal), str(n)))
    arrows.sort(key=lambda arrow: place.get(arrow.effect.literal.atom, len(place)))
    return [*sorted(both), *rest], arrows


def _column(x: float, labels: Sequence[tuple[str, str]]) -> list[Box]:
    boxes: list[Box] = []
    y = 1.8 * LINE
    for kind, label in labels:
        box = Box(kind, tuple(wrap(label, LETTERS, break_on_hyphens=False)) or ("",), x, y)
        boxes.append(box)
        y += box.height + SPACE
    return boxes


def _bottom(boxes: Sequence[Box]) -> float:
    return boxes[-1].y + boxes[-1].height if boxes else 2.0 * LINE


def _centred(boxes: Sequence[Box], tall: float) -> list[Box]:
    shift = (tall - _bottom(boxes)) / 2
    return [Box(b.kind, b.lines, b.x, b.y + shift) for b in boxes]


def _edge(source: Box, target: Box) -> str:
    x1, y1, x2, y2 = source.x + WIDTH, source.middle, target.x - 1, target.middle
    bend = (x2 - x1) / 2
    return (
        f'<path class="edge" marker-end="url(#tip)" '
        f'd="M{x1:g} {y1:g}C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}"/>'
    )


def _head(x: float, text: str) -> str:
    return f'<text class="head" x="{x + WIDTH / 2:g}" y="{LINE * 0.8:g}">{escape(text)}</text>'
