"""Four games played by pressing keys, and agents that play them (Descriptions, section 4).

`open_game("zelda:5x6:search", seed=3)` is an agent behind the seam of `core.reach`.
"""

from assay.games.opening import open_game

__all__ = ["open_game"]
