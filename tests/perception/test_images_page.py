"""What docs/images.md shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("numpy")

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs/images.md").read_text()


def test_the_example_runs():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code, "docs/images.md", "exec"), {})


def test_the_agents_on_the_page_can_be_written_so():
    from assay.agents.image import GAMES
    from assay.agents.open import EXAMPLES

    named = set(re.findall(r"image:(\w+)", PAGE + EXAMPLES["image"]))
    assert named == set(GAMES)
