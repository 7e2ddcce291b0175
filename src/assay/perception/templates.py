"""What things look like, learned from a few labelled frames, and found again in others.

A template is the mean patch of the cells with one label. A frame may be brighter or darker than those: all
its cells are compared with the templates under each of a range of brightnesses (bright colours saturate),
and the one that fits the frame as a whole is taken. Then each cell is what it is closest to, in colours and
shapes. A cell that is much further from everything known than the other cells of its frame are is not
forced into a label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.perception.frames import Frame, Grid
from assay.perception.validity import Unfit

Place = tuple[int, int]
"""Row and column, from the upper left corner."""
Labels = Mapping[Place, str]
Array = NDArray[np.float64]

GAINS = np.geomspace(0.25, 2.0, 64)
"""Brightnesses tried, as factors."""
SAMPLE = 7
"""Of the points of a patch, one in so many is used to find the brightness."""
STRANGE = 2.5
"""A cell this many times further from what it is closest to than the median cell is strange..."""
FAINT = 38.0
"""...if it is also further than so many grey levels, on average."""


class Templates:
    def __init__(self, grid: Grid, lessons: Iterable[tuple[Frame, Labels]]) -> None:
        self.grid = grid
        shown: dict[str, list[Array]] = {}
        for frame, labels in lessons:
            patches = grid.patches(frame)
            for (row, column), label in labels.items():
                shown.setdefault(label, []).append(patches[row * grid.columns + column])
        if not shown:
            raise InputError("there are no labelled frames to learn from")
        self.labels = tuple(sorted(shown))
        learned = np.stack([np.mean(shown[label], axis=0) for label in self.labels])
        self._templates: Array = np.minimum(GAINS[:, None, None] * learned, 255.0)

    def recognise(self, frame: Frame) -> dict[Place, str]:
        """What each cell shows."""
        distances = self._distances(self.grid.patches(frame))
        best = distances.argmin(axis=1)
        nearest = distances.min(axis=1)
        places = [(r, c) for r in range(self.grid.rows) for c in range(self.grid.columns)]
        strange = max(FAINT, STRANGE * float(np.median(nearest)))
        if nearest.max() > strange:
            row, column = places[int(nearest.argmax())]
            raise Unfit(f"the cell in row {row + 1}, column {column + 1} looks like nothing known")
        return {place: self.labels[choice] for place, choice in zip(places, best, strict=True)}

    def _distances(self, patches: Array) -> Array:
        """Of each cell to each template, at the brightness that fits the frame; in grey levels."""
        sample = _squared(patches[None, :, ::SAMPLE], self._templates[:, :, ::SAMPLE])
        gain = int(sample.min(axis=2).sum(axis=1).argmin())
        squared = _squared(patches[None], self._templates[gain : gain + 1])[0]
        distances: Array = np.sqrt(np.maximum(squared, 0.0) / patches.shape[1])
        return distances


def _squared(patches: Array, templates: Array) -> Array:
    """Squared distances, for each gain of each patch to each template."""
    across = patches @ templates.transpose(0, 2, 1)
    own: Array = (patches**2).sum(axis=2)[:, :, None] + (templates**2).sum(axis=2)[:, None, :]
    return own - 2 * across
