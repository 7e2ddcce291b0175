"""Cells of a rectangular grid by name: `c3-1` is the fourth in the second row."""

from __future__ import annotations

STEPS = {"east": (1, 0), "south": (0, 1), "west": (-1, 0), "north": (0, -1)}
"""What one step that way adds to column and row."""


def cell_name(column: int, row: int) -> str:
    return f"c{column}-{row}"


def place(cell: str) -> tuple[int, int]:
    """Column and row."""
    column, row = cell[1:].split("-")
    return int(column), int(row)


def neighbour(cell: str, way: str) -> str:
    """The next cell that way, whether the grid has it or not; `c-1-0` is never one."""
    (column, row), (right, down) = place(cell), STEPS[way]
    return cell_name(column + right, row + down)
