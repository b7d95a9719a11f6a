"""The one place where runs look at a clock, so that tests can bring their own."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Return the moment, in UTC."""

    def seconds(self) -> float:
        """Return seconds since some fixed moment; never goes back."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """Return the moment, in UTC."""
        return datetime.now(UTC)

    def seconds(self) -> float:
        """Return seconds since some fixed moment; never goes back."""
        return time.monotonic()


def timestamp(moment: datetime) -> str:
    """Write a moment the way documents store it: ISO-8601, UTC, milliseconds."""
    return f"{moment.astimezone(UTC).strftime('%Y-%m-%dT%H:%M:%S')}.{moment.microsecond // 1000:03d}Z"
