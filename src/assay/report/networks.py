"""The causal network of each action as SVG, fit to stand side by side in one page."""

from __future__ import annotations

import re

from assay.causal.draw import draw
from assay.core.model import Model
from assay.report.words import Speaker

_ID = re.compile(r'(?<=\bid=")([^"]+)(?=")|(?<=url\(#)([^)]+)(?=\))')


def networks(model: Model) -> dict[str, str]:
    speaker = Speaker(model.vocabulary, model)
    return {
        name: _with_own_ids(draw(model, name, speaker), f"network-{number}-")
        for number, name in enumerate(sorted(model.action), start=1)
    }


def _with_own_ids(svg: str, prefix: str) -> str:
    """Ids are unique in a page, not only in a picture."""
    return _ID.sub(lambda match: prefix + match.group(), svg)
