"""What a unit believes of others."""

from dataclasses import dataclass, field
from typing import Final

NEVER: Final = -10_000  # a tick further back than any rule looks


@dataclass(slots=True)
class ContactMemory:
    """Ticks at which it last pinged, was pinged and was painted by radar."""

    last_ping_tick: int = NEVER
    pinged_at: int = NEVER
    painted_at: int = NEVER


@dataclass(slots=True)
class Track:
    """What a unit believes of a contact.

    `target_id` is hidden from policies, `layer_est` is 3 when unknown, `class_level` is 0 none to 3 class,
    `modalities` has bit `1 << modality`.
    """

    track_id: int
    target_id: int
    x: float
    y: float
    vx: float
    vy: float
    P: float
    quality: int
    age: int
    hits: int
    bearing_only: bool
    layer_est: int
    class_level: int
    id_conf: float
    iff: int
    is_munition: bool
    modalities: int
    shared: bool


@dataclass(slots=True)
class Tracks:
    """Tracks by ascending track id; ids count from 1."""

    next_track_id: int = 1
    tracks: list[Track] = field(default_factory=list)

    def get(self, track_id: int) -> Track | None:
        """The track with this id, if it is held."""
        return next((track for track in self.tracks if track.track_id == track_id), None)

    def of_target(self, target_id: int) -> Track | None:
        """The track of this entity, if it is held."""
        return next((track for track in self.tracks if track.target_id == target_id), None)


@dataclass(slots=True)
class MateFix:
    """Where a team-mate was when the link last reached it."""

    unit_id: int
    x: float
    y: float
    vx: float
    vy: float
    layer: int
    tick: int
