"""The cafe's room: where the furniture, the docks and the cans are, and all of it as MuJoCo's XML.

Furniture stands in a row. In front of each piece is a dock: the pose in which the robot works there. All
docks face the same way, so that the robot need not turn with a can in its hand: a simulated grip creeps then.

The robot has eight joints: a base that drives anywhere (x, y, turn), a lift, a shoulder, an arm that extends,
and two fingers that close on what is between them. A can stands on a broad foot. What touches what is kept
small, for speed: fingertips and cans, feet and furniture, cans among themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from assay.errors import InputError

TOP = 0.70
"""Height of every table."""
HALF_WIDTH, HALF_DEPTH = 0.50, 0.25
"""Of a table's top; the width is along the row."""
DOCK = 0.45
"""From a dock, where the robot's middle is, to the edge of the table."""
SPACING = 1.5
"""Between neighbours."""
SLOTS = (-0.34, -0.17, 0.0, 0.17, 0.34)
"""Where cans are put on a table, along its width."""

CAN_RADIUS, CAN_HEIGHT, CAN_MASS, FOOT = 0.033, 0.12, 0.35, 0.012
CAN_CENTRE = FOOT + CAN_HEIGHT / 2
"""Height of a standing can's middle above what it stands on."""
TIP_RADIUS = 0.006
OPEN = 0.054
"""From the middle of the hand to each fingertip, when open."""
LIFT_FORCE = 80.0
"""At which the lift's motor gives way, in newtons."""
FOLDED = {"lift": 1.0, "shoulder": 0.0, "arm": 0.33}
"""How the arm is held while nothing is done with it."""

_SPREAD = 0.012
_TIPS = CAN_RADIUS + TIP_RADIUS
_HOLLOW = _TIPS - math.sqrt(_TIPS**2 - _SPREAD**2)
"""A finger has three tips: two below, so far from its middle, and one above, set back so much; six tips
cradle a can."""

_COLOURS = ("0.80 0.20 0.20", "0.20 0.40 0.80", "0.20 0.60 0.30", "0.85 0.60 0.15", "0.50 0.30 0.60")


@dataclass(frozen=True, slots=True)
class Place:
    """A table or the counter: the middle of its top, and the dock in front of it."""

    x: float
    y: float
    dock: tuple[float, float, float]

    def slot(self, number: int) -> tuple[float, float]:
        return self.x + SLOTS[number], self.y


@dataclass(frozen=True, slots=True)
class Room:
    """Names of the places, from left to right, and of the cans."""

    places: tuple[str, ...]
    cans: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.cans) < len(SLOTS):
            raise InputError(f"a cafe has 1 to {len(SLOTS) - 1} cans, so that a table takes all of them")

    @classmethod
    def of(cls, tables: int, cans: int) -> Room:
        """A counter, tables and cans, numbered."""
        places = ("counter", *(f"table-{n}" for n in range(1, tables + 1)))
        return cls(places, tuple(f"can-{n}" for n in range(1, cans + 1)))

    def place(self, name: str) -> Place:
        x = SPACING * self.places.index(name)
        return Place(x, DOCK + HALF_DEPTH, (x, 0.0, math.pi / 2))


ENTRANCE = (-1.0, -0.6, 0.0)
"""On the open floor, at no dock."""


def describe(room: Room) -> str:
    """The room as MuJoCo reads it."""
    end = SPACING * (len(room.places) - 1)
    furniture = "".join(_furniture(name, room.place(name)) for name in room.places)
    cans = "".join(_can(name, _COLOURS[i % len(_COLOURS)]) for i, name in enumerate(room.cans))
    return f"""
<mujoco model="cafe">
  <compiler angle="radian"/>
  <option timestep="0.004" integrator="implicitfast" cone="elliptic" impratio="10" iterations="20"
    noslip_iterations="3"/>
  <size nuserdata="2"/>
  <visual>
    <headlight ambient="0.35 0.35 0.35" diffuse="0.35 0.35 0.35"/>
    <global offwidth="960" offheight="720" fovy="40"/>
    <quality shadowsize="2048"/>
  </visual>
  <asset>
    <texture name="tiles" type="2d" builtin="checker" rgb1="0.93 0.91 0.87" rgb2="0.86 0.83 0.78"
      width="256" height="256"/>
    <material name="tiles" texture="tiles" texrepeat="16 16"/>
    <texture type="skybox" builtin="gradient" rgb1="0.95 0.97 1" rgb2="0.75 0.80 0.88" width="64"
      height="64"/>
  </asset>
  <default>
    <default class="seen"><geom contype="0" conaffinity="0" mass="0.1"/></default>
    <default class="tip"><geom type="sphere" size="{TIP_RADIUS}" contype="1" conaffinity="2" condim="4"
      priority="1" friction="0.8 0.01 0.001" rgba="0.15 0.15 0.15 1" mass="0.02"/></default>
    <default class="foot"><geom type="sphere" size="0.004" contype="4" conaffinity="0" condim="3"
      friction="0.8 0.005 0.001" mass="0.005"/></default>
  </default>
  <worldbody>
    <light pos="{end / 2} 2 5" dir="0 -0.4 -1" diffuse="0.45 0.45 0.45" specular="0 0 0"/>
    <camera name="room" pos="{0.5 * end - 0.7} {2.2 + 0.6 * end} {1.8 + 0.2 * end}"
      mode="targetbody" target="middle"/>
    <body name="middle" pos="{end / 2} 0.3 0.6"/>
    <geom name="floor" type="plane" size="6 6 0.1" pos="{end / 2} 0 0" material="tiles" contype="0"
      conaffinity="6"/>
    {furniture}
    {_ROBOT}
    {cans}
  </worldbody>
  <equality>
    <joint joint1="left" joint2="right" polycoef="0 1 0 0 0" solref="0.008 1"/>
  </equality>
  <actuator>
    <position name="x" joint="x" kp="20000" dampratio="1"/>
    <position name="y" joint="y" kp="20000" dampratio="1"/>
    <position name="turn" joint="turn" kp="2000" dampratio="1"/>
    <position name="lift" joint="lift" kp="3000" kv="80" forcerange="-{LIFT_FORCE} {LIFT_FORCE}"/>
    <position name="shoulder" joint="shoulder" kp="600" dampratio="1"/>
    <position name="arm" joint="arm" kp="4000" dampratio="1"/>
    <motor name="left" joint="left"/>
    <motor name="right" joint="right"/>
  </actuator>
</mujoco>
"""


def _furniture(name: str, place: Place) -> str:
    wood = "0.45 0.30 0.20 1" if name == "counter" else "0.72 0.52 0.34 1"
    under = (
        f'<geom class="seen" type="box" size="{HALF_WIDTH - 0.03} {HALF_DEPTH - 0.03} {TOP / 2 - 0.02}" '
        f'pos="0 0 {TOP / 2 - 0.02}" rgba="0.60 0.42 0.30 1"/>'
        if name == "counter"
        else f'<geom class="seen" type="cylinder" size="0.04 {TOP / 2 - 0.02}" '
        f'pos="0 0 {TOP / 2 - 0.02}" rgba="{wood}"/>'
        f'<geom class="seen" type="cylinder" size="0.22 0.01" pos="0 0 0.01" rgba="{wood}"/>'
    )
    return (
        f'<body name="{name}" pos="{place.x} {place.y} 0"><geom type="box" contype="0" conaffinity="4" '
        f'size="{HALF_WIDTH} {HALF_DEPTH} 0.02" pos="0 0 {TOP - 0.02}" rgba="{wood}"/>{under}</body>'
    )


def _can(name: str, colour: str) -> str:
    feet = "".join(
        f'<geom class="foot" pos="{x} {y} {0.004 - CAN_CENTRE}"/>'
        for x, y in ((0.05, 0), (0, 0.05), (-0.05, 0), (0, -0.05))
    )
    return f"""
    <body name="{name}" pos="0 0 2"><freejoint/>
      <geom type="cylinder" size="{CAN_RADIUS} {CAN_HEIGHT / 2}" contype="2" conaffinity="3"
        mass="{CAN_MASS - 0.02}" rgba="{colour} 1"/>
      <geom class="seen" type="cylinder" size="{CAN_RADIUS * 0.85} 0.002" pos="0 0 {CAN_HEIGHT / 2}" mass="0"
        rgba="0.85 0.85 0.87 1"/>
      <geom class="seen" type="cylinder" size="0.053 0.004" pos="0 0 {0.006 - CAN_CENTRE}" mass="0"
        rgba="0.25 0.22 0.20 1"/>
      {feet}
    </body>"""


def _finger(name: str, side: int) -> str:
    tips = "".join(
        f'<geom class="tip" pos="{x} {side * y} {z}"/>'
        for x, y, z in ((0.0, _HOLLOW, 0.012), (_SPREAD, 0.0, -0.012), (-_SPREAD, 0.0, -0.012))
    )
    return f"""
            <body name="{name}" gravcomp="1">
              <joint name="{name}" type="slide" axis="0 {side} 0" range="0.02 {OPEN}" damping="30"
                solreflimit="0.01 1"/>
              <geom class="seen" type="box" size="0.012 0.004 0.06" pos="0 {0.006 * side} 0.045"
                rgba="0.30 0.30 0.32 1"/>
              {tips}
            </body>"""


_ROBOT = f"""
    <body name="robot" gravcomp="1">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="y" type="slide" axis="0 1 0"/>
      <joint name="turn" type="hinge" axis="0 0 1"/>
      <geom class="seen" type="cylinder" size="0.24 0.12" pos="0 0 0.15" rgba="0.92 0.92 0.94 1" mass="30"/>
      <geom class="seen" type="cylinder" size="0.20 0.03" pos="0 0 0.03" rgba="0.20 0.20 0.22 1"/>
      <geom class="seen" type="box" size="0.07 0.09 0.48" pos="-0.10 0 0.72" rgba="0.75 0.77 0.80 1"/>
      <geom class="seen" type="box" size="0.07 0.11 0.06" pos="-0.06 0 1.28" rgba="0.20 0.35 0.65 1"/>
      <geom class="seen" type="sphere" size="0.025" pos="0.01 0.05 1.29" rgba="0.05 0.05 0.05 1"/>
      <geom class="seen" type="sphere" size="0.025" pos="0.01 -0.05 1.29" rgba="0.05 0.05 0.05 1"/>
      <body name="carriage" gravcomp="1">
        <joint name="lift" type="slide" axis="0 0 1" range="0.7 1.2"/>
        <geom class="seen" type="cylinder" size="0.06 0.05" pos="0 0 0.13" rgba="0.20 0.35 0.65 1"
          mass="0.5"/>
        <body name="upper" gravcomp="1" pos="0 0 0.13">
          <joint name="shoulder" type="hinge" axis="0 0 1" range="-1 1"/>
          <geom class="seen" type="box" size="0.15 0.03 0.03" pos="0.15 0 0" rgba="0.92 0.92 0.94 1"
            mass="0.5"/>
          <body name="hand" gravcomp="1" pos="0 0 -0.13">
            <joint name="arm" type="slide" axis="1 0 0" range="0.25 1"/>
            <geom class="seen" type="box" size="0.16 0.018 0.018" pos="-0.13 0 0.13" rgba="0.60 0.62 0.66 1"
              mass="0.3"/>
            <geom class="seen" type="box" size="0.02 0.075 0.02" pos="0 0 0.115" rgba="0.20 0.20 0.22 1"/>
            {_finger("left", 1)}
            {_finger("right", -1)}
          </body>
        </body>
      </body>
    </body>"""
