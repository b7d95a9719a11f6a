"""Sockets that watch a live town in a process of its own, in spells with few and with many."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import track
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from harness.servers import RunningServer, serving_live
from harness.tick_times import TimedTick, read_ticks

_PATH: Final = "/ws/v1/worlds/townlet/telemetry?mode=spectator"
_AT_ONCE: Final = 50  # so many may be on their way in at the same time
_PATIENCE_SECONDS: Final = 120


@dataclass(slots=True)
class Spell:
    """What was measured with one number of sockets, in all its spells together.

    Attributes:
        ticks: Those that began and ended while everybody watched.
        lost: Sockets that were closed before the end.
    """

    ticks: list[TimedTick] = field(default_factory=list)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    messages: int = 0
    bytes: int = 0
    lost: int = 0

    @property
    def cores(self) -> float:
        """Of the town's process, on average."""
        return self.cpu_seconds / self.seconds


def watched(counts: Sequence[int], seconds: float, rounds: int, directory: Path) -> dict[int, Spell]:
    """Let so many sockets watch one town for so long, in turn, some rounds."""
    spells = {count: Spell() for count in counts}
    times = directory / "ticks.txt"
    with serving_live(directory / "town", times, log=directory / "server.log") as server:
        turns = list(counts) * rounds
        for count in track(turns, description="sockets", console=Console(stderr=True)):
            asyncio.run(_watch(server, count, seconds, times, spells[count]))
    return spells


async def _watch(server: RunningServer, count: int, seconds: float, times: Path, spell: Spell) -> None:
    door = asyncio.Semaphore(_AT_ONCE)
    sockets = await asyncio.gather(*(_come_in(f"{server.ws_url}{_PATH}", door) for _ in range(count)))
    heard: list[int] = []
    readers = [asyncio.create_task(_read(socket, heard)) for socket in sockets]
    await asyncio.sleep(seconds / 4)  # the town may have fallen behind while it let everybody in
    before, used, began = len(heard), server.cpu_seconds(), time.time()
    await asyncio.sleep(seconds)
    ended = time.time()
    spell.seconds += ended - began
    spell.cpu_seconds += server.cpu_seconds() - used
    spell.messages += len(heard) - before
    spell.bytes += sum(heard[before:])
    spell.lost += sum(reader.done() for reader in readers)
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    await asyncio.gather(*(socket.close() for socket in sockets))
    spell.ticks += [tick for tick in read_ticks(times).values() if began <= tick.begun_s and tick.ended_s <= ended]


async def _come_in(address: str, door: asyncio.Semaphore) -> ClientConnection:
    async with door:
        socket = await connect(address, proxy=None, max_size=None, compression=None, open_timeout=_PATIENCE_SECONDS)
        await socket.recv()  # the whole state
        return socket


async def _read(socket: ClientConnection, heard: list[int]) -> None:
    with suppress(ConnectionClosed):  # counted as lost
        async for message in socket:
            heard.append(len(message))
