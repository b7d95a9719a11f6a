"""A stream that stands before the stream of a world."""

from diorama.worlds.morphogenesis.contracts.events import Severity, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.engine.event_stream import EventSink, EventStream
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld


class RelayStream(EventStream):
    """Hands everything on to the stream whose place it has taken."""

    def __init__(self, world: MorphogenesisWorld) -> None:
        """Take the place of a world's stream."""
        super().__init__()
        self._inner = world.nursery.events
        self._world = world
        self.step_events = self._inner.step_events
        world.nursery.events = self

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
        """Hand an event on."""
        self._inner.emit(
            kind, data, row=row, epoch=epoch, seed_id=seed_id, slot_id=slot_id, message=message, severity=severity
        )

    def listen(self, sink: EventSink) -> None:
        """Hand events on to one more sink from now on."""
        self._inner.listen(sink)

    def begin_step(self) -> None:
        """Forget what happened before, and let go of what was held back."""
        self._inner.begin_step()

    def hold(self) -> None:
        """Keep events of envs back from now on."""
        self._inner.hold()

    def release(self) -> None:
        """Hand on what was held back."""
        self._inner.release()
