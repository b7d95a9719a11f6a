"""How fast a live world's time passes. Wall-clock time never reaches the simulation."""

import time
from collections.abc import Callable, Mapping
from typing import Final, Literal, get_args

from diorama.contracts.errors import ConfigError

Speed = Literal["pause", "1x", "10x", "100x", "max"]
SPEEDS: Final[tuple[Speed, ...]] = get_args(Speed)
_FACTORS: Final[Mapping[Speed, float]] = {"1x": 1.0, "10x": 10.0, "100x": 100.0}


class Pacer:
    """Says when the next tick is due.

    A tick that comes late is followed by the next one as if it had been in time: the debt is dropped, there is no
    burst to catch up.

    Attributes:
        overruns: Ticks that were not done when the next one was due.
        steps_left: Ticks that a paused world is still to run.
    """

    def __init__(self, tick_seconds: float, speed: Speed, seconds: Callable[[], float] = time.monotonic) -> None:
        """Begin with a tick that is due now."""
        self._tick_seconds = tick_seconds
        self._seconds = seconds
        self._due = seconds()
        self.speed: Speed = speed
        self.overruns = 0
        self.steps_left = 0

    def set_speed(self, speed: str) -> None:
        """Change the speed; steps that were asked for and not run are forgotten.

        Raises:
            ConfigError: There is no such speed.
        """
        self.speed = parse_speed(speed)
        self.steps_left = 0
        self._due = self._seconds()

    def delay(self) -> float | None:
        """Seconds until the next tick; 0 if it is due, None while the world is paused."""
        if self.speed == "pause":
            return 0.0 if self.steps_left else None
        if self.speed == "max":
            return 0.0
        return max(0.0, self._due - self._seconds())

    def late_seconds(self) -> float:
        """How long the next tick has been due; 0 where no time is set for it. From any thread."""
        return max(0.0, self._seconds() - self._due) if self.speed in _FACTORS else 0.0

    def ticked(self, ticks: int) -> None:
        """Take note that so many ticks were run just now."""
        if self.speed == "pause":
            self.steps_left = max(0, self.steps_left - 1)
        if self.speed not in _FACTORS:
            return
        now = self._seconds()
        self._due += ticks * self._tick_seconds / _FACTORS[self.speed]
        if now > self._due:
            self.overruns += 1
            self._due = now


def parse_speed(text: str) -> Speed:
    """Return the speed of that name.

    Raises:
        ConfigError: There is no such speed.
    """
    for speed in SPEEDS:
        if text == speed:
            return speed
    raise ConfigError(f"speed {text!r} does not exist; use one of: {', '.join(SPEEDS)}")
