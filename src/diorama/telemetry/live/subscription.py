"""`Subscription`: somebody who watches, and how far they have come."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Final

from diorama.contracts.errors import DioramaError
from diorama.telemetry.live.backlog import Backlog
from diorama.telemetry.live.feed import Feed, Link
from diorama.telemetry.live.moments import Blocks, Kind, Moment

CAPACITY_BYTES: Final = 4 * 1024 * 1024
FOLD_FROM_BYTES: Final = 256 * 1024
"""Somebody slow is better served with fewer and newer messages than with a long queue of old ones."""


class SubscriptionClosed(DioramaError):
    """Nothing will come any more."""


class Subscription:
    """Messages for one spectator, beginning with a snapshot.

    Whoever falls behind gets several ticks in one message; whoever is more than `CAPACITY_BYTES` behind is let go.
    All of that is found out by whoever reads, or weighs what waits: the world's thread takes no part in it, and it has
    to be read, weighed or closed by somebody.
    """

    def __init__(self, feed: Feed, blocks: Blocks, on_change: "Callable[[Subscription], None]") -> None:
        """Begin with where the world is; `on_change` is called when other blocks are chosen and when it is closed."""
        self._feed = feed
        self._blocks = blocks
        self._on_change = on_change
        self._lock = Lock()  # between those who read and those who close; never taken on the world's thread
        self._place = self._weighed = feed.tail
        self._base: Moment | None = None
        self._backlog: Backlog | None = None
        self._waiting_bytes = 0
        self._folded_bytes = 0
        self._is_let_go = False
        self._has_overflowed = False
        self._sleeper: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._start_over()

    @property
    def blocks(self) -> Blocks:
        """Which blocks the spectator wants."""
        return self._blocks

    @property
    def is_closed(self) -> bool:
        """Whether nothing will come any more."""
        return self._is_let_go or (self._feed.is_closed and not self._has_news)

    @property
    def is_let_go(self) -> bool:
        """Whether it was closed, by whoever had it or because nobody read it."""
        return self._is_let_go

    @property
    def overflowed(self) -> bool:
        """Whether it was closed because nobody read it."""
        return self._has_overflowed

    @property
    def behind_bytes(self) -> int:
        """How much had come and was not read when somebody last looked."""
        return self._waiting_bytes + self._folded_bytes

    def weigh(self) -> bool:
        """Look at what has come meanwhile; False once that is too much, and the spectator let go."""
        with self._lock:
            self._weigh()
            return not self._has_overflowed

    def next(self, timeout_s: float | None = None) -> bytes | None:
        """Wait for the next message; None when the time is up.

        Raises:
            SubscriptionClosed: There will be none.
        """
        while (message := self._take()) is None:
            if not self._feed.bell.wait_in_thread(self._is_worth_a_look, timeout_s):
                return None
        return message

    async def receive(self) -> bytes:
        """Wait for the next message without holding a thread.

        Raises:
            SubscriptionClosed: There will be none.
        """
        while (message := self._take()) is None:
            woken = asyncio.Event()
            self._sleeper = asyncio.get_running_loop(), woken
            await self._feed.bell.wait(self._is_worth_a_look, woken)
        return message

    def choose(self, blocks: Blocks) -> None:
        """Tell other blocks from now on, beginning with a snapshot."""
        with self._lock:
            self._blocks = blocks
            self._start_over()
            self._on_change(self)
        self._wake()

    def resync(self) -> None:
        """Have the next message be a snapshot."""
        with self._lock:
            self._start_over()
        self._wake()

    def close(self) -> None:
        """Let go; nothing is told any more."""
        with self._lock:
            self._let_go()
        self._wake()

    @property
    def _has_news(self) -> bool:
        return self._backlog is not None or self._place.next is not None

    def _is_worth_a_look(self) -> bool:
        return self._has_news or self.is_closed

    def _take(self) -> bytes | None:
        with self._lock:
            self._weigh()
            message = self._next_of_queue() or self._next_of_backlog()
            if message is None and self.is_closed:
                raise SubscriptionClosed("the subscription is closed" + (": too slow" if self._has_overflowed else ""))
            return message

    def _next_of_queue(self) -> bytes | None:
        while self._backlog is None and (link := self._place.next) is not None:
            moment = link.moment
            if moment is None or not self._is_in_step(moment):
                self._fold()
                continue
            message = moment.encoded(self._blocks)
            if self._feed.tail.edition != link.edition:
                self._fold()  # the words have been changed this very moment
                continue
            self._place, self._base = link, moment
            self._waiting_bytes -= len(message)
            return message
        return None

    def _next_of_backlog(self) -> bytes | None:
        while (backlog := self._backlog) is not None:
            message = backlog.encode(self._blocks)
            if self._feed.tail.edition != self._place.edition:
                self._fold()
                continue
            self._base, self._backlog, self._folded_bytes = backlog.latest, None, 0
            return message
        return None

    def _is_in_step(self, moment: Moment) -> bool:
        return moment.kind is Kind.SNAPSHOT or (self._base is not None and self._base.seq == moment.seq - 1)

    def _weigh(self) -> None:
        """See what came since somebody last looked, and whether it can still be told one by one."""
        for link in self._weighed.after():
            self._weighed = link
            self._waiting_bytes += self._size_of(link)
        has_other_words = self._feed.tail.edition != self._place.edition
        if self._backlog is not None or has_other_words or self._waiting_bytes > FOLD_FROM_BYTES:
            self._fold()
        if self._folded_bytes > CAPACITY_BYTES:
            self._has_overflowed = True
            self._let_go()

    def _size_of(self, link: Link) -> int:
        moment = link.moment
        if moment is not None:
            return len(moment.encoded(self._blocks))
        return sum(event.size_bytes for event in link.news.events)

    def _fold(self) -> None:
        """Make one message of everything that waits."""
        for link in self._place.after():
            self._place = link
            moment = link.moment
            if self._backlog is None:
                first = moment or self._base
                if first is None or (moment is not None and moment.kind is Kind.HEARTBEAT):
                    continue  # whoever knows nothing has to begin somewhere, and with a state
                self._backlog = Backlog(self._base, first)
            self._backlog.add(link.news, moment, begins_anew=link.begins_anew)
            if link.privacy is not None:
                self._backlog.reword(self._backlog.latest, link.privacy)
        self._weighed = self._place
        self._folded_bytes += self._waiting_bytes
        self._waiting_bytes = 0

    def _start_over(self) -> None:
        """Make the next message a snapshot; what happened meanwhile is told with it."""
        now = self._place.moment or self._base
        if self._backlog is None and now is not None:
            self._backlog = Backlog(None, now)
        if self._backlog is not None:
            self._backlog.base = None
        self._base = None
        # What was folded still waits: asking for a snapshot again and again must not make room for ever more.
        self._weighed, self._waiting_bytes = self._place, 0

    def _let_go(self) -> None:
        self._is_let_go = True
        self._place = self._weighed = Link(None, self._feed.tail.edition)
        self._base = self._backlog = None
        self._waiting_bytes = self._folded_bytes = 0
        self._on_change(self)

    def _wake(self) -> None:
        self._feed.bell.ring_in_threads()
        if self._sleeper is not None:
            loop, woken = self._sleeper
            with suppress(RuntimeError):  # the loop is closed: nobody waits there any more
                loop.call_soon_threadsafe(woken.set)
