"""`TransportOutbox`: what waits for a transport, and the stages of giving up on it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from diorama.contracts.live.settings.telemetry import Backpressure, Buffer
from diorama.telemetry.live.backlog import Backlog
from diorama.telemetry.live.moments import EVERYTHING, Moment
from diorama.telemetry.live.outbox import Outbox, Packet


@dataclass(slots=True)
class Losses:
    """What never arrived; only grows."""

    messages: int = 0
    narrations: int = 0
    events: Counter[str] = field(default_factory=Counter)


class TransportOutbox(Outbox):
    """Queues below `aggregate_at`, folds above, drops events from `drop_events_at` on, starts over when full.

    With the policy `block` the world waits for room instead, for a limited time, and nothing is folded before.
    While it is cut off because nobody listens, only P0 events are kept, as many as fit.
    """

    def __init__(self, buffer: Buffer, backpressure: Backpressure) -> None:
        """Begin empty, with bounds that can be changed later."""
        super().__init__()
        self._buffer = buffer
        self._backpressure = backpressure
        self._offers = 0
        self._is_cut = False
        self.losses = Losses()

    def set_bounds(self, buffer: Buffer, backpressure: Backpressure) -> None:
        """Use other bounds from now on."""
        with self._changed:
            self._buffer, self._backpressure = buffer, backpressure

    def lose(self, packets: Sequence[Packet]) -> None:
        """Note that messages did not arrive; whatever was queued behind them is of no use either."""
        with self._changed:
            self.losses.messages += self._start_over(packets)
            self._announce(is_due=True)

    def cut(self) -> None:
        """Keep nothing but P0 events until `mend`: nobody listens."""
        with self._changed:
            self._is_cut = True
            self.losses.messages += self._start_over()
            self._shed()
            self._changed.notify_all()

    def mend(self) -> None:
        """Begin to queue again, with a snapshot."""
        with self._changed:
            self._is_cut = False
            self._announce(is_due=True)

    def _prepare(self, moment: Moment) -> None:
        if self._is_cut:
            self.losses.messages += 1
        elif self._waits and not self._changed.wait_for(
            lambda: self._can_queue(moment) or self._is_cut or self._is_closed, self._backpressure.block_timeout_seconds
        ):
            self.losses.messages += self._start_over()

    def _has_room(self, moment: Moment) -> bool:
        if self._is_cut:
            return False
        return self._fits(moment) and (self._waits or self._fill < self._backpressure.aggregate_at)

    def _relieve(self, backlog: Backlog, moment: Moment) -> None:
        if self._is_cut or self._fill >= self._backpressure.drop_events_at:
            self._shed()
        if self._fill >= 1.0 or self._has_no_other_way:
            self.losses.messages += self._start_over()
        self.losses.events.update(backlog.trim(self._buffer.max_buffer_bytes))

    @property
    def _has_no_other_way(self) -> bool:
        # Where folding begins only when the queue is full, the queue is what has to go.
        return self._backpressure.aggregate_at >= 1.0 and len(self._queue) > 0

    @property
    def _fill(self) -> float:
        waiting = self._queued_bytes + (0 if self._backlog is None else self._backlog.event_bytes)
        return waiting / self._buffer.max_buffer_bytes

    @property
    def _waits(self) -> bool:
        return self._backpressure.policy == "block"

    def _can_queue(self, moment: Moment) -> bool:
        return self._backlog is None and (not self._queue or self._fits(moment))

    def _fits(self, moment: Moment) -> bool:
        return self._queued_bytes + len(moment.encoded(EVERYTHING)) <= self._buffer.max_buffer_bytes

    def _shed(self) -> None:
        if self._backlog is not None:
            self.losses.events.update(self._backlog.shed())
            self.losses.narrations += self._backlog.shed_narrations()

    def _should_flush(self) -> bool:
        self._offers += 1
        is_time = self._offers % self._buffer.flush_interval_ticks == 0
        return is_time or self._backlog is not None or self._fill >= self._backpressure.aggregate_at
