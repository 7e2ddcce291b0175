"""The default learner (being built)."""

from __future__ import annotations

from assay.core.model import Model
from assay.knowledge.experience import Experience
from assay.strategies.chance import Questions


class Sampling:
    def __init__(self, experience: Experience) -> None:
        self._experience = experience

    def questions(self) -> Questions:
        yield from ()

    def model(self) -> Model:
        return Model(self._experience.vocabulary, ())
