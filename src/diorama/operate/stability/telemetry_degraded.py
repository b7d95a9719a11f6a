"""`telemetry_degraded`: messages were dropped, or a transport gave up for a while."""

from collections import deque
from collections.abc import Mapping
from typing import Final

from diorama.contracts.live.stability import Alert, TickRecord
from diorama.contracts.values import JsonValue

WINDOW_TICKS: Final = 100


class TelemetryDegraded:
    """Raised while a tick of the last hundred lost something; every world has it."""

    name: Final = "telemetry_degraded"

    def __init__(self) -> None:
        """Begin with a healthy publisher."""
        self._bad_ticks: deque[int] = deque()
        self._dropped = 0.0

    def ingest(self, record: TickRecord) -> None:
        """Take note of a tick; the count of what was dropped only grows, but begins anew with every process."""
        dropped = _number(record.transport.get("dropped"))
        if dropped > self._dropped or record.transport.get("breaker_open") is True:
            self._bad_ticks.append(record.tick)
        self._dropped = dropped
        while self._bad_ticks and self._bad_ticks[0] <= record.tick - WINDOW_TICKS:
            self._bad_ticks.popleft()

    def alert(self) -> Alert | None:
        """What is wrong now."""
        return Alert(value=float(len(self._bad_ticks)), threshold=0.0) if self._bad_ticks else None

    def metrics(self) -> Mapping[str, float]:
        """Ticks of the window in which something was lost."""
        return {"bad_ticks": float(len(self._bad_ticks)), "window_ticks": float(WINDOW_TICKS)}

    def export(self) -> JsonValue:
        """The ticks in which something was lost."""
        return list(self._bad_ticks)

    def load(self, state: JsonValue) -> None:
        """Take over what `export` returned.

        Raises:
            ValueError: It is not a list of ticks.
        """
        if not isinstance(state, list) or not all(isinstance(tick, int) for tick in state):
            raise ValueError(f"{state!r} is not a list of ticks")
        self._bad_ticks = deque(state)
        self._dropped = 0.0


def _number(value: JsonValue) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
