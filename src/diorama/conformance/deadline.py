"""A limit in seconds for calls into code that may never return."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Overdue(Exception):
    """Code did not return in time; the traceback says where it was."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise `Overdue` in the block when it takes longer; no limit where signals cannot interrupt it.

    Only the main thread of a POSIX system is interrupted, and native code only when it returns.
    """
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise Overdue(f"did not return within {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, interrupt)
    left_before, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, left_before)  # a limit around this one goes on
