"""`WallShow`: a troupe that plays for one client, as fast as that one looks."""

import asyncio
import struct
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol, TypeVar

import msgspec
import numpy as np

from diorama.contracts.values import U8
from diorama.runs.documents import RawObject
from diorama.server.errors import BadValue
from diorama.server.play.pace import Pace
from diorama.server.play.waiting import wait_any
from diorama.server.shares import VISITOR, Shares
from diorama.server.wall.asking import WallCommand
from diorama.server.wall.troupe import Troupe

HEADER: Final = struct.Struct("<IIHH")
"""Number of the message, decisions so far on each copy (modulo 2³²), how many copies have a new picture, nothing.

It is followed by the indices of these copies (u16 each), a byte of marks for every copy (bit 0: an episode ended
since the last message, bit 1: with success), and the new pictures.
"""
_IN_FLIGHT: Final = 2
_FIGURES_SECONDS: Final = 1.0
_WRAP: Final = 1 << 32

T = TypeVar("T")


class Speaker(Protocol):
    """The way to a client."""

    def send_text(self, data: str) -> Awaitable[None]:
        """Send JSON."""

    def send_bytes(self, data: bytes) -> Awaitable[None]:
        """Send pictures."""


class WallShow:
    """Steps a troupe on a thread of its own and tells a client what is new; used from the event loop alone."""

    def __init__(self, troupe: Troupe, rate: float, shares: Shares, *, ending: asyncio.Event) -> None:
        """Begin with a client that has seen nothing.

        Args:
            troupe: What is shown.
            rate: Decisions a second.
            shares: What the client may take; a wall that has used its share goes slower.
            ending: Set when the server stops.
        """
        self._troupe = troupe
        self._shares = shares
        self._ending = ending
        self._pace = Pace(1.0, rate, time.monotonic)
        self._is_paused = False
        self._lane: int | None = None
        self._has_news = True
        self._sent = 0
        self._seen = 0
        self._steps = 0
        self._shown: U8 | None = None
        self._marks: U8 = np.zeros(troupe.copies, np.uint8)
        self._changed = asyncio.Event()
        self._since = (time.monotonic(), 0, 0)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="diorama-wall")

    def obey(self, command: WallCommand) -> None:
        """Take what a person sent.

        Raises:
            BadValue: There is no such copy.
        """
        if command.lane is not None:
            if command.lane >= self._troupe.copies:
                raise BadValue(
                    f"lane {command.lane} does not exist; there are 0..{self._troupe.copies - 1}, -1 for none"
                )
            self._lane = None if command.lane < 0 else command.lane
            self._has_news = True
        if command.seen is not None:
            self._seen = min(max(self._seen, command.seen), self._sent)
        if command.rate is not None:
            self._pace.change_speed(command.rate)
        if command.paused is not None:
            self._is_paused = command.paused
            self._pace.restart()
        self._changed.set()

    async def run(self, speaker: Speaker) -> None:
        """Play until the server stops."""
        try:
            while not self._ending.is_set():
                await self._tell(speaker)
                if self._is_paused:
                    await wait_any(None, self._changed, self._ending)
                    self._changed.clear()
                else:
                    await asyncio.sleep(self._pace.wait_for(1))
                    await self._shares.wait(VISITOR.get())
                    self._marks |= await self._step()
                    self._steps += 1
                    self._has_news = True
        finally:
            # The step that is under way is finished; nobody waits for it.
            self._thread.submit(self._troupe.close)
            self._thread.shutdown(wait=False)

    async def _step(self) -> U8:
        visitor, began = VISITOR.get(), time.monotonic()
        self._shares.see(visitor)
        marks = await self._on_thread(self._troupe.step)
        # The copies are stepped on threads of their own, whose time this thread does not know.
        self._shares.charge(visitor, time.monotonic() - began)
        return marks

    async def _tell(self, speaker: Speaker) -> None:
        if self._has_news and self._sent - self._seen < _IN_FLIGHT:
            self._has_news = False
            await speaker.send_bytes(await self._on_thread(self._message))
            chosen = self._lane
            if chosen is not None:
                lane = await self._on_thread(lambda: self._troupe.lane(chosen))
                await speaker.send_text(_json({"type": "lane", **lane}))
        if time.monotonic() - self._since[0] >= _FIGURES_SECONDS:
            await speaker.send_text(_json({"type": "figures", **self._figures()}))

    def _message(self) -> bytes:
        pictures = self._troupe.take_pictures()
        changed = (
            np.arange(len(pictures)) if self._shown is None else (pictures != self._shown).any(axis=1).nonzero()[0]
        )
        self._shown = pictures.copy()
        self._sent += 1
        header = HEADER.pack(self._sent % _WRAP, self._steps % _WRAP, len(changed), 0)
        parts = (header, changed.astype("<u2").tobytes(), self._marks.tobytes(), pictures[changed].tobytes())
        self._marks[:] = 0
        return b"".join(parts)

    def _figures(self) -> RawObject:
        tally, (then, steps, ticks) = self._troupe.tally, self._since
        now = time.monotonic()
        self._since = (now, tally.steps, tally.ticks)
        episodes = tally.episodes
        return {
            "steps": tally.steps,
            "steps_per_second": (tally.steps - steps) / (now - then),
            "ticks_per_second": (tally.ticks - ticks) / (now - then),
            "episodes": episodes,
            "successes": tally.successes if self._troupe.has_success else None,
            "return_mean": tally.return_sum / episodes if episodes else None,
            "headline": {key: total / episodes if episodes else None for key, total in tally.headline.items()},
        }

    async def _on_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)


def _json(value: RawObject) -> str:
    return msgspec.json.encode(value).decode()
