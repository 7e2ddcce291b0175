"""Types that by their names are who acts, or where one can be: for names that are proposed to a reader."""

from __future__ import annotations

_ACTORS = """
agent astronaut child driver drone human man passenger patient person pilot player robot rover
satellite traveler traveller uav walker woman worker
"""
_PLACES = """
airport area base building cell city corridor country curb depot dock floor garage gate goal harbor
harbour home house island junction kitchen landmark loc location market node office place point port
pos position region room segment shop shore site spot square station stop street tile town warehouse
waypoint zone
"""
ACTORS, PLACES = frozenset(_ACTORS.split()), frozenset(_PLACES.split())
