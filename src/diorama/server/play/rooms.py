"""`Rooms`: lets one caller at a time into a session, off the event loop."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from typing import Final, Generic, TypeVar

from diorama.contracts.errors import WorkStopped
from diorama.contracts.work import StopReason, Work
from diorama.runs.clock import Clock
from diorama.server.play.errors import SessionUnknown
from diorama.server.play.limits import PlayLimits
from diorama.server.play.room_entry import EntryT
from diorama.server.play.store import SessionStore
from diorama.server.shares import VISITOR, Shares
from diorama.server.turns import Turns, as_refusal
from diorama.server.under_way import UnderWay

SWEEP_SECONDS: Final = 30.0
_ASIDE_THREADS: Final = 2
_CHECKS: Final = "checks of the server itself"

T = TypeVar("T")


class Use(Enum):
    """What a call does with a session, and so what becomes of both when the call cannot be finished."""

    LOOK = "look"  # ends when its client leaves
    CHANGE = "change"  # is finished although its client has left; if it runs out of time, the session ends with it
    PACED = "paced"  # a change by a socket, which waits for processor time instead of being refused


class Rooms(Generic[EntryT]):
    """The sessions and the threads that simulate them; used from the event loop alone.

    No session is left in the middle of a step, and none is entered by two threads. Every call has a deadline.
    """

    def __init__(self, limits: PlayLimits, clock: Clock, shares: Shares) -> None:
        """Start with no session; threads are started when they are needed."""
        self._store: SessionStore[EntryT] = SessionStore(limits, clock, shares)
        self._call_seconds = limits.call_seconds
        self._most_sessions = limits.sessions
        self._turns = Turns(limits.workers, shares, name="diorama-play")
        self._aside = Turns(_ASIDE_THREADS, shares, name="diorama-play-aside")
        self._under_way = UnderWay()
        self._sweeping: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """How many sessions there are."""
        return len(self._store)

    @property
    def waiting(self) -> int:
        """Calls that wait for a thread."""
        return self._turns.waiting + self._aside.waiting

    async def problem(self) -> str | None:
        """Return why no session could be opened now; None if one could. Waits for a thread as any call does."""
        if len(self._store) >= self._most_sessions:
            return f"{self._most_sessions} sessions are open, as many as there may be"
        VISITOR.set(_CHECKS)  # no visitor's share counts
        await self._turns.run(lambda: None, Work(self._call_seconds))
        return None

    async def enter(self, build: Callable[[], tuple[EntryT, T]]) -> T:
        """Open a session on a thread and return what it says.

        Raises:
            SessionLimit: There are as many as there may be.
        """
        self._sweep_now_and_then()
        await self.sweep()
        work = Work(self._call_seconds)

        async def open_one() -> T:
            with self._store.room():
                try:
                    entry, told = await self._turns.run(build, work)
                except WorkStopped as error:
                    raise as_refusal(error, "opening the session") from None
                try:
                    entry.visitor = VISITOR.get()
                    work.check()
                    self._store.add(entry)
                except BaseException:
                    await asyncio.to_thread(entry.close)
                    raise
            return told

        return await self._under_way.finish(open_one(), lambda: work.stop(StopReason.CLIENT_LEFT))

    async def use(
        self,
        session_id: str,
        call: Callable[[EntryT], T],
        *,
        use: Use = Use.LOOK,
        is_long: Callable[[EntryT], bool] | None = None,
    ) -> T:
        """Do something with a session on a thread, when nobody else does.

        Args:
            session_id: Which session.
            call: What is done with it.
            use: What the call does with the session.
            is_long: Whether it takes so long that other sessions must not wait for the thread; asked under the lock.

        Raises:
            SessionUnknown: There is none, or it went away meanwhile.
            LimitReached: The visitor has used its share, or the call took too long.
        """
        entry, work = self._store.get(session_id), Work(self._call_seconds)

        async def act() -> T:
            async with entry.lock:
                if entry.gone.is_set():
                    raise SessionUnknown.of(session_id)
                turns = self._aside if is_long is not None and is_long(entry) else self._turns
                try:
                    return await turns.run(lambda: call(entry), work, is_patient=use is Use.PACED)
                except WorkStopped as error:
                    if use is Use.LOOK:
                        await asyncio.to_thread(entry.stop_looking)
                        raise as_refusal(error, "the answer") from None
                    self._store.discard(entry)
                    await asyncio.to_thread(entry.close)
                    raise as_refusal(error, "the session, with this change of it,") from None

        leave = (lambda: work.stop(StopReason.CLIENT_LEFT)) if use is Use.LOOK else lambda: None
        return await self._under_way.finish(act(), leave)

    async def leave(self, session_id: str) -> None:
        """Close a session, after the call that is under way.

        Raises:
            SessionUnknown: There is none.
        """
        await self._under_way.finish(self._close(self._store.remove(session_id)))

    async def aside(self, call: Callable[[], T], *, seconds: float | None = None, is_patient: bool = False) -> T:
        """Do something long on one of two threads that no session waits for.

        Args:
            call: What is done.
            seconds: How long it may take; as long as any call unless given.
            is_patient: Whether it waits for processor time instead of being refused.

        Raises:
            LimitReached: The visitor has used its share, or it took too long.
        """
        work = Work(self._call_seconds if seconds is None else seconds)
        try:
            return await self._aside.run(call, work, is_patient=is_patient)
        except WorkStopped as error:
            raise as_refusal(error, "the work for this answer") from None
        except asyncio.CancelledError:
            work.stop(StopReason.CLIENT_LEFT)
            raise

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

    def stop(self) -> None:
        """Ask all calls to end at their next checkpoint, and begin no more."""
        self._turns.stop()
        self._aside.stop()

    async def close(self) -> None:
        """Close everything; calls that are under way end at their next checkpoint."""
        self.stop()
        if self._sweeping is not None:
            self._sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._sweeping
        for entry in self._store.take_all():
            await self._close(entry)
        await self._under_way.wait()
        await asyncio.to_thread(self._turns.close)
        await asyncio.to_thread(self._aside.close)

    async def _close(self, entry: EntryT) -> None:
        async with entry.lock:
            await asyncio.to_thread(entry.close)

    def _sweep_now_and_then(self) -> None:
        if self._sweeping is None:
            self._sweeping = asyncio.create_task(self._keep_sweeping())

    async def _keep_sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.sweep()
