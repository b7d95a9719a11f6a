"""`ConsoleService`: the calls of consoles, for the event loop."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar
from uuid import uuid4

from diorama.contracts.errors import DocumentError, SnapshotError
from diorama.runs.clock import Clock, SystemClock
from diorama.server.consoles.describing import inspection_of, program_rows, state_of
from diorama.server.consoles.entry import ConsoleEntry
from diorama.server.consoles.offers import console_worlds, consoles_of
from diorama.server.errors import BadValue
from diorama.server.models.consoles import ConsoleList, ConsoleRow, ConsoleState, Inspection, OpenConsole, ProgramList
from diorama.server.play.limits import PlayLimits
from diorama.server.play.rooms import Rooms, Use
from diorama.server.shares import Shares

_WORKERS: Final = 2

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A picture of a console and when it was taken."""

    picture: bytes
    frame_count: int
    is_trapped: bool


class ConsoleService:
    """Switches consoles on, lets them run, be looked at and be saved.

    Attributes:
        rooms: The consoles and the threads they run on.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        limit: int,
        idle_seconds: float,
        clock: Clock | None = None,
        shares: Shares | None = None,
    ) -> None:
        """Switch nothing on yet.

        Args:
            folder: Where programs lie besides those of the worlds.
            limit: Consoles at one time.
            idle_seconds: One that is left alone for so long is switched off.
            clock: What time it is.
            shares: What one visitor may take; everything if left out.
        """
        self._folder = folder
        self._clock = clock or SystemClock()
        limits = PlayLimits(sessions=limit, idle_seconds=idle_seconds, workers=_WORKERS)
        self.rooms: Rooms[ConsoleEntry] = Rooms(limits, self._clock, shares or Shares())

    async def all(self) -> ConsoleList:
        """Return the worlds with consoles."""
        offers = await self.rooms.aside(console_worlds)
        rows = [
            ConsoleRow(
                world=world,
                keys=list(offer.keys),
                rows=offer.rows,
                columns=offer.columns,
                frame_seconds=offer.frame_seconds,
                state_suffix=offer.state_suffix,
                has_folder=self._folder is not None,
            )
            for world, offer in offers.items()
        ]
        return ConsoleList(consoles=rows)

    async def programs(self, world: str) -> ProgramList:
        """Return what can be run on the consoles of a world."""

        def look() -> ProgramList:
            return ProgramList(world=world, programs=program_rows(consoles_of(world).programs(self._folder)))

        return await self.rooms.aside(look)

    async def open(self, body: OpenConsole) -> ConsoleState:
        """Switch a console on.

        Raises:
            DioramaError: There is no such program, it cannot be run, or there is no room.
        """

        def build() -> tuple[ConsoleEntry, ConsoleState]:
            offer = consoles_of(body.world)
            entry = ConsoleEntry(
                session_id=uuid4().hex,
                touched_seconds=self._clock.seconds(),
                world=body.world,
                offer=offer,
                program=body.program,
                console=offer.open(body.program, self._folder),
            )
            return entry, state_of(entry)

        return await self.rooms.enter(build)

    async def state(self, session_id: str) -> ConsoleState:
        """Return where a console stands."""
        return await self.rooms.use(session_id, state_of)

    async def inspect(self, session_id: str) -> Inspection:
        """Look inside."""
        return await self.rooms.use(session_id, inspection_of)

    async def restart(self, session_id: str) -> ConsoleState:
        """Switch a console off and on again."""
        return await self._change(session_id, lambda entry: entry.console.restart())

    async def save(self, session_id: str) -> tuple[bytes, str]:
        """Return the state of a console, and a name for its file."""

        def save(entry: ConsoleEntry) -> tuple[bytes, str]:
            name = Path(entry.program).stem
            return entry.console.save(), f"{name}-{entry.console.frame_count}{entry.offer.state_suffix}"

        return await self.rooms.use(session_id, save)

    async def load(self, session_id: str, data: bytes) -> ConsoleState:
        """Go on from a saved state.

        Raises:
            BadValue: It is none of this program.
        """

        def load(entry: ConsoleEntry) -> None:
            try:
                entry.console.load(data)
            except (SnapshotError, DocumentError) as error:
                raise BadValue(f"body: {error}") from None

        return await self._change(session_id, load)

    async def advance(self, session_id: str, keys: int, frames: int) -> Shot:
        """Run frames, or none, and take a picture."""

        def run(entry: ConsoleEntry) -> Shot:
            if frames:
                entry.console.run(keys, frames)
            return Shot(
                picture=entry.console.picture(),
                frame_count=entry.console.frame_count,
                is_trapped=entry.console.trap is not None,
            )

        return await self.rooms.use(session_id, run, use=Use.PACED)

    async def close_session(self, session_id: str) -> None:
        """Switch a console off for good."""
        await self.rooms.leave(session_id)

    async def close(self) -> None:
        """Switch everything off."""
        await self.rooms.close()

    async def _change(self, session_id: str, change: Callable[[ConsoleEntry], None]) -> ConsoleState:
        def act(entry: ConsoleEntry) -> ConsoleState:
            change(entry)
            return state_of(entry)

        state = await self.rooms.use(session_id, act, use=Use.CHANGE)
        self.rooms.entry(session_id).changed.set()
        return state
