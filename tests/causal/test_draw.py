"""The picture of an action: well-formed, escaped, showing what matters and nothing on top of each other."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from importlib.resources import files
from itertools import combinations

import pytest

from assay.causal.draw import draw
from assay.core.model import Model
from assay.errors import InputError
from assay.language.english import English
from assay.pddl.reader import read_domain
from worlds import coin, delivery, door

SVG = "{http://www.w3.org/2000/svg}"


def picture(model: Model, action: str) -> ET.Element:
    return ET.fromstring(draw(model, action, English(model.vocabulary, mark="")))


def labels(root: ET.Element) -> list[str]:
    return [" ".join(t.text or "" for t in g.findall(f"{SVG}text")) for g in root.findall(f"{SVG}g")]


def test_it_shows_needs_decision_and_effects() -> None:
    root = picture(delivery(), "load")
    assert labels(root) == [
        "at(P, L) is true",
        "at(T, L) is true",
        "the decision to take load(P, T, L)",
        "it can run",
        "at(P, L) is false",
        "in(P, T) is true",
    ]
    edges = [p for p in root.findall(f"{SVG}path") if p.get("class") == "edge"]
    assert len(edges) == 2 + 2 * 2  # needs to executability; decision and executability to effects


def test_facts_that_no_action_changes_look_different() -> None:
    kinds = {g.get("class") for g in picture(delivery(), "drive").findall(f"{SVG}g")}
    assert kinds == {"fact", "static", "decision", "executable"}


def test_it_shows_conditions_of_effects_and_what_is_not_a_single_fact() -> None:
    root = picture(door(), "unlock")
    kinds = [(g.get("class"), label) for g, label in zip(root.findall(f"{SVG}g"), labels(root), strict=True)]
    assert ("condition", "at least one of card and key is true") in kinds
    assert ("condition", "if wet is true") in kinds
    assert ("fact", "muddy(P) is true") in kinds
    edges = [p for p in root.findall(f"{SVG}path") if p.get("class") == "edge"]
    assert len(edges) == 2 + 2 * 2 + 1  # needs; decision and executability to effects; the condition
    assert "for every door E, open(E) is false" in labels(picture(door(), "slam"))


def test_outcomes_are_named() -> None:
    assert any("(outcome 1)" in label for label in labels(picture(coin(), "toss")))


@pytest.mark.parametrize("domain", ["barman", "freecell", "rovers", "termes"])
def test_boxes_of_large_actions_do_not_overlap_and_stay_inside(domain: str) -> None:
    text = (files("assay.bench") / "domains" / f"{domain}.pddl").read_text()
    model = read_domain(text)
    for action in model.action:
        root = picture(model, action)
        left, top, width, height = map(float, root.attrib["viewBox"].split())
        boxes = []
        for rect in root.iter(f"{SVG}rect"):
            x, y, w, h = (float(rect.attrib[k]) for k in ("x", "y", "width", "height"))
            assert left <= x
            assert x + w <= left + width
            assert top <= y
            assert y + h <= top + height
            boxes.append((x, y, w, h))
        for (x, y, w, h), (u, v, q, r) in combinations(boxes, 2):
            assert x + w <= u or u + q <= x or y + h <= v or v + r <= y


def test_text_is_escaped() -> None:
    class Hostile:
        def clause(self, literal: object) -> str:
            return '<script>alert("x")</script> & more'

        def step(self, step: object) -> str:
            return "<b>go</b>"

    text = draw(delivery(), "load", Hostile())
    assert "<script>" not in text
    assert "<b>" not in text
    ET.fromstring(text)


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(InputError, match="does not describe action 'fly'"):
        picture(delivery(), "fly")
