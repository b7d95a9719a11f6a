"""`jobs` and `employment`: shifts, wages, and what absence leads to."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from diorama.contracts.sections import Section, fixed, hot


class Job(Section):
    """One job; its shift recurs every day.

    Attributes:
        start_tick: Tick of the day at which the shift begins.
        lateness_penalty: Coins that coming late costs, once a shift.
        location: Tile of the work place.
        zone: Zone in which somebody counts as present.
    """

    start_tick: int = fixed(ge=0, le=100000)
    end_tick: int = fixed(ge=1, le=100000, description="Exclusive.")
    wage_rate: float = fixed(0.0, ge=0.0, le=1.0, description="Coins per tick; 0 for the general wage.")
    lateness_penalty: float = fixed(0.1, ge=0.0, le=5.0)
    location: Annotated[tuple[int, int], Field(strict=False)] = fixed()
    zone: str = fixed(min_length=1)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.start_tick >= self.end_tick:
            raise ValueError(f"the shift ends at {self.end_tick}, which is not after its start at {self.start_tick}")
        return self

    @property
    def shift_ticks(self) -> int:
        """Length of a shift."""
        return self.end_tick - self.start_tick


class Employment(Section):
    """The employment loop: lateness, absence and the queue of those who lose their place in town.

    Attributes:
        enforce_job_loop: Whether absence can cost the place in town.
        grace_ticks: Ticks after the start in which one is still on time.
        absent_cutoff: Ticks after the start at which one counts as absent.
        absence_slack: Ticks away from work that are overlooked.
        late_tick_penalty: Coins per late tick.
        absence_penalty: Coins of a missed shift.
        max_absent_shifts: Missed shifts in a week that lead into the exit queue.
        daily_exit_cap: Exits from that queue in a day.
        exit_queue_limit: Citizens in it; beyond, nobody is added.
        exit_review_window: Ticks in it after which somebody leaves whatever the cap.
        job_preassign_prob: Chance that a newcomer has a job.
    """

    enforce_job_loop: bool = hot(True)
    grace_ticks: int = fixed(5, ge=0, le=120)
    absent_cutoff: int = fixed(30, ge=0, le=600)
    absence_slack: int = fixed(20, ge=0, le=600)
    late_tick_penalty: float = fixed(0.005, ge=0.0, le=1.0)
    absence_penalty: float = fixed(0.2, ge=0.0, le=5.0)
    max_absent_shifts: int = hot(3, ge=1, le=20)
    attendance_window: int = fixed(3, ge=1, le=14, description="Shifts.")
    daily_exit_cap: int = hot(2, ge=0, le=50)
    exit_queue_limit: int = hot(8, ge=0, le=100)
    exit_review_window: int = hot(1000, ge=1, le=100000)
    job_preassign_prob: float = fixed(0.5, ge=0.0, le=1.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.absent_cutoff < self.grace_ticks:
            raise ValueError(f"absent_cutoff {self.absent_cutoff} is below grace_ticks {self.grace_ticks}")
        return self
