"""Numbers the events of a run and hands them on in order; what belongs to the next round can wait."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from diorama.worlds.morphogenesis.contracts.errors import ContractError
from diorama.worlds.morphogenesis.contracts.events import Severity, TelemetryEvent, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import UNKNOWN_ENV, LifecyclePayload

EventSink = Callable[[TelemetryEvent], None]
ID_DIGITS: Final = 12


class EventStream:
    """Where the events of a run leave the world.

    Attributes:
        step_events: What happened since `begin_step`, by env row; events of the whole run stand under None.
    """

    def __init__(self, *, run: str = "run", sinks: Sequence[EventSink] = (), group_id: str = "default") -> None:
        """Start counting at 1."""
        self.step_events: list[tuple[int | None, TelemetryEvent]] = []
        self._run = run
        self._sinks = tuple(sinks)
        self._group_id = group_id
        self._count = 0
        self._held: list[TelemetryEvent] | None = None

    def emit(
        self,
        kind: TelemetryEventType,
        data: Payload,
        *,
        row: int | None = None,
        epoch: int | None = None,
        seed_id: str | None = None,
        slot_id: str | None = None,
        message: str = "",
        severity: Severity = "info",
    ) -> None:
        """Number an event and hand it on; the event of an env is kept back while the stream is held.

        Raises:
            ContractError: The payload of a seed does not say whose env it is.
        """
        if isinstance(data, LifecyclePayload) and data.env_id == UNKNOWN_ENV:
            raise ContractError(f"{kind.name} of slot {data.slot_id} does not say which env it happened in")
        event = TelemetryEvent(
            event_id="",
            event_type=kind,
            timestamp=datetime.now(UTC),
            seed_id=seed_id,
            slot_id=slot_id,
            epoch=epoch,
            group_id=self._group_id,
            message=message,
            data=data,
            severity=severity,
        )
        if self._held is not None and row is not None:
            self._held.append(event)
            return
        self.step_events.append((row, event))
        self._hand_on(event)

    def listen(self, sink: EventSink) -> None:
        """Hand events on to one more sink from now on."""
        self._sinks = (*self._sinks, sink)

    def begin_step(self) -> None:
        """Forget what happened before, and let go of what was held back."""
        self.release()
        self.step_events.clear()

    def hold(self) -> None:
        """Keep events of envs back from now on: the round before theirs has not been closed yet."""
        self._held = []

    def release(self) -> None:
        """Hand on what was held back."""
        held, self._held = self._held or [], None
        for event in held:
            self._hand_on(event)

    def _hand_on(self, event: TelemetryEvent) -> None:
        # Numbered here and not where it was made, so that an event that had to wait does not stand out of order.
        self._count += 1
        numbered = replace(event, event_id=f"{self._run}-{self._count:0{ID_DIGITS}d}")
        for sink in self._sinks:
            sink(numbered)
