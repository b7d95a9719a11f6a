"""A captain that beats the scripts in a duel of guns: hard to hit, and sparing with what it has.

weave     A track learns a velocity over some fifteen seconds, and guns aim where it leads. Whoever keeps turning,
          slowly and by much, is never there; who steers straight at an enemy always is.
patience  Salvos at a ship that twists and turns before an edge of the map miss, and there are only so many. They wait
          until it is close; its own guns run dry meanwhile.
the end   With little time left the weave becomes narrow and the distance short.
"""

from typing import Final

from diorama.numerics import sincos, wrap
from diorama.worlds.tidebreak.bots.captain import Memory
from diorama.worlds.tidebreak.bots.view import HALF_MAP_M, Sighting, View
from diorama.worlds.tidebreak.bots.wish import Wish
from diorama.worlds.tidebreak.codes import Emissions
from diorama.worlds.tidebreak.layout import Env, Own
from diorama.worlds.tidebreak.reference.scripts.course import RUDDER_SPAN

WEAVE_FROM_M: Final = 7_500.0
WIDE_WEAVE: Final = 1.5  # radians the enemy may be off the bow before the ship turns back
NARROW_WEAVE: Final = 0.7
LATE: Final = 0.35  # share of time left
HALF_RUDDER: Final = 0.5 * RUDDER_SPAN  # tighter turns average out in the enemy's track
CORNERED_M: Final = 900.0  # between the enemy and an edge of the map
SURE_M: Final = 2_500.0


def hunt(view: View, _memory: Memory) -> Wish:
    """Weave toward the enemy at full speed, and shoot where it counts."""
    seen = view.best
    if seen is None:
        return Wish(bearing=view.search_bearing, throttle=1.0, emissions=Emissions.ACTIVE, repairs=True)
    return Wish(
        bearing=_weaving(view, seen) if seen.range_m < WEAVE_FROM_M else seen.bearing,
        throttle=1.0,
        emissions=Emissions.ACTIVE,
        holds_fire=seen.range_m > SURE_M and _distance_to_edge_m(view, seen) < CORNERED_M,
        repairs=True,
    )


def _weaving(view: View, seen: Sighting) -> float:
    """Turn on, until the enemy is far enough off the other bow."""
    bearing = wrap(seen.bearing)
    weave = NARROW_WEAVE if view.environment[Env.TIME_LEFT] < LATE else WIDE_WEAVE
    side = bearing if abs(bearing) > weave else float(view.own[Own.RUDDER])
    return HALF_RUDDER if side >= 0.0 else -HALF_RUDDER


def _distance_to_edge_m(view: View, seen: Sighting) -> float:
    sine, cosine = sincos(view.heading + seen.bearing)
    x_m = HALF_MAP_M * float(view.own[Own.X]) + seen.range_m * cosine
    y_m = HALF_MAP_M * float(view.own[Own.Y]) + seen.range_m * sine
    return HALF_MAP_M - max(abs(x_m), abs(y_m))
