"""`OrderQueue`: what waits for its turn, in the order of arrival."""

from collections import deque
from threading import Lock

from diorama.contracts.live.refusals import CommandError
from diorama.operate.console.orders import Order


class OrderQueue:
    """Filled from any thread, emptied by the one that runs the world."""

    def __init__(self, limit: int) -> None:
        """Let so many wait."""
        self.limit = limit
        self._waiting: deque[Order] = deque()
        self._current: Order | None = None
        self._is_closed = False
        self._lock = Lock()

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def add(self, order: Order) -> CommandError | None:
        """Let an order wait; returns why it cannot."""
        with self._lock:
            if self._is_closed:
                return CommandError("conflict", "stopping", "the world is being stopped")
            if len(self._waiting) >= self.limit:
                return CommandError("rate_limited", "queue_full", f"{self.limit} commands wait already; try later")
            self._waiting.append(order)
        return None

    def take(self) -> Order | None:
        """Take the next, which counts as waiting until `take` is called again; None if nothing waits."""
        with self._lock:
            self._current = self._waiting.popleft() if self._waiting else None
            return self._current

    def holds(self, issuer: str, cmd_id: str) -> bool:
        """Whether a command has no answer yet."""
        with self._lock:
            orders = [*self._waiting, *([] if self._current is None else [self._current])]
        return any(order.envelope.cmd_id == cmd_id and order.caller.issuer == issuer for order in orders)

    def close(self) -> list[Order]:
        """Take no more, and return what waits in vain."""
        with self._lock:
            self._is_closed = True
            left = list(self._waiting)
            self._waiting.clear()
        return left
