"""The nearest obstacle or land around a unit, felt for along rays."""

from typing import Final, NamedTuple

from diorama.numerics import TWO_PI, hyp, sincos
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.terrain import depth_below
from diorama.worlds.tidebreak.resolve.records import ResolvedShape
from diorama.worlds.tidebreak.resolve.shapes import contains

RAYS: Final = 16
RAY_LENGTH_M: Final = 5_000.0
RAY_STEP_M: Final = 250.0
RAY_SAMPLES: Final = 20
SLACK_M: Final = 1.0  # far more than rounding can move a sample


class Obstruction(NamedTuple):
    """Where something is in the way: the relative bearing of its ray, and how far along it."""

    bearing: float
    range_m: float


def nearest_obstruction(battle: Battle, unit: Unit) -> Obstruction | None:
    """Return the nearest sample in a solid obstacle or on land; of equally near ones that of the first ray."""
    shapes = _shapes_in_reach(battle, unit)
    has_land = battle.map.depth.uniform_m is None
    if not shapes and not has_land:
        return None
    directions = [sincos(unit.heading + TWO_PI * float(ray) / float(RAYS)) for ray in range(RAYS)]
    for sample in range(1, RAY_SAMPLES + 1):
        range_m = RAY_STEP_M * float(sample)
        reached = [shape for clearance_m, shape in shapes if clearance_m <= range_m + SLACK_M]
        if not reached and not has_land:
            continue
        for ray, (sine, cosine) in enumerate(directions):
            x, y = unit.x + range_m * cosine, unit.y + range_m * sine
            if _is_obstructed(battle, reached, x, y, has_land=has_land):
                return Obstruction(TWO_PI * float(ray) / float(RAYS), range_m)
    return None


def _shapes_in_reach(battle: Battle, unit: Unit) -> list[tuple[float, ResolvedShape]]:
    """Solid shapes of the unit's layers, each with the least range at which a ray can meet it."""
    shapes = []
    for obstacle in battle.map.obstacles:
        if obstacle.solid and obstacle.layers_mask & unit.layers_mask:
            shape = obstacle.shape
            clearance_m = hyp(shape.x - unit.x, shape.y - unit.y) - shape.radius_m
            if clearance_m <= RAY_LENGTH_M + SLACK_M:
                shapes.append((clearance_m, shape))
    return shapes


def _is_obstructed(battle: Battle, shapes: list[ResolvedShape], x: float, y: float, *, has_land: bool) -> bool:
    area = battle.map
    if not (area.min_x <= x <= area.max_x and area.min_y <= y <= area.max_y):
        return False
    return any(contains(shape, x, y) for shape in shapes) or (has_land and depth_below(battle, x, y) <= 0.0)
