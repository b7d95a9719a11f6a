"""How a running torpedo or missile turns and moves, and how near its path comes to a point."""

from typing import Final

from diorama.numerics import clamp, hyp, norm2pi, sincos, wrap

SEARCH_TURN_SHARE: Final = 0.5


def steer(heading: float, desired: float, turn_max: float) -> float:
    """Turn toward the desired heading by at most `turn_max` radians."""
    return norm2pi(heading + clamp(wrap(desired - heading), -turn_max, turn_max))


def circle_left(heading: float, turn_max: float) -> float:
    """Turn left at half the rate, searching."""
    return norm2pi(heading + SEARCH_TURN_SHARE * turn_max)


def advance(x: float, y: float, heading: float, step_m: float) -> tuple[float, float]:
    """Move along the heading."""
    s, c = sincos(heading)
    return x + step_m * c, y + step_m * s


def path_distance(start: tuple[float, float], end: tuple[float, float], point: tuple[float, float]) -> float:
    """Closest approach of the segment from start to end to a point."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    px, py = point[0] - start[0], point[1] - start[1]
    length2 = dx * dx + dy * dy
    share = clamp((px * dx + py * dy) / length2, 0.0, 1.0) if length2 > 0.0 else 0.0
    return hyp(px - share * dx, py - share * dy)
