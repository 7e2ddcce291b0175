"""aia"""

from __future__ import annotations

from collections.abc import Generator

from assay.core.query import PlanQuery, Response
from assay.knowledge.knowledge import Knowledge
from assay.strategies.aia.interrogation import Interrogation


def aia(knowledge: Knowledge) -> Generator[PlanQuery, Response, None]:
    return Interrogation(knowledge).run()
