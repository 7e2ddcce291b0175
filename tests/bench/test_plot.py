"""The plots of benchmarks."""

from __future__ import annotations

from xml.etree import ElementTree

from assay.bench.plot import Chart, Line, draw


def test_a_plot_is_xml_with_a_line_per_learner() -> None:
    lines = (Line("one <&>", ((1.0, 0.0), (10.0, 1.0))), Line("two", ((1.0, 0.5), (300.0, 0.75))))
    charts = [Chart(f"chart {n}", "x", "y", lines, log_x=n == 0, y_range=(0.0, 1.0)) for n in range(3)]
    text = draw(charts, columns=2)
    assert text == draw(charts, columns=2)
    root = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    drawn = root.findall(f".//{name}polyline")
    assert len(drawn) == 6
    for line in drawn:
        for pair in line.attrib["points"].split():
            x, y = map(float, pair.split(","))
            assert 0 <= x <= 420
            assert 0 <= y <= 290
    texts = [t.text for t in root.iter(f"{name}text")]
    assert {"chart 0", "one <&>", "0.2", "1", "300"} <= set(texts)
    ElementTree.fromstring(draw([]))
    ElementTree.fromstring(draw([Chart("empty", "x", "y", ())]))
