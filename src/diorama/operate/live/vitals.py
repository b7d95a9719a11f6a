"""`Vitals`: what readiness and metrics need to know of a live world."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """How a live world fares, at one moment.

    Attributes:
        failure: Why its loop has ended; None while it runs.
        tick_lag_seconds: How long the loop has been in one tick or command, or the next tick is overdue.
        tick_overruns: Ticks that were not done when the next one was due.
        save_age_seconds: Time since the last save; None where nothing is saved without asking.
        save_failures: Saves and lines of the log that the disk refused.
        unsaved_since: The tick since which nothing is kept; None while everything is.
    """

    failure: str | None
    tick_lag_seconds: float
    tick_overruns: int
    save_age_seconds: float | None
    save_failures: int
    unsaved_since: int | None
