"""`Outbox`: messages that wait for one receiver, bounded in bytes."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Condition

from diorama.contracts.live.events import Priority
from diorama.telemetry.live.backlog import Backlog
from diorama.telemetry.live.event_lines import ToldEvent
from diorama.telemetry.live.moments import EVERYTHING, Kind, Moment
from diorama.telemetry.live.privacy import Privacy


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """An encoded message.

    Attributes:
        kept: Its events that must be told again if it does not arrive.
        edition: Which words were in use; after people were given aliases, nothing of an older edition may leave.
    """

    data: bytes
    kept: tuple[ToldEvent, ...]
    edition: int


class Outbox(ABC):
    """Messages for one receiver; the world's thread offers, one other thread takes.

    Moments are queued one by one while the receiver keeps up, and folded into a backlog while it does not; the
    backlog becomes one message when the queue is empty. A receiver that knows nothing, because it is new or because
    something was dropped, has a backlog without a base: its next message is a snapshot.
    """

    def __init__(self) -> None:
        """Begin with nothing to tell."""
        self._changed = Condition()
        self._queue: deque[Packet] = deque()
        self._queued_bytes = 0
        self._base: Moment | None = None
        self._latest: Moment | None = None
        self._backlog: Backlog | None = None
        self._edition = 0
        self._is_due = False
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Whether nothing will come any more."""
        return self._is_closed

    @property
    def depth(self) -> int:
        """Messages that wait, a backlog counted as one."""
        return len(self._queue) + (self._backlog is not None)

    @property
    def queued_bytes(self) -> int:
        """Bytes of encoded messages that wait."""
        return self._queued_bytes

    def offer(self, moment: Moment) -> None:
        """Have a moment told; returns at once, except where a subclass is meant to wait."""
        with self._changed:
            if self._is_closed:
                return
            if moment.kind is Kind.HEARTBEAT:
                self._offer_heartbeat(moment)
                return
            self._prepare(moment)
            if self._is_in_step(moment) and self._has_room(moment):
                self._push(moment)
            else:
                self._fold(moment)
            self._latest = moment
            self._announce(is_due=self._should_flush())

    def take(self, limit: int, timeout_s: float | None) -> list[Packet]:
        """Wait for messages and take up to `limit` of them; none when the time is up or the outbox is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._is_ready(), timeout_s)
            taken = [self._queue.popleft() for _ in range(min(limit, len(self._queue)))]
            self._queued_bytes -= sum(len(packet.data) for packet in taken)
            backlog, edition = (None if taken else self._backlog), self._edition
            if backlog is not None:
                self._base, self._backlog = backlog.latest, None
            self._is_due = self._is_due and self.depth > 0
            self._changed.notify_all()  # a world that waits for room
        if backlog is None:
            return taken
        # Encoded after the lock is released: the world's thread must not wait for it.
        return [Packet(data=backlog.encode(EVERYTHING), kept=backlog.kept, edition=edition)]

    def is_current(self, packet: Packet) -> bool:
        """Whether a message that was taken may still leave."""
        return packet.edition == self._edition

    def reword(self, moment: Moment, privacy: Privacy) -> None:
        """Let nothing leave in the old words: tell the moment from scratch, and what else waits in the new ones."""
        with self._changed:
            if self._latest is None:
                return
            self._latest = moment
            self._start_over()
            self._edition += 1
            if self._backlog is not None:
                self._backlog.reword(moment, privacy)
            self._announce(is_due=True)

    def close(self) -> None:
        """Take nothing more; what is queued can still be taken."""
        with self._changed:
            self._is_closed = True
            self._announce(is_due=True)

    @abstractmethod
    def _prepare(self, moment: Moment) -> None:
        """Do what must precede an offer."""

    @abstractmethod
    def _has_room(self, moment: Moment) -> bool:
        """Whether a moment may be queued as a message of its own."""

    @abstractmethod
    def _relieve(self, backlog: Backlog, moment: Moment) -> None:
        """See to it that a backlog which has just grown stays within bounds."""

    def _should_flush(self) -> bool:
        return True

    def _is_in_step(self, moment: Moment) -> bool:
        if self._backlog is not None:
            return False
        return moment.kind is Kind.SNAPSHOT or (self._base is not None and self._base.seq == moment.seq - 1)

    def _is_ready(self) -> bool:
        return self._is_due and self.depth > 0

    def _push(self, moment: Moment) -> None:
        kept = tuple(event for event in moment.news.events if event.priority is Priority.P0)
        packet = Packet(data=moment.encoded(EVERYTHING), kept=kept, edition=self._edition)
        self._queue.append(packet)
        self._queued_bytes += len(packet.data)
        self._base = moment

    def _fold(self, moment: Moment) -> None:
        if self._backlog is None:
            self._backlog = Backlog(self._base, moment)
        self._backlog.add(moment.news, moment, begins_anew=moment.kind is Kind.SNAPSHOT)
        self._relieve(self._backlog, moment)

    def _offer_heartbeat(self, moment: Moment) -> None:
        # Whoever is behind has something to read anyway.
        if self.depth == 0 and self._is_in_step(moment):
            self._push(moment)
            self._latest = moment
        self._announce(is_due=True)

    def _start_over(self, lost: Sequence[Packet] = ()) -> int:
        """Forget what waits, keep its most important events, and make the next message a snapshot."""
        gone = [*lost, *self._queue]
        self._queue.clear()
        self._queued_bytes = 0
        self._base = None
        if self._backlog is None and self._latest is not None:
            self._backlog = Backlog(None, self._latest)
        if self._backlog is not None:
            self._backlog.base = None
            self._backlog.give_back([event for packet in gone if self.is_current(packet) for event in packet.kept])
        return len(gone)

    def _announce(self, *, is_due: bool) -> None:
        self._is_due = self._is_due or is_due
        if self._is_closed or self._is_ready():
            self._changed.notify_all()
