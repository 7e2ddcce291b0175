"""A small Gymnasium environment of our own: a lamp that can be switched in three rooms in a row."""

from __future__ import annotations

import gymnasium
import numpy as np

LEFT, RIGHT, SWITCH = range(3)


class Toy(gymnasium.Env):
    """Observation: the room and the lamp. The last room ends the episode."""

    metadata = {"render_modes": ["rgb_array"]}  # noqa: RUF012 - as Gymnasium wants it

    def __init__(self, render_mode=None, *, copies=True):
        self.action_space = gymnasium.spaces.Discrete(3)
        self.observation_space = gymnasium.spaces.MultiDiscrete([3, 2])
        self.render_mode = render_mode
        self.presses = 0
        if not copies:
            self.handle = (number for number in range(3))  # a generator cannot be copied

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state, self.presses = np.array([0, 0]), 0
        return self.state, {}

    def step(self, key):
        self.presses += 1
        room, lit = self.state
        before = (room, lit)
        if key == SWITCH:
            lit = 1 - lit
        elif lit:
            room = min(2, max(0, room + (1 if key == RIGHT else -1)))
        self.state[:] = room, lit  # in place, as some do
        blocked = (room, lit) == before
        return self.state, -1.0 if blocked else 0.0, bool(room == 2), self.presses > 99, {"blocked": blocked}

    def render(self):
        frame = np.zeros((4, 6, 3), np.uint8)
        frame[:, 2 * self.state[0] : 2 * self.state[0] + 2] = 255
        return frame
