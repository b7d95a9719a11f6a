"""Where a unit believes others to be: by its tracks and its link, else where the briefing put them."""

from typing import NamedTuple

from diorama.worlds.tidebreak.reference.sensing.filtering import is_velocity_known
from diorama.worlds.tidebreak.reference.state import Battle, Unit


class Known(NamedTuple):
    """A believed place; `velocity` is None where nothing is known of it, `is_held` without a current contact."""

    x: float
    y: float
    velocity: tuple[float, float] | None
    is_held: bool


def known_place(battle: Battle, unit: Unit, other_id: int) -> Known:
    """Return what a unit knows of another one's place."""
    if other_id == unit.id:
        return Known(unit.x, unit.y, (unit.motion.vx, unit.motion.vy), is_held=True)
    for fix in unit.memory.mate_fixes:
        if fix.unit_id == other_id:
            return Known(fix.x, fix.y, (fix.vx, fix.vy), is_held=True)
    track = unit.tracks.of_target(other_id)
    if track is not None:
        velocity = (track.vx, track.vy) if is_velocity_known(track) else None
        return Known(track.x, track.y, velocity, is_held=True)
    briefed = battle.unit(other_id).spec.start
    return Known(briefed.x, briefed.y, None, is_held=False)
