"""The room in MuJoCo: joints that follow set points, poses, contact parameters, exact snapshots, pictures.

All that is alive is in MuJoCo's own state (with two numbers of ours among its user data), so that a snapshot
is one array and what follows a restored one is, bit for bit, what followed before.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass

from assay.errors import InputError
from assay.extras import install
from assay.perception.png import png

if sys.platform == "linux" and not os.environ.get("DISPLAY"):
    os.environ.setdefault("MUJOCO_GL", "egl")  # draws without a screen; read when MuJoCo is imported
try:
    import mujoco
    import numpy
except ImportError as error:
    raise InputError(f"the cafe's physics is MuJoCo: {install('physics')} ({error})") from error

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION
_CONTROL = 5
"""Steps of the physics between two set points: 20 milliseconds."""
_POWER, _GRIP = 0, 1
"""Places in MuJoCo's user data."""
DRY = 0.8
"""Friction of clean rubber tips."""


@dataclass(frozen=True, slots=True)
class Pose:
    x: float
    y: float
    z: float
    roll: float
    pitch: float
    yaw: float


class Physics:
    def __init__(self, xml: str) -> None:
        self._model = mujoco.MjModel.from_xml_string(xml)
        self._data = mujoco.MjData(self._model)
        self._size = mujoco.mj_stateSize(self._model, _STATE)
        self._step = self._model.opt.timestep * _CONTROL
        self._tips = [i for i in range(self._model.ngeom) if self._model.geom_priority[i] == 1]

    def place(self, joints: Mapping[str, float], cans: Mapping[str, tuple[float, float, float]]) -> None:
        """Begins anew: joints as given, their set points too, and cans upright at these points."""
        mujoco.mj_resetData(self._model, self._data)
        for name, value in joints.items():
            self._data.joint(name).qpos[0] = value
            if name not in ("left", "right"):
                self._data.actuator(name).ctrl[0] = value
        for name, point in cans.items():
            address = self._model.body(name).jntadr[0]
            at = self._model.jnt_qposadr[address]
            self._data.qpos[at : at + 7] = (*point, 1, 0, 0, 0)
        self.powered = True
        self.friction = DRY

    def shift(self, joints: Mapping[str, float]) -> None:
        """Joints are somewhere else at once, and at rest there."""
        for name, value in joints.items():
            self._data.joint(name).qpos[0] = self._data.actuator(name).ctrl[0] = value
            self._data.joint(name).qvel[0] = 0.0

    @property
    def powered(self) -> bool:
        return bool(self._data.userdata[_POWER])

    @powered.setter
    def powered(self, value: bool) -> None:
        self._data.userdata[_POWER] = value

    @property
    def friction(self) -> float:
        """Between fingertips and what they touch."""
        return float(self._data.userdata[_GRIP])

    @friction.setter
    def friction(self, value: float) -> None:
        self._data.userdata[_GRIP] = value
        self._model.geom_friction[self._tips, 0] = value

    def follow(self, seconds: float, *, until: Callable[[], bool] = lambda: False, **targets: float) -> bool:
        """Takes joints to new positions in so much time, speeding up and slowing down gently.

        Stops early, and says so by False, when asked to.
        """
        begin = {name: self.set_point(name) for name in targets}
        ticks = max(1, round(seconds / self._step))
        for tick in range(1, ticks + 1):
            part = tick / ticks
            part *= part * (3 - 2 * part)
            for name, target in targets.items():
                self._data.actuator(name).ctrl[0] = begin[name] + part * (target - begin[name])
            mujoco.mj_step(self._model, self._data, nstep=_CONTROL)
            if until():
                return False
        return True

    def wait(self, seconds: float) -> None:
        mujoco.mj_step(self._model, self._data, nstep=max(1, round(seconds / self._model.opt.timestep)))

    def squeeze(self, force: float) -> None:
        """The fingers press inwards, or, below zero, outwards, from now on."""
        for name in ("left", "right"):
            self._data.actuator(name).ctrl[0] = -force

    def set_point(self, name: str) -> float:
        return float(self._data.actuator(name).ctrl[0])

    def load(self, name: str) -> float:
        """What a motor exerts at present."""
        return float(self._data.actuator(name).force[0])

    def poses(self, bodies: Iterable[str]) -> dict[str, Pose]:
        mujoco.mj_kinematics(self._model, self._data)  # after a step, poses are those before it
        return {body: self._pose(body) for body in bodies}

    def _pose(self, body: str) -> Pose:
        found = self._data.body(body)
        w, x, y, z = (float(v) for v in found.xquat)
        at = [float(v) for v in found.xpos]
        return Pose(
            x=at[0],
            y=at[1],
            z=at[2],
            roll=math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
            pitch=math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))),
            yaw=math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        )

    def snapshot(self) -> bytes:
        state = numpy.empty(self._size)
        mujoco.mj_getState(self._model, self._data, state, _STATE)
        return bytes(state.tobytes())

    def restore(self, snapshot: bytes) -> None:
        mujoco.mj_setState(self._model, self._data, numpy.frombuffer(snapshot), _STATE)
        self.friction = self.friction  # the model's, too

    def picture(self, width: int, height: int) -> bytes:
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_camlight(self._model, self._data)
        # Drawing belongs to the thread that begins it, and who asks next may be another: begin each time.
        with closing(mujoco.Renderer(self._model, height, width)) as renderer:
            renderer.update_scene(self._data, camera="room")
            return png(renderer.render())
