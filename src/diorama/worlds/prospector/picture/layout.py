"""Where things stand in the picture, in units."""

import math
from typing import Final

from diorama.worlds.prospector.contract import MAX_ASTEROIDS, MAX_NEIGHBORS
from diorama.worlds.prospector.picture.canvas import Point

VIEW_WIDTH: Final = 360.0
VIEW_HEIGHT: Final = 260.0
RAIL_WIDTH: Final = 132.0
CENTER: Final[Point] = (VIEW_WIDTH / 2, VIEW_HEIGHT / 2)
ORBIT_KNOWN: Final = 72.0  # where a fully scanned rock is drawn
ORBIT_SPREAD: Final = 20.0  # how much farther out an unknown one is
MAP_CENTER: Final[Point] = (VIEW_WIDTH - 40.0, VIEW_HEIGHT - 42.0)
MAP_ORBIT: Final = 24.0


def around(center: Point, radius: float, angle: float) -> Point:
    """Return the point at an angle in radians, clockwise from the east."""
    return center[0] + radius * math.cos(angle), center[1] + radius * math.sin(angle)


def asteroid_place(slot: int, scan_conf: float) -> Point:
    """Return where the rock of a slot is drawn; the better it is known, the nearer."""
    return around(CENTER, ORBIT_KNOWN + ORBIT_SPREAD * (1.0 - scan_conf), math.tau * slot / MAX_ASTEROIDS)


def neighbor_place(slot: int) -> Point:
    """Return where a neighbor stands on the map."""
    return around(MAP_CENTER, MAP_ORBIT, math.tau * slot / MAX_NEIGHBORS)
