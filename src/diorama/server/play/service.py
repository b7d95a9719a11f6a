"""`PlayService`: the calls of play sessions, for the event loop."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from diorama.runs.clock import Clock, SystemClock, timestamp
from diorama.server.descriptors import descriptor
from diorama.server.models.play import CreateSession, ForkSession, SeatDecision, SessionState
from diorama.server.play.counsel import Counsel
from diorama.server.play.describing import pictures_of, state_of
from diorama.server.play.entry import SessionEntry
from diorama.server.play.exporting import PlayedSession
from diorama.server.play.forking import fork_session
from diorama.server.play.limits import PlayLimits
from diorama.server.play.origin import Origin
from diorama.server.play.policies import PolicyShelf
from diorama.server.play.results import keep_result
from diorama.server.play.rooms import Rooms, Use
from diorama.server.play.session import Session
from diorama.server.play.setting import open_setting
from diorama.server.reading.shelf import RunShelf
from diorama.server.shares import Shares

_RANDOM_SEED_BITS: Final = 32  # few enough for any client to read the number exactly
_SEED_MODULUS: Final = 1 << 64
_KEEPING_SECONDS: Final = 2.0  # for results that are being kept when the server stops


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A session's state and the pictures its seat sees."""

    state: SessionState
    pictures: list[bytes]


class PlayService:
    """Opens sessions, and lets them be stepped, taken back and looked at.

    Attributes:
        rooms: The sessions and the threads they are simulated on.
        shelf: Trained policies.
        counsel: Hints, standings and exports.
    """

    def __init__(
        self, runs: RunShelf, limits: PlayLimits, clock: Clock | None = None, shares: Shares | None = None
    ) -> None:
        """Open nothing yet; without `shares` a visitor may take everything."""
        self._runs = runs
        self._limits = limits
        self._clock = clock or SystemClock()
        self._keeping: set[asyncio.Task[None]] = set()
        shares = shares or Shares()
        self.shelf = PolicyShelf(runs)
        self.rooms: Rooms[SessionEntry] = Rooms(limits, self._clock, shares)
        self.counsel = Counsel(self.rooms, self.shelf, limits, self._clock, shares)

    async def create(self, body: CreateSession) -> SessionState:
        """Open a session.

        Raises:
            DioramaError: A value is wrong, or there is no room.
        """

        def build() -> Session:
            seed = _random_seed() if body.seed is None else body.seed
            setting = open_setting(
                self.shelf,
                world_id=body.world,
                variant=body.variant,
                env_time_max=body.env_time_max,
                config=body.config,
                seat=body.seat,
                others=body.others,
                both_sides_of=seed if body.both_sides else None,
            )
            return Session(setting, seed, self._limits)

        return await self._enter(build)

    async def fork(self, body: ForkSession) -> SessionState:
        """Open a session that continues a replay.

        Raises:
            DioramaError: There is no such frame, or there is no room.
        """
        origin = Origin(run_id=body.run_id, replay_id=body.replay_id, frame=body.frame)

        def build() -> Session:
            return fork_session(self._runs, origin, self.shelf, self._limits, seat=body.seat, others=body.others)

        return await self._enter(build)

    async def state(self, session_id: str) -> SessionState:
        """Return where a session stands."""
        return await self.rooms.use(session_id, lambda entry: state_of(entry.session, entry.facts))

    async def world(self, session_id: str) -> bytes:
        """Return the descriptor of a session's world, in its configuration."""

        def describe(entry: SessionEntry) -> bytes:
            venue = entry.session.setting.venue
            return descriptor(venue.world, venue.config)

        return await self.rooms.use(session_id, describe)

    async def reset(self, session_id: str, seed: int | None, seat: int | None = None) -> SessionState:
        """Open the next episode of a session, by default that of the next seed, in the same seat.

        Raises:
            BadValue: There is no such seat.
            ConfigError: Two sides must have seats, and have none in that episode.
        """

        def reset(session: Session) -> None:
            session.reset((session.seed + 1) % _SEED_MODULUS if seed is None else seed, seat)

        return await self._change(session_id, reset)

    async def step(
        self, session_id: str, action: int | Sequence[int], others: Iterable[SeatDecision] = ()
    ) -> SessionState:
        """Take a decision, and those of other seats if they are given."""
        return await self._change(session_id, lambda session: session.step(action, others))

    async def undo(self, session_id: str, steps: int) -> SessionState:
        """Take decisions back."""
        return await self._change(session_id, lambda session: session.undo(steps))

    async def look(self, session_id: str) -> Shown:
        """Return where a session stands, pictures included."""
        return await self.rooms.use(session_id, _shown)

    async def step_and_look(
        self, session_id: str, action: int | Sequence[int], others: Iterable[SeatDecision] = ()
    ) -> Shown:
        """Take a decision and return where the session stands then, pictures included."""

        def step(entry: SessionEntry) -> Shown:
            entry.session.step(action, others)
            entry.change(self._clock)
            return _shown(entry)

        shown, played = await self.rooms.use(session_id, lambda entry: (step(entry), _finished(entry)), use=Use.PACED)
        self._keep(played)
        return shown

    async def delete(self, session_id: str) -> None:
        """End a session; whoever waits for it is told that it is gone."""
        await self.rooms.leave(session_id)

    async def close(self) -> None:
        """End every session and every thread; results that are being kept are kept first."""
        if self._keeping:
            await asyncio.wait(self._keeping, timeout=_KEEPING_SECONDS)
        await self.counsel.close()
        await self.rooms.close()

    async def _enter(self, build: Callable[[], Session]) -> SessionState:
        moment = timestamp(self._clock.now())

        def enter() -> tuple[SessionEntry, SessionState]:
            entry = SessionEntry(
                session_id=uuid4().hex,
                session=build(),
                created_at=moment,
                updated_at=moment,
                touched_seconds=self._clock.seconds(),
            )
            entry.memory_bytes = entry.session.memory_bytes
            return entry, state_of(entry.session, entry.facts)

        return await self.rooms.enter(enter)

    async def _change(self, session_id: str, change: Callable[[Session], None]) -> SessionState:
        def act(entry: SessionEntry) -> SessionState:
            change(entry.session)
            entry.change(self._clock)
            return state_of(entry.session, entry.facts)

        state, played = await self.rooms.use(session_id, lambda entry: (act(entry), _finished(entry)), use=Use.CHANGE)
        self._keep(played)
        return state

    def _keep(self, played: PlayedSession | None) -> None:
        """Keep the result of an episode that was played to its end, outside of the player's request."""
        if played is None:
            return
        keeping = self.rooms.aside(
            lambda: keep_result(self._runs.root, played, self._clock),
            seconds=self._limits.episode_seconds,
            is_patient=True,
        )
        task = asyncio.create_task(keeping)
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)


def _shown(entry: SessionEntry) -> Shown:
    return Shown(state=state_of(entry.session, entry.facts), pictures=pictures_of(entry.session))


def _random_seed() -> int:
    return secrets.randbits(_RANDOM_SEED_BITS)


def _finished(entry: SessionEntry) -> PlayedSession | None:
    """Return what was played if the episode is over, from its own opening on."""
    session = entry.session
    if not session.is_over or session.origin is not None or session.steps == 0:
        return None
    return PlayedSession.of(entry.session_id, session)
