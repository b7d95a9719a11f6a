"""Turns an interrupt into a request to stop after the current update."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stop_on_interrupt() -> Iterator[Event]:
    """Yield an event that the first interrupt or termination sets; the second raises `KeyboardInterrupt`.

    Python handles signals in the main thread only; in others, only the caller sets the event.
    """
    stop = Event()

    def request(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, request) for number in _SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
