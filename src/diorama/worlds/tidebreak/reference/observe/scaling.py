"""Numbers as observations show them: relative to the unit and within -1 to 1."""

from diorama.numerics import atan2, clamp, sincos, wrap
from diorama.worlds.tidebreak.reference.state import Battle, Unit


def clip(value: float) -> float:
    """Bring a value into -1 to 1; a zero has no sign, for a restored state does not know it."""
    return clamp(value, -1.0, 1.0) + 0.0


def half_side(battle: Battle) -> float:
    """Half the larger side of the map, meters."""
    area = battle.map
    return max(area.max_x - area.min_x, area.max_y - area.min_y) / 2.0


def relative_direction(unit: Unit, x: float, y: float) -> tuple[float, float]:
    """Sine and cosine of the relative bearing of a point, positive to port."""
    return sincos(wrap(atan2(y - unit.y, x - unit.x) - unit.heading))
