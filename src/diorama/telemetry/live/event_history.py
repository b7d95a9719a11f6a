"""`EventHistory`: the events of the last while, for those who follow events alone."""

import asyncio
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from diorama.contracts.values import JsonObject
from diorama.telemetry.live.bell import Bell
from diorama.telemetry.live.event_lines import ToldEvent
from diorama.telemetry.live.merge_patch import JsonDict

KEPT_BYTES: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class EventBatch:
    """The events of one message."""

    seq: int
    tick: int
    events: tuple[JsonDict, ...]
    size_bytes: int


class EventHistory:
    """Batches of events in order of their `seq`, bounded in bytes; followers read it at their own pace.

    Whoever reads looks a batch up quickly, however far back: the world's thread needs the same lock.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = Lock()
        self._batches: deque[EventBatch] = deque()
        self._size_bytes = 0
        self._is_closed = False
        self.bell = Bell()
        self.first_seq = 0
        self.next_seq = 0

    @property
    def is_closed(self) -> bool:
        """Whether nothing will be added any more."""
        return self._is_closed

    def add(self, seq: int, tick: int, events: Sequence[ToldEvent]) -> None:
        """Note what a message told, even where that is nothing."""
        self.next_seq = seq + 1
        if not events:
            return
        size_bytes = sum(event.size_bytes for event in events)
        lines = tuple(event.line for event in events)
        with self._lock:
            self._batches.append(EventBatch(seq=seq, tick=tick, events=lines, size_bytes=size_bytes))
            self._size_bytes += size_bytes
            while self._size_bytes > KEPT_BYTES and len(self._batches) > 1:
                oldest = self._batches.popleft()
                self._size_bytes -= oldest.size_bytes
                self.first_seq = oldest.seq + 1
        self.bell.ring()

    def forget(self) -> None:
        """Drop everything, so that followers see a gap."""
        with self._lock:
            self._batches.clear()
            self._size_bytes = 0
            self.first_seq = self.next_seq

    def close(self) -> None:
        """Let the followers end."""
        self._is_closed = True
        self.bell.ring()

    def since(self, seq: int) -> tuple[int, EventBatch | None]:
        """The first `seq` that is kept, and the first batch from a `seq` on; None if there is none yet."""
        with self._lock:
            place = bisect_left(self._batches, seq, key=_seq_of)
            return self.first_seq, self._batches[place] if place < len(self._batches) else None

    def has_news(self, seq: int) -> bool:
        """Whether there is a batch from a `seq` on, or that was forgotten, or all is over."""
        first_seq, batch = self.since(seq)
        return self._is_closed or seq < first_seq or batch is not None


def _seq_of(batch: EventBatch) -> int:
    return batch.seq


class EventFollower:
    """Reads the events of a history one batch after another; says so where some are gone."""

    def __init__(self, history: EventHistory, since_seq: int | None) -> None:
        """Begin at a `seq`; None for whatever comes next."""
        self._history = history
        self._next_seq = history.next_seq if since_seq is None else since_seq

    @property
    def is_closed(self) -> bool:
        """Whether the world has stopped telling."""
        return self._history.is_closed

    def next(self, timeout_s: float | None = None) -> JsonObject | None:
        """Wait for the next batch: `{type: events, seq, tick, events}` or `{type: gap, from_seq, to_seq}`.

        Returns:
            None when the time is up or the world has stopped telling.
        """
        self._history.bell.wait_in_thread(self._has_news, timeout_s)
        return self._read()

    async def receive(self) -> JsonObject | None:
        """Like `next`, without a limit and without holding a thread."""
        while (told := self._read()) is None and not self._history.is_closed:
            await self._history.bell.wait(self._has_news, asyncio.Event())
        return told

    def _has_news(self) -> bool:
        return self._history.has_news(self._next_seq)

    def _read(self) -> JsonObject | None:
        first_seq, batch = self._history.since(self._next_seq)
        if self._next_seq < first_seq:
            gap: JsonObject = {"type": "gap", "from_seq": self._next_seq, "to_seq": first_seq - 1}
            self._next_seq = first_seq
            return gap
        if batch is None:
            return None
        self._next_seq = batch.seq + 1
        return {"type": "events", "seq": batch.seq, "tick": batch.tick, "events": batch.events}
