"""`Breaker`: stops sending for a while after sending has failed."""

from collections.abc import Callable
from enum import StrEnum
from time import monotonic


class BreakerState(StrEnum):
    """`half_open`: one attempt shows whether it works again."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Breaker:
    """Closed while sending works; open for a while when it does not, then half open."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """Begin closed."""
        self._now = now
        self._until = 0.0
        self._is_tripped = False
        self.times_opened = 0

    @property
    def state(self) -> BreakerState:
        """Where it stands now."""
        if not self._is_tripped:
            return BreakerState.CLOSED
        return BreakerState.HALF_OPEN if self._now() >= self._until else BreakerState.OPEN

    @property
    def remaining_s(self) -> float:
        """How long it stays open."""
        return max(0.0, self._until - self._now()) if self._is_tripped else 0.0

    def trip(self, open_s: float) -> None:
        """Open it."""
        self._is_tripped = True
        self._until = self._now() + open_s
        self.times_opened += 1

    def close(self) -> None:
        """Note that sending works."""
        self._is_tripped = False
