"""Hands every event to every sink, and keeps a sink that fails away from training."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from diorama.telemetry.events import Event, RunStarted
from diorama.telemetry.sinks import Sink

FAILURES_IN_A_ROW: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkHealth:
    """How a sink fared.

    Attributes:
        name: The sink's.
        delivered: Events it took.
        lost: Events it did not take, those after it was switched off included.
        first_failure: `Type: message` of its first failure.
        off_reason: Why it was switched off; None while it is on.
    """

    name: str
    delivered: int
    lost: int
    first_failure: str | None
    off_reason: str | None

    @property
    def is_healthy(self) -> bool:
        """Whether it never failed."""
        return self.first_failure is None

    def __str__(self) -> str:
        """Tell it in one line."""
        counts = f"telemetry sink {self.name!r}: {self.delivered} events delivered, {self.lost} lost"
        if self.off_reason is not None:
            return f"{counts}; switched off: {self.off_reason}"
        return counts if self.first_failure is None else f"{counts}; first failure: {self.first_failure}"


@dataclass(slots=True)
class _Line:
    sink: Sink
    delivered: int = 0
    lost: int = 0
    failures_in_a_row: int = 0
    first_failure: str | None = None
    off_reason: str | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.sink.name

    def health(self) -> SinkHealth:
        return SinkHealth(
            name=self.name,
            delivered=self.delivered,
            lost=self.lost,
            first_failure=self.first_failure,
            off_reason=self.off_reason,
        )


class TelemetryHub:
    """Fans events out to sinks, in their order, on the caller's thread."""

    def __init__(
        self, sinks: Sequence[Sink], *, tell: Callable[[str], None], failures_in_a_row: int = FAILURES_IN_A_ROW
    ) -> None:
        """Take over the sinks.

        Args:
            sinks: Closed by `close`.
            tell: Shows a person one line; called once per failing sink.
            failures_in_a_row: After so many a sink is switched off.
        """
        self._lines = [_Line(sink) for sink in sinks]
        self._tell = tell
        self._failures_in_a_row = failures_in_a_row

    def publish(self, event: Event) -> None:
        """Hand an event to every sink that is on; a sink that raises loses this event and nothing else happens."""
        for line in self._lines:
            if line.off_reason is not None:
                line.lost += 1
                continue
            try:
                line.sink.receive(event)
            except Exception as error:  # whatever a sink or its library raises, training must go on
                line.lost += 1
                self._note_failure(line, error, can_recover=not isinstance(event, RunStarted))
            else:
                line.delivered += 1
                line.failures_in_a_row = 0

    def close(self) -> tuple[SinkHealth, ...]:
        """Close every sink and return how each fared, in their order."""
        for line in self._lines:
            try:
                line.sink.close()
            except Exception as error:  # the run has ended; the next sink must still be closed
                self._note_failure(line, error, can_recover=True)
        return self.health

    @property
    def health(self) -> tuple[SinkHealth, ...]:
        """How each sink fares, in their order."""
        return tuple(line.health() for line in self._lines)

    def _note_failure(self, line: _Line, error: Exception, *, can_recover: bool) -> None:
        cause = f"{type(error).__name__}: {error}"
        line.failures_in_a_row += 1
        if not can_recover:
            line.off_reason = f"it could not start ({cause})"
        elif line.failures_in_a_row >= self._failures_in_a_row:
            line.off_reason = f"{line.failures_in_a_row} failures in a row, the last {cause}"
        if line.first_failure is None:
            line.first_failure = cause
            self._tell(f"telemetry sink {line.name!r} failed, training goes on: {cause}")
