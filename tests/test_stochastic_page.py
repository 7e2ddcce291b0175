"""docs/stochastic.md: what it shows is what happens."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from assay import assess_chance

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/stochastic.md").read_text()
EXAMPLE = ROOT / "examples/picker.py"


def test_the_page_shows_the_example():
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert shown == EXAMPLE.read_text()


def test_the_example_gives_the_text_shown():
    picker = runpy.run_path(str(EXAMPLE))["picker"]
    result = assess_chance(picker(), samples=400)
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert shown.strip() in result.describe()
    assert result.complete
    likely = {frozenset(o.literals): o.probability for o in result.model.action["pick-up"].outcomes}
    assert sorted(len(effects) for effects in likely) == [0, 2, 3]
