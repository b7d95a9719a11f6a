"""`RateLimit`: so many commands a minute, for everybody on their own."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from enum import Enum, auto
from threading import Lock
from typing import Final

WINDOW_SECONDS: Final = 60.0
_KEYS: Final = 4096  # whoever was silent for longest is forgotten first


class Verdict(Enum):
    """What becomes of a command: `STOPPED` is the first that is refused in a row, `REFUSED` all after it."""

    ALLOWED = auto()
    STOPPED = auto()
    REFUSED = auto()


class RateLimit:
    """Remembers when everybody spoke during the last minute; used from any thread."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow so many commands in any 60 seconds."""
        self.per_minute = per_minute
        self._clock = clock
        self._spoken: OrderedDict[str, deque[float]] = OrderedDict()
        self._stopped: set[str] = set()
        self._lock = Lock()

    def take(self, key: str) -> Verdict:
        """Note a command of somebody and say whether it is still allowed."""
        now = self._clock()
        with self._lock:
            spoken = self._spoken.setdefault(key, deque())
            self._spoken.move_to_end(key)
            while len(self._spoken) > _KEYS:
                forgotten, _ = self._spoken.popitem(last=False)
                self._stopped.discard(forgotten)
            while spoken and spoken[0] <= now - WINDOW_SECONDS:
                spoken.popleft()
            if len(spoken) < self.per_minute:
                spoken.append(now)
                self._stopped.discard(key)
                return Verdict.ALLOWED
            verdict = Verdict.REFUSED if key in self._stopped else Verdict.STOPPED
            self._stopped.add(key)
            return verdict
