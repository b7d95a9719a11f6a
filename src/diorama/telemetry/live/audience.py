"""`Audience`: everybody who is told: transports with their threads, and those who subscribed."""

from collections import Counter
from collections.abc import Sequence
from threading import Lock
from time import monotonic
from typing import Final

from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.values import JsonObject, JsonValue
from diorama.telemetry.live.moments import SCENE, Blocks, Moment
from diorama.telemetry.live.outbox import Outbox
from diorama.telemetry.live.privacy import Privacy
from diorama.telemetry.live.subscription import Subscription
from diorama.telemetry.live.transport_outbox import TransportOutbox
from diorama.telemetry.live.transports.protocol import Transport
from diorama.telemetry.live.worker import Worker

CLOSING_SECONDS: Final = 2.0
"""For all transports together, to send what waits when the world stops."""


class Audience:
    """Hands every moment to everybody; any thread may come and go."""

    def __init__(self, transports: Sequence[Transport], settings: Telemetry) -> None:
        """Start a thread for each transport."""
        self._lock = Lock()
        self._now: Moment | None = None
        self._subscriptions: tuple[Subscription, ...] = ()
        self._overflows = 0
        self._workers = tuple(
            Worker(
                transport,
                TransportOutbox(settings.buffer, settings.backpressure),
                settings.retry,
                settings.buffer.max_batch_size,
            )
            for transport in transports
        )

    @property
    def is_there(self) -> bool:
        """Whether anybody listens."""
        return bool(self._workers or self._subscriptions)

    @property
    def wants_scene(self) -> bool:
        """Whether anybody asked for the picture of the world."""
        return any(follower.blocks is not None and SCENE in follower.blocks for follower in self._subscriptions)

    def apply_settings(self, settings: Telemetry) -> None:
        """Use other bounds and retries from now on."""
        for worker in self._workers:
            worker.retry = settings.retry
            worker.max_batch = settings.buffer.max_batch_size
            worker.outbox.set_bounds(settings.buffer, settings.backpressure)

    def add(self, blocks: Blocks) -> Subscription:
        """Let somebody in; they begin with where the world is, or with the next moment."""
        newcomer = Subscription(blocks, self._remove_closed)
        with self._lock:
            if self._now is not None:
                newcomer.begin(self._now)
            self._subscriptions += (newcomer,)
        return newcomer

    def tell(self, moment: Moment) -> None:
        """Hand a moment to everybody."""
        for outbox in self._noted(moment):
            outbox.offer(moment)
        if any(follower.is_closed for follower in self._subscriptions):
            self._remove_closed()

    def forget(self) -> None:
        """Let newcomers wait for the next moment: the last one is out of date."""
        with self._lock:
            self._now = None

    def reword(self, moment: Moment, privacy: Privacy) -> None:
        """Let nothing leave any more in the old words; those who are here begin anew with the moment."""
        for outbox in self._noted(moment):
            outbox.reword(moment, privacy)

    def health(self) -> dict[str, JsonValue]:
        """How everybody fares, added up and one by one."""
        parts: dict[str, JsonObject] = {worker.name: worker.health() for worker in self._workers}
        events_dropped: Counter[str] = Counter()
        for worker in self._workers:
            events_dropped.update(worker.outbox.losses.events)
        errors = [part["last_error"] for part in parts.values() if part["last_error"] is not None]
        return {
            "dropped": sum(worker.outbox.losses.messages for worker in self._workers),
            "breaker_open": any(worker.is_broken for worker in self._workers),
            "queue_length": sum(worker.outbox.depth for worker in self._workers),
            "queue_bytes": sum(worker.outbox.queued_bytes for worker in self._workers),
            "events_dropped": dict(events_dropped),
            "last_error": errors[-1] if errors else None,
            "spectators": len(self._subscriptions),
            "spectators_overflowed": self._overflows,
            "transports": parts,
        }

    def close(self) -> None:
        """Send what waits for a while, end the threads, and let everybody go."""
        deadline = monotonic() + CLOSING_SECONDS
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.join(max(0.0, deadline - monotonic()))
        for subscription in self._subscriptions:
            subscription.close()

    def _noted(self, moment: Moment) -> tuple[Outbox, ...]:
        # Whoever comes after this line begins with the moment, whoever came before is offered it.
        with self._lock:
            self._now = moment
            return (*(worker.outbox for worker in self._workers), *self._subscriptions)

    def _remove_closed(self) -> None:
        with self._lock:
            gone = [follower for follower in self._subscriptions if follower.is_closed]
            self._overflows += sum(follower.overflowed for follower in gone)
            self._subscriptions = tuple(follower for follower in self._subscriptions if not follower.is_closed)
