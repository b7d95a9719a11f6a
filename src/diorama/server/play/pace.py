"""When the next step of a session that is played in real time is due."""

from collections.abc import Callable
from typing import Final

_LATE_STEPS: Final = 2.0  # a game that is later than this does not run to catch up


class Pace:
    """Keeps steps as far apart as the world's own time is."""

    def __init__(self, tick_seconds: float, speed: float, seconds: Callable[[], float]) -> None:
        """Begin now.

        Args:
            tick_seconds: Simulated seconds per tick.
            speed: How many simulated seconds pass in one.
            seconds: A clock that never goes back.
        """
        self._simulated_seconds = tick_seconds
        self._speed = speed
        self._seconds = seconds
        self._due_seconds = seconds()

    def wait_for(self, ticks: int) -> float:
        """Return the seconds until so many ticks have passed since the last step was due."""
        interval = self._simulated_seconds * ticks / self._speed
        now = self._seconds()
        self._due_seconds = max(self._due_seconds + interval, now - _LATE_STEPS * interval)
        return max(0.0, self._due_seconds - now)

    def change_speed(self, speed: float) -> None:
        """Let time pass faster or slower from the next step on."""
        self._speed = speed

    def restart(self) -> None:
        """Begin anew, after a pause."""
        self._due_seconds = self._seconds()
