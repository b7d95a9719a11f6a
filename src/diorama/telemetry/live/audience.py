"""`Audience`: everybody who is told: transports with their threads, and those who subscribed."""

from collections import Counter
from collections.abc import Sequence
from threading import Lock
from time import monotonic
from typing import Final

from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.values import JsonObject, JsonValue
from diorama.telemetry.live.feed import Feed
from diorama.telemetry.live.moments import SCENE, Blocks, Moment
from diorama.telemetry.live.privacy import Privacy
from diorama.telemetry.live.subscription import Subscription
from diorama.telemetry.live.transport_outbox import TransportOutbox
from diorama.telemetry.live.transports.protocol import Transport
from diorama.telemetry.live.worker import Worker

CLOSING_SECONDS: Final = 2.0
"""For all transports together, to send what waits when the world stops."""


class Audience:
    """Hands every moment to everybody; any thread may come and go.

    Telling costs the world's thread the same for one spectator and for a thousand.
    """

    def __init__(self, transports: Sequence[Transport], settings: Telemetry) -> None:
        """Start a thread for each transport."""
        self.feed = Feed()
        self._lock = Lock()  # between those who come and go; the world's thread only reads what they leave
        self._subscriptions: set[Subscription] = set()
        self._wants_scene = False
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
        return self._wants_scene

    def apply_settings(self, settings: Telemetry) -> None:
        """Use other bounds and retries from now on."""
        for worker in self._workers:
            worker.retry = settings.retry
            worker.max_batch = settings.buffer.max_batch_size
            worker.outbox.set_bounds(settings.buffer, settings.backpressure)

    def add(self, blocks: Blocks) -> Subscription:
        """Let somebody in; they begin with where the world is, or with the next moment."""
        newcomer = Subscription(self.feed, blocks, self._count)
        self._count(newcomer)
        return newcomer

    def tell(self, moment: Moment) -> None:
        """Hand a moment to everybody."""
        for worker in self._workers:
            worker.outbox.offer(moment)
        self.feed.add(moment)

    def forget(self) -> None:
        """Let newcomers wait for the next moment: the last one is out of date."""
        self.feed.forget()

    def reword(self, moment: Moment, privacy: Privacy) -> None:
        """Let nothing leave any more in the old words; those who are here begin anew with the moment."""
        for worker in self._workers:
            worker.outbox.reword(moment, privacy)
        self.feed.reword(moment, privacy)

    def losses(self) -> dict[str, JsonValue]:
        """What goes wrong, and nothing else: asked for with every tick."""
        return {
            "dropped": sum(worker.outbox.losses.messages for worker in self._workers),
            "breaker_open": any(worker.is_broken for worker in self._workers),
        }

    def health(self) -> dict[str, JsonValue]:
        """How everybody fares, added up and one by one."""
        parts: dict[str, JsonObject] = {worker.name: worker.health() for worker in self._workers}
        events_dropped: Counter[str] = Counter()
        for worker in self._workers:
            events_dropped.update(worker.outbox.losses.events)
        errors = [part["last_error"] for part in parts.values() if part["last_error"] is not None]
        return {
            **self.losses(),
            "queue_length": sum(worker.outbox.depth for worker in self._workers),
            "queue_bytes": sum(worker.outbox.queued_bytes for worker in self._workers),
            "events_dropped": dict(events_dropped),
            "last_error": errors[-1] if errors else None,
            "spectators": len(self._subscriptions),
            "spectators_overflowed": self._overflows,
            "transports": parts,
        }

    def close(self) -> None:
        """Send what waits for a while, end the threads, and let spectators read what is left."""
        deadline = monotonic() + CLOSING_SECONDS
        self.feed.close()
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.join(max(0.0, deadline - monotonic()))

    def _count(self, follower: Subscription) -> None:
        """Take note of who is there and what they want; a subscription calls this when it changes."""
        with self._lock:
            if not follower.is_let_go:
                self._subscriptions.add(follower)
            elif follower in self._subscriptions:
                self._subscriptions.remove(follower)
                self._overflows += follower.overflowed
            self._wants_scene = any(SCENE in (one.blocks or ()) for one in self._subscriptions)
