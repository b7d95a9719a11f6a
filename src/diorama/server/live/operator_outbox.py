"""`OperatorOutbox`: what waits to be sent to one operator, bounded in bytes."""

import asyncio
from collections import deque
from typing import Final

import msgspec

from diorama.contracts.values import JsonObject

CAPACITY_BYTES: Final = 4 << 20
_ENOUGH_BYTES: Final = 256 << 10  # of events; whoever has more waiting reads on where the others are, and sees a gap


class OperatorOutbox:
    """Messages in order; used from the event loop alone.

    Results are never left out: who lets too many of them wait has overflowed and is let go. Events wait until there is
    room, a status that nobody would see in time is not sent.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self.has_overflowed = False
        self._texts: deque[str] = deque()
        self._bytes = 0
        self._changed = asyncio.Event()

    def put_result(self, answer: JsonObject) -> None:
        """Send the answer of a command."""
        self._put("result", answer)

    def put_events(self, told: JsonObject) -> None:
        """Send a batch of events, or that some were lost."""
        self._put("events", told)

    def put_status(self, status: JsonObject) -> None:
        """Send how the loop stands, unless other things wait."""
        if not self._texts:
            self._put("status", status)

    async def next(self) -> str:
        """Wait for the next message."""
        while not self._texts:
            await self._wait()
        text = self._texts.popleft()
        self._bytes -= len(text)
        self._changed.set()
        return text

    async def has_room(self) -> None:
        """Wait until more events may be put."""
        while self._bytes > _ENOUGH_BYTES:
            await self._wait()

    def _put(self, kind: str, payload: JsonObject) -> None:
        text = msgspec.json.encode({"type": kind, "payload": payload}).decode()
        self._bytes += len(text)
        self.has_overflowed = self.has_overflowed or self._bytes > CAPACITY_BYTES
        self._texts.append(text)
        self._changed.set()

    async def _wait(self) -> None:
        self._changed.clear()
        await self._changed.wait()
