"""`Bell`: wakes all who wait for news, at a price that does not depend on how many they are."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Condition

_Sleepers = set[asyncio.Event]


class Bell:
    """Rung on the world's thread, which takes no lock that somebody in an event loop could hold.

    Whoever waits says so first and looks for news once more afterwards; whoever rings has the news in place first.
    One of the two therefore sees the other, though nothing is locked.
    """

    def __init__(self) -> None:
        """Begin with nobody waiting."""
        self._loops: dict[asyncio.AbstractEventLoop, _Sleepers] = {}
        self._rung = Condition()
        self._threads = 0

    def ring(self) -> None:
        """Wake everybody: one call for each event loop, and one for all threads."""
        loops, self._loops = self._loops, {}
        for loop, sleepers in list(loops.items()):
            with suppress(RuntimeError):  # the loop is closed: nobody waits there any more
                loop.call_soon_threadsafe(_wake, sleepers)
        self.ring_in_threads()

    def ring_in_threads(self) -> None:
        """Wake those who wait on threads of their own."""
        if self._threads:
            with self._rung:
                self._rung.notify_all()

    async def wait(self, has_news: Callable[[], bool], woken: asyncio.Event) -> None:
        """Wait until there is news, without holding a thread; whoever has `woken` can end the wait, too."""
        loop = asyncio.get_running_loop()
        while not has_news():
            woken.clear()
            sleepers = self._loops.setdefault(loop, set())
            sleepers.add(woken)
            try:
                if self._loops.get(loop) is sleepers and not has_news():
                    await woken.wait()
            finally:
                sleepers.discard(woken)

    def wait_in_thread(self, has_news: Callable[[], bool], timeout_s: float | None) -> bool:
        """Wait until there is news or the time is up; returns whether there is news."""
        if timeout_s == 0.0:
            return has_news()
        with self._rung:
            self._threads += 1
            try:
                return self._rung.wait_for(has_news, timeout_s)
            finally:
                self._threads -= 1


def _wake(sleepers: _Sleepers) -> None:
    for woken in sleepers:
        woken.set()
