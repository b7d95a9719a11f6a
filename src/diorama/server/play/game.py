"""`Game`: a session that is stepped at the world's pace with the newest action a person has sent."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from diorama.server.models.play import PlayCommand, SeatDecision
from diorama.server.play.decisions import checked_decision, checked_others, shown_decision
from diorama.server.play.entry import SessionEntry
from diorama.server.play.pace import Pace
from diorama.server.play.room_entry import check_present
from diorama.server.play.service import PlayService, Shown
from diorama.server.play.waiting import wait_any

Send = Callable[[Shown, bool], Awaitable[None]]  # what a session shows, and whether it is paused


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """How a game runs; `speed` is how many simulated seconds pass in one."""

    speed: float = 1.0
    paused: bool = False


class Game:
    """One session under one pair of hands; used from the event loop alone."""

    def __init__(
        self,
        play: PlayService,
        entry: SessionEntry,
        options: GameOptions,
        *,
        displaced: asyncio.Event,
        ending: asyncio.Event,
    ) -> None:
        """Hold the no-op until something else is sent.

        Args:
            play: Steps the session.
            entry: The session.
            options: How the game runs.
            displaced: Set when another socket takes over.
            ending: Set when the server stops.
        """
        spec = entry.session.setting.spec
        self._play = play
        self._entry = entry
        self._spec = spec
        self._displaced = displaced
        self._ending = ending
        self._pace = Pace(spec.tick_seconds, options.speed, time.monotonic)
        self._action = shown_decision(spec.noop)
        self._others: Sequence[SeatDecision] = ()
        self._is_paused = options.paused
        self._changed = asyncio.Event()

    def obey(self, command: PlayCommand) -> None:
        """Take what a person sent.

        Raises:
            ActionRefused: It is no decision of this world.
        """
        if command.action is not None:
            self._action = shown_decision(checked_decision(self._spec, command.action))
        if command.others is not None:
            checked_others(self._spec, self._entry.session.setting.seat, command.others)
            self._others = command.others
        if command.paused is not None:
            self._is_paused = command.paused
        if command.speed is not None:
            self._pace.change_speed(command.speed)
        self._changed.set()

    async def run(self, send: Send) -> Shown | None:
        """Play to the end and return the last that was shown; None if the server stops before.

        Raises:
            SessionUnknown: The session was deleted or has expired.
            SessionConflict: It is played over another socket now.
        """
        session_id = self._entry.session_id
        shown = await self._play.look(session_id)
        await send(shown, self._is_paused)
        ticks = 1  # the first step comes a tick after the opening, so that a first action can still arrive
        while not shown.state.is_over:
            if self._is_paused:
                await self._pause(shown, send)
            else:
                await wait_any(self._pace.wait_for(ticks), *self._ends)
            self._check_session()
            if self._ending.is_set():
                return None
            if not self._is_paused:
                shown = await self._play.step_and_look(session_id, self._action, self._others)
                ticks = shown.state.dt
                await send(shown, self._is_paused)
        return shown

    @property
    def _ends(self) -> tuple[asyncio.Event, ...]:
        return self._entry.gone, self._displaced, self._ending

    async def _pause(self, shown: Shown, send: Send) -> None:
        await send(shown, True)
        while self._is_paused and not any(event.is_set() for event in self._ends):
            self._changed.clear()
            await wait_any(None, self._changed, *self._ends)
        self._pace.restart()

    def _check_session(self) -> None:
        check_present(self._entry, self._displaced)
