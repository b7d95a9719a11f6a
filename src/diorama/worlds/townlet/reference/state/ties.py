"""A tie: what one citizen feels about another."""

from dataclasses import dataclass


@dataclass(slots=True)
class Tie:
    """One direction of a relationship.

    Attributes:
        other: Seat of the other citizen; ties go when a citizen goes, so a seat names one.
        trust: -1 to 1.
        familiarity: -1 to 1.
        rivalry: Its value right after its last change; it fades from then on, see `systems.ties.rivalry_now`.
        rivalry_tick: When that was.
    """

    other: int
    trust: float = 0.0
    familiarity: float = 0.0
    rivalry: float = 0.0
    rivalry_tick: int = 0
