"""Spectators of a live world: some stay, some come and go, and some never read."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from diorama.contracts.values import JsonObject
from diorama.telemetry.live.reader import LiveState

_STAY_SECONDS: Final = 3.0  # of somebody who comes and goes
_LET_GO: Final = 4408  # what a spectator that reads too slowly is told


@dataclass(slots=True)
class Watched:
    """What spectators saw."""

    messages: int = 0
    visits: int = 0
    let_go: int = 0
    gaps_seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def to_json(self) -> JsonObject:
        """Return it as it stands in a report."""
        return {"messages": self.messages, "visits": self.visits, "let_go": self.let_go, "failures": [*self.failures]}


class Spectators:
    """Follow a live world over WebSockets until they are cancelled."""

    def __init__(self, ws_url: str, world: str) -> None:
        """Prepare; nobody watches yet."""
        self.watched = Watched()
        self._address = f"{ws_url}/ws/v1/worlds/{world}/telemetry"

    async def stay(self) -> None:
        """Read everything, and check that it fits together."""
        state = LiveState()
        async with connect(self._address, compression=None, max_size=None) as socket:
            last = time.perf_counter()
            async for text in socket:
                now = time.perf_counter()
                self.watched.gaps_seconds.append(now - last)
                last = now
                state.apply(msgspec.json.decode(text))
                self.watched.messages += 1
                if state.discarded:
                    self.watched.failures.append("a message did not follow the one before it")
                    return

    async def come_and_go(self) -> None:
        """Watch for a moment, leave, and come again."""
        while True:
            async with connect(self._address, compression=None, max_size=None) as socket:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_STAY_SECONDS):
                        async for _ in socket:
                            self.watched.messages += 1
            self.watched.visits += 1

    async def never_read(self) -> None:
        """Connect and take nothing in, until the world lets go; then do it again."""
        while True:
            try:
                async with connect(self._address, compression=None, max_size=None, max_queue=1) as socket:
                    await asyncio.sleep(_STAY_SECONDS * 10)
                    async for _ in socket:
                        pass
            except ConnectionClosed as closed:
                self.watched.let_go += closed.rcvd is not None and closed.rcvd.code == _LET_GO
