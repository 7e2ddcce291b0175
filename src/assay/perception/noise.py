"""Disturbances of a camera and of a classifier, fresh for every frame, to try perception out under.

Brightness: the frame times a factor drawn from 1 - b to 1 + b. Pixels: normal noise of the given standard
deviation, in grey levels of 255. Errors: each ground atom read off a frame is wrong with the given
probability, independently of every other atom and frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from assay.core.symbols import Atom
from assay.errors import InputError
from assay.perception.frames import Frame


@dataclass(frozen=True)
class Noise:
    pixels: float = 0.0
    brightness: float = 0.0
    errors: float = 0.0

    def __post_init__(self) -> None:
        for field, most in zip(fields(self), (128.0, 0.9, 0.2), strict=True):
            if not 0 <= (value := getattr(self, field.name)) <= most:
                raise InputError(f"{field.name} must be from 0 to {most:g}, not {value:g}")

    @property
    def disturbs(self) -> bool:
        return bool(self.pixels or self.brightness)

    def frame(self, frame: Frame, rng: np.random.Generator) -> Frame:
        if not self.disturbs:
            return frame
        disturbed = frame * np.float32(rng.uniform(1 - self.brightness, 1 + self.brightness))
        if self.pixels:
            disturbed += rng.standard_normal(frame.shape, dtype=np.float32) * np.float32(self.pixels)
        clipped: Frame = np.clip(np.rint(disturbed), 0, 255).astype(np.uint8)
        return clipped

    def atoms(
        self, read: frozenset[Atom], possible: Sequence[Atom], rng: np.random.Generator
    ) -> frozenset[Atom]:
        """The atoms as an erring classifier reports them."""
        if not self.errors:
            return read
        wrong = np.nonzero(rng.random(len(possible)) < self.errors)[0]
        return read ^ {possible[int(i)] for i in wrong}
