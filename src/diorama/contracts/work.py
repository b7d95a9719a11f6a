"""`checkpoint`: where work that may take long looks whether it is to go on; `Work` is what it looks at."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum

from diorama.contracts.errors import WorkStopped


class StopReason(Enum):
    """Why work is ended before it is done."""

    OUT_OF_TIME = "it took longer than {seconds:g} s"
    CLIENT_LEFT = "the client has left"
    SHUTDOWN = "the process is being stopped"


class Work:
    """Something that is done for a client: it has a deadline, and any thread may ask it to stop.

    Attributes:
        seconds: How long it may take, from its beginning on.
    """

    def __init__(self, seconds: float) -> None:
        """Describe work that has not begun."""
        self.seconds = seconds
        self._ends_at: float | None = None
        self._reason: StopReason | None = None

    @property
    def is_stopped(self) -> bool:
        """Whether it was asked to stop; a deadline that has passed shows at the next check."""
        return self._reason is not None

    def begin(self) -> None:
        """Count the time from now on."""
        self._ends_at = time.monotonic() + self.seconds

    def stop(self, reason: StopReason) -> None:
        """Ask it to stop at its next checkpoint; the first reason counts."""
        self._reason = self._reason or reason

    def check(self) -> None:
        """Go on, unless it is to stop.

        Raises:
            WorkStopped: With the reason.
        """
        if self._reason is None and self._ends_at is not None and time.monotonic() > self._ends_at:
            self._reason = StopReason.OUT_OF_TIME
        if self._reason is not None:
            why = self._reason.value.format(seconds=self.seconds)
            raise WorkStopped(f"ended before it was done: {why}", code=self._reason.name.lower(), seconds=self.seconds)


_CURRENT: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def working(work: Work) -> Iterator[None]:
    """Let the checkpoints of this thread look at some work while the block runs.

    Raises:
        WorkStopped: It is to stop before it has begun.
    """
    work.check()
    work.begin()
    before = _CURRENT.set(work)
    try:
        yield
    finally:
        _CURRENT.reset(before)


def checkpoint() -> None:
    """Go on, unless the work of this thread is to stop; without a deadline around it this does nothing.

    Loops that may run for seconds call it where nothing is half done. It never changes what comes out: work goes on as
    if it had not been called, or ends here.

    Raises:
        WorkStopped: With the reason.
    """
    work = _CURRENT.get()
    if work is not None:
        work.check()
