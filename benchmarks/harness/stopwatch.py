"""`Stopwatch`: times the training part of a session, without what warms up before and what winds up after."""

import time
from collections.abc import Callable

from diorama.training.callbacks.progress import NoProgress


class Stopwatch(NoProgress):
    """Notes when env steps were done; may end the session after so long."""

    def __init__(
        self,
        *,
        warm_up_seconds: float = 0.0,
        seconds: float | None = None,
        on_time_up: Callable[[], None] = lambda: None,
    ) -> None:
        """Begin at the first `advance`, or at the first that comes so long after it.

        Args:
            warm_up_seconds: Not counted; random play advances before anything is warm.
            seconds: After so long `on_time_up` is called.
            on_time_up: Ends the session.
        """
        self._warm_up = warm_up_seconds
        self._limit = seconds
        self._first: float | None = None
        self._on_time_up = on_time_up
        self._began: tuple[float, float, int] | None = None
        self._ended: tuple[float, float, int] | None = None

    def advance(self, env_steps: int) -> None:
        """Note that the run has come to so many env steps."""
        now = time.perf_counter()
        self._ended = now, time.process_time(), env_steps
        if self._first is None:
            self._first = now
        if self._began is None:
            self._began = self._ended if now - self._first >= self._warm_up else None
        elif self._limit is not None and now - self._began[0] >= self._limit:
            self._on_time_up()

    @property
    def env_steps(self) -> int:
        """Env steps that were timed."""
        return self._span[2]

    @property
    def wall_seconds(self) -> float:
        """Time they took."""
        return self._span[0]

    @property
    def cpu_seconds(self) -> float:
        """Processor time of this process meanwhile, all threads together."""
        return self._span[1]

    @property
    def steps_per_second(self) -> float:
        """Env steps by time; 0 if the session had only one moment to look at."""
        return self.env_steps / self.wall_seconds if self.wall_seconds > 0.0 else 0.0

    @property
    def _span(self) -> tuple[float, float, int]:
        if self._began is None or self._ended is None:
            return 0.0, 0.0, 0
        (wall, cpu, steps), (wall_end, cpu_end, steps_end) = self._began, self._ended
        return wall_end - wall, cpu_end - cpu, steps_end - steps
