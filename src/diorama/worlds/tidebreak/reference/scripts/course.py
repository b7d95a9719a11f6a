"""What all scripts share: where to steer in spite of edges, torpedoes and friends, and the order that comes of it."""

from dataclasses import dataclass
from typing import Final

from diorama.numerics import HALF_PI, atan2, clamp, fmax, fmin, hyp, norm2pi, sincos, wrap
from diorama.worlds.tidebreak.codes import DcFocus, Emissions, MunitionKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.scripts.targeting import best_track, fire_groups
from diorama.worlds.tidebreak.reference.sensing import sensed_munitions
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.support import can_launch_decoy

RUDDER_SPAN: Final = 0.35  # radians off course at which the rudder is hard over
EDGE_M: Final = 600.0
DODGE_M: Final = 1_200.0
DODGE_DEAF_M: Final = 600.0
DODGE_SUBMARINE_M: Final = 900.0
SEARCH_CIRCLE: Final = 0.5  # radius of a search, as a share of the way from the middle to the nearest edge
SEARCH_OUTWARD: Final = 2.0  # quarter turns off the middle at most: from within the circle, straight out
CLEARANCE_M: Final = 250.0  # between hulls of a team
CLEARANCE_URGE: Final = 2.0  # at touching hulls, against 1 for the wanted heading
WORTH_A_FOCUS: Final = 0.3  # of fire or flood


@dataclass(frozen=True, slots=True)
class Course:
    """Where a script wants to go: world heading and throttle."""

    heading: float
    throttle: float


def sail(
    battle: Battle,
    unit: Unit,
    course: Course,
    *,
    emissions: Emissions | None = None,
    holds_fire: bool = False,
    keeps_clear: bool = True,
) -> Order:
    """The order of a script that wants this course; torpedoes, edges and, if it keeps clear, friends come first."""
    target = best_track(battle, unit)
    threat = torpedo_to_dodge(battle, unit)
    if threat is not None:
        course = Course(atan2(unit.y - threat.y, unit.x - threat.x), 1.0)
    elif is_near_closed_edge(battle, unit):
        course = Course(bearing_to_center(battle, unit), course.throttle)
    elif keeps_clear:
        course = Course(clear_of_mates(battle, unit, course.heading), course.throttle)
    can_fire = target is not None and not holds_fire
    return Order(
        throttle=course.throttle,
        rudder=rudder_toward(unit, course.heading),
        emissions=_change(unit, emissions),
        groups=fire_groups(battle, unit, target) if can_fire and target is not None else (),
        track_id=target.track_id if target is not None else 0,
        focus=focus_needed(unit),
        decoy=threat is not None and can_launch_decoy(battle, unit),
    )


def rudder_toward(unit: Unit, heading: float) -> float:
    """Rudder that brings the unit onto a heading."""
    return clamp(wrap(heading - unit.heading) / RUDDER_SPAN, -1.0, 1.0)


def torpedo_to_dodge(battle: Battle, unit: Unit) -> Munition | None:
    """Nearest hostile torpedo that is sensed and too close."""
    if unit.spec.hull.is_submarine:
        reach = DODGE_SUBMARINE_M
    else:
        reach = DODGE_M if unit.spec.sensors.di_db is not None else DODGE_DEAF_M
    for munition in sensed_munitions(battle, unit):
        dx, dy = munition.x - unit.x, munition.y - unit.y
        if munition.kind == MunitionKind.TORPEDO and dx * dx + dy * dy <= reach * reach:
            return munition
    return None


def is_near_closed_edge(battle: Battle, unit: Unit) -> bool:
    """Whether an edge that cannot be crossed is close."""
    area = battle.map
    if area.edges_open:
        return False
    across = fmin(unit.x - area.min_x, area.max_x - unit.x)
    return fmin(across, fmin(unit.y - area.min_y, area.max_y - unit.y)) < EDGE_M


def bearing_to_center(battle: Battle, unit: Unit) -> float:
    """World bearing of the middle of the map."""
    area = battle.map
    return atan2((area.min_y + area.max_y) / 2.0 - unit.y, (area.min_x + area.max_x) / 2.0 - unit.x)


def search_heading(battle: Battle, unit: Unit) -> float:
    """Heading without a contact: circle the middle of the map at a distance, where more of the sea is heard."""
    area = battle.map
    circle_m = SEARCH_CIRCLE * fmin(area.max_x - area.min_x, area.max_y - area.min_y) / 2.0
    center_x, center_y = (area.min_x + area.max_x) / 2.0, (area.min_y + area.max_y) / 2.0
    center_m = hyp(center_x - unit.x, center_y - unit.y)
    return norm2pi(around(bearing_to_center(battle, unit), center_m, circle_m))


def around(bearing: float, distance_m: float, circle_m: float) -> float:
    """Bearing that leads onto a circle around a point at this bearing and distance, and then along it."""
    return bearing - HALF_PI * fmin(circle_m / fmax(distance_m, 1.0), SEARCH_OUTWARD)


def clear_of_mates(battle: Battle, unit: Unit, heading: float) -> float:
    """A heading, bent away from the team-mates in the same layer whom the link places too close."""
    push_x, push_y = 0.0, 0.0
    for fix in unit.memory.mate_fixes:
        dx, dy = unit.x - fix.x, unit.y - fix.y
        apart_m = hyp(dx, dy)
        gap_m = apart_m - unit.spec.hull.radius_m - battle.unit(fix.unit_id).spec.hull.radius_m
        if fix.layer == unit.layer.layer and gap_m < CLEARANCE_M and apart_m > 0.0:
            push = CLEARANCE_URGE * (1.0 - gap_m / CLEARANCE_M) / apart_m
            push_x += push * dx
            push_y += push * dy
    if push_x == 0.0 and push_y == 0.0:
        return heading
    sine, cosine = sincos(heading)
    return norm2pi(atan2(sine + push_y, cosine + push_x))


def focus_needed(unit: Unit) -> DcFocus | None:
    """What damage control should turn to; None if it already does."""
    if unit.hull.fire > WORTH_A_FOCUS:
        wanted = DcFocus.FIRE
    elif unit.hull.flood > WORTH_A_FOCUS:
        wanted = DcFocus.FLOOD
    else:
        wanted = DcFocus.BALANCED
    return None if unit.posture.dc_focus == wanted else wanted


def _change(unit: Unit, emissions: Emissions | None) -> Emissions | None:
    return None if unit.posture.emissions == emissions else emissions
