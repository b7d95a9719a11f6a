"""Reading a unit's own tracks."""

from diorama.numerics import atan2, hyp
from diorama.worlds.tidebreak.codes import Iff
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.state import Unit

FRIENDLY = (Iff.FRIENDLY_AUTHENTICATED, Iff.FRIENDLY_ASSUMED)


def is_friendly(track: Track) -> bool:
    """Whether the track is taken for a friend."""
    return track.iff in FRIENDLY


def estimated_range(unit: Unit, track: Track) -> float:
    """Meters from the unit to where it believes the contact to be."""
    return hyp(track.x - unit.x, track.y - unit.y)


def estimated_bearing(unit: Unit, track: Track) -> float:
    """World bearing from the unit to where it believes the contact to be."""
    return atan2(track.y - unit.y, track.x - unit.x)


def contact_order(unit: Unit) -> list[Track]:
    """Non-friendly tracks that are no munitions: best quality first, then nearest, then lowest id."""
    chosen = [track for track in unit.tracks.tracks if not is_friendly(track) and not track.is_munition]
    chosen.sort(key=lambda track: (-track.quality, estimated_range(unit, track), track.track_id))
    return chosen
