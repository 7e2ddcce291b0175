"""Pictures as arrays, and the grid of cells in them.

A frame is rows by columns by red, green and blue, one byte each. Where the drawn grid lies in it is found
once, in a clean frame: between its outermost lines, divided evenly. A cell is looked at as a *patch*:
blocks of pixels averaged, which is quick to compare and already evens out most pixel noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError

Frame = NDArray[np.uint8]
Patches = NDArray[np.float64]

BLOCK = 3
"""Pixels of a frame that are averaged to one of a patch, in each direction."""
_FAINT = 12
"""A line stands out from the background by at least so many grey levels."""


@dataclass(frozen=True)
class Grid:
    rows: int
    columns: int
    left: float
    top: float
    width: float
    height: float

    @classmethod
    def find(cls, frame: Frame, rows: int, columns: int) -> Grid:
        """The grid in a clean frame, the emptier the better; its upper left corner is background."""
        contrast = np.abs(frame.astype(float) - frame[0, 0].astype(float)).max(axis=2)
        left, right = _outermost(contrast.mean(axis=0), columns)
        top, bottom = _outermost(contrast.mean(axis=1), rows)
        grid = cls(rows, columns, left, top, (right - left) / columns, (bottom - top) / rows)
        if min(grid.width, grid.height) < 4 * BLOCK:
            raise InputError(
                f"{rows} x {columns} cells in {right - left:g} x {bottom - top:g} pixels are too small"
            )
        return grid

    def patches(self, frame: Frame) -> Patches:
        """The cells, row by row, each a vector of averaged colours."""
        high, wide = int(self.height / BLOCK), int(self.width / BLOCK)
        down = self.top + self.height * np.arange(self.rows * high + 1) / high
        across = self.left + self.width * np.arange(self.columns * wide + 1) / wide
        if min(down[0], across[0]) < 0 or down[-1] > frame.shape[0] or across[-1] > frame.shape[1]:
            raise InputError("the grid does not fit into the frame")
        blocks = _averaged(_averaged(frame.astype(np.float64), down).swapaxes(0, 1), across).swapaxes(0, 1)
        cells = blocks.reshape(self.rows, high, self.columns, wide, 3).transpose(0, 2, 1, 3, 4)
        return cells.reshape(self.rows * self.columns, -1)


def _averaged(pixels: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """The means along the first axis between edges that may cut through pixels."""
    total = np.zeros((pixels.shape[0] + 1, *pixels.shape[1:]))
    np.cumsum(pixels, axis=0, out=total[1:])
    whole = np.minimum(edges.astype(int), pixels.shape[0] - 1)
    upto = total[whole] + (edges - whole)[:, None, None] * pixels[whole]
    means: NDArray[np.float64] = np.diff(upto, axis=0) / np.diff(edges)[:, None, None]
    return means


def _outermost(profile: NDArray[np.float64], cells: int) -> tuple[float, float]:
    """Where the first and the last of evenly spaced lines lie in a profile, to a fraction of a pixel.

    The position is taken that makes all lines together darkest, where the drawing begins and ends; a line
    is spread over two or three pixels, so it is looked at through a window of that width.
    """
    drawn = np.nonzero(profile > _FAINT)[0]
    if len(drawn) < 2:
        raise InputError("the frame shows no grid")
    fine = np.arange(0.0, len(profile), 0.1)
    window = np.exp(-((fine[:, None] - np.arange(len(profile)) - 0.5) ** 2) / 2)
    seen = window @ profile
    inwards = np.arange(0.0, 1.55, 0.1)
    first, last = np.meshgrid(drawn[0] + inwards, drawn[-1] + 1 - inwards, indexing="ij")
    lines = first[..., None] + (last - first)[..., None] * np.arange(cells + 1) / cells
    best = int(np.interp(lines, fine, seen).sum(axis=2).argmax())
    return float(first.flat[best]), float(last.flat[best])
