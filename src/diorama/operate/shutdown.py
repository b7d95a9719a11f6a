"""`ShutdownDeadline`: ends a process in time after a signal, whatever still hangs in it."""

import atexit
import faulthandler
import logging
import os
import sys
import threading
from typing import Final, NoReturn

ABANDONED: Final = 3
"""Exit code of a process whose last work was abandoned."""

DEFAULT_SECONDS: Final = 10.0
_LAST_RESORT_SECONDS: Final = 2.0

_begun: Final = threading.Event()
_log: Final = logging.getLogger(__name__)


class ShutdownDeadline:
    """Ends the process so many seconds after `begin`, unless it has ended by then.

    Nothing is lost by it that a kill would not lose: files are replaced whole, and what was answered is in a log.
    """

    def __init__(self, seconds: float) -> None:
        """Wait for nothing yet."""
        self.seconds = seconds
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def begin(self) -> None:
        """Count from now on; from any thread, and again without effect."""
        _begun.set()
        with self._lock:
            if self._timer is not None:
                return
            self._timer = threading.Timer(self.seconds, self._abandon)
            # The interpreter waits for threads that are no daemons before it ends, and so outlives its own end.
            self._timer.daemon = True
            self._timer.start()
        # Native code that does not let any thread run is ended by a thread that needs no interpreter; exit code 1.
        faulthandler.dump_traceback_later(self.seconds + _LAST_RESORT_SECONDS, exit=True)

    def cancel(self) -> None:
        """Count no more: the work has ended. `leave` looks after threads that would keep the process."""
        with self._lock:
            if self._timer is None:
                return
            self._timer.cancel()
            self._timer = None
        faulthandler.cancel_dump_traceback_later()

    def _abandon(self) -> None:
        _log.error(
            "the shutdown took more than %g s: what still runs is abandoned (%s), exit code %d",
            self.seconds,
            ", ".join(working_threads()) or "no thread",
            ABANDONED,
        )
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(ABANDONED)


def leave(code: int) -> NoReturn:
    """End the process with a code; one that was told to end does not wait for threads that are left.

    The interpreter waits for every thread that is no daemon; once the work of the process has ended, no one needs them.
    """
    main = threading.main_thread()
    left = [thread for thread in threading.enumerate() if thread is not main and not thread.daemon]
    if _begun.is_set() and left:
        ShutdownDeadline(DEFAULT_SECONDS).begin()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)
    sys.exit(code)


def working_threads() -> list[str]:
    """Return the threads that run, each with the function it is in, for people."""
    frames = sys._current_frames()
    own = threading.get_ident()
    found = []
    for thread in threading.enumerate():
        frame = frames.get(thread.ident or 0)
        if thread.ident == own or frame is None:
            continue
        found.append(f"{thread.name} in {frame.f_code.co_qualname}")
    return found
