"""`Worker`: a thread that brings what waits in an outbox to its transport."""

from collections.abc import Sequence
from threading import Event, Thread
from time import perf_counter
from typing import Final

from diorama.contracts.errors import StorageError
from diorama.contracts.live.settings.telemetry import Retry
from diorama.contracts.values import JsonObject
from diorama.telemetry.live.breaker import Breaker, BreakerState
from diorama.telemetry.live.outbox import Packet
from diorama.telemetry.live.plain_values import rounded
from diorama.telemetry.live.transport_outbox import TransportOutbox
from diorama.telemetry.live.transports.protocol import Transport, TransportError

MAX_RESTARTS: Final = 3


class Worker:
    """Sends, tries again, waits while the breaker is open; restarts when it dies, a few times.

    Nothing here ever reaches the world's thread but counters.
    """

    def __init__(self, transport: Transport, outbox: TransportOutbox, retry: Retry, max_batch: int) -> None:
        """Start the thread."""
        self._transport = transport
        self._outbox = outbox
        self.retry = retry
        self.max_batch = max_batch
        self._breaker = Breaker()
        self._stopping = Event()
        self._restarts = 0
        self._messages_sent = 0
        self._bytes_sent = 0
        self._flush_ms = 0.0
        self._last_error: str | None = None
        self._in_hand: Sequence[Packet] = ()
        self._thread = Thread(target=self._live, name=f"telemetry-{transport.name}", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """Of the transport."""
        return self._transport.name

    @property
    def outbox(self) -> TransportOutbox:
        """What it empties."""
        return self._outbox

    @property
    def is_broken(self) -> bool:
        """Whether nothing is being sent because the transport failed."""
        return self._breaker.state is not BreakerState.CLOSED or not self._thread.is_alive()

    def health(self) -> JsonObject:
        """How it fares."""
        losses = self._outbox.losses
        return {
            "queue_length": self._outbox.depth,
            "queue_bytes": self._outbox.queued_bytes,
            "messages_sent": self._messages_sent,
            "bytes_sent": self._bytes_sent,
            "dropped": losses.messages,
            "narrations_dropped": losses.narrations,
            "events_dropped": dict(losses.events),
            "breaker": self._breaker.state.value if self._thread.is_alive() else "dead",
            "breaker_opened": self._breaker.times_opened,
            "restarts": self._restarts,
            "flush_ms": rounded(self._flush_ms),
            "last_error": self._last_error,
        }

    def stop(self) -> None:
        """Send what waits, without waiting for anybody to recover, and end."""
        self._outbox.close()
        self._stopping.set()

    def join(self, timeout_s: float) -> None:
        """Wait for the end; whoever is stuck in a transport is left behind."""
        self._thread.join(timeout_s)

    def _live(self) -> None:
        while True:
            try:
                self._work()
            except Exception as error:  # whatever a transport raises unforeseen, the others and the world go on
                self._note(error)
                self._outbox.lose(self._in_hand)
                self._in_hand = ()
                self._transport.close()
                if self._restarts == MAX_RESTARTS or self._stopping.is_set():
                    self._outbox.cut()
                    return
                self._restarts += 1
            else:
                self._transport.close()
                return

    def _work(self) -> None:
        while packets := self._outbox.take(self.max_batch, None):
            if self._deliver(packets):
                continue
            if not self._pause():
                return

    def _deliver(self, packets: Sequence[Packet]) -> bool:
        """Send, and try again as often as the settings say; a breaker that is half open allows one attempt."""
        retries = 0 if self._breaker.state is BreakerState.HALF_OPEN else self.retry.max_attempts
        for attempt in range(retries + 1):
            if self._try_to_send(packets):
                self._breaker.close()
                return True
            if attempt < retries:
                self._stopping.wait(self.retry.backoff_seconds * 2**attempt)
                packets = self._again(packets)
        self._outbox.lose(packets)
        return False

    def _try_to_send(self, packets: Sequence[Packet]) -> bool:
        began = perf_counter()
        self._in_hand = packets
        try:
            self._transport.send([packet.data for packet in packets])
        except (OSError, StorageError, TransportError) as error:
            self._in_hand = ()
            self._note(error)
            return False
        self._in_hand = ()
        self._flush_ms = 1000.0 * (perf_counter() - began)
        self._messages_sent += len(packets)
        self._bytes_sent += sum(len(packet.data) for packet in packets)
        return True

    def _again(self, packets: Sequence[Packet]) -> Sequence[Packet]:
        """What to send after a failure: the same, or a snapshot where the other side begins anew."""
        if not self._transport.begins_anew and all(map(self._outbox.is_current, packets)):
            return packets
        self._outbox.lose(packets)
        return self._outbox.take(self.max_batch, 0.0)

    def _pause(self) -> bool:
        """Wait while the breaker is open; False when there is no time left for that."""
        self._breaker.trip(self.retry.breaker_open_seconds)
        self._outbox.cut()
        if self._stopping.wait(self._breaker.remaining_s):
            return False
        self._outbox.mend()
        return True

    def _note(self, error: Exception) -> None:
        self._last_error = f"{type(error).__name__}: {error}"
