"""Hints, standings and exports: what is told about a session without changing it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from diorama.contracts.errors import EpisodeOver
from diorama.runs.clock import Clock
from diorama.server.models.play import AdvisorFacts, HeadAdvice, Hint, SeatRows, SessionMoments, Standing, Standings
from diorama.server.play.advice import Advice, Advisor
from diorama.server.play.contests import Contests
from diorama.server.play.decisions import shown_decision
from diorama.server.play.describing import moments_of
from diorama.server.play.entry import SessionEntry
from diorama.server.play.exporting import PlayedSession, export_session
from diorama.server.play.limits import PlayLimits
from diorama.server.play.policies import PolicyShelf, ShelvedPolicy
from diorama.server.play.rooms import Rooms
from diorama.server.play.seat_rows import RowQuestion, rows_of
from diorama.server.play.session import Session
from diorama.server.play.standings import Rival, Rivalry, StandingsTable, bots_of
from diorama.server.shares import Shares

_PERSON: Final = "you"
_SHORT_STEPS: Final = 256  # taken again for an answer; more of them are taken aside


class Counsel:
    """Looks at sessions on behalf of those who play them."""

    def __init__(
        self, rooms: Rooms[SessionEntry], shelf: PolicyShelf, limits: PlayLimits, clock: Clock, shares: Shares
    ) -> None:
        """Know where the sessions are and where the policies."""
        self._rooms = rooms
        self._shelf = shelf
        self._clock = clock
        self._contests = Contests(rooms, StandingsTable(), limits, shares)

    async def close(self) -> None:
        """Let rivals stop playing."""
        await self._contests.close()

    async def hint(self, session_id: str, run_id: str) -> Hint:
        """Return what the newest policy of a run would do now.

        Raises:
            UnknownName: There is no such session, or the run has no policy for its world.
            EpisodeOver: There is nothing left to decide.
            SessionConflict: A policy with memory has too many decisions to look at first; asking again goes on.
        """

        def ask(entry: SessionEntry) -> Hint:
            if entry.session.is_over:
                raise EpisodeOver("the episode is over; there is nothing to decide")
            advisor = self._advisor(entry, run_id)
            return _hint(entry, advisor.shelved, advisor.advise(entry.session))

        def is_long(entry: SessionEntry) -> bool:
            advisor = entry.advisor
            if advisor is None or advisor.shelved.run_id != run_id:
                return entry.session.steps > _SHORT_STEPS
            return advisor.distance(entry.session) > _SHORT_STEPS

        return await self._rooms.use(session_id, ask, is_long=is_long)

    async def rows(self, session_id: str, seats: Sequence[int], first: int | None, extras: Sequence[str]) -> SeatRows:
        """Return what seats saw before decisions, from one decision on; from the next one on if none is named.

        Raises:
            UnknownName: There is no such session or extra array.
            BadValue: There is no such seat.
            EpisodeOver: There is no such decision.
            SessionConflict: Too many steps would have to be taken again for it.
        """

        def first_of(entry: SessionEntry) -> int:
            return entry.session.steps if first is None else first

        def is_long(entry: SessionEntry) -> bool:
            return entry.hindsight.distance(entry.session, first_of(entry)) > _SHORT_STEPS

        def look(entry: SessionEntry) -> SeatRows:
            session = entry.session
            asked = RowQuestion(
                seats=tuple(seats) or (session.setting.seat,), first=first_of(entry), extras=tuple(extras)
            )
            return rows_of(session_id, session, asked, entry.hindsight)

        return await self._rooms.use(session_id, look, is_long=is_long)

    async def moments(self, session_id: str, first: int) -> SessionMoments:
        """Return what the viewer drew at the moments of a session so far, from one on.

        Raises:
            UnknownName: There is no such session.
            EpisodeOver: So many decisions have not been taken.
            SessionConflict: Too many steps would have to be taken again for it.
        """

        def is_long(entry: SessionEntry) -> bool:
            # Every moment up to the present one is drawn, wherever the copy stands already.
            return entry.session.steps - first + entry.hindsight.distance(entry.session, first) > _SHORT_STEPS

        def look(entry: SessionEntry) -> SessionMoments:
            return moments_of(session_id, entry.session, first, entry.hindsight)

        return await self._rooms.use(session_id, look, is_long=is_long)

    async def standings(self, session_id: str, run_id: str | None) -> Standings:
        """Return how baselines, and the newest policy of a run, fare where the session is played.

        Raises:
            UnknownName: There is no such session, or the run has no policy for its world.
            SessionLimit: Too many others are being compared.
        """
        own, rivalry = await self._rooms.use(session_id, lambda entry: (_own(entry.session), _rivalry(entry.session)))

        rivals = bots_of(rivalry.venue.world)
        if run_id is not None:
            shelved = await self._rooms.aside(lambda: self._shelf.newest(run_id, rivalry.venue.spec))
            rivals.append(Rival(contender=shelved.contender(), identity=shelved.sha256))
        rows = await self._contests.standings(rivalry, rivals)
        return Standings(
            session_id=session_id,
            world=rivalry.venue.world.id,
            seed=rivalry.seed,
            headline=list(rivalry.venue.spec.headline),
            complete=all(row.finished for row in rows),
            rows=[own, *rows],
        )

    async def export(self, session_id: str, directory: Path) -> Path:
        """Write what was played so far as a replay and return the archive.

        Raises:
            SessionUnknown: There is no such session.
            SessionConflict: Nothing was played.
        """
        played = await self._rooms.use(session_id, lambda entry: PlayedSession.of(session_id, entry.session))
        return await self._rooms.aside(lambda: export_session(played, directory, self._clock))

    def _advisor(self, entry: SessionEntry, run_id: str) -> Advisor:
        shelved = self._shelf.newest(run_id, entry.session.setting.spec)
        if entry.advisor is None or entry.advisor.shelved is not shelved:
            fresh = Advisor(shelved)
            if entry.advisor is not None:
                entry.advisor.close()
            entry.advisor = fresh
        return entry.advisor


def _hint(entry: SessionEntry, shelved: ShelvedPolicy, advice: Advice) -> Hint:
    spec = entry.session.setting.spec
    return Hint(
        session_id=entry.session_id,
        steps=entry.session.steps,
        policy=AdvisorFacts(
            run_id=shelved.run_id,
            window_id=shelved.header.window_id,
            env_steps_total=shelved.header.env_steps_total,
            sha256=shelved.sha256,
            policy_arch=shelved.header.policy_arch,
        ),
        heads=[
            HeadAdvice(name=head.name, options=list(head.options), probabilities=list(shares))
            for head, shares in zip(spec.heads, advice.probabilities, strict=True)
        ],
        probabilities=[share for shares in advice.probabilities for share in shares],
        action=shown_decision(advice.decision),
        value=advice.value,
    )


def _own(session: Session) -> Standing:
    spec, seat, record = session.setting.spec, session.setting.seat, session.record
    end_reason = record.info.get("end_reason")
    return Standing(
        name=_PERSON,
        kind="human",
        finished=session.is_over,
        steps=session.steps,
        ticks=session.scene.ticks,
        return_total=session.return_total,
        metrics=dict(zip(spec.metric_keys, record.metrics[seat], strict=True)),
        end_reason=end_reason if session.is_over and isinstance(end_reason, str) else None,
    )


def _rivalry(session: Session) -> Rivalry:
    return Rivalry(venue=session.setting.venue, seed=session.seed, seat=session.setting.seat)
