"""What a unit is about and what it has done: its boarding, its objective, its tally."""

from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.tidebreak.codes import BoardingStatus, ConnectionState, ObjectiveStatus

NO_OBJECTIVE: Final = -1
GROUPS: Final = 6


@dataclass(slots=True)
class Boarding:
    """A boarding from the attacker's side."""

    state: int = ConnectionState.NONE
    target_id: int = 0
    timer: int = 0
    transferred: float = 0.0
    progress: list[float] = field(default_factory=lambda: [0.0] * 3, metadata={"length": 3})
    status: int = BoardingStatus.NONE
    attached_ticks: int = 0
    damage_window: float = 0.0


@dataclass(slots=True)
class Objective:
    """How the objective stands; `type` is -1 without one, the values are the type's own."""

    type: int = NO_OBJECTIVE
    status: int = ObjectiveStatus.ACTIVE
    time_on: int = 0
    value_a: float = 0.0
    value_b: float = 0.0
    value_c: float = 0.0
    progress: float = 0.0
    reward_sum: float = 0.0


@dataclass(slots=True)
class Tally:
    """What it has done and suffered; `shots` is by weapon group from GUN."""

    damage_dealt: float = 0.0
    damage_taken: float = 0.0
    shots: list[int] = field(default_factory=lambda: [0] * GROUPS, metadata={"length": GROUPS})
    hits: int = 0
    kills: int = 0
    transitions: int = 0
    hazard_damage: float = 0.0
    collisions: int = 0
