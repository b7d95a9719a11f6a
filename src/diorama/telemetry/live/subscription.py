"""`Subscription`: somebody who watches, with a queue of their own."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.telemetry.live.backlog import Backlog
from diorama.telemetry.live.moments import Blocks, Moment
from diorama.telemetry.live.outbox import Outbox

CAPACITY_BYTES: Final = 4 * 1024 * 1024
FOLD_FROM_BYTES: Final = 256 * 1024
"""Somebody slow is better served with fewer and newer messages than with a long queue of old ones."""


class SubscriptionClosed(DioramaError):
    """Nothing will come any more."""


class Subscription(Outbox):
    """Messages for one spectator, beginning with a snapshot.

    Whoever falls behind gets several ticks in one message; whoever is more than `CAPACITY_BYTES` behind is let go.
    """

    def __init__(self, blocks: Blocks, on_change: Callable[[], None]) -> None:
        """Begin empty; `on_change` is called when other blocks are chosen and when it is closed."""
        super().__init__(blocks)
        self._on_change = on_change
        self._behind_bytes = 0
        self._has_overflowed = False

    @property
    def overflowed(self) -> bool:
        """Whether it was closed because nobody read it."""
        return self._has_overflowed

    def next(self, timeout_s: float | None = None) -> bytes | None:
        """Wait for the next message; None when the time is up.

        Raises:
            SubscriptionClosed: There will be none.
        """
        packets = self.take(1, timeout_s)
        if packets:
            return packets[0].data
        if self._is_closed:
            raise SubscriptionClosed("the subscription is closed" + (": too slow" if self._has_overflowed else ""))
        return None

    async def receive(self) -> bytes:
        """Wait for the next message without holding a thread.

        Raises:
            SubscriptionClosed: There will be none.
        """
        while (message := self.next(0.0)) is None:
            has_news = asyncio.Event()
            self._call_when_ready(_setter(asyncio.get_running_loop(), has_news))
            await has_news.wait()
        return message

    def choose(self, blocks: Blocks) -> None:
        """Tell other blocks from now on, beginning with a snapshot."""
        with self._changed:
            self._blocks = blocks
        self.resync()
        self._on_change()

    def resync(self) -> None:
        """Have the next message be a snapshot."""
        with self._changed:
            self._start_over()
            self._behind_bytes = 0
            self._announce(is_due=True)

    def close(self) -> None:
        """Let go; nothing is told any more."""
        with self._changed:
            self._let_go()
        self._on_change()

    def _call_when_ready(self, wake: Callable[[], None]) -> None:
        with self._changed:
            if self._is_closed or self._is_ready():
                wake()
            else:
                self._wake = wake

    def _prepare(self, moment: Moment) -> None:
        """Nobody is waited for."""

    def _has_room(self, moment: Moment) -> bool:
        return self._queued_bytes < FOLD_FROM_BYTES

    def _fold(self, moment: Moment) -> None:
        if self._backlog is None:
            self._behind_bytes = 0
        super()._fold(moment)

    def _relieve(self, backlog: Backlog, moment: Moment) -> None:
        self._behind_bytes += len(moment.encoded(self._blocks))
        if self._queued_bytes + self._behind_bytes > CAPACITY_BYTES:
            self._has_overflowed = True
            self._let_go()

    def _let_go(self) -> None:
        self._is_closed = True
        self._queue.clear()
        self._queued_bytes = 0
        self._backlog = None
        self._announce(is_due=True)


def _setter(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> Callable[[], None]:
    def wake() -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(event.set)

    return wake
