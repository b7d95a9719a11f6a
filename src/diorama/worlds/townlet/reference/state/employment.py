"""A citizen's shift, and the queue of those who may lose their place in town."""

from dataclasses import dataclass, field

from diorama.worlds.townlet.codes import NEVER, ShiftState

NOT_ARRIVED = -1


@dataclass(slots=True)
class Shift:
    """Where a citizen stands with its work; what is not told to last longer begins anew every day.

    Attributes:
        state: `ShiftState`.
        arrival_tod: Time of day of the first presence at or after the start less the buffer, -1 for none yet.
        last_present_tick: Last tick in the zone of the job, from arrival on.
        paid_this_shift: Coins.
        is_finalized: Whether the shift has ended for this citizen.
        is_excused: Whether it came to town after the shift had begun, so that the day does not count.
        is_on_shift: Whether it was paid this tick.
        attendance: The last samples, oldest first; lasts.
        absences: Ticks at which it was found absent, of the last seven days, oldest first; lasts.
        wages_today: Coins earned since midnight.
        wageless_days: Full days without any wage in a row; lasts.
    """

    state: int = ShiftState.NONE
    arrival_tod: int = NOT_ARRIVED
    last_present_tick: int = NEVER
    present_ticks: int = 0
    on_time_ticks: int = 0
    late_ticks: int = 0
    paid_this_shift: float = 0.0
    late_charged: bool = False
    absence_charged: bool = False
    warned: bool = False
    is_finalized: bool = False
    is_excused: bool = False
    is_on_shift: bool = False
    attendance: list[float] = field(default_factory=list)
    absences: list[int] = field(default_factory=list)
    wages_today: float = 0.0
    wageless_days: int = 0

    @property
    def absent_shifts_7d(self) -> int:
        """Absences that still count."""
        return len(self.absences)

    @property
    def attendance_ratio(self) -> float:
        """Mean of the samples, 0 without any."""
        total = 0.0
        for sample in self.attendance:
            total += sample
        return total / len(self.attendance) if self.attendance else 0.0


@dataclass(slots=True)
class ExitEntry:
    """A citizen in the exit queue, by seat, and since when."""

    seat: int
    since_tick: int


@dataclass(slots=True)
class EmploymentLedger:
    """The exit queue.

    Attributes:
        queue: Oldest first.
        approvals: Seats an operator has approved, in order.
        exits_today: Exits through the queue since midnight.
        overflow_told: Whether a full queue has been told today.
    """

    queue: list[ExitEntry] = field(default_factory=list)
    approvals: list[int] = field(default_factory=list)
    exits_today: int = 0
    overflow_told: bool = False
