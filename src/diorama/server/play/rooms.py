"""`Rooms`: lets one caller at a time into a session, off the event loop."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Final, Generic, TypeVar

from diorama.runs.clock import Clock
from diorama.server.play.errors import SessionUnknown
from diorama.server.play.limits import PlayLimits
from diorama.server.play.room_entry import EntryT
from diorama.server.play.store import SessionStore
from diorama.server.under_way import UnderWay

SWEEP_SECONDS: Final = 30.0

T = TypeVar("T")


class Rooms(Generic[EntryT]):
    """The sessions and the threads that simulate them; used from the event loop alone.

    A call that was begun is finished even if whoever asked for it has gone away, so that a session is never left
    in the middle of a step, and never entered by two threads.
    """

    def __init__(self, limits: PlayLimits, clock: Clock) -> None:
        """Start with no session; threads are started when they are needed."""
        self._store: SessionStore[EntryT] = SessionStore(limits, clock)
        self._threads = ThreadPoolExecutor(max_workers=limits.workers, thread_name_prefix="diorama-play")
        self._aside = ThreadPoolExecutor(max_workers=2, thread_name_prefix="diorama-play-aside")
        self._under_way = UnderWay()
        self._sweeping: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """How many sessions there are."""
        return len(self._store)

    async def enter(self, build: Callable[[], tuple[EntryT, T]]) -> T:
        """Open a session on a thread and return what it says.

        Raises:
            SessionLimit: There are as many as there may be.
        """
        self._sweep_now_and_then()
        await self.sweep()

        async def work() -> T:
            with self._store.room():
                entry, told = await self._on_thread(build)
                self._store.add(entry)
            return told

        return await self._under_way.finish(work())

    async def use(
        self, session_id: str, call: Callable[[EntryT], T], *, is_long: Callable[[EntryT], bool] | None = None
    ) -> T:
        """Do something with a session on a thread, when nobody else does.

        Args:
            session_id: Which session.
            call: What is done with it.
            is_long: Whether it takes so long that other sessions must not wait for the thread; asked under the lock.

        Raises:
            SessionUnknown: There is none, or it went away meanwhile.
        """
        entry = self._store.get(session_id)

        async def work() -> T:
            async with entry.lock:
                if entry.gone.is_set():
                    raise SessionUnknown.of(session_id)
                on_thread = self.aside if is_long is not None and is_long(entry) else self._on_thread
                return await on_thread(lambda: call(entry))

        return await self._under_way.finish(work())

    async def leave(self, session_id: str) -> None:
        """Close a session, after the call that is under way.

        Raises:
            SessionUnknown: There is none.
        """
        await self._under_way.finish(self._close(self._store.remove(session_id)))

    async def aside(self, call: Callable[[], T]) -> T:
        """Do something long on one of two threads that no session waits for."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, call)

    def entry(self, session_id: str) -> EntryT:
        """Return a session for marks that belong to the event loop.

        Raises:
            SessionUnknown: There is none.
        """
        return self._store.get(session_id)

    @contextmanager
    def paced(self, session_id: str) -> Iterator[tuple[EntryT, asyncio.Event]]:
        """Let one caller step a session in real time while the block runs.

        Whoever did so before is displaced: a page that was loaded again must not wait for its old connection to be
        given up.

        Returns:
            The session, and what is set when somebody else takes over.

        Raises:
            SessionUnknown: There is none.
        """
        entry, displaced = self.entry(session_id), asyncio.Event()
        if entry.displaced is not None:
            entry.displaced.set()
        entry.displaced = displaced
        try:
            yield entry, displaced
        finally:
            if entry.displaced is displaced:
                entry.displaced = None

    async def sweep(self) -> None:
        """Close the sessions that have expired."""
        for entry in self._store.take_expired():
            await self._under_way.finish(self._close(entry))

    async def close(self) -> None:
        """Close everything."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._sweeping
        for entry in self._store.take_all():
            await self._close(entry)
        await self._under_way.wait()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._aside.shutdown(wait=True, cancel_futures=True)

    async def _close(self, entry: EntryT) -> None:
        async with entry.lock:
            await self._on_thread(entry.close)

    async def _on_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _sweep_now_and_then(self) -> None:
        if self._sweeping is None:
            self._sweeping = asyncio.create_task(self._keep_sweeping())

    async def _keep_sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.sweep()
