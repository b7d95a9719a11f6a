"""One step while it is happening: what was asked for, and what has come of it so far."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from diorama.worlds.prospector.reference.events import EventLog, HullCause
from diorama.worlds.prospector.reference.state import Ship


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """Values at the start of a step, for rewards and gross counters."""

    credits: float
    fuel: float
    hull: float
    tool: float
    cargo_value: float  # at the prices of that moment
    cargo_base_value: float  # at base prices
    value_lost_to_pirates: float


@dataclass(slots=True)
class Raids:
    """What pirates did in one step; a leg into the field can meet them twice."""

    count: int = 0
    loss_frac: float = 0.0
    value_lost: float = 0.0
    hull: float = 0.0
    decoy_used: int = 0


class EndReason(StrEnum):
    """Why an episode is over."""

    CASH_OUT = "cash_out"
    DESTROYED = "destroyed"
    STRANDED = "stranded"
    TIME_UP = "time_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Whether a step ended the episode, and how; a ship can be destroyed and stranded at once."""

    is_destroyed: bool = False
    is_stranded: bool = False
    is_terminated: bool = False
    is_truncated: bool = False
    reason: EndReason | None = None

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended at all."""
        return self.is_terminated or self.is_truncated


GOES_ON: Final = Ending()


@dataclass(slots=True, kw_only=True)
class Turn:
    """The step being taken.

    Attributes:
        received: What the pilot sent, which need not be an action at all.
        action: The action that is executed.
        dt: Ticks the step takes, known once the action has been performed.
        hull_cause: What reduced the hull last.
        ending: Known when everything else has happened.
    """

    received: int
    action: int
    before: Before
    dt: int = 0
    is_cashing_out: bool = False
    hull_cause: HullCause | None = None
    ending: Ending = GOES_ON
    raids: Raids = field(default_factory=Raids)
    events: EventLog = field(default_factory=EventLog)

    @property
    def is_invalid(self) -> bool:
        """Whether another action is executed than the one received."""
        return self.action != self.received

    def damage(self, ship: Ship, hull: float, cause: HullCause) -> None:
        """Take hull away and remember why."""
        ship.hull -= hull
        self.hull_cause = cause
