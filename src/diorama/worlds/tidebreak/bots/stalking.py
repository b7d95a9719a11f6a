"""A captain for submarines: it listens, pings now and then, and shoots at whatever it hears back.

Two submarines that only listen pass each other by. One ping tells both where the other is; whoever pings is ready for
it, shoots first, and turns away from what comes back.
"""

from typing import Final

from diorama.worlds.tidebreak.bots.captain import Memory
from diorama.worlds.tidebreak.bots.view import Sighting, View
from diorama.worlds.tidebreak.bots.wish import Wish
from diorama.worlds.tidebreak.codes import Emissions, TrackQuality
from diorama.worlds.tidebreak.layout import Own
from diorama.worlds.tidebreak.reference.scripts.course import around

PING_CHANCE: Final = 0.1  # per decision without a contact; the sonar itself pings every tenth tick
CIRCLE_M: Final = 2_000.0  # around the middle of the map
STALK_THROTTLE: Final = 0.4
NEAR_M: Final = 3_000.0
LURK: Final = 1.7
SLIP_AWAY: Final = 2.6
DODGE_M: Final = 600.0
DODGE_OFF: Final = 0.6  # radians off the course straight away from a torpedo: it must turn, and its seeker is narrow


def stalk(view: View, memory: Memory) -> Wish:
    """Search with rare pings; close in on a contact, shoot, and slip away while the tubes are loaded."""
    seen = view.best
    is_pinging = memory.rng.f64() < PING_CHANCE and seen is None
    bearing, throttle = (_circle(view), STALK_THROTTLE) if seen is None else _course(view, seen)
    return Wish(
        bearing=bearing,
        throttle=throttle,
        emissions=Emissions.ACTIVE if is_pinging else Emissions.PASSIVE,
        torpedo_m=view.hull.torpedo_m,
        dodge_m=DODGE_M,
        dodge_off=DODGE_OFF,
    )


def _course(view: View, seen: Sighting) -> tuple[float, float]:
    if not view.own[Own.READY + 1]:  # torpedoes come after guns
        return seen.bearing + SLIP_AWAY, STALK_THROTTLE
    if seen.range_m < NEAR_M and seen.quality > TrackQuality.Q0:
        return seen.bearing + LURK, 0.0
    return seen.bearing, STALK_THROTTLE


def _circle(view: View) -> float:
    return around(view.center_bearing, view.center_m, CIRCLE_M)
