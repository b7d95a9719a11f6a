"""`ConsoleGame`: a console that runs at its own pace with the keys a person holds."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from diorama.server.consoles.entry import ConsoleEntry
from diorama.server.consoles.outbox import Outbox
from diorama.server.consoles.service import ConsoleService
from diorama.server.models.consoles import ConsoleCommand
from diorama.server.play.pace import Pace
from diorama.server.play.room_entry import check_present
from diorama.server.play.waiting import wait_any

Send = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleOptions:
    """How a console runs at first; `speed` is how many of its seconds pass in one."""

    speed: float = 1.0
    paused: bool = False


class ConsoleGame:
    """One console under one pair of hands; used from the event loop alone.

    Running and sending are two tasks: a client that takes its pictures slowly gets fewer of them, and time passes
    for it as for all others.
    """

    def __init__(
        self,
        service: ConsoleService,
        entry: ConsoleEntry,
        options: ConsoleOptions,
        *,
        displaced: asyncio.Event,
        ending: asyncio.Event,
    ) -> None:
        """Hold no key.

        Args:
            service: Runs the console.
            entry: The console.
            options: How it runs at first.
            displaced: Set when another socket takes over.
            ending: Set when the server stops.
        """
        self._service = service
        self._entry = entry
        self._displaced = displaced
        self._ending = ending
        self._pace = Pace(entry.offer.frame_seconds, options.speed, time.monotonic)
        self._speed = options.speed
        self._is_paused = options.paused
        self._held = 0
        self._tapped = 0
        self._frames_asked = 0
        self._changed = asyncio.Event()
        self._outbox = Outbox()
        self._has_mail = asyncio.Event()

    def obey(self, command: ConsoleCommand) -> None:
        """Take what a person sent."""
        if command.seen is not None:
            self._outbox.see(command.seen)
            self._has_mail.set()
        if command.keys is not None:
            # A key that goes down and up between two frames was pressed all the same.
            self._tapped |= command.keys & ~self._held
            self._held = command.keys
        if command.speed is not None:
            self._speed = command.speed
            self._pace.change_speed(command.speed)
        if command.frames is not None:
            self._frames_asked = command.frames
        if command.paused is not None and command.paused != self._is_paused:
            self._is_paused = command.paused
            self._pace.restart()
        if command.paused is not None or command.frames is not None:
            self._changed.set()

    async def run(self, send: Send) -> None:
        """Run until the server stops.

        Raises:
            SessionUnknown: The console was switched off or has been forgotten.
            SessionConflict: It is played over another socket now.
        """
        sending = asyncio.create_task(self._deliver(send))
        running = asyncio.create_task(self._play())
        try:
            await asyncio.wait({sending, running}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                await sending
            await running
        finally:
            for task in (sending, running):
                task.cancel()
            await asyncio.gather(sending, running, return_exceptions=True)

    async def _play(self) -> None:
        await self._advance(0)
        while True:
            frames = await self._next_frames()
            check_present(self._entry, self._displaced)
            if self._ending.is_set():
                return
            self._entry.changed.clear()
            await self._advance(frames)

    async def _next_frames(self) -> int:
        """Wait for what comes next: frames that are due, frames that were asked for, or a new picture of none."""
        if not self._is_paused:
            # Fast time is more frames at once: nobody sees more than one picture in a frame's time.
            frames = max(1, round(self._speed))
            await asyncio.sleep(self._pace.wait_for(frames))
            return 0 if self._is_paused else frames
        ends = (self._entry.gone, self._displaced, self._ending)
        await wait_any(None, self._changed, self._entry.changed, *ends)
        self._changed.clear()
        frames, self._frames_asked = self._frames_asked, 0
        self._pace.restart()
        return frames

    async def _advance(self, frames: int) -> None:
        keys = self._held | self._tapped
        if frames:
            self._tapped = 0
        shot = await self._service.advance(self._entry.session_id, keys, frames)
        self._outbox.offer(shot, keys, is_paused=self._is_paused)
        self._has_mail.set()

    async def _deliver(self, send: Send) -> None:
        while True:
            await self._has_mail.wait()
            self._has_mail.clear()
            message = self._outbox.take()
            if message is not None:
                await send(message)
