"""`Turns`: threads that work for visitors in turn, each within its share and with an end."""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from diorama.contracts.errors import WorkStopped
from diorama.contracts.work import StopReason, Work, working
from diorama.server.errors import LimitReached, NotAvailable
from diorama.server.shares import VISITOR, Shares

_MOST_WAITING: Final = 64  # calls of one visitor

T = TypeVar("T")


class Turns:
    """A few threads; used from the event loop alone.

    Visitors that wait get the next free thread in turn, however many calls each of them waits with, and no visitor
    holds more than its share of the threads.
    """

    def __init__(self, threads: int, shares: Shares, *, name: str) -> None:
        """Start threads when they are needed.

        Args:
            threads: How many work at one time.
            shares: What every visitor may take.
            name: What the threads are called.
        """
        self._shares = shares
        self._free = threads
        self._most_at_once = max(1, shares.of(2 * threads)) if threads > 1 else 1
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._busy: Counter[str] = Counter()
        self._works: set[Work] = set()
        self._is_stopping = False

    async def run(self, call: Callable[[], T], work: Work, *, is_patient: bool = False) -> T:
        """Do something on a thread when it is this visitor's turn.

        Args:
            call: What is done.
            work: Its deadline, which counts from the beginning of the call.
            is_patient: Whether it waits until the visitor has processor time again, instead of being refused.

        Raises:
            LimitReached: The visitor has used its share, or waits with too many calls.
            NotAvailable: The server stops.
            WorkStopped: It was ended before it was done.
        """
        visitor = VISITOR.get()
        self._shares.see(visitor)
        if is_patient:
            await self._shares.wait(visitor)
        else:
            self._shares.check(visitor)
        self._check_running()
        self._works.add(work)
        try:
            await self._turn(visitor)
            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, self._paid, visitor, call, work)
            finally:
                self._busy[visitor] -= 1
                self._free += 1
                self._serve()
        finally:
            self._works.discard(work)

    @property
    def waiting(self) -> int:
        """Calls that wait for a thread."""
        return sum(map(len, self._waiting.values()))

    def stop(self) -> None:
        """Ask everything that is under way to stop, and begin nothing more."""
        self._is_stopping = True
        for work in self._works:
            work.stop(StopReason.SHUTDOWN)
        for queue in self._waiting.values():
            for place in queue:
                if not place.done():
                    place.set_exception(NotAvailable("the server is being stopped"))
        self._waiting.clear()

    def close(self) -> None:
        """End the threads; what is under way was asked to stop before."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def _turn(self, visitor: str) -> None:
        """Wait for a free thread."""
        queue = self._waiting.setdefault(visitor, deque())
        if len(queue) >= _MOST_WAITING:
            raise LimitReached(
                f"{_MOST_WAITING} calls from your address wait already; try again when they are answered",
                code="too_many_calls_waiting",
            )
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(place)
        self._serve()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # its turn had come: the next one takes the thread
                self._busy[visitor] -= 1
                self._free += 1
                self._serve()
            raise

    def _serve(self) -> None:
        """Give free threads to those who wait, visitor after visitor."""
        for visitor in list(self._waiting):
            queue = self._waiting[visitor]
            while queue and queue[0].done():  # left while it waited
                queue.popleft()
            if queue and self._free and self._busy[visitor] < self._most_at_once:
                self._free -= 1
                self._busy[visitor] += 1
                queue.popleft().set_result(None)
                self._waiting.move_to_end(visitor)
            if not queue:
                del self._waiting[visitor]
        self._busy = +self._busy
        if self._free and any(self._busy[visitor] < self._most_at_once for visitor in self._waiting):
            self._serve()

    def _check_running(self) -> None:
        if self._is_stopping:
            raise NotAvailable("the server is being stopped")

    def _paid(self, visitor: str, call: Callable[[], T], work: Work) -> T:
        began = time.thread_time()
        try:
            with working(work):
                return call()
        finally:
            self._shares.charge(visitor, time.thread_time() - began)


def as_refusal(error: WorkStopped, what: str) -> LimitReached | NotAvailable:
    """Return what a client is told of work that was ended before it was done."""
    if error.code == StopReason.OUT_OF_TIME.name.lower():
        return LimitReached(f"{what} was {error}, the most a request may take here", code=error.code, **error.fields)
    return NotAvailable(f"{what} was {error}", code=error.code)
