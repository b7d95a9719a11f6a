"""How an objective stands while it is being judged, and questions every type asks."""

from dataclasses import dataclass
from typing import Final

from diorama.numerics import clamp, fmax, fmin, hyp
from diorama.worlds.tidebreak.codes import INEFFECTIVE_STATUS, ObjectiveStatus, UnitStatus
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.resolve.records import ResolvedShape
from diorama.worlds.tidebreak.resolve.shapes import contains
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedObjective

LOST: Final = UnitStatus(INEFFECTIVE_STATUS) & ~UnitStatus.EXITED
SUNK: Final = UnitStatus.DESTROYED | UnitStatus.SCUTTLED
TAKEN: Final = UnitStatus.CAPTURED | UnitStatus.SURRENDERED


@dataclass(slots=True)
class Standing:
    """A copy of the Objective component that a judge may change."""

    status: int
    time_on: int
    value_a: float
    value_b: float
    value_c: float
    progress: float

    def complete(self) -> None:
        """The objective is met."""
        self.status, self.progress = ObjectiveStatus.COMPLETED, 1.0

    def fail(self) -> None:
        """The objective is out of reach."""
        self.status = ObjectiveStatus.FAILED


@dataclass(frozen=True, slots=True)
class Case:
    """A unit and what it was told."""

    battle: Battle
    unit: Unit
    task: ResolvedObjective

    @property
    def target(self) -> Unit:
        """The single target."""
        return self.battle.unit(self.task.target_id)

    @property
    def asset(self) -> Unit:
        """What is to be kept safe."""
        return self.battle.unit(self.task.asset_id)

    @property
    def elapsed_ticks(self) -> int:
        """Ticks of battle, the current one included."""
        return self.battle.tick + 1


def hp_share(unit: Unit) -> float:
    """Hit points left, 0 to 1."""
    return unit.hull.hp / unit.spec.hull.hp_max


def is_lost(unit: Unit) -> bool:
    """Whether the unit cannot fight on; one that left over an open edge still can."""
    return unit.has(LOST)


def is_asset_lost(asset: Unit) -> bool:
    """Whether it is sunk or in other hands."""
    return asset.has(SUNK | TAKEN)


def distance_between(unit: Unit, other: Unit) -> float:
    """Meters between two units."""
    return hyp(other.x - unit.x, other.y - unit.y)


def relative_speed(unit: Unit, other: Unit) -> float:
    """Speed of one unit as seen from the other, m/s."""
    return hyp(unit.motion.vx - other.motion.vx, unit.motion.vy - other.motion.vy)


def share(part: float, whole: float) -> float:
    """Part of a whole, 0 to 1; all of it when the whole is nothing."""
    return 1.0 if whole <= 0.0 else clamp(part / whole, 0.0, 1.0)


def is_in_zone(case: Case) -> bool:
    """Whether the unit is in the area of its objective."""
    zone = case.task.zone
    if zone is None:
        return False
    x, y = case.unit.x, case.unit.y
    if case.task.zone_relative_id:
        anchor = case.battle.unit(case.task.zone_relative_id)
        x, y = x - anchor.x, y - anchor.y
    return contains(zone, x, y)


def extent(shape: ResolvedShape) -> tuple[float, float, float, float]:
    """Smallest upright rectangle around a shape: min x, min y, max x, max y."""
    if not shape.vertices:
        return shape.x - shape.radius_m, shape.y - shape.radius_m, shape.x + shape.radius_m, shape.y + shape.radius_m
    min_x, min_y = shape.vertices[0]
    max_x, max_y = min_x, min_y
    for x, y in shape.vertices[1:]:
        min_x, min_y, max_x, max_y = fmin(min_x, x), fmin(min_y, y), fmax(max_x, x), fmax(max_y, y)
    return min_x, min_y, max_x, max_y
